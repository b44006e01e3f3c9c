"""The protocol every game speaks. An action goes in, the rules turn it into events, each viewer is shown its part."""

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
from .seats import BySeat, Seat, SeatSet
from .words import Words


class Nature(StrEnum):
    CLOCK = "clock"  # the table's timer is an actor like any other


Actor = Seat | Nature


class Eye(StrEnum):
    ALL = "all"  # sees everything: for finished games and for drawing positions in tests


Viewer = Seat | Eye | None  # None: a spectator


class State(Protocol):
    """A position: small, mutable, known to the rules alone, and of types msgspec can write."""

    def clone(self) -> "State": ...


class GameInfo(msgspec.Struct, frozen=True):
    key: str
    title: str
    rules_version: int  # a change of behaviour bumps it; a journal carries it
    seats: tuple[int, int]
    minutes: tuple[int, int]  # how long a game takes, with few players and with many
    options: type[msgspec.Struct]  # its fields, types and descriptions are the table's options
    action: Any  # the union of action types
    event: Any  # the union of event types
    view: type[msgspec.Struct]
    samples: tuple[msgspec.Struct, ...]  # options worth testing: every set-up that plays by other rules
    undo: bool = True  # whether moves can ever be taken back
    place: int = 100  # where it stands in a list of games, from 1
    flags: Mapping[str, Flag] = {}  # by option: how a terminal spells it, if not by its name alone
    designs: Mapping[str, Design] = {}  # by option: texts that a designer draws
    avatars: int = (
        0  # colours, animals or tokens to choose from: `web.seat.0` and so on name them, seats have the first
    )
    begins: Callable[[Any], Seat] | None = None  # who begins, as the set-up left to chance
    party: Mapping[str, Any] = {}  # options that a party with a big screen begins with


class Outcome(msgspec.Struct, frozen=True):
    winners: SeatSet
    scores: BySeat[int]


class Timer(msgspec.Struct, frozen=True):
    """How long a phase lasts; a new number means that a new timer has started."""

    number: int
    seconds: float


class Preview(msgspec.Struct, frozen=True):
    """What is certain to follow an action, up to the first thing left to chance or to another choice."""

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
    """Listen to nothing; rules that see this listener do not build their events."""


class Game(Protocol[S, A, E, V, O]):
    """The rules of one game.

    `to_act`: {2} is a turn, {0, 1, 3} a secret simultaneous choice, {0..4, CLOCK} real time, {} the end.
    `apply` changes the state in place, or raises Illegal and leaves it untouched.
    `view` is an allow-list: what is not named there is not seen. `preview`, `why_not`, `imagine` and `standing`
    take the View, never the State, so that they cannot leak what the viewer does not know. `preview` raises what
    `why_not` returns.
    """

    info: Final[GameInfo]  # type: ignore[misc]
    words: Words[A, E, V]

    def setup(self, seats: int, options: O, chance: Chance) -> S:
        """Lay out a game for so many seats; raise BadOptions if it can't be played like that."""

    def to_act(self, state: S) -> frozenset[Actor]:
        """Say who may act now; nobody once the game is over."""

    def legal(self, state: S, actor: Actor) -> Sequence[Offer[A]]:
        """List what an actor may do now, with warnings; a menu is written out only where somebody looks."""

    def actions(self, state: S) -> Sequence[A]:
        """List all that can come up in this set-up, in an order that never changes: the place is the id."""

    def apply(self, state: S, actor: Actor, action: A, chance: Chance, emit: EventListener[E] = ignore_events) -> None:
        """Carry out an action and tell what happens; raise Illegal and change nothing if the rules forbid it."""

    def timer(self, state: S) -> Timer | None:
        """Say how long the running phase lasts, if it is timed."""

    def view(self, state: S, viewer: Viewer) -> V:
        """Show what a viewer may see, and nothing else."""

    def witness(self, event: E, viewer: Viewer) -> E | None:
        """Take out of an event what a viewer may not see; None if that viewer does not notice it at all."""

    def reveals(self, state: S, event: E) -> bool:
        """Tell whether an event shows somebody what was hidden until then; the state is the one it led to."""

    def preview(self, view: V, action: A) -> Preview:
        """Foresee what is certain to follow an action of the viewer's; raise Illegal if the rules forbid it."""

    def why_not(self, view: V, action: A) -> Illegal | None:
        """Name the rule that forbids an action of the viewer's; None if nothing does."""

    def imagine(self, view: V, chance: Chance) -> S:
        """Make up a state that shows this viewer the same, each as often as it is likely."""

    def scores(self, state: S) -> tuple[int, ...]:
        """Count the points of every seat, hidden ones included."""

    def standing(self, view: V) -> Sequence[int]:
        """Count the points of every seat as far as the viewer knows."""

    def outcome(self, state: S) -> Outcome | None:
        """Say who won and with which scores; None while the game goes on."""

    def census(self, state: S) -> Mapping[str, int]:
        """Count every component, wherever it is; the counts never change during a game."""

    def bots(self) -> Mapping[str, Callable[[int | None], Any]]:
        """Name the players a game brings along, each with what makes one from a seed."""


AnyGame = Game[Any, Any, Any, Any, Any]


class SharedView(Generic[V]):
    """A position for any viewer: what all of them see, which is built once, and what each sees besides."""

    def __init__(
        self, view: Callable[..., V], common: Mapping[str, Any], own: Callable[[Viewer], Mapping[str, Any]]
    ) -> None:
        self.view, self.common, self.own = view, common, own

    def __call__(self, viewer: Viewer) -> V:
        return self.for_viewer(self.own(viewer))

    def for_viewer(self, own: Mapping[str, Any]) -> V:
        return self.view(**self.common, **own)


def views_of(game: AnyGame, state: Any) -> SharedView[Any]:
    """Give what shows a position to any viewer. A game that has `views` says there what all of them share."""
    views = getattr(game, "views", None)
    shown = views(state) if views else None
    if isinstance(shown, SharedView):
        return shown
    return SharedView(game.info.view, {}, lambda viewer: msgspec.structs.asdict(game.view(state, viewer)))


def in_order(games: Iterable[AnyGame]) -> list[AnyGame]:
    """Put games in the order in which they are listed."""
    return sorted(games, key=lambda game: (game.info.place, game.info.title))


def read_action(game: AnyGame, fields: Mapping[str, Any]) -> Any:
    """Read an action as it is written. Given all types of a game, msgspec would look through them anew every time."""
    return msgspec.convert(fields, _by_tag(game.info.action).get(str(fields.get("type")), game.info.action))


@lru_cache(maxsize=64)
def _by_tag(action: Any) -> dict[str, Any]:
    return {kind.__struct_config__.tag: kind for kind in get_args(action) or (action,)}


def dump(state: object) -> bytes:
    """Write a whole state in one canonical way; shared components are written as their source."""
    return msgspec.json.encode(state, enc_hook=lambda component: component.source, order="deterministic")


def loads(data: bytes, like: T) -> T:
    """Read a state that was dumped; the components it shares are taken from another state of the same set-up."""
    kind: Any = type(like)
    parts = dict[str, Any]()
    for name, value in json.loads(data).items():  # masks can be too large for msgspec
        part = getattr(like, name)
        parts[name] = part if is_component(part) else read_part(kind, name, value)
    return cast(T, kind(**parts))


def is_component(part: object) -> bool:
    """Tell whether a part of a state is shared by all states of a set-up, such as a board."""
    return hasattr(part, "source")


def read_part(state: Any, name: str, value: Any) -> Any:
    """Read one part of a type of states."""
    return msgspec.convert(value, _kinds(state)[name])


@lru_cache(maxsize=64)
def _kinds(state: Any) -> dict[str, Any]:
    """Look up the types of a state's parts."""
    return get_type_hints(state)
