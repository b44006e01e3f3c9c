"""`RuledGame`: implements the `Game` protocol from a game's declarations."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_args

from jamboree.core.chance import Chance, NoPicks, Uncertain
from jamboree.core.errors import BadOptions, Illegal
from jamboree.core.game import (
    Actor,
    AnyGame,
    EventListener,
    GameDefaults,
    GameInfo,
    Outcome,
    Preview,
    Replier,
    SharedView,
    Timer,
    Viewer,
    ignore_events,
)
from jamboree.core.offers import Offer
from jamboree.core.review import ReviewSection
from jamboree.core.seats import Seat
from jamboree.core.table_options import read_options
from jamboree.core.words import Words

from .rulebook import A, E, Phased, Rulebook

S = TypeVar("S", bound=Phased)
V = TypeVar("V")
O = TypeVar("O", contravariant=True)  # noqa: E741

PlayerFactory = Callable[[int | None], Any]
ReplierFactory = Callable[[int | None], Replier]


def fully_visible(event: E, viewer: Viewer) -> E | None:
    """Show the whole event to every viewer."""
    return event


@dataclass(frozen=True, kw_only=True)
class Visibility(Generic[S, E, V]):
    """What each viewer may see, and how a state is restored or sampled from a view."""

    view: Callable[[S, Viewer], V]
    reveals: Callable[[S, E], bool]
    restore: Callable[[V], S]
    imagine: Callable[[V, Chance], S]
    witness: Callable[[E, Viewer], E | None] = fully_visible
    views: Callable[[S], SharedView[V]] | None = None  # optional: computes the fields common to all viewers once
    known_scores: Callable[[S], Sequence[int]] | None = None  # scores of a restored state, if parts of it are unknown


@dataclass(kw_only=True, eq=False)
class RuledGame(GameDefaults, Generic[S, A, E, V, O]):
    """A game declared by its rulebook. Methods that take a view work on the state restored from it."""

    info: GameInfo
    words: Words[A, E, V]
    rulebook: Rulebook[S, A, E]
    visibility: Visibility[S, E, V]
    players: Mapping[str, PlayerFactory] = field(default_factory=dict)  # the game's bots by name; none: random play
    spectator_refusal: Callable[[], Illegal]  # why a spectator can't act
    review: Sequence[ReviewSection[E]] = ()  # the game's own sections of a game review
    private_talk: Callable[[V, Viewer], V] | None = None  # removes from a view what the other viewer did not hear
    sensible: Callable[[V, Sequence[Offer[A]]], Sequence[Offer[A]]] | None = None  # what bots consider
    replies: ReplierFactory | None = None  # how bots answer proposals of other players
    agreement: Callable[[S], frozenset[Seat]] | None = None  # seats that have agreed to end the phase early
    earlier: Sequence[AnyGame] = ()  # the game by earlier versions of its rules, for games that were started with them
    foresees_steps: bool = True  # whether previews include the steps that follow an action automatically
    to_act: Callable[[S], frozenset[Actor]] = field(init=False)
    legal: Callable[[S, Actor], Sequence[Offer[A]]] = field(init=False)
    actions: Callable[[S], Sequence[A]] = field(init=False)
    apply: Callable[..., Any] = field(init=False)
    timer: Callable[[S], Timer | None] = field(init=False)
    scores: Callable[[S], tuple[int, ...]] = field(init=False)
    outcome: Callable[[S], Outcome | None] = field(init=False)
    census: Callable[[S], Mapping[str, int]] = field(init=False)
    view: Callable[[S, Viewer], V] = field(init=False)
    witness: Callable[[E, Viewer], E | None] = field(init=False)
    reveals: Callable[[S, E], bool] = field(init=False)
    restore: Callable[[V], S] = field(init=False)
    imagine: Callable[[V, Chance], S] = field(init=False)

    def __post_init__(self) -> None:
        for complaint in self._problems():
            raise TypeError(complaint)
        book, visibility = self.rulebook, self.visibility  # bound directly: saves a call per step
        self.to_act = book.to_act
        self.legal = book.legal
        self.actions = book.actions
        self.apply = book.apply
        self.timer = book.timer
        self.scores = book.scores
        self.census = book.census
        self.outcome = book.outcome or book.most_points
        self.view = visibility.view
        self.witness = visibility.witness
        self.reveals = visibility.reveals
        self.restore, self.imagine = visibility.restore, visibility.imagine

    def views(self, state: S) -> SharedView[V]:
        return self.visibility.views(state) if self.visibility.views else super().views(state)

    def sensible_offers(self, view: V, offers: Sequence[Offer[A]]) -> Sequence[Offer[A]]:
        return self.sensible(view, offers) if self.sensible else offers

    def replier(self, seed: int | None) -> Replier | None:
        return self.replies(seed) if self.replies else None

    def in_move(self, state: S) -> bool:
        return state.phase in self.rulebook.in_move

    def agreed(self, state: S) -> frozenset[Seat]:
        return self.agreement(state) if self.agreement else frozenset()

    def without_private_talk(self, view: V, listener: Viewer) -> V:
        return self.private_talk(view, listener) if self.private_talk else view

    def _problems(self) -> Iterator[str]:
        """Report configuration errors early."""
        book, title = self.rulebook, self.info.title
        if "viewer" not in self.info.view.__struct_fields__:
            yield f"the view of {title} needs a field `viewer`: the seat it is made for, None or the value of an Eye"
        for action in get_args(self.info.action) or (self.info.action,):
            if action not in book.rules:
                yield f"the rulebook of {title} has no rule for the action {action.__name__}"
        last = max(phase for phases, _ in book.rules.values() for phase in phases)
        if last >= len(book.menus):
            yield f"the rulebook of {title} has rules for phase {last} and menus for {len(book.menus)} phases only"

    def setup(self, seats: int, options: O | Mapping[str, Any], chance: Chance) -> S:
        least, most = self.info.seats
        if not least <= seats <= most:
            raise BadOptions(f"{self.info.title} is for {least} to {most} players, not {seats}")
        return self.rulebook.set_up(seats, read_options(self, options), chance)

    def preview(self, view: V, action: A) -> Preview:
        """Apply the action to the restored state, up to the first uncertain step."""
        seat = self._seat(view)
        state = self.restore(view)
        events = list[E]()
        before, certain = self._count(state), False
        with suppress(Uncertain):
            certain = self._look_ahead(state, seat, action, events.append)
        points = [after - earlier for after, earlier in zip(self._count(state), before, strict=True)]
        return Preview(events, points, not certain)

    def standing(self, view: V) -> Sequence[int]:
        return self._count(self.restore(view))

    def why_not(self, view: V, action: A) -> Illegal | None:
        try:
            self._look_ahead(self.restore(view), self._seat(view), action, ignore_events)
        except Illegal as refusal:
            return refusal
        except Uncertain:
            pass
        return None

    def bots(self) -> Mapping[str, PlayerFactory]:
        return self.players

    def _count(self, restored: S) -> Sequence[int]:
        return (self.visibility.known_scores or self.scores)(restored)

    def _look_ahead(self, state: S, seat: int, action: A, emit: EventListener[E]) -> bool:
        """Apply an action without random picks; return whether all its consequences are certain."""
        return self.rulebook.apply(state, seat, action, NoPicks(), emit, self.foresees_steps) is None

    def _seat(self, view: V) -> int:
        viewer = getattr(view, "viewer", None)
        if not isinstance(viewer, int):
            raise self.spectator_refusal()
        return viewer
