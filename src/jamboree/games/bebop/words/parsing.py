"""Parser of drawn positions, the inverse of `notation.draw`; omitted lines have the values of a new game."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from jamboree.core.game import Eye
from jamboree.core.geometry import groups, mask_of
from jamboree.core.kit.drawing import BadDrawing, Drawing, numbered, numbers, one_of, parts, read_seat, read_viewer

from ..box.board import Board, load
from ..box.components import COLOURS, FACES, HAND, PLAYER_COUNTS, box
from ..box.dice import DICE, STAR, TOKEN_LABELS, TOKEN_NUMBER, Token, colour_of, die_of, face_of
from ..rules.actions import BACKSTAGE, BASIC, VIP
from ..rules.beliefs import known_die
from ..rules.setup import bare
from ..rules.state import BOOK_THIS, NO_DIE, NOWHERE, PERFORM, PHASES, REROLL, Belief, State, tile_code
from ..visibility.views import Hand, View, view
from .notation import (
    BLUR_MARK,
    COLOUR_MARKS,
    FACE_MARKS,
    HALF_PITCH,
    NO_DIE_MARK,
    PERFORMED_MARK,
    PRINTED_MARK,
    TILE_MARKS,
    die_mark,
)


def read_map(state: State, rows: Sequence[str]) -> None:
    """Put on a bare position what a view is made of; what follows from it is left out."""
    spots = {at: place for place, at in enumerate(state.ground.at)}
    stages: list[list[int]] = [[] for _ in state.ground.stages]
    for y, row in enumerate(rows):
        for x, mark in _cells(row):
            if (x, y) not in spots:
                raise BadDrawing(f"row {y + 1} of the map has {mark!a} where there is no hex")
            _read_hex(state, stages, spots.pop((x, y)), mark)
    for place in spots.values():
        raise BadDrawing(f"hex {state.ground.names[place]} is not drawn")
    for stage, tokens in zip(state.ground.stages, stages, strict=True):
        if tokens and state.backstage & stage.mask:
            raise BadDrawing(f"stage {stage.letter} has performed on some of its spaces only")
    state.tokens = [tuple(tokens) for tokens in stages]


def _cells(row: str) -> Iterator[tuple[int, str]]:
    """Split a row of the map into its marks with their half steps; a mark may start up to a step late."""
    for word in re.finditer(r"\S+", row):
        yield word.start() // HALF_PITCH, word.group()


def _read_hex(state: State, stages: list[list[int]], place: int, mark: str) -> None:
    number = state.ground.stage_at[place]
    if re.fullmatch("[0-9].(..)?", mark):
        _read_tile(state, place, mark)
    elif number < 0:
        if mark != _empty(state, place):
            raise BadDrawing(f"{mark!a} on {state.ground.names[place]} should be {_empty(state, place)!a}, or a seat")
    elif mark == state.ground.stages[number].letter + PERFORMED_MARK:
        state.backstage |= state.ground.stages[number].mask
    else:
        stages[number].append(_token(state.ground.stages[number].letter, mark))


def _empty(state: State, place: int) -> str:
    """Say how a hex that is no stage space is drawn as long as no seat lies there."""
    if state.ground.vip >> place & 1:
        return "*"
    if state.ground.printed >> place & 1:
        colour, face = next((colour, face) for at, colour, face in state.ground.printed_dice if at == place)
        return PRINTED_MARK + colour[0] + face[0]
    return "."


def _token(letter: str, mark: str) -> int:
    if len(mark) != 2 or mark[0] != letter or mark[1].lower() not in FACE_MARKS:
        raise BadDrawing(f"{mark!a} is not a space of stage {letter}, like '{letter}k', '{letter}K' or '{letter}-'")
    return TOKEN_NUMBER[Token(FACES[FACE_MARKS.index(mark[1].lower())], mark[1].isupper())]


def _read_tile(state: State, place: int, mark: str) -> None:
    seat = numbered(mark[0], "the owner of a seat", range(1, state.seats + 1)) - 1
    tile = TILE_MARKS.index(one_of(mark[1].lower(), TILE_MARKS, "a kind of seat"))
    face_down, bit = mark[1].isupper(), 1 << place
    _check_place(state, tile, face_down, place)
    _take_from_supply(state, seat, tile)
    state.tiles[place] = tile_code(seat, tile, face_down)
    if len(mark) == 2:
        state.open[seat] |= bit
        state.opened |= bit
        return
    die = read_die(mark[2:])
    state.booked |= bit
    state.owned[seat] |= bit
    state.colours[colour_of(die)] |= bit
    state.faces[face_of(die)] |= bit


def _check_place(state: State, tile: int, face_down: bool, place: int) -> None:
    ground = state.ground
    allowed = ground.free_normal
    if not face_down and tile in (VIP, BACKSTAGE):
        allowed = ground.vip if tile == VIP else ground.spaces
    if not allowed >> place & 1:
        raise BadDrawing(f"a seat of that kind does not belong on {ground.names[place]}")
    if ground.stage_at[place] >= 0:
        state.backstage |= ground.stages[ground.stage_at[place]].mask


def _take_from_supply(state: State, seat: int, tile: int) -> None:
    if not (state.basics[seat] if tile == BASIC else state.specials[seat] >> tile & 1):
        raise BadDrawing(f"player {seat + 1} has more seats marked {TILE_MARKS[tile]!a} than there are")
    if tile == BASIC:
        state.basics[seat] -= 1
    else:
        state.specials[seat] ^= 1 << tile


def read_die(mark: str) -> int:
    if mark not in DIE_MARKS:
        raise BadDrawing(f"{mark!a} is not a die: a colour ({COLOUR_MARKS}), then a face ({FACE_MARKS})")
    return die_of(COLOUR_MARKS.index(mark[0]), FACE_MARKS.index(mark[1]))


DIE_MARKS = frozenset(map(die_mark, DICE))


UP_TO_999 = range(1000)
PENDING = re.compile(r"(\d+) rerolls, seat (\S+), stages (.+)")


def parse(text: str) -> View:
    """Read what `draw` writes."""
    drawing = Drawing(text, "map", "board")
    festival, _ = drawing.get("board", "vanillaville"), drawing.get("festival")
    board = Board.parse(drawing.source) if drawing.source else load(festival)
    seats = numbered(drawing.get("seats", str(PLAYER_COUNTS[0])), "the number of seats", PLAYER_COUNTS)
    options = [one_of(word, ("star", "hidden"), "an option") for word in drawing.get("options").split()]
    state = bare(board.ground(seats), "star" in options, "hidden" in options)
    read_map(state, drawing.picture)
    state.families = [tuple(groups(mask, state.ground.near)) for mask in state.colours]
    _read_turn(state, drawing)
    _read_table(state, drawing)
    return _read_seats(state, drawing)


def _read_turn(state: State, drawing: Drawing) -> None:
    turn, _, phase = drawing.get("turn", "1 turn").partition(" ")
    state.turn = read_seat(turn, state.seats)
    state.phase = PHASES.index(one_of(phase or "turn", PHASES, "a phase"))
    state.passed = mask_of(read_seat(seat, state.seats) for seat in drawing.get("passed").split())
    pending = PENDING.fullmatch(drawing.get("pending", "0 rerolls, seat -, stages -"))
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


def _read_table(state: State, drawing: Drawing) -> None:
    if rating := drawing.get("rating"):
        state.rating = numbers(rating.split(), len(FACES), "'rating:'", UP_TO_999)
    if gone := drawing.get("box"):
        state.box = numbers(gone.split(), len(TOKEN_LABELS), "'box:'", UP_TO_999)
    if queue := drawing.get("queue"):
        marks = queue.split()
        if len(marks) != box(state.seats).queue:
            raise BadDrawing(f"'queue:' has {len(marks)} places, not {box(state.seats).queue}")
        state.queue = [NO_DIE if mark == NO_DIE_MARK else read_die(mark) for mark in marks]
    for banner in parts(drawing.get("banners"), ", "):
        _read_banner(state, banner.split())
    state.paid = [() if tokens else (0,) * state.seats for tokens in state.tokens]
    for paid in parts(drawing.get("paid"), ", "):
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
    state.paid[number] = tuple(numbers(values, state.seats, "what a stage has paid", UP_TO_999))


def _read_seats(state: State, drawing: Drawing) -> View:
    """Read the players, then show the position to its viewer: everything, if none is named."""
    who = read_viewer(drawing.get("viewer", "all"), state.seats)
    counts = dict[int, int]()
    for seat in range(state.seats):
        seen = not state.hidden or who in (Eye.ALL, seat)
        for part in parts(drawing.get(f"seat {seat + 1}")):
            word, *values = part.split() or [""]
            if word == ("hidden" if seen else "hand"):
                raise BadDrawing(f"seat {seat + 1}: this viewer {'sees' if seen else 'does not see'} the hand")
            if word == "hidden":
                (counts[seat],) = numbers(values, 1, "a hidden hand", range(HAND + 1))
            else:
                SEAT_PARTS[one_of(word, tuple(SEAT_PARTS), f"a part of seat {seat + 1}")](state, seat, values)
        if not seen:
            counts.setdefault(seat, 0)
    return _view(state, drawing, who, counts)


def _points(state: State, seat: int, values: list[str]) -> None:
    three = numbers(values, 3, "points", UP_TO_999)
    state.family_points[seat], state.stage_points[seat], state.majority_points[seat] = three


def _tokens(state: State, seat: int, values: list[str]) -> None:
    state.held[seat] = tuple(numbers(values, STAR + 1, "tokens", UP_TO_999))


def _supply(state: State, seat: int, values: list[str]) -> None:
    (state.basics[seat],) = numbers(values[:1], 1, "basic seats", UP_TO_999)
    specials = "".join(values[1:])
    state.specials[seat] = mask_of(TILE_MARKS.index(one_of(mark, TILE_MARKS[1:], "a special")) for mark in specials)


def _hand(state: State, seat: int, values: list[str]) -> None:
    if len(values) > HAND:
        raise BadDrawing(f"seat {seat + 1} has more than {HAND} dice in hand")
    state.hands[seat] = tuple(read_die(mark) for mark in values)


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


def _view(state: State, drawing: Drawing, who: int | Eye | None, counts: Mapping[int, int]) -> View:
    seen = view(state, Eye.ALL)
    hands = [Hand(counts[at], None, hand.beliefs) if at in counts else hand for at, hand in enumerate(seen.hands)]
    rest = _dice_left(state) - sum(counts.values())
    if rest < 0:
        raise BadDrawing("there are more dice than in the box")
    bag = int(one_of(drawing.get("bag", str(rest)), ("0", str(rest)), "what the bag can hold"))
    drawing.finish()
    return msgspec.structs.replace(seen, viewer=who.value if isinstance(who, Eye) else who, hands=hands, bag=bag)


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


def _hex(state: State, name: str) -> int:
    return state.ground.index[one_of(name, state.ground.names, "a hex in play")]


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
