"""Delta encoding: positions part by part, as each kind of viewer holds them, and what has changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress, islice, takewhile
from operator import add, ne
from typing import Any, NamedTuple

import msgspec

from jamboree.core.game import Outcome, SharedView

from ...protocol.actions import NOTHING, ActionIndex, action_index
from ...protocol.canonical import canonical
from ...protocol.delta import checksum, crc32, delta_between, elements
from ...protocol.wire import WORTH_IT, PublicText, SharedText, encode
from ..state import TableState
from ..visibility import Viewer
from .painting import painted
from .sentences import Sentences

LONG = 512  # bytes
START = b'{"view":{'
Parts = Mapping[bytes, bytes]  # of an object, as JSON: names with their colons, and values


@dataclass(frozen=True)
class Shared:
    """What is in the view of every viewer. It comes first in a position, and what never changes comes first in it."""

    view: Parts

    @property
    def text(self) -> bytes:
        """Write how every position begins. It is long, and seldom needed when it was checked."""
        return START + object_text(self.view)

    @property
    def pieces(self) -> list[bytes]:
        """Give the same in pieces that are packed apart: what many tables have, and what lies between."""
        pieces, between, comma = list[bytes](), START, b""
        for name, value in self.view.items():
            if isinstance(value, SharedText) and len(value) >= WORTH_IT:
                pieces += [PublicText(between + comma + name), value]
                between = b""
            else:
                between += comma + name + value
            comma = b","
        return [*pieces, PublicText(between)] if between else pieces

    @cached_property
    def check(self) -> int:
        lead = tuple(takewhile(_is_long, self.view.items()))
        rest = dict(islice(self.view.items(), len(lead), None))
        return crc32((b"," if lead and rest else b"") + object_text(rest), _check_of_lead(lead))


class Written(NamedTuple):
    """A position as it is written for a viewer: what all share, then what is their own of the view and beside it."""

    shared: Shared
    view: Parts
    beside: Parts

    @property
    def text(self) -> bytes:
        return self.shared.text + self.own

    @property
    def check(self) -> str:
        return checksum(self.own, self.shared.check)

    @property
    def own(self) -> bytes:
        comma = b"," if self.shared.view and self.view else b""
        return comma + object_text(self.view) + b"}," + object_text(self.beside) + b"}"


def _is_long(part: tuple[bytes, bytes]) -> bool:
    return len(part[1]) >= LONG


@lru_cache(maxsize=64)
def _check_of_lead(lead: tuple[tuple[bytes, bytes], ...]) -> int:
    """Check how the positions of a game begin: a board and the like, of which many tables have the very same."""
    return crc32(START + object_text(dict(lead)))


def object_text(parts: Parts) -> bytes:
    """Write the parts of an object, without its braces."""
    return b",".join(map(add, parts, parts.values()))


VIEW = b'"view":'
Known = dict[int, tuple[Any, bytes]]  # by the address of what was written, which is kept so that it stays there


class Present(NamedTuple):
    """The present position, before it is written for anybody."""

    actors: frozenset[Any]
    outcome: Outcome | None
    look: SharedView[Any]
    shared: Shared
    beside: Parts  # beside the view, to everybody


class Own(NamedTuple):
    """What one viewer sees besides what all see."""

    fields: Mapping[str, Any]
    written: Parts


class PositionCache:
    """The positions of one table, and what everybody holds of them who looks the same way."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self._held: dict[Viewer, Written | None] = {}  # None: not all of them hold the same
        self._known: Known = {}
        self._former: Known = {}  # of the position before
        self._hash = ""
        self._public: tuple[Shared, list[bytes]] | None = None  # what all share of the position, in pieces
        self._begin()

    @cached_property
    def action_index(self) -> ActionIndex:
        """Give all actions there can be; a game has the same from start to end."""
        return action_index(self.state.game.actions(self.state.position))

    def of(self, who: Viewer) -> Written:
        """Write the present position for a viewer."""
        if self._hash != self.state.hash:
            self._hash = self.state.hash
            self._begin()
        eyes = _eyes(who)
        known = self._written.get(eyes)
        if known is None:
            known = self._written[eyes] = self._write(eyes)
        return known

    def hold(self, who: Viewer) -> None:
        """Note that one of those who look this way is sent the present position."""
        now, eyes = self.of(who), _eyes(who)
        self._held[eyes] = now if self._held.get(eyes, now) == now else None

    def delta(self, who: Viewer) -> bytes | None:
        """Write what has changed for all who look this way, who are told now; None if not all hold the same."""
        now, eyes = self.of(who), _eyes(who)
        if eyes not in self._deltas:
            held, self._held[eyes] = self._held.get(eyes), now
            self._deltas[eyes] = self._changed(held, now) if held else None
        return self._deltas[eyes]

    def pieces(self, who: Viewer) -> list[bytes]:
        """Write the present position for a viewer in pieces: what all share is packed once, and comes first."""
        now = self.of(who)
        if self._public is None or self._public[0] is not now.shared:
            self._public = (now.shared, now.shared.pieces)
        return [*self._public[1], now.own]

    def forget(self) -> None:
        """Write positions anew: something has changed that sentences name."""
        self._written.clear()

    def let_go(self, looking: set[Viewer]) -> None:
        """Keep only what somebody looks at."""
        eyes = {_eyes(who) for who in looking}
        self._held = {who: held for who, held in self._held.items() if who in eyes or who.seat is None}

    def put_down(self) -> None:
        """Let go of all that would only make the next step quicker, but for what many tables have."""
        self._known = {key: known for key, known in self._known.items() if isinstance(known[1], SharedText)}
        self._former = {}
        self.rest()

    def rest(self) -> None:
        """Let go of what is only needed while frames are written."""
        self._position: Present | None = None
        self._own: dict[int | None, Own] = {}
        self._differences: dict[tuple[bytes, bytes], bytes] = {}
        self._since: tuple[Shared, Shared, Parts | None] | None = None
        self._public = None

    def _begin(self) -> None:
        self._written: dict[Viewer, Written] = {}
        self._deltas: dict[Viewer, bytes | None] = {}
        self._known, self._former = {}, self._known
        self.rest()

    def _present(self) -> Present:
        if self._position is None:
            game, state = self.state.game, self.state.position
            look, actors, outcome = self._look(), game.to_act(state), game.outcome(state)
            beside = {b'"actors":': encode(sorted(actors, key=str)), b'"outcome":': canonical(encode(outcome))}
            self._position = Present(actors, outcome, look, Shared(self._parts(look.common)), beside)
        return self._position

    def _look(self) -> SharedView[Any]:
        return self.state.game.views(self.state.position)

    def _write(self, who: Viewer) -> Written:
        now, own = self._present(), self._own.get(who.seat)
        if own is None:
            fields = now.look.own(who.seat)
            own = self._own[who.seat] = Own(fields, self._parts(fields))
        return Written(now.shared, own.written, self._beside(who, now, own.fields))

    def _beside(self, who: Viewer, now: Present, own: Mapping[str, Any]) -> Parts:
        """Write what a viewer may do, and what is said of the position."""
        offers = () if who.seat is None else self.state.game.legal(self.state.position, who.seat)
        is_asked = who.seat in now.actors or not now.actors
        if not (offers or is_asked or who.painted):
            return {**now.beside, **IDLE}
        view, sentences = (
            now.look.for_viewer(own),
            Sentences(self.state, who.language, who.seat if who.addressed else None),
        )
        beside: dict[str, Any] = {
            "legal": self.action_index.legal(offers, sentences.warning) if offers else NOTHING,
            "question": sentences.question(view, is_asked),
            "decided": sentences.decided(view, now.outcome),
        }
        if who.painted:
            beside["painting"] = painted(self.state, view, self.action_index.in_order(offers), who.language)
        return {**now.beside, **{_name(name): canonical(encode(part)) for name, part in beside.items()}}

    def _parts(self, fields: Mapping[str, Any]) -> Parts:
        """Write fields of a view, but for those of which another viewer or the position before has the very same."""
        addresses = [*map(id, fields.values())]
        found = [*map(self._known.get, addresses, map(self._former.get, addresses))]
        new = [value for value, known in zip(fields.values(), found, strict=True) if known is None]
        written = zip(new, _texts(new), strict=True)
        parts = [known or next(written) for known in found]
        self._known.update(zip(addresses, parts, strict=True))
        names = _names_of(self.state.game.info.view)
        return {names[name]: text for name, (_, text) in zip(fields, parts, strict=True)}

    def _changed(self, before: Written, now: Written) -> bytes | None:
        """Write what has changed between two positions; None if they have other parts, or in another order."""
        shared, view = self._changes_of_shared(before.shared, now.shared), self._changes_of(before.view, now.view)
        beside = self._changes_of(before.beside, now.beside)
        if shared is None or view is None or beside is None:
            return None
        view = {**shared, **view}
        return b"{" + object_text({VIEW: b"{" + object_text(view) + b"}", **beside} if view else beside) + b"}"

    def _changes_of_shared(self, before: Shared, now: Shared) -> Parts | None:
        """Compare what all share; most hold the same of it."""
        if self._since is None or self._since[0] is not before or self._since[1] is not now:
            self._since = (before, now, self._changes_of(before.view, now.view))
        return self._since[2]

    def _changes_of(self, before: Parts, now: Parts) -> Parts | None:
        if [*before] != [*now]:
            return None
        changed = compress(now, map(ne, before.values(), now.values()))
        return {name: self._difference(before[name], now[name]) for name in changed}

    def _difference(self, before: bytes, now: bytes) -> bytes:
        """Compare two texts that one viewer was and is shown: nothing else can get into what comes of it."""
        known = self._differences.get((before, now))
        if known is None:
            known = self._differences[before, now] = delta_between(before, now)
        return known


def _texts(values: list[Any]) -> list[bytes]:
    """Write values, all in one go."""
    texts = [b"" + text for text in elements(canonical(encode(values)))]  # bytes(text) takes twice as long
    return [
        _the_one(text) if len(text) >= LONG and _stays(value) else text
        for value, text in zip(values, texts, strict=True)
    ]


def _stays(value: Any) -> bool:
    """Tell what is likely to be the same at many tables, such as a board; lists are what changes in a game."""
    return isinstance(value, str | msgspec.Struct)


@lru_cache(maxsize=64)
def _the_one(text: bytes) -> SharedText:
    """Give the one copy of a long text that many tables have, such as a board."""
    return SharedText(text)


def _eyes(who: Viewer) -> Viewer:
    return who._replace(whole=False, addressed=who.addressed or who.seat is None)


@lru_cache(maxsize=1024)
def _name(name: str) -> bytes:
    return encode(name) + b":"


@lru_cache(maxsize=64)
def _names_of(view: Any) -> dict[str, bytes]:
    """Say how the names of a view's fields are written."""
    return {name: _name(said) for name, said in zip(view.__struct_fields__, view.__struct_encode_fields__, strict=True)}


IDLE: Parts = {  # there is nothing to do or to say
    _name("legal"): encode(NOTHING),
    _name("question"): b'""',
    _name("decided"): b'""',
}
