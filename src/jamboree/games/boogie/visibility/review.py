"""The review section on promises: kept, broken and void, and what breaking them was worth.

Each jump is judged again as if the promise had been kept, with the same roll.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from jamboree.core.game import Viewer
from jamboree.core.review import Column, ReviewSection

from ..box.components import BOX, CARDS, NUMBER, SURE
from ..box.jumps import Jump
from ..box.odds import percent
from ..box.texts import CATALOGUE
from ..rules.actions import Term
from ..rules.events import AnyEvent, CardsTurned, CharactersRemoved, DiceRolled, JumprunScored, PromiseJudged, Turned
from ..rules.judging import points_each, read_jump
from ..rules.promises import harmful
from .views import View, knows_promise


@dataclass
class Jumprun:
    """What the jury turned and rolled, jump by jump."""

    cards: dict[Jump, tuple[int, ...]] = field(default_factory=dict)
    eyes: dict[Jump, tuple[int, ...]] = field(default_factory=dict)
    late: int = 0
    judged: list[PromiseJudged] = field(default_factory=list)

    def points(self, seat: int, cards: dict[Jump, tuple[int, ...]]) -> float:
        """Count what a seat gets for such cards; a roll that was not made counts by its odds."""
        return sum(self._points(seat, jump, laid) for jump, laid in cards.items())

    def _points(self, seat: int, jump: Jump, laid: tuple[int, ...]) -> float:
        reading = read_jump(jump, laid, self.late)
        if reading.jumpers is None or not reading.jumpers.seats >> seat & 1 or not reading.dice:
            return 0.0
        rolled = self.eyes.get(jump, ())
        if len(rolled) == reading.dice:
            return points_each(reading, sum(rolled))
        return points_each(reading, reading.difficulty) * percent(reading.dice, reading.difficulty) / 100


def count_promises(events: Iterable[AnyEvent], seats: int) -> list[tuple[int, ...]]:
    """Return for each seat the promises kept, broken and void, and the points that breaking them brought."""
    verdicts, gained = Counter[tuple[int, str]](), [0.0] * seats
    for jumprun in _jumpruns(events):
        for judged in jumprun.judged:
            verdicts[judged.seat, judged.verdict] += 1
            if judged.verdict == "broken":
                gained[judged.seat] += points_from_breaking(jumprun, judged)
    return [
        (verdicts[seat, "kept"], verdicts[seat, "broken"], verdicts[seat, "void"], round(gained[seat]))
        for seat in range(seats)
    ]


def judged_promises(events: Iterable[AnyEvent]) -> list[tuple[AnyEvent, int]]:
    """Return the verdict on every promise, with the points that breaking it brought."""
    return [
        (judged, round(points_from_breaking(jumprun, judged)) if judged.verdict == "broken" else 0)
        for jumprun in _jumpruns(events)
        for judged in jumprun.judged
    ]


def points_from_breaking(jumprun: Jumprun, judged: PromiseJudged) -> float:
    """Count the points that breaking a promise brought its maker; below zero it cost some."""
    kept = _cards_if_kept(jumprun.cards, judged.seat, judged.term)
    return jumprun.points(judged.seat, jumprun.cards) - jumprun.points(judged.seat, kept)


def _jumpruns(events: Iterable[AnyEvent]) -> Iterable[Jumprun]:
    now = Jumprun()
    for event in events:
        match event:
            case CardsTurned():
                now.cards[event.jump] = _codes([*event.characters, *event.jumpcards])
            case CharactersRemoved(late=True):
                now.late |= 1 << event.seat
            case DiceRolled():
                now.eyes[event.jump] = tuple(event.eyes)
            case PromiseJudged():
                now.judged.append(event)
            case JumprunScored():
                yield now
                now = Jumprun()


def _codes(cards: Sequence[Turned]) -> tuple[int, ...]:
    return tuple(each.seat << 4 | NUMBER[each.card] for each in cards)


def _cards_if_kept(cards: dict[Jump, tuple[int, ...]], seat: int, term: Term) -> dict[Jump, tuple[int, ...]]:
    """Lay the cards as promised. Figures that are missing have no faces, so that a jump stays as it is without them."""
    laid = cards.get(term.jump, ())
    others = tuple(code for code in laid if code >> 4 != seat or code & 15 < SURE)
    match term.pledge:
        case "out":
            return {**cards, term.jump: others}
        case "harmless":
            return {**cards, term.jump: tuple(code for code in laid if code >> 4 != seat or not harmful(code & 15))}
        case "sure" | "maybe":
            return {**_without_last_copy(cards, seat, term), term.jump: (*others, seat << 4 | NUMBER[term.pledge])}
    return cards


def _without_last_copy(cards: dict[Jump, tuple[int, ...]], seat: int, term: Term) -> dict[Jump, tuple[int, ...]]:
    """Take a character card from elsewhere if all of its kind are laid."""
    code = seat << 4 | NUMBER[term.pledge]
    laid = [jump for jump, codes in cards.items() if code in codes and jump != term.jump]
    if len(laid) < BOX.characters[CARDS[code & 15]]:
        return cards
    return {**cards, laid[-1]: tuple(each for each in cards[laid[-1]] if each != code)}


def without_private_promises(view: View, listener: Viewer) -> View:
    """Remove the promises that a listener did not hear."""
    shared = [made for made in view.promises if knows_promise(made.seat, made.to, listener)]
    return msgspec.structs.replace(view, promises=shared)


PROMISES: ReviewSection[AnyEvent] = ReviewSection(
    catalogue=CATALOGUE,
    key="promises",
    columns=[Column("kept", "good"), Column("broken", "bad"), Column("void"), Column("gained", "points")],
    rows=count_promises,
    entries=judged_promises,
)
