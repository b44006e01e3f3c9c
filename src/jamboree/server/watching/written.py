"""Positions as they are written: part by part, so that what viewers share is written once and only changes go out."""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from jamboree.core.game import Outcome, Viewer, views_of
from jamboree.core.words import Language

from ..memory.memory import Memory
from ..protocol.actions import NOTHING, Repertoire, repertoire
from ..protocol.difference import canonical, check_of, difference
from ..protocol.wire import encode
from .painting import painted
from .sentences import Sentences

Parts = dict[int, tuple[Any, bytes]]  # by the address of what was written, which is kept so that it stays there


class Onlooker(NamedTuple):
    """What decides how a table is shown: the eyes, the language, whether it is painted, whether always as a whole."""

    seat: int | None
    language: Language | None
    painted: bool = False
    whole: bool = False


class Written(NamedTuple):
    """A position in its parts, as JSON: those of the view, and what stands beside it."""

    view: dict[str, bytes]
    beside: dict[str, bytes]

    @property
    def text(self) -> bytes:
        return _object({"view": _object(self.view), **self.beside})

    @property
    def check(self) -> str:
        return check_of(self.text)


class Beside(NamedTuple):
    """What stands beside the view for everybody."""

    actors: frozenset[Any]
    outcome: Outcome | None
    written: dict[str, bytes]


class Positions:
    """The positions of one table, and what everybody holds of them who looks the same way."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._held: dict[Onlooker, Written | None] = {}  # None: not all of them hold the same
        self._parts: Parts = {}
        self._former: Parts = {}  # of the position before
        self._hash = ""
        self._begin()

    @cached_property
    def repertoire(self) -> Repertoire:
        """Give all actions there can be; a game has the same from start to end."""
        return repertoire(self.memory.game.actions(self.memory.state))

    def of(self, who: Onlooker) -> Written:
        """Write the present position for a viewer."""
        if self._hash != self.memory.hash:
            self._hash = self.memory.hash
            self._begin()
        eyes = _eyes(who)
        if eyes not in self._written:
            self._written[eyes] = self._write(eyes)
        return self._written[eyes]

    def hold(self, who: Onlooker) -> None:
        """Note that one of those who look this way is sent the present position."""
        now, eyes = self.of(who), _eyes(who)
        self._held[eyes] = now if self._held.get(eyes, now) == now else None

    def change(self, who: Onlooker) -> bytes | None:
        """Write what has changed for all who look this way, who are told now; None if not all hold the same."""
        now, eyes = self.of(who), _eyes(who)
        if eyes not in self._changes:
            held, self._held[eyes] = self._held.get(eyes), now
            same_parts = held and held.view.keys() == now.view.keys() and held.beside.keys() == now.beside.keys()
            self._changes[eyes] = self._changed(held, now) if held and same_parts else None
        return self._changes[eyes]

    def is_open(self, who: Onlooker) -> bool:
        """Tell whether a viewer sees nothing that spectators do not see."""
        own, open_to_all = self.of(who).view, self.of(who._replace(seat=None)).view
        return all(own[name] == text for name, text in open_to_all.items() if name != "viewer")

    def forget(self) -> None:
        """Write positions anew: something has changed that sentences name."""
        self._written.clear()

    def let_go(self, looking: set[Onlooker]) -> None:
        """Keep only what somebody looks at."""
        eyes = {_eyes(who) for who in looking}
        self._held = {who: held for who, held in self._held.items() if who in eyes or who.seat is None}
        if not looking:
            self._parts, self._former = Parts(), Parts()

    def rest(self) -> None:
        """Let go of what is only needed while frames are written."""
        self._look: Callable[[Viewer], Any] | None = None
        self._views: dict[int | None, Any] = {}
        self._differences: dict[tuple[bytes, bytes], bytes] = {}

    def _begin(self) -> None:
        self._written: dict[Onlooker, Written] = {}
        self._changes: dict[Onlooker, bytes | None] = {}
        self._beside: Beside | None = None
        self._parts, self._former = Parts(), self._parts
        self.rest()

    def _view(self, seat: int | None) -> Any:
        if self._look is None:
            self._look = views_of(self.memory.game, self.memory.state)
        if seat not in self._views:
            self._views[seat] = self._look(seat)
        return self._views[seat]

    def _write(self, who: Onlooker) -> Written:
        game, state, sentences = self.memory.game, self.memory.state, Sentences(self.memory, who.language)
        view, shared = self._view(who.seat), self._shared()
        offers = () if who.seat is None else game.legal(state, who.seat)
        legal = self.repertoire.legal(offers, sentences.warning) if offers else NOTHING
        asked = who.seat in shared.actors or not shared.actors
        said = {"question": sentences.question(view, asked), "decided": sentences.decided(view, shared.outcome)}
        beside: dict[str, Any] = {"legal": legal, **said}
        if who.painted:
            beside["painting"] = painted(self.memory, view, self.repertoire.in_order(offers), who.language)
        own = {name: canonical(encode(part)) for name, part in beside.items()}
        return Written(self._parts_of(view), {**shared.written, **own})

    def _shared(self) -> Beside:
        if self._beside is None:
            game, state = self.memory.game, self.memory.state
            actors, outcome = game.to_act(state), game.outcome(state)
            written = {"actors": encode(sorted(actors, key=str)), "outcome": canonical(encode(outcome))}
            self._beside = Beside(actors, outcome, written)
        return self._beside

    def _parts_of(self, view: msgspec.Struct) -> dict[str, bytes]:
        """Write the fields of a view one by one, unless another viewer or the position before has the very same."""
        written, former, parts = self._parts, self._former, dict[str, bytes]()
        for name, value in zip(view.__struct_encode_fields__, msgspec.structs.astuple(view), strict=True):
            known = written.get(id(value))
            if known is None:
                known = written[id(value)] = former.get(id(value)) or (value, canonical(encode(value)))
            parts[name] = known[1]
        return parts

    def _changed(self, before: Written, now: Written) -> bytes:
        view, beside = self._changes_of(before.view, now.view), self._changes_of(before.beside, now.beside)
        return _object({"view": _object(view), **beside} if view else beside)

    def _changes_of(self, before: Mapping[str, bytes], now: Mapping[str, bytes]) -> dict[str, bytes]:
        return {name: self._difference(before[name], text) for name, text in now.items() if before[name] != text}

    def _difference(self, before: bytes, now: bytes) -> bytes:
        """Compare two texts that one viewer was and is shown: nothing else can get into what comes of it."""
        if (before, now) not in self._differences:
            self._differences[before, now] = encode(difference(before, now))
        return self._differences[before, now]


def _eyes(who: Onlooker) -> Onlooker:
    return who._replace(whole=False) if who.whole else who


def _object(parts: Mapping[str, bytes]) -> bytes:
    return (
        b"".join(chain.from_iterable(zip(_names(tuple(parts)), parts.values(), strict=True))) + b"}" if parts else b"{}"
    )


@lru_cache(maxsize=1024)
def _names(names: tuple[str, ...]) -> list[bytes]:
    """Write what comes before each part of an object."""
    return [(b"," if place else b"{") + encode(name) + b":" for place, name in enumerate(names)]
