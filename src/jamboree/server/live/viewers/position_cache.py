"""Delta encoding: cached positions per kind of viewer, in parts, and the differences between two of them."""

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
from ..rendering import Sentences, painted
from ..state import TableState
from ..visibility import Viewer

LONG = 512  # bytes
START = b'{"view":{'
Parts = Mapping[bytes, bytes]  # of an object, as JSON: names with their colons, and values


@dataclass(frozen=True)
class Shared:
    """The part of a view that is the same for all viewers. It comes first in a position, its constant fields first."""

    view: Parts

    @property
    def text(self) -> bytes:
        """The beginning of every viewer's position."""
        return START + object_text(self.view)

    @property
    def pieces(self) -> list[bytes]:
        """The same in pieces that are compressed separately: texts that many tables share, and the rest."""
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
        lead = tuple(takewhile(lambda part: len(part[1]) >= LONG, self.view.items()))
        rest = dict(islice(self.view.items(), len(lead), None))
        return crc32((b"," if lead and rest else b"") + object_text(rest), _check_of_lead(lead))


class Written(NamedTuple):
    """An encoded position: the shared part of the view, the viewer's own part, and the fields beside the view."""

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


@lru_cache(maxsize=64)
def _check_of_lead(lead: tuple[tuple[bytes, bytes], ...]) -> int:
    """The checksum of long constant parts, such as a board, which many tables share."""
    return crc32(START + object_text(dict(lead)))


def object_text(parts: Parts) -> bytes:
    """The encoded fields of an object, without its braces."""
    return b",".join(map(add, parts, parts.values()))


VIEW = b'"view":'
Known = dict[int, tuple[Any, bytes]]  # by the id of a value, which is referenced so that its id stays valid


class Present(NamedTuple):
    """The current position, before it is encoded for viewers."""

    actors: frozenset[Any]
    outcome: Outcome | None
    view: SharedView[Any]
    shared: Shared
    beside: Parts  # fields beside the view that all viewers get


class Own(NamedTuple):
    """The part of a view that only one viewer sees."""

    fields: Mapping[str, Any]
    written: Parts


class PositionCache:
    """The encoded positions of one table, and the position that each kind of viewer was sent last."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self._held: dict[Viewer, Written | None] = {}  # None: connections of this kind have different positions
        self._known: Known = {}
        self._previous: Known = {}  # of the position before
        self._hash = ""
        self._public: tuple[Shared, list[bytes]] | None = None  # the shared part of the position, in pieces
        self._begin()

    @cached_property
    def action_index(self) -> ActionIndex:
        """All possible actions, which are the same throughout a game."""
        return action_index(self.state.game.actions(self.state.position))

    def of(self, who: Viewer) -> Written:
        """The current position, encoded for a viewer."""
        if self._hash != self.state.hash:
            self._hash = self.state.hash
            self._begin()
        kind = _kind_of(who)
        if kind not in self._written:
            self._written[kind] = self._write(kind)
        return self._written[kind]

    def hold(self, who: Viewer) -> None:
        """Record that a connection of this kind is sent the current position."""
        now, kind = self.of(who), _kind_of(who)
        self._held[kind] = now if self._held.get(kind, now) == now else None

    def delta(self, who: Viewer) -> bytes | None:
        """Delta for one kind of viewer; None if its connections hold different positions."""
        now, kind = self.of(who), _kind_of(who)
        if kind not in self._deltas:
            held, self._held[kind] = self._held.get(kind), now
            self._deltas[kind] = self._changed(held, now) if held else None
        return self._deltas[kind]

    def pieces(self, who: Viewer) -> list[bytes]:
        """The current position in pieces; the shared ones come first and are compressed once."""
        now = self.of(who)
        if self._public is None or self._public[0] is not now.shared:
            self._public = (now.shared, now.shared.pieces)
        return [*self._public[1], now.own]

    def forget(self) -> None:
        """Encode positions again, since something that sentences name has changed."""
        self._written.clear()

    def retain(self, connected: set[Viewer]) -> None:
        """Drop the positions of kinds of viewers that are not connected."""
        kinds = {_kind_of(who) for who in connected}
        self._held = {who: held for who, held in self._held.items() if who in kinds or who.seat is None}

    def drop_caches(self) -> None:
        """Drop caches that only speed up the next step, except texts that many tables share."""
        self._known = {key: known for key, known in self._known.items() if isinstance(known[1], SharedText)}
        self._previous = {}
        self.drop_temporary()

    def drop_temporary(self) -> None:
        """Drop caches that are only used while frames are built."""
        self._position: Present | None = None
        self._own: dict[int | None, Own] = {}
        self._differences: dict[tuple[bytes, bytes], bytes] = {}
        self._since: tuple[Shared, Shared, Parts | None] | None = None
        self._public = None

    def _begin(self) -> None:
        self._written: dict[Viewer, Written] = {}
        self._deltas: dict[Viewer, bytes | None] = {}
        self._known, self._previous = {}, self._known
        self.drop_temporary()

    def _present(self) -> Present:
        if self._position is None:
            game, state = self.state.game, self.state.position
            view, actors, outcome = self._shared_view(), game.to_act(state), game.outcome(state)
            beside = {b'"actors":': encode(sorted(actors, key=str)), b'"outcome":': canonical(encode(outcome))}
            self._position = Present(actors, outcome, view, Shared(self._parts(view.common)), beside)
        return self._position

    def _shared_view(self) -> SharedView[Any]:
        return self.state.game.views(self.state.position)

    def _write(self, who: Viewer) -> Written:
        now, own = self._present(), self._own.get(who.seat)
        if own is None:
            fields = now.view.own(who.seat)
            own = self._own[who.seat] = Own(fields, self._parts(fields))
        return Written(now.shared, own.written, self._private_parts(who, now, own.fields))

    def _private_parts(self, who: Viewer, now: Present, own: Mapping[str, Any]) -> Parts:
        """The fields beside the view: legal actions, sentences, and the painting."""
        offers = () if who.seat is None else self.state.game.legal(self.state.position, who.seat)
        is_asked = who.seat in now.actors or not now.actors
        if not (offers or is_asked or who.painted):
            return {**now.beside, **IDLE}
        view = now.view.for_viewer(own)
        sentences = Sentences(self.state, who.language, who.seat if who.addressed else None)
        beside: dict[str, Any] = {
            "legal": self.action_index.legal(offers, sentences.warning) if offers else NOTHING,
            "question": sentences.question(view, is_asked),
            "decided": sentences.decided(view, now.outcome),
        }
        if who.painted:
            beside["painting"] = painted(self.state, view, self.action_index.in_order(offers), who.language)
        return {**now.beside, **{_name(name): canonical(encode(part)) for name, part in beside.items()}}

    def _parts(self, fields: Mapping[str, Any]) -> Parts:
        """Encode fields of a view, reusing those that another viewer or the previous position shares by identity."""
        addresses = [*map(id, fields.values())]
        found = [*map(self._known.get, addresses, map(self._previous.get, addresses))]
        new = [value for value, known in zip(fields.values(), found, strict=True) if known is None]
        written = zip(new, _texts(new), strict=True)
        parts = [known or next(written) for known in found]
        self._known.update(zip(addresses, parts, strict=True))
        names = _names_of(self.state.game.info.view)
        return {names[name]: text for name, (_, text) in zip(fields, parts, strict=True)}

    def _changed(self, before: Written, now: Written) -> bytes | None:
        """The delta between two positions; None if their fields or the order of them differ."""
        shared, view = self._changes_of_shared(before.shared, now.shared), self._changes_of(before.view, now.view)
        beside = self._changes_of(before.beside, now.beside)
        if shared is None or view is None or beside is None:
            return None
        view = {**shared, **view}
        return b"{" + object_text({VIEW: b"{" + object_text(view) + b"}", **beside} if view else beside) + b"}"

    def _changes_of_shared(self, before: Shared, now: Shared) -> Parts | None:
        """The changes of the shared part, computed once for most viewers."""
        if self._since is None or self._since[0] is not before or self._since[1] is not now:
            self._since = (before, now, self._changes_of(before.view, now.view))
        return self._since[2]

    def _changes_of(self, before: Parts, now: Parts) -> Parts | None:
        if [*before] != [*now]:
            return None
        changed = compress(now, map(ne, before.values(), now.values()))
        return {name: self._difference(before[name], now[name]) for name in changed}

    def _difference(self, before: bytes, now: bytes) -> bytes:
        """The delta between two texts that the same viewer was sent, so nothing else can leak into it."""
        if (before, now) not in self._differences:
            self._differences[before, now] = delta_between(before, now)
        return self._differences[before, now]


def _texts(values: list[Any]) -> list[bytes]:
    """Encode values in one call."""
    texts = [b"" + text for text in elements(canonical(encode(values)))]  # bytes(text) takes twice as long
    return [
        # Probably the same at many tables, such as a board; lists change during a game.
        _interned(text) if len(text) >= LONG and isinstance(value, str | msgspec.Struct) else text
        for value, text in zip(values, texts, strict=True)
    ]


@lru_cache(maxsize=64)
def _interned(text: bytes) -> SharedText:
    """The interned copy of a long text that many tables share, such as a board."""
    return SharedText(text)


def _kind_of(who: Viewer) -> Viewer:
    """The viewer without what makes no difference to the encoded position."""
    return who._replace(whole=False, addressed=who.addressed or who.seat is None)


@lru_cache(maxsize=1024)
def _name(name: str) -> bytes:
    return encode(name) + b":"


@lru_cache(maxsize=64)
def _names_of(view: Any) -> dict[str, bytes]:
    """The encoded names of a view's fields."""
    return {name: _name(said) for name, said in zip(view.__struct_fields__, view.__struct_encode_fields__, strict=True)}


IDLE: Parts = {  # for viewers without a decision
    _name("legal"): encode(NOTHING),
    _name("question"): b'""',
    _name("decided"): b'""',
}
