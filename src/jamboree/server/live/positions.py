"""Positions of a game: whom they ask, what leads to the next one, and how they are packed while nobody needs them."""

import json
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from jamboree.core.chance import Pick
from jamboree.core.game import Actor, AnyGame, dump, is_component, loads, read_part
from jamboree.core.journal import FORMAT, Header, Journal, steps
from jamboree.core.undo import Undo

from .records import Forked
from .visibility import GameStep

Turn = tuple[str, int]


class Pending(NamedTuple):
    """A decision of one seat."""

    since: int  # the record that asked for it
    offers: int  # how many


def pending_now(
    game: AnyGame, state: Any, before: Mapping[int, Pending], actor: Actor | None, seq: int, silent: bool
) -> dict[int, Pending]:
    """Say what each seat is asked after a step.

    A seat that acts in its turn is asked anew. Where several choose at once they have one decision, also who may still
    change their mind, until something else is offered. A step that somebody does not see asks nothing anew.
    """
    own_turn = len(before) == 1
    now = {}
    for seat in seats_asked(game, state):
        offers, known = len(game.legal(state, seat)), before.get(seat)
        same = silent or (known is not None and known.offers == offers and not (own_turn and seat == actor))
        now[seat] = Pending(known.since if known and same else seq, offers)
    return now


def seats_asked(game: AnyGame, state: Any) -> list[int]:
    """List the seats that may act; the clock is not one of them."""
    return sorted(actor for actor in game.to_act(state) if isinstance(actor, int))


def turn_of(game: AnyGame, state: Any) -> Turn | None:
    """Name the phase that is timed, or the seat whose turn it is; None where several choose without a timer."""
    timer = game.timer(state)
    if timer:
        return ("timer", timer.number)
    seats = seats_asked(game, state)
    return ("seat", seats[0]) if len(seats) == 1 else None


MOST_PAST = 1024  # actions that are looked back at when somebody takes a move back
KEPT = 64  # set-ups
QUICK = 1  # how hard it is packed
Key = tuple[int, int, bytes]  # the address of a game, how many seats it has, and its options
_kept: dict[Key, tuple[AnyGame, Any]] = {}  # the game, which is kept so that its address stays its own, and a position
_read = msgspec.json.Decoder(list[Pick]).decode


class PastAction(NamedTuple):
    """One action that holds, and what speaks against taking it back."""

    seq: int
    actor: Actor
    undo: Undo


class NextPosition(NamedTuple):
    """The position one more record leads to. It spares the rules a second round: folding need not repeat the step."""

    after: int  # the record it follows on
    state: Any
    hash: str
    course: list[PastAction]  # the last actions that hold then
    pending: dict[int, Pending]  # what was asked before
    told: GameStep | None = None  # of an action


class PackedPicks(bytes):
    """What chance has picked for a set-up: fifty picks or more, of which hardly anybody wants to know again."""

    @classmethod
    def of(cls, picks: list[Pick]) -> "PackedPicks":
        return cls(zlib.compress(msgspec.json.encode(picks), QUICK))

    @property
    def text(self) -> bytes:
        return zlib.decompress(self)

    @property
    def picks(self) -> list[Pick]:
        return _read(self.text)


def position_from(
    written: bytes, game: AnyGame, seats: int, options: Mapping[str, Any], set_up: Callable[[], Any]
) -> Any:
    """Read a position, and set a game up only if none is known that was set up alike.

    Where chance has a say in what the components are, they can be wrong: the position's hash tells.
    """
    key = (id(game), seats, msgspec.json.encode(options))
    known = _kept.get(key)
    if known is None:
        if len(_kept) >= KEPT:
            del _kept[next(iter(_kept))]
        known = _kept[key] = (game, set_up())
    return loads(written, known[1])


def shared(options: dict[str, Any]) -> dict[str, Any]:
    """Give the very options, with long texts such as boards, that other tables have; nobody changes them."""
    return _the_one(msgspec.json.encode(options))


@lru_cache(maxsize=KEPT)
def _the_one(options: bytes) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(options)
    return found


class Packed(NamedTuple):
    """A position that nobody looks at for now: what is its own as packed text, what tables share as it is."""

    kind: Any  # the type of the state
    components: tuple[tuple[str, Any], ...]
    own: bytes


def pack(state: Any) -> Packed:
    """Write down what is a state's own; nothing is left of its hundred small objects."""
    parts = json.loads(dump(state))
    components = tuple((name, part) for name in parts if is_component(part := getattr(state, name)))
    own = {name: part for name, part in parts.items() if name not in dict(components)}
    return Packed(type(state), components, zlib.compress(json.dumps(own, separators=(",", ":")).encode()))


def unpack(packed: Packed) -> Any:
    """Make the same state again, with the very same components."""
    own = json.loads(zlib.decompress(packed.own))
    parts = {name: read_part(packed.kind, name, part) for name, part in own.items()}
    return packed.kind(**dict(packed.components), **parts)


def taken_up(forked: Forked, game: AnyGame, seats: int, options: dict[str, Any]) -> Any:
    """Replay what was played at the other table."""
    header = Header(FORMAT, 1, game.info.key, game.info.rules_version, seats, [""] * seats, options)
    *_, last = steps(Journal(header, forked.setup, forked.entries), game)
    return last.state
