"""A game of the protocol, made of what it declares."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from jamboree.core.chance import Chance, Uncertain, Untold
from jamboree.core.errors import BadOptions, Illegal
from jamboree.core.game import Actor, GameInfo, Outcome, Preview, Tell, Timer, Viewer, quiet
from jamboree.core.offers import Offer
from jamboree.core.words import Words

from .rulebook import A, E, Phased, Rulebook

S = TypeVar("S", bound=Phased)
V = TypeVar("V")
O = TypeVar("O", contravariant=True)  # noqa: E741

Maker = Callable[[int | None], Any]


@dataclass(kw_only=True, eq=False)
class RuledGame(Generic[S, A, E, V, O]):
    """A game by its rulebook. What takes a view plays on the state that can be restored from it."""

    info: GameInfo
    words: Words[A, E, V]
    rulebook: Rulebook[S, A, E]
    set_up: Callable[[int, O, Chance], S]
    actions: Callable[[S], Sequence[A]]
    view: Callable[[S, Viewer], V]
    witness: Callable[[E, Viewer], E | None]
    reveals: Callable[[S, E], bool]
    restore: Callable[[V], S]
    imagine: Callable[[V, Chance], S]
    scores: Callable[[S], tuple[int, ...]]
    outcome: Callable[[S], Outcome | None]
    census: Callable[[S], Mapping[str, int]]
    players: Mapping[str, Maker]
    watching: Callable[[], Illegal]  # why somebody without a seat can't act
    look: Callable[[S], Callable[[Viewer], V]] | None = None  # a position shown to many: what they share is built once
    known_scores: Callable[[S], Sequence[int]] | None = None  # of a restored state, where not all is known of scores
    foresees_steps: bool = True  # whether what follows an action by itself is as certain as the action
    to_act: Callable[[S], frozenset[Actor]] = field(init=False)
    legal: Callable[[S, Actor], Sequence[Offer[A]]] = field(init=False)
    apply: Callable[..., Any] = field(init=False)
    timer: Callable[[S], Timer | None] = field(init=False)

    def __post_init__(self) -> None:
        book = self.rulebook  # asked directly, so that a step costs no detour
        self.to_act, self.legal, self.apply, self.timer = book.to_act, book.legal, book.apply, book.timer

    def setup(self, seats: int, options: O, chance: Chance) -> S:
        least, most = self.info.seats
        if not least <= seats <= most:
            raise BadOptions(f"{self.info.title} is for {least} to {most} players, not {seats}")
        return self.set_up(seats, options, chance)

    def preview(self, view: V, action: A) -> Preview:
        """Play the action on what the viewer knows, up to the first thing that is not certain."""
        seat, state, events = self._seat(view), self.restore(view), list[E]()
        before, certain = self._count(state), False
        with suppress(Uncertain):
            certain = self._look_ahead(state, seat, action, events.append)
        points = [after - earlier for after, earlier in zip(self._count(state), before, strict=True)]
        return Preview(events, points, not certain)

    def standing(self, view: V) -> Sequence[int]:
        return self._count(self.restore(view))

    def why_not(self, view: V, action: A) -> Illegal | None:
        try:
            self._look_ahead(self.restore(view), self._seat(view), action, quiet)
        except Illegal as refusal:
            return refusal
        except Uncertain:
            pass
        return None

    def bots(self) -> Mapping[str, Maker]:
        return self.players

    def _count(self, restored: S) -> Sequence[int]:
        return (self.known_scores or self.scores)(restored)

    def _look_ahead(self, state: S, seat: int, action: A, tell: Tell[E]) -> bool:
        """Play an action without luck; tell whether all that follows from it is certain."""
        return self.rulebook.apply(state, seat, action, Untold(), tell, self.foresees_steps) is None

    def _seat(self, view: V) -> int:
        viewer = getattr(view, "viewer", None)
        if not isinstance(viewer, int):
            raise self.watching()
        return viewer
