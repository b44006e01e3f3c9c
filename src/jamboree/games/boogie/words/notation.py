"""A position as text: `draw` here and `parse` in `reading` are a pair.

Seats count from 1. A jump is `3`, a formation, or `s2`, the solo of the second player. A play is `2@3:sure`, laid by
the second player on the 3; a face the viewer does not see is `card` or `character`, and `!` marks what came late.
What can be promised is `sure@3`, `out@s2`, `figures5@3`, `harmless@4`; a promise is `1>all sure@3`, or
`1>2 figures5@3 for sure@3` where the second player has to do something for it.
"""

from collections.abc import Iterable, Iterator, Sequence

from jamboree.core.kit.drawing import number_marks, seat_marks, viewer_mark

from ..box.components import JUMPCARDS
from ..box.jumps import Jump
from ..rules.actions import Term
from ..rules.events import Turned
from ..visibility.views import JumpSeen, Laid, Promised, Talk, View

ALL, NOTHING, LATE = "all", "-", "!"
HIDDEN_CARD, HIDDEN_CHARACTER = "card", "character"


def jump_mark(jump: Jump) -> str:
    return str(jump.number) if jump.solo is None else f"s{jump.solo + 1}"


def seat_mark(seat: int | None) -> str:
    return ALL if seat is None else str(seat + 1)


def term_mark(term: Term) -> str:
    return f"{term.pledge}{term.worth or ''}@{jump_mark(term.jump)}"


def promise_mark(promised: Promised) -> str:
    exchange = f" for {term_mark(promised.asked)}" if promised.asked else ""
    return f"{promised.seat + 1}>{seat_mark(promised.to)} {term_mark(promised.term)}{exchange}"


def play_mark(laid: Laid) -> str:
    face = laid.card or (HIDDEN_CHARACTER if laid.character else HIDDEN_CARD)
    return f"{laid.seat + 1}@{jump_mark(laid.jump)}:{face}{LATE * laid.late}"


def draw(view: View) -> str:
    """Draw all that a view shows as text."""
    return "\n".join(line.rstrip() for line in _lines(view)) + "\n"


def _lines(view: View) -> Iterator[str]:
    yield f"viewer: {viewer_mark(view.viewer)}"
    yield f"seats: {view.seats}"
    yield f"time: {f'{view.plane_seconds} {view.jump_seconds}' if view.plane_seconds else 'untimed'}"
    yield f"promises: {'on' if view.promising else 'off'}"
    yield f"jumprun: {view.jumprun} {view.phase}"
    yield f"jumpmaster: {view.jumpmaster + 1}"
    yield f"ready: {seat_marks(view.ready)}"
    yield f"late: {seat_marks(view.late)}"
    yield f"points: {' / '.join(number_marks(points) for points in view.points)}"
    yield f"deck: {view.deck}"
    yield f"discard: {_counts(view.discard)}"
    yield f"last deck: {_counts(view.memory.deck)}"
    yield f"held then: {number_marks(view.memory.hands)}"
    yield f"own then: {NOTHING if view.memory.own is None else _counts(view.memory.own)}"
    for seat in range(view.seats):
        yield _seat(view, seat)
    yield f"plays: {' '.join(play_mark(laid) for laid in view.plays)}"
    yield f"promised: {'; '.join(promise_mark(promised) for promised in view.promises)}"
    yield from _jury(view)


def _counts(counts: Sequence[int]) -> str:
    return " ".join(f"{card}:{count}" for card, count in zip(JUMPCARDS, counts, strict=True) if count)


def _seat(view: View, seat: int) -> str:
    hand, honesty = view.hands[seat], view.honesty[seat]
    cards = f"hidden {hand.jumpcards} {hand.characters}" if hand.cards is None else f"hand {' '.join(hand.cards)}"
    parts = [
        f"seat {seat + 1}: {cards}",
        f"withdrew {view.withdrawn[seat]}",
        f"honesty {honesty.kept} {honesty.broken} {honesty.void}",
        f"shown {_counts(view.memory.shown[seat])}",
        f"talk {_talk(view.talk[seat])}",
    ]
    return "; ".join(part.rstrip() for part in parts)


def _talk(talk: Talk | None) -> str:
    if talk is None:
        return NOTHING
    if talk.draft is None:
        return str(talk.begun)
    exchange = f" for {term_mark(talk.draft.asked)}" if talk.draft.asked else ""
    return f"{talk.begun} >{seat_mark(talk.draft.to)}{exchange}"


def _jury(view: View) -> Iterator[str]:
    yield f"jury late: {seat_marks(view.jury.late)}"
    late = (f"{card.seat + 1}@{jump_mark(card.jump)}:{card.card or HIDDEN_CHARACTER}" for card in view.jury.late_cards)
    yield f"jury late cards: {' '.join(late)}"
    for jump in view.jury.jumps:
        yield f"jury jump {jump_mark(jump.jump)}: {_turned(jump)}"
    judged = (f"{promise_mark(promised)} = {promised.verdict}" for promised in view.jury.promises)
    yield f"jury promises: {'; '.join(judged)}"


def _turned(jump: JumpSeen) -> str:
    return f"{_marks(jump.characters)} | {_marks(jump.jumpcards)} | {number_marks(jump.eyes)}"


def _marks(cards: Iterable[Turned]) -> str:
    return " ".join(f"{turned.seat + 1}:{turned.card}" for turned in cards)
