"""What a viewer sees, and what of an event a viewer witnesses."""

from functools import lru_cache
from typing import Any

import msgspec

from jamboree.core.game import Eye, SharedView, Viewer
from jamboree.core.geometry import bits
from jamboree.core.seats import BySeat, Seat, SeatSet

from ..box.components import BOX, CARDS, SURE, Limits, cards_in, count_of, jumpcards_of, size_of
from ..box.jumps import Jump, layout
from ..box.odds import percent
from ..rules.actions import Term, action_space
from ..rules.announcing import honesty_of, turned
from ..rules.events import (
    REVEALING,
    AnyEvent,
    CardLaid,
    CardLate,
    CardsDealt,
    ExchangeAsked,
    Honesty,
    OddsWeighed,
    PromiseBegun,
    PromiseJudged,
    PromiseMade,
    Turned,
)
from ..rules.judging import points_each, read_jump
from ..rules.state import (
    NO_TERM,
    OVER,
    PHASES,
    TO_ALL,
    VERDICTS,
    JumpReport,
    JuryReport,
    PromiseCounts,
    PromiseRecord,
    State,
    read_play,
)


class Hand(msgspec.Struct, frozen=True):
    """How many jumpcards and character cards; which, the owner alone sees."""

    jumpcards: int
    characters: int
    cards: list[str] | None


class Laid(msgspec.Struct, frozen=True):
    """A card on the table, face down: only the player who laid it sees its face."""

    seat: Seat
    jump: Jump
    character: bool
    late: bool
    card: str | None


class Draft(msgspec.Struct, frozen=True):
    """A promise that was begun: to one seat or to all, and what is asked for it."""

    to: Seat | None
    asked: Term | None


class Talk(msgspec.Struct, frozen=True):
    begun: int
    draft: Draft | None


class Promised(msgspec.Struct, frozen=True):
    seat: Seat
    to: Seat | None
    term: Term
    asked: Term | None
    verdict: str | None  # kept, broken or void, once the jury has judged it


class Memory(msgspec.Struct, frozen=True):
    """What was public when the deck was last made, and what the jury has turned since: counts by kind of jumpcard."""

    deck: list[int]
    hands: BySeat[int]  # jumpcards each player held then
    own: list[int] | None  # and which the viewer did
    shown: BySeat[list[int]]


class JumpSeen(msgspec.Struct, frozen=True):
    """A jump as the last jury found it."""

    jump: Jump
    characters: list[Turned]
    jumpcards: list[Turned]
    disqualified: SeatSet  # laid two or more character cards here
    late: SeatSet
    refused: list[Turned]
    sure: SeatSet
    maybe: SeatSet
    verdict: str  # exact, halved, too many, nobody
    jumpers: SeatSet
    dice: int
    difficulty: int
    potential: int
    percent: int
    eyes: list[int]
    points: int


class LateCard(msgspec.Struct, frozen=True):
    seat: Seat
    jump: Jump
    card: str | None  # None: a character, which returned unseen


class Jury(msgspec.Struct, frozen=True):
    """The last jury, as far as this viewer saw it."""

    late: SeatSet
    late_cards: list[LateCard]
    jumps: list[JumpSeen]
    promises: list[Promised]


class View(msgspec.Struct, frozen=True):
    viewer: Seat | str | None
    seats: int
    plane_seconds: int  # 0: untimed
    jump_seconds: int
    promising: bool
    formations: list[int]  # those in use
    jumpruns: int
    limits: Limits
    phase: str
    jumprun: int
    jumpmaster: Seat
    ready: SeatSet  # in the jump: done
    withdrawn: BySeat[int]
    late: SeatSet
    points: list[BySeat[int]]  # by jumprun
    hands: BySeat[Hand]
    plays: list[Laid]  # in the order they were laid
    deck: int
    discard: list[int]  # by kind of jumpcard
    memory: Memory
    talk: BySeat[Talk | None]
    promises: list[Promised]
    jury: Jury
    honesty: BySeat[Honesty]


def view(state: State, viewer: Viewer) -> View:
    """Show a viewer what is named here, and nothing else."""
    return views(state)(viewer)


def views(state: State) -> SharedView[View]:
    """Show a position to any viewer; what all of them see is built once."""
    return SharedView(View, _shared_fields(state), lambda viewer: _private_fields(state, viewer))


def _shared_fields(state: State) -> dict[str, Any]:
    return {
        "seats": state.seats,
        "plane_seconds": state.plane_seconds,
        "jump_seconds": state.jump_seconds,
        "promising": state.promising,
        "formations": list(layout(state.seats).formations),
        "jumpruns": BOX.jumpruns,
        "limits": BOX.limits,
        "phase": PHASES[state.phase],
        "jumprun": state.jumprun + 1,
        "jumpmaster": state.jumpmaster,
        "ready": list(bits(state.ready)),
        "withdrawn": state.withdrawn[:],
        "late": list(bits(state.late)),
        "points": [list(points) for points in state.points],
        "deck": state.deck.total,
        "discard": state.discard.counts[:],
    }


def _private_fields(state: State, viewer: Viewer) -> dict[str, Any]:
    return {
        "viewer": viewer.value if isinstance(viewer, Eye) else viewer,
        "hands": [_hand(hand, viewer is Eye.ALL or viewer == seat) for seat, hand in enumerate(state.hands)],
        "plays": [_laid(state.seats, code, viewer) for code in state.plays],
        "memory": _memory(state.era_deck, tuple(state.era_hands), tuple(state.shown), viewer),
        "talk": [_talk(state, seat) if viewer in (seat, Eye.ALL) else None for seat in range(state.seats)],
        "promises": _promises(state.seats, tuple(state.promises), viewer),
        "jury": _jury(state.seats, state.report, viewer),
        "honesty": [_honesty(state, seat, viewer) for seat in range(state.seats)],
    }


def knows_promise(seat: int, to: int | None, viewer: Viewer) -> bool:
    """Tell whether a promise is known to a viewer: one to all is, one to a single seat only to those two."""
    return to in (TO_ALL, None) or viewer is Eye.ALL or viewer in (seat, to)


@lru_cache(maxsize=1 << 12)
def _hand(hand: int, open_to_viewer: bool) -> Hand:
    jumpcards = size_of(hand)
    characters = sum(count_of(hand, card) for card in range(SURE, len(CARDS)))
    return Hand(jumpcards, characters, [CARDS[card] for card in cards_in(hand)] if open_to_viewer else None)


@lru_cache(maxsize=1 << 12)
def _laid(seats: int, code: int, viewer: Viewer) -> Laid:
    jump, seat, card, late = read_play(code)
    seen = viewer is Eye.ALL or viewer == seat
    return Laid(seat, layout(seats).jumps[jump], card >= SURE, late, CARDS[card] if seen else None)


def counts_of(hand: int) -> list[int]:
    return list(jumpcards_of(hand))


@lru_cache(maxsize=1 << 10)
def _memory(deck: int, hands: tuple[int, ...], shown: tuple[int, ...], viewer: Viewer) -> Memory:
    own = counts_of(hands[viewer]) if isinstance(viewer, int) else None
    return Memory(counts_of(deck), [size_of(hand) for hand in hands], own, [counts_of(turned) for turned in shown])


def _talk(state: State, seat: int) -> Talk:
    draft = state.drafts[seat]
    if draft is None:
        return Talk(state.begun[seat], None)
    to, asked = draft
    terms = action_space(state.seats).terms
    return Talk(state.begun[seat], Draft(None if to == TO_ALL else to, None if asked == NO_TERM else terms[asked]))


@lru_cache(maxsize=1 << 10)
def _promises(seats: int, promises: tuple[PromiseRecord, ...], viewer: Viewer) -> list[Promised]:
    return [_promised(seats, made, None) for made in promises if knows_promise(made.seat, made.to, viewer)]


@lru_cache(maxsize=1 << 12)
def _promised(seats: int, made: PromiseRecord, verdict: str | None) -> Promised:
    terms, to = action_space(seats).terms, None if made.to == TO_ALL else made.to
    return Promised(made.seat, to, terms[made.term], None if made.asked == NO_TERM else terms[made.asked], verdict)


@lru_cache(maxsize=1 << 10)
def _jury(seats: int, report: JuryReport, viewer: Viewer) -> Jury:
    late_cards = []
    for code in report.late_cards:
        jump, seat, card, _ = read_play(code)
        late_cards.append(LateCard(seat, layout(seats).jumps[jump], CARDS[card] if card < SURE else None))
    judged = [
        _promised(seats, made, VERDICTS[verdict])
        for made, verdict in report.judged
        if knows_promise(made.seat, made.to, viewer)
    ]
    jumps = [jump_seen(seats, jump, report.late) for jump in report.jumps]
    return Jury(list(bits(report.late)), late_cards, jumps, judged)


@lru_cache(maxsize=256)
def jump_seen(seats: int, report: JumpReport, late: int) -> JumpSeen:
    jump = layout(seats).jumps[report.jump]
    reading = read_jump(jump, report.cards, late)
    return JumpSeen(
        jump=jump,
        characters=turned(tuple(code for code in report.cards if code & 15 >= SURE)),
        jumpcards=turned(tuple(code for code in report.cards if code & 15 < SURE)),
        disqualified=list(bits(reading.twice)),
        late=list(bits(reading.late)),
        refused=turned(reading.refused),
        sure=list(bits(reading.sure)),
        maybe=list(bits(reading.maybe)),
        verdict=reading.verdict,
        jumpers=list(bits(reading.jumpers.seats)) if reading.jumpers else [],
        dice=reading.dice,
        difficulty=reading.difficulty,
        potential=reading.potential,
        percent=percent(reading.dice, reading.difficulty),
        eyes=list(report.eyes),
        points=points_each(reading, sum(report.eyes)) if reading.takes_place else 0,
    )


def _honesty(state: State, seat: int, viewer: Viewer) -> Honesty:
    """Count the promises this viewer saw judged; at the end all of them."""
    if state.phase == OVER or viewer is Eye.ALL or viewer == seat:
        return honesty_of(state, seat)
    to_all: PromiseCounts = state.told_all[seat]
    if isinstance(viewer, int):
        to_viewer = state.told_one[seat * state.seats + viewer]
        return Honesty(to_all[0] + to_viewer[0], to_all[1] + to_viewer[1], to_all[2] + to_viewer[2])
    return Honesty(*to_all)


def reveals(state: State, event: AnyEvent) -> bool:
    return isinstance(event, REVEALING)


def witness(event: AnyEvent, viewer: Viewer) -> AnyEvent | None:
    """Take out of an event what this viewer may not see; None where the event itself is private."""
    if viewer is Eye.ALL:
        return event
    match event:
        case CardsDealt(seat=seat) if seat != viewer:
            return CardsDealt(seat, event.count, None)
        case CardLaid(seat=seat) if seat != viewer:
            return CardLaid(seat, event.jump, event.character, None, event.done_withdrawn)
        case CardLate(seat=seat) if seat != viewer:
            return CardLate(seat, event.jump, event.character, None)
        case PromiseBegun() | ExchangeAsked() | OddsWeighed():
            return event if event.seat == viewer else None
        case PromiseMade() | PromiseJudged():
            return event if knows_promise(event.seat, event.to, viewer) else None
    return event
