"""The protocol every game speaks. An action goes in, the rules turn it into events, each viewer is shown its part."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, Protocol, TypeVar

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
O = TypeVar("O", contravariant=True)  # noqa: E741
Tell = Callable[[E], None]


def quiet(event: object) -> None:
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

    def setup(self, seats: int, options: O, chance: Chance) -> S: ...
    def to_act(self, state: S) -> frozenset[Actor]: ...
    def legal(self, state: S, actor: Actor) -> Sequence[Offer[A]]: ...
    def actions(self, state: S) -> Sequence[A]: ...  # all that can come up in this set-up; the place is the id
    def apply(self, state: S, actor: Actor, action: A, chance: Chance, tell: Tell[E] = quiet) -> None: ...
    def timer(self, state: S) -> Timer | None: ...  # of the running phase, if it is timed
    def view(self, state: S, viewer: Viewer) -> V: ...
    def witness(self, event: E, viewer: Viewer) -> E | None: ...
    def reveals(self, state: S, event: E) -> bool: ...  # shows it what was hidden until then?
    def preview(self, view: V, action: A) -> Preview: ...
    def why_not(self, view: V, action: A) -> Illegal | None: ...
    def imagine(self, view: V, chance: Chance) -> S: ...
    def scores(self, state: S) -> tuple[int, ...]: ...
    def standing(self, view: V) -> Sequence[int]: ...  # the scores, as far as the viewer knows
    def outcome(self, state: S) -> Outcome | None: ...
    def census(self, state: S) -> Mapping[str, int]: ...  # every component counted; it never changes
    def bots(self) -> Mapping[str, Callable[[int | None], Any]]: ...  # name → maker of a Player from a seed


AnyGame = Game[Any, Any, Any, Any, Any]


def looked_at(game: AnyGame, state: Any) -> Callable[[Viewer], Any]:
    """Give what shows a position to any viewer. A game that has `look` builds there what all of them share, once."""
    look = getattr(game, "look", None)
    return look(state) if look else lambda viewer: game.view(state, viewer)


def in_order(games: Iterable[AnyGame]) -> list[AnyGame]:
    """Put games in the order in which they are listed."""
    return sorted(games, key=lambda game: (game.info.place, game.info.title))


def dump(state: object) -> bytes:
    """Write a whole state in one canonical way; shared components are written as their source."""
    return msgspec.json.encode(state, enc_hook=lambda component: component.source, order="deterministic")
