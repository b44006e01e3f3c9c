"""The jury: every jump is turned and scored, promises are judged, and the next jumprun is prepared."""

from collections.abc import Iterator

from jamboree.core.chance import EVERYONE, Chance
from jamboree.core.geometry import bits
from jamboree.core.kit.events import EventSink

from ..box.components import ALL_CHARACTERS, BOX, CHARACTER_MASK, EYES, JUMPCARD_BITS, JUMPCARD_MASK, ONE, SURE
from ..box.jumps import layout
from . import announcing
from .events import AnyEvent
from .judging import Reading, points_each, read_jump
from .promises import judge
from .state import OVER, PREPARATION, TO_ALL, JumpReport, JuryReport, PromiseRecord, State, read_play


def hold_jury(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Turn and score jump by jump, judge the promises, clear the table, and move the jumpmaster."""
    scored, rulings = [0] * state.seats, dict[int, tuple[JumpReport, Reading]]()
    late_cards = tuple(code for code in state.plays if code >> 7 & 1)
    if emit.enabled:
        announcing.announce_late_cards(late_cards, emit)
    for jump, cards in piles(state):
        report, reading = score_jump(state, jump, cards, chance, emit)
        rulings[jump] = report, reading
        if points := points_each(reading, sum(report.eyes)):
            for seat in bits(reading.jumpers.seats if reading.jumpers else 0):
                scored[seat] += points
    judged = judge(state.seats, state.promises, rulings)
    state.report = JuryReport(state.late, late_cards, tuple(report for report, _ in rulings.values()), tuple(judged))
    state.points.append(tuple(scored))
    count_verdicts(state, judged)
    if emit.enabled:
        announcing.announce_scores(state, emit)
    clear_table(state)
    next_jumprun(state, emit)


def piles(state: State) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Take the jumps in the jury's order, each with its cards by seat from the jumpmaster leftwards."""
    laid: dict[int, list[int]] = {}
    for code in state.plays:
        if not code >> 7 & 1:
            laid.setdefault(code >> 8, []).append(code & 127)
    seats, first = state.seats, state.jumpmaster << 4
    for jump in layout(seats).in_order(state.jumpmaster):
        if jump in laid:
            yield jump, tuple(sorted(laid[jump], key=lambda code: (code - first) % (seats << 4)))


def score_jump(
    state: State, jump: int, cards: tuple[int, ...], chance: Chance, emit: EventSink[AnyEvent]
) -> tuple[JumpReport, Reading]:
    """Read a jump, and roll a die for each figure if it takes place."""
    where = layout(state.seats).jumps[jump]
    reading = read_jump(where, cards, state.late)
    eyes: tuple[int, ...] = ()
    if reading.takes_place:  # a jump that takes place always rolls, even when the result is certain
        eyes = tuple([chance.roll(EYES, EVERYONE) + 1 for _ in range(reading.dice)])
    if emit.enabled:
        announcing.announce_jump(where, cards, reading, eyes, emit)
    return JumpReport(jump, cards, eyes), reading


def count_verdicts(state: State, judged: list[tuple[PromiseRecord, int]]) -> None:
    """Count each promise as kept, broken or void, before all or before the two it was between."""
    for made, verdict in judged:
        tallies, at = (
            (state.told_all, made.seat) if made.to == TO_ALL else (state.told_one, made.seat * state.seats + made.to)
        )
        tally = list(tallies[at])
        tally[verdict] += 1
        tallies[at] = (tally[0], tally[1], tally[2])
    state.promises = []


def clear_table(state: State) -> None:
    """Played jumpcards are discarded, character cards return."""
    for code in state.plays:
        _, seat, card, _ = read_play(code)
        if card < SURE:
            state.discard.put(card)
            state.shown[seat] += ONE[card]
    for seat, hand in enumerate(state.hands):
        state.hands[seat] = hand & JUMPCARD_BITS | ALL_CHARACTERS
        state.held[seat] = state.held[seat] & JUMPCARD_MASK | CHARACTER_MASK
    state.plays = []
    state.opened = state.late = 0
    state.standing = [0] * state.seats
    state.begun = [0] * state.seats


def next_jumprun(state: State, emit: EventSink[AnyEvent]) -> None:
    """The player to the left of the jumpmaster becomes the new one; after the fourth jumprun the game is over."""
    state.ready = 0
    state.spent = layout(state.seats).everyone
    if len(state.points) == BOX.jumpruns:
        state.phase = OVER
    else:
        state.phase = PREPARATION
        state.jumprun += 1
        state.jumpmaster = (state.jumpmaster + 1) % state.seats
    if emit.enabled:
        announcing.announce_next(state, emit)
