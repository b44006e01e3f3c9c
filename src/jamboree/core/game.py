"""The interface of a game: actions go in, the rules turn them into events, and each viewer sees its own part."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, Generic, Protocol, TypeVar, cast, get_args, get_type_hints

import msgspec

from .chance import Chance
from .errors import Illegal
from .offers import Offer
from .options import Design, Flag
from .review import ReviewSection
from .seats import BySeat, Seat, SeatSet
from .words import Words


class Nature(StrEnum):
    CLOCK = "clock"  # the table's timer acts when a phase's time is up


Actor = Seat | Nature


class Eye(StrEnum):
    ALL = "all"  # sees everything: finished games, and positions drawn in tests


Viewer = Seat | Eye | None  # None: a spectator


class State(Protocol):
    """A position: small, mutable, used by the rules only, and serialisable by msgspec."""

    def clone(self) -> "State": ...


class GameInfo(msgspec.Struct, frozen=True):
    key: str
    title: str
    rules_version: int  # incremented when behaviour changes; written into every journal
    seats: tuple[int, int]
    minutes: tuple[int, int]  # how long a game takes, with few players and with many
    options: type[msgspec.Struct]  # its fields, types and descriptions are the table's options
    action: Any  # the union of action types
    event: Any  # the union of event types
    view: type[msgspec.Struct]
    samples: tuple[msgspec.Struct, ...]  # options to test: one for every variant of the rules
    undo: bool = True  # whether moves can ever be taken back
    list_position: int = 100  # in lists of games, from 1
    flags: Mapping[str, Flag] = {}  # by option: its spelling on the command line, if not just its name
    designs: Mapping[str, Design] = {}  # options whose value is a text drawn by a designer, such as a board
    avatars: int = 0  # colours, animals or tokens to choose from, named by the texts `web.seat.0` and so on
    begins: Callable[[Any], Seat] | None = None  # the first player, as drawn during set-up
    party: Mapping[str, Any] = {}  # default options of a party with a shared screen


class Outcome(msgspec.Struct, frozen=True):
    winners: SeatSet
    scores: BySeat[int]


class Timer(msgspec.Struct, frozen=True):
    """The duration of a phase; a new number means that a new timer has started."""

    number: int
    seconds: float


class Preview(msgspec.Struct, frozen=True):
    """The certain consequences of an action, up to the first random pick or the next decision."""

    events: list[Any]
    points: BySeat[int]
    chance_follows: bool


S = TypeVar("S", bound=State)
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")
T = TypeVar("T")
O = TypeVar("O", contravariant=True)  # noqa: E741
EventListener = Callable[[E], None]


def ignore_events(event: object) -> None:
    """The listener that discards events; the rules recognise it and build none."""


class Game(Protocol[S, A, E, V, O]):
    """The rules of one game.

    `to_act` returns {2} for a turn, {0, 1, 3} for a simultaneous choice, {0..4, CLOCK} in real time, {} at the end.
    `apply` changes the state in place, or raises Illegal and leaves it untouched.
    `view` is an allow-list: only fields named there are visible. `preview`, `why_not`, `imagine` and `standing`
    take the View, never the State, so they cannot leak hidden information. `preview` raises the Illegal that
    `why_not` returns.
    """

    info: Final[GameInfo]  # type: ignore[misc]
    words: Words[A, E, V]

    def setup(self, seats: int, options: O, chance: Chance) -> S:
        """Set up a game; raise BadOptions if the options do not describe a playable game."""

    def to_act(self, state: S) -> frozenset[Actor]:
        """Return the actors who may act now; empty once the game is over."""

    def legal(self, state: S, actor: Actor) -> Sequence[Offer[A]]:
        """Return the legal actions of an actor, with warnings, as a lazy sequence."""

    def actions(self, state: S) -> Sequence[A]:
        """Return every action that can occur with this set-up, in a fixed order: the index is the action's id."""

    def apply(self, state: S, actor: Actor, action: A, chance: Chance, emit: EventListener[E] = ignore_events) -> None:
        """Apply an action and emit its events; raise Illegal and change nothing if the rules forbid it."""

    def timer(self, state: S) -> Timer | None:
        """Return the timer of the current phase, if it is timed."""

    def in_move(self, state: S) -> bool:
        """Return whether the next action continues a move of its player, which an undo takes back as a whole."""

    def view(self, state: S, viewer: Viewer) -> V:
        """Return the part of the position that a viewer may see."""

    def witness(self, event: E, viewer: Viewer) -> E | None:
        """Redact an event for a viewer; None if the viewer must not notice it at all."""

    def reveals(self, state: S, event: E) -> bool:
        """Return whether an event reveals hidden information to any viewer; `state` is the position after it."""

    def preview(self, view: V, action: A) -> Preview:
        """Return the certain consequences of an action of the viewer; raise Illegal if the rules forbid it."""

    def why_not(self, view: V, action: A) -> Illegal | None:
        """Return the reason why the viewer may not take an action; None if it is legal."""

    def imagine(self, view: V, chance: Chance) -> S:
        """Determinization: sample a state that is consistent with the view, in proportion to its likelihood."""

    def scores(self, state: S) -> tuple[int, ...]:
        """Return the points of every seat, including hidden ones."""

    def standing(self, view: V) -> Sequence[int]:
        """Return the points of every seat as far as the viewer knows them."""

    def outcome(self, state: S) -> Outcome | None:
        """Return winners and scores; None while the game is running."""

    def census(self, state: S) -> Mapping[str, int]:
        """Count every component, wherever it is; the counts are invariant during a game."""

    def bots(self) -> Mapping[str, Callable[[int | None], Any]]:
        """Return the game's own bots by name, each with a factory that takes a seed."""

    def sensible_offers(self, view: V, offers: Sequence[Offer[A]]) -> Sequence[Offer[A]]:
        """Return the offers that a bot considers: legal actions that no player would take are left out."""

    def replier(self, seed: int | None) -> "Replier | None":
        """Return what answers other players' proposals for a bot, whatever its level; None if there are none."""

    def agreed(self, state: S) -> frozenset[Seat]:
        """Return the seats that have agreed to end the current phase early; bots follow when all people have."""

    def views(self, state: S) -> "SharedView[V]":
        """Return the views of a position, with the fields common to all viewers computed once."""

    def without_private_talk(self, view: V, listener: Viewer) -> V:
        """Remove from a view what its viewer was told in private and `listener` did not hear."""

    @property
    def review(self) -> Sequence[ReviewSection[E]]:
        """The game's own sections of a game review."""

    @property
    def earlier(self) -> Sequence["AnyGame"]:
        """The game by earlier versions of its rules, for games that were started with them."""


AnyGame = Game[Any, Any, Any, Any, Any]
Replier = Callable[[Any, Sequence[Offer[Any]]], Any]
"""Chooses an action or a whisper that answers another player, from a view and its offers; None if nothing is to be
answered."""


class GameDefaults:
    """Default implementations of what a game may leave out."""

    review: Sequence[ReviewSection[Any]] = ()
    earlier: Sequence[AnyGame] = ()

    def views(self: Any, state: Any) -> "SharedView[Any]":
        return SharedView(self.info.view, {}, lambda viewer: msgspec.structs.asdict(self.view(state, viewer)))

    def without_private_talk(self, view: Any, listener: Viewer) -> Any:
        return view

    def sensible_offers(self, view: Any, offers: Sequence[Offer[Any]]) -> Sequence[Offer[Any]]:
        return offers

    def replier(self, seed: int | None) -> Replier | None:
        return None

    def in_move(self, state: Any) -> bool:
        return False

    def agreed(self, state: Any) -> frozenset[Seat]:
        return frozenset()


class SharedView(Generic[V]):
    """The views of one position: the fields that all viewers share are computed once, the others per viewer."""

    def __init__(
        self, view: Callable[..., V], common: Mapping[str, Any], own: Callable[[Viewer], Mapping[str, Any]]
    ) -> None:
        self.view = view
        self.common = common
        self.own = own

    def __call__(self, viewer: Viewer) -> V:
        return self.for_viewer(self.own(viewer))

    def for_viewer(self, own: Mapping[str, Any]) -> V:
        return self.view(**self.common, **own)


def in_order(games: Iterable[AnyGame]) -> list[AnyGame]:
    """Sort games in display order."""
    return sorted(games, key=lambda game: (game.info.list_position, game.info.title))


def read_action(game: AnyGame, fields: Mapping[str, Any]) -> Any:
    """Decode an action. Dispatching on the tag avoids msgspec's lookup in the union of all action types."""
    return msgspec.convert(fields, _by_tag(game.info.action).get(str(fields.get("type")), game.info.action))


@lru_cache(maxsize=64)
def _by_tag(action: Any) -> dict[str, Any]:
    return {kind.__struct_config__.tag: kind for kind in get_args(action) or (action,)}


def dump(state: object) -> bytes:
    """Serialise a state canonically; shared components are written as their source text."""
    return msgspec.json.encode(state, enc_hook=lambda component: component.source, order="deterministic")


def loads(data: bytes, like: T) -> T:
    """Deserialise a dumped state; shared components are taken from `like`, another state of the same set-up."""
    kind: Any = type(like)
    parts = dict[str, Any]()
    for name, value in json.loads(data).items():  # masks can be too large for msgspec
        part = getattr(like, name)
        parts[name] = part if is_component(part) else read_part(kind, name, value)
    return cast(T, kind(**parts))


def is_component(part: object) -> bool:
    """Return whether a field holds a component shared by all states of a set-up, such as the board."""
    return hasattr(part, "source")


def read_part(state: Any, name: str, value: Any) -> Any:
    """Decode one field of a state type."""
    return msgspec.convert(value, _kinds(state)[name])


@lru_cache(maxsize=64)
def _kinds(state: Any) -> dict[str, Any]:
    """Return the field types of a state type."""
    return get_type_hints(state)
