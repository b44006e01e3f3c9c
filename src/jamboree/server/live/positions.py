"""Positions of a game: pending decisions, steps to the next position, setup caches, and compression of unused ones."""

import json
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from jamboree.core.chance import Pick
from jamboree.core.game import Actor, AnyGame, dump, is_component, loads, read_part
from jamboree.core.journal import FORMAT, Header, Journal, steps
from jamboree.core.learning import laid_out, repeated
from jamboree.core.undo import Undo

from .records import Forked, LessonSetUp
from .visibility import GameStep

Turn = tuple[str, int]


class Pending(NamedTuple):
    """A decision of one seat."""

    since: int  # the record that led to it
    offers: int  # their number


def pending_now(
    game: AnyGame, state: Any, before: Mapping[int, Pending], actor: Actor | None, seq: int, silent: bool
) -> dict[int, Pending]:
    """The pending decisions after a step.

    A seat that acts in its turn gets a new decision. Where several choose at once, each keeps its decision, even
    after a choice that can be changed, until other actions are offered. A step that a viewer misses starts none.
    """
    own_turn = len(before) == 1
    now = {}
    for seat in seats_asked(game, state):
        offers, known = len(game.legal(state, seat)), before.get(seat)
        same = silent or (known is not None and known.offers == offers and not (own_turn and seat == actor))
        now[seat] = Pending(known.since if known and same else seq, offers)
    return now


def seats_asked(game: AnyGame, state: Any) -> list[int]:
    """The seats that may act, without the clock."""
    return sorted(actor for actor in game.to_act(state) if isinstance(actor, int))


def turn_of(game: AnyGame, state: Any) -> Turn | None:
    """The timed phase or the seat to move; None if several choose without a timer."""
    timer = game.timer(state)
    if timer:
        return ("timer", timer.number)
    seats = seats_asked(game, state)
    return ("seat", seats[0]) if len(seats) == 1 else None


MOST_PAST = 1024  # actions that an undo can reach
CACHED = 64  # setups
QUICK = 1  # compression level
Key = tuple[int, int, bytes]  # the id of a game object, the number of seats, and the options
_setups: dict[Key, tuple[AnyGame, Any]] = {}  # the game, referenced so that its id stays valid, and a position
_read = msgspec.json.Decoder(list[Pick]).decode


class PastAction(NamedTuple):
    """An action that is not undone, and what its undo requires."""

    seq: int
    actor: Actor
    undo: Undo
    continues: bool = False  # it continues a move; an undo goes back to where that began


class NextPosition(NamedTuple):
    """The position after the next record, computed by the decision so that folding need not repeat the step."""

    after: int  # the preceding record
    state: Any
    hash: str
    course: list[PastAction]  # the last actions that are not undone
    pending: dict[int, Pending]  # the decisions pending before
    step: GameStep | None = None  # of an action


class PackedPicks(bytes):
    """The compressed picks of a setup, which are rarely needed again."""

    @classmethod
    def of(cls, picks: list[Pick]) -> "PackedPicks":
        return cls(zlib.compress(msgspec.json.encode(picks), QUICK))

    @property
    def picks(self) -> list[Pick]:
        return _read(zlib.decompress(self))


def position_from(
    written: bytes, game: AnyGame, seats: int, options: Mapping[str, Any], set_up: Callable[[], Any]
) -> Any:
    """Decode a position with the components of a cached setup of the same game and options, or of a new one.

    Components that depend on chance may differ from the stored game's; the position's hash then fails the check.
    """
    key = (id(game), seats, msgspec.json.encode(options))
    known = _setups.get(key)
    if known is None:
        if len(_setups) >= CACHED:
            del _setups[next(iter(_setups))]
        known = _setups[key] = (game, set_up())
    return loads(written, known[1])


def shared_options(options: dict[str, Any]) -> dict[str, Any]:
    """The shared copy of equal options, which may contain long texts such as boards; it must not be changed."""
    return _shared(msgspec.json.encode(options))


@lru_cache(maxsize=CACHED)
def _shared(options: bytes) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(options)
    return found


class Packed(NamedTuple):
    """An unused position: its own data compressed, shared components by reference."""

    kind: Any  # the type of the state
    components: tuple[tuple[str, Any], ...]
    own: bytes


def pack(state: Any) -> Packed:
    """Compress a state's own data, freeing its hundreds of small objects."""
    parts = json.loads(dump(state))
    components = tuple((name, part) for name in parts if is_component(part := getattr(state, name)))
    own = {name: part for name, part in parts.items() if name not in dict(components)}
    return Packed(type(state), components, zlib.compress(json.dumps(own, separators=(",", ":")).encode()))


def unpack(packed: Packed) -> Any:
    """Rebuild the state with the same component objects."""
    own = json.loads(zlib.decompress(packed.own))
    parts = {name: read_part(packed.kind, name, part) for name, part in own.items()}
    return packed.kind(**dict(packed.components), **parts)


def lesson_position(game: AnyGame, record: LessonSetUp) -> Any:
    """The position that a record describes, independent of later changes of the lesson."""
    return repeated(game, laid_out(game, record.position), record.moves)


def forked_position(forked: Forked, game: AnyGame, seats: int, options: dict[str, Any]) -> Any:
    """Replay the forked part of a game."""
    header = Header(FORMAT, 1, game.info.key, game.info.rules_version, seats, [""] * seats, options)
    *_, last = steps(Journal(header, forked.setup, forked.entries), game)
    return last.state
