"""Actions as they are sent: all of a set-up once, by type, and what is legal as places among them.

Places count through the rows of all groups. They are written as a mask of one length, so that it does not tell what
may be done: bytes in hexadecimal, in which place 0 is the lowest bit of the first.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from operator import attrgetter, or_
from typing import Any

import msgspec

from jamboree.core.geometry import bits
from jamboree.core.offers import ByCell, Caution, Menu, Offer

from .wire import Common, encode

_ACTION, _CAUTIONS = attrgetter("action"), attrgetter("cautions")
KEPT = 64  # set-ups whose actions are remembered
MOST_TABLES = 1024  # of offers by cell, of which it is remembered where they stand


class ActionGroup(msgspec.Struct, frozen=True):
    """Actions of one type: a row has the values of the fields, in their order."""

    action: str
    fields: list[str]
    rows: list[list[Any]]


class Warned(msgspec.Struct, frozen=True):
    """A warning: these actions are allowed and will cost something by this rule."""

    rule: str
    key: str
    params: dict[str, Any]
    sentence: str
    places: str


class Legal(msgspec.Struct, frozen=True):
    """What a viewer may do, as places among all actions; empty when there is nothing."""

    places: str
    cautions: list[Warned]


NOTHING = Legal("", [])


class Repertoire:
    """All actions of a set-up, in the order of their places."""

    def __init__(self, actions: Sequence[Any]) -> None:
        self._given = actions  # kept, so that nothing else is ever found at these addresses
        by_type: dict[tuple[str, ...], list[tuple[Any, list[Any]]]] = {}
        for action in actions:
            fields = msgspec.to_builtins(action)
            by_type.setdefault((fields.pop("type"), *fields), []).append((action, list(fields.values())))
        self.groups = [
            ActionGroup(kind, fields, [values for _, values in rows]) for (kind, *fields), rows in by_type.items()
        ]
        self._objects = [action for rows in by_type.values() for action, _ in rows]
        self._by_address = {id(action): place for place, action in enumerate(self._objects)}
        self._bits = {id(action): 1 << place for place, action in enumerate(self._objects)}
        self._tables: dict[int, tuple[ByCell[Any], int | None]] = {}  # by their addresses, and kept so that they stay

    def __len__(self) -> int:
        return len(self._objects)

    @cached_property
    def text(self) -> Common:
        return Common(encode(self.groups))

    @cached_property
    def _by_text(self) -> dict[bytes, int]:
        return {encode(action): place for place, action in enumerate(self._objects)}

    def place(self, action: Any) -> int:
        """Find an action; most are the very ones that the rules made once."""
        place = self._by_address.get(id(action))
        return self._by_text[encode(action)] if place is None else place

    def in_order(self, offers: Iterable[Offer[Any]]) -> list[Offer[Any]]:
        """Put offers in the order of their places."""
        return sorted(offers, key=lambda offer: self.place(offer.action))

    def legal(self, offers: Iterable[Offer[Any]], say: Callable[[Caution], str]) -> Legal:
        in_one_go = self._mask_of_menu(offers) if isinstance(offers, Menu) else None
        if in_one_go:
            return Legal(self.written(in_one_go), [])
        offered = list(offers)
        if not offered:
            return NOTHING
        warned = self._warned(offered) if any(map(_CAUTIONS, offered)) else []
        said = [Warned(each.rule, each.key, each.params, say(each), self.written(places)) for each, places in warned]
        return Legal(self.written(self._mask(offered)), said)

    def _mask_of_menu(self, menu: Menu[Any]) -> int | None:
        """Find the places of a menu by its blocks, if that can be; it may have hundreds of offers."""
        found = 0
        for tables, cells in menu.blocks:
            for table in tables:
                first = self._first(table) if cells else 0
                if first is None:
                    return None
                found |= cells << first
        return found

    def _first(self, table: ByCell[Any]) -> int | None:
        """Give the place of a table's first offer if the others follow in order, without any warnings."""
        known = self._tables.get(id(table))
        if known is None:
            if len(self._tables) >= MOST_TABLES:
                self._tables.clear()
            known = self._tables[id(table)] = (table, self._first_of(table))
        return known[1]

    def _first_of(self, table: ByCell[Any]) -> int | None:
        places = [self.place(offer.action) for offer in table]
        in_order = places == [*range(places[0], places[0] + len(places))]
        return places[0] if in_order and not any(map(_CAUTIONS, table)) else None

    def _mask(self, offers: Sequence[Offer[Any]]) -> int:
        try:
            return reduce(or_, map(self._bits.__getitem__, map(id, map(_ACTION, offers))))
        except KeyError:
            return reduce(or_, (1 << self.place(offer.action) for offer in offers))

    def _warned(self, offers: Sequence[Offer[Any]]) -> list[tuple[Caution, int]]:
        """Give every warning once, with the places it is about."""
        warned = dict[bytes, tuple[Caution, int]]()
        for offer in offers:
            for caution in offer.cautions:
                known, places = warned.get(key := encode(caution), (caution, 0))
                warned[key] = (known, places | 1 << self.place(offer.action))
        return [*warned.values()]

    def written(self, mask: int) -> str:
        """Write places, always at the same length."""
        return mask.to_bytes((len(self) + 7) // 8, "little").hex()


_kept: dict[int, Repertoire] = {}


def repertoire(actions: Sequence[Any]) -> Repertoire:
    """Number the actions of a set-up, once for all tables that have the very same list of them."""
    known = _kept.get(id(actions))
    if known is None:
        if len(_kept) >= KEPT:
            del _kept[next(iter(_kept))]
        known = _kept[id(actions)] = Repertoire(actions)
    return known


def places_in(written: str) -> Iterator[int]:
    """Read places."""
    return bits(int.from_bytes(bytes.fromhex(written), "little"))


def listed(groups: Iterable[ActionGroup]) -> list[dict[str, Any]]:
    """Write out all actions, each at its place."""
    return [
        {"type": group.action, **dict(zip(group.fields, row, strict=True))} for group in groups for row in group.rows
    ]
