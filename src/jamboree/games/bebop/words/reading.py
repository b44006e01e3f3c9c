"""Reads a drawn position; what is left out stands at its beginning. BadDrawing says what is wrong with a text."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from jamboree.core.drawing import BadDrawing, sections
from jamboree.core.game import Eye
from jamboree.core.geometry import groups, mask_of

from ..box.board import Board, load
from ..box.components import COLOURS, FACES, HAND, PLAYER_COUNTS, box
from ..box.dice import STAR, TOKEN_LABELS, colour_of
from ..rules.memory import known_die
from ..rules.setup import bare
from ..rules.state import BOOK_THIS, NO_DIE, NOWHERE, PERFORM, PHASES, REROLL, Belief, State
from ..seen.views import Hand, View, view
from .notation import BLUR_MARK, COLOUR_MARKS, FACE_MARKS, NO_DIE_MARK, TILE_MARKS
from .reading_map import numbered, one_of, read_dice, read_map

__all__ = ["BadDrawing", "parse"]

OF_THE_GAME = ("board", "festival", "viewer", "seats", "options", "turn", "pending", "passed")
OF_THE_TABLE = ("rating", "box", "queue", "bag", "banners", "paid")
PENDING = re.compile(r"(\d+) rerolls, seat (\S+), stages (.+)")
ALL, SPECTATOR = Eye.ALL.value, "spectator"


def parse(text: str) -> View:
    """Read what `draw` writes."""
    fields, source, rows = sections(text, "map", "board")
    board = Board.parse(source) if source else load(fields.get("board", "vanillaville"))
    seats = numbered(fields.get("seats", str(PLAYER_COUNTS[0])), "the number of seats", PLAYER_COUNTS)
    options = [one_of(word, ("star", "hidden"), "an option") for word in fields.get("options", "").split()]
    state = bare(board.ground(seats), "star" in options, "hidden" in options)
    read_map(state, rows)
    state.families = [tuple(groups(mask, state.ground.near)) for mask in state.colours]
    _check_lines(state, fields)
    _read_turn(state, fields)
    _read_table(state, fields)
    return _read_seats(state, fields)


def _check_lines(state: State, fields: Mapping[str, str]) -> None:
    known = (*OF_THE_GAME, *OF_THE_TABLE, *(f"seat {seat + 1}" for seat in range(state.seats)))
    for key in fields:
        one_of(key, known, "a line of this drawing")


def _read_turn(state: State, fields: Mapping[str, str]) -> None:
    turn, _, phase = fields.get("turn", "1 turn").partition(" ")
    state.turn = _seat(state, turn)
    state.phase = PHASES.index(one_of(phase or "turn", PHASES, "a phase"))
    state.passed = mask_of(_seat(state, seat) for seat in fields.get("passed", "").split())
    pending = PENDING.fullmatch(fields.get("pending", "0 rerolls, seat -, stages -"))
    if not pending:
        raise BadDrawing("'pending:' reads like '1 rerolls, seat b2, stages A C', with '-' for none")
    rerolls, insta, stages = pending.groups()
    state.rerolls = numbered(rerolls, "the number of rerolls", range(3))
    state.insta = NOWHERE if insta == "-" else _hex(state, insta)
    letters = [stage.letter for stage in state.ground.stages]
    state.complete = mask_of(letters.index(one_of(at, letters, "a stage")) for at in stages.split() if at != "-")
    _check_pending(state)


def _check_pending(state: State) -> None:
    """Refuse a phase whose question could not be answered."""
    if state.phase == BOOK_THIS and not (state.insta != NOWHERE and state.open[state.turn] >> state.insta & 1):
        raise BadDrawing("'pending:' has to name the open seat that may be booked")
    if state.phase == PERFORM and not state.complete:
        raise BadDrawing("'pending:' has to name the stages that are complete")
    if state.phase == REROLL and not state.rerolls:
        raise BadDrawing("'pending:' has to count the rerolls to come")
    if any(state.complete >> number & 1 and not tokens for number, tokens in enumerate(state.tokens)):
        raise BadDrawing("a stage named in 'pending:' has performed already")


def _read_table(state: State, fields: Mapping[str, str]) -> None:
    if "rating" in fields:
        state.rating = _numbers(fields["rating"].split(), len(FACES), "'rating:'")
    if "box" in fields:
        state.box = _numbers(fields["box"].split(), len(TOKEN_LABELS), "'box:'")
    if "queue" in fields:
        marks = fields["queue"].split()
        if len(marks) != box(state.seats).queue:
            raise BadDrawing(f"'queue:' has {len(marks)} places, not {box(state.seats).queue}")
        state.queue = [NO_DIE if mark == NO_DIE_MARK else read_dice(mark) for mark in marks]
    for banner in filter(None, fields.get("banners", "").split(", ")):
        _read_banner(state, banner.split())
    state.paid = [() if tokens else (0,) * state.seats for tokens in state.tokens]
    for paid in filter(None, fields.get("paid", "").split(", ")):
        _read_paid(state, paid.split())


def _read_banner(state: State, words: Sequence[str]) -> None:
    if len(words) != 2:
        raise BadDrawing("a banner is a colour and a hex, like 'red b2'")
    colour, place = COLOURS.index(one_of(words[0], COLOURS, "a colour")), _hex(state, words[1])
    if state.family_at(colour, place).bit_count() < 2:
        raise BadDrawing(f"there is no {words[0]} family on {words[1]}")
    state.banners[colour] = place


def _read_paid(state: State, words: Sequence[str]) -> None:
    letter, *values = words or [""]
    performed = {state.ground.stages[at].letter: at for at, tokens in enumerate(state.tokens) if not tokens}
    number = performed[one_of(letter, tuple(performed), "a stage that has performed")]
    state.paid[number] = tuple(_numbers(values, state.seats, "what a stage has paid"))


def _read_seats(state: State, fields: Mapping[str, str]) -> View:
    """Read the players, then show the position to its viewer: everything, if none is named."""
    viewer = one_of(fields.get("viewer", ALL), (ALL, SPECTATOR, *map(str, _numbers_of(state))), "a viewer")
    counts = dict[int, int]()
    for seat in range(state.seats):
        seen = not state.hidden or viewer in (ALL, str(seat + 1))
        for part in filter(None, fields.get(f"seat {seat + 1}", "").split("; ")):
            word, *values = part.split() or [""]
            if word == ("hidden" if seen else "hand"):
                raise BadDrawing(f"seat {seat + 1}: this viewer {'sees' if seen else 'does not see'} the hand")
            if word == "hidden":
                (counts[seat],) = _numbers(values, 1, "a hidden hand", HAND)
            else:
                SEAT_PARTS[one_of(word, tuple(SEAT_PARTS), f"a part of seat {seat + 1}")](state, seat, values)
        if not seen:
            counts.setdefault(seat, 0)
    who = None if viewer == SPECTATOR else int(viewer) - 1 if viewer.isdigit() else viewer
    return _view(state, fields, who, counts)


def _points(state: State, seat: int, values: list[str]) -> None:
    three = _numbers(values, 3, "points")
    state.family_points[seat], state.stage_points[seat], state.majority_points[seat] = three


def _tokens(state: State, seat: int, values: list[str]) -> None:
    state.held[seat] = tuple(_numbers(values, STAR + 1, "tokens"))


def _supply(state: State, seat: int, values: list[str]) -> None:
    (state.basics[seat],) = _numbers(values[:1], 1, "basic seats")
    specials = "".join(values[1:])
    state.specials[seat] = mask_of(TILE_MARKS.index(one_of(mark, TILE_MARKS[1:], "a special")) for mark in specials)


def _hand(state: State, seat: int, values: list[str]) -> None:
    if len(values) > HAND:
        raise BadDrawing(f"seat {seat + 1} has more than {HAND} dice in hand")
    state.hands[seat] = tuple(read_dice(mark) for mark in values)


def _known(state: State, seat: int, values: list[str]) -> None:
    if not state.hidden:
        raise BadDrawing(f"seat {seat + 1}: hands are open, so there is nothing to guess")
    state.beliefs[seat] = tuple(_belief(value) for value in values)


def _belief(text: str) -> Belief:
    dice, _, weight = text.partition("=")
    marks = [] if dice == "-" else dice.split("+")
    if len(marks) > HAND or not re.fullmatch(r"[0-9.e-]+", weight) or not 0 < _float(weight) <= 1:
        raise BadDrawing(f"{text!a} is not a way to know a hand, like 'rk+g?=0.5'")
    return tuple(_known_die(mark) for mark in marks), float(weight)


def _known_die(mark: str) -> int:
    faces = FACE_MARKS + BLUR_MARK
    if len(mark) != 2:
        raise BadDrawing(f"{mark!a} is not a known die, like 'rk' or 'g?'")
    colour, face = one_of(mark[0], COLOUR_MARKS, "a colour"), one_of(mark[1], faces, "a face")
    return known_die(COLOUR_MARKS.index(colour), faces.index(face))


SEAT_PARTS = {"points": _points, "tokens": _tokens, "supply": _supply, "hand": _hand, "known": _known}


def _view(state: State, fields: Mapping[str, str], viewer: int | str | None, counts: Mapping[int, int]) -> View:
    seen = view(state, Eye.ALL)
    hands = [Hand(counts[at], None, hand.beliefs) if at in counts else hand for at, hand in enumerate(seen.hands)]
    rest = _dice_left(state) - sum(counts.values())
    if rest < 0:
        raise BadDrawing("there are more dice than in the box")
    bag = int(one_of(fields.get("bag", str(rest)), ("0", str(rest)), "what the bag can hold"))
    return msgspec.structs.replace(seen, viewer=viewer, hands=hands, bag=bag)


def _dice_left(state: State) -> int:
    """Count the dice that are not on the board, in the queue or in a hand that is seen."""
    left = state.bag.clone()
    for colour, mask in enumerate(state.colours):  # preprinted dice are none of the box's
        left.put(colour, -(mask & ~state.ground.printed).bit_count())
    for die in (*state.queue, *(die for hand in state.hands for die in hand)):
        if die != NO_DIE:
            left.put(colour_of(die), -1)
    for name, count in zip(COLOURS, left.counts, strict=True):
        if count < 0:
            raise BadDrawing(f"there are more {name} dice than in the box")
    return left.total


def _numbers(values: Sequence[str], count: int, what: str, most: int = 999) -> list[int]:
    if len(values) != count:
        raise BadDrawing(f"{what} wants {count} {'number' if count == 1 else 'numbers'}, not {len(values)}")
    return [numbered(value, what, range(most + 1)) for value in values]


def _numbers_of(state: State) -> range:
    return range(1, state.seats + 1)


def _seat(state: State, text: str) -> int:
    return numbered(text, "a seat", _numbers_of(state)) - 1


def _hex(state: State, name: str) -> int:
    return state.ground.index[one_of(name, state.ground.names, "a hex in play")]


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
