"""Encodes actions: all actions of a setup are sent once, grouped by type, and legal ones as a bit mask over them.

An index numbers the rows of all groups. A mask always has the same length, so that it reveals nothing by it: bytes in
hexadecimal, in which index 0 is the lowest bit of the first byte.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from operator import attrgetter, or_
from typing import Any

import msgspec

from jamboree.core.geometry import bits
from jamboree.core.offers import ByCell, Caution, Menu, Offer

from .wire import SharedText, encode

_ACTION, _CAUTIONS = attrgetter("action"), attrgetter("cautions")
MAX_CACHED = 64  # setups whose actions are cached
MAX_TABLES = 1024  # of offers by cell whose indices are cached


class ActionGroup(msgspec.Struct, frozen=True):
    """Actions of one type; a row has the values of the fields in order."""

    action: str
    fields: list[str]
    rows: list[list[Any]]


class Warned(msgspec.Struct, frozen=True):
    """A warning: the actions in the mask are legal, but cost something by this rule."""

    rule: str
    key: str
    params: dict[str, Any]
    sentence: str
    mask: str


class Legal(msgspec.Struct, frozen=True):
    """The legal actions of a viewer as a mask; empty if there are none."""

    mask: str
    cautions: list[Warned]


NOTHING = Legal("", [])


class ActionIndex:
    """All actions of a setup by their indices."""

    def __init__(self, actions: Sequence[Any]) -> None:
        self._actions = actions  # referenced, so that their ids stay valid
        by_type: dict[tuple[str, ...], list[tuple[Any, list[Any]]]] = {}
        for action in actions:
            fields = msgspec.to_builtins(action)
            by_type.setdefault((fields.pop("type"), *fields), []).append((action, list(fields.values())))
        self.groups = [
            ActionGroup(kind, fields, [values for _, values in rows]) for (kind, *fields), rows in by_type.items()
        ]
        self._objects = [action for rows in by_type.values() for action, _ in rows]
        self._by_address = {id(action): index for index, action in enumerate(self._objects)}
        self._bits = {id(action): 1 << index for index, action in enumerate(self._objects)}
        self._tables: dict[int, tuple[ByCell[Any], int | None]] = {}  # by id, and referenced so that the ids stay valid

    def __len__(self) -> int:
        return len(self._objects)

    @cached_property
    def text(self) -> SharedText:
        return SharedText(encode(self.groups))

    @cached_property
    def _by_text(self) -> dict[bytes, int]:
        return {encode(action): index for index, action in enumerate(self._objects)}

    def index(self, action: Any) -> int:
        """The index of an action, by identity if it is one of the rules' own objects, else by its encoding."""
        index = self._by_address.get(id(action))
        return self._by_text[encode(action)] if index is None else index

    def in_order(self, offers: Iterable[Offer[Any]]) -> list[Offer[Any]]:
        return sorted(offers, key=lambda offer: self.index(offer.action))

    def legal(self, offers: Iterable[Offer[Any]], say: Callable[[Caution], str]) -> Legal:
        block_mask = self._mask_of_menu(offers) if isinstance(offers, Menu) else None
        if block_mask:
            return Legal(self.mask_text(block_mask), [])
        offered = list(offers)
        if not offered:
            return NOTHING
        warned = self._warned(offered) if any(map(_CAUTIONS, offered)) else []
        said = [Warned(each.rule, each.key, each.params, say(each), self.mask_text(mask)) for each, mask in warned]
        return Legal(self.mask_text(self._mask(offered)), said)

    def _mask_of_menu(self, menu: Menu[Any]) -> int | None:
        """The mask of a menu made of blocks, without visiting its hundreds of offers; None if that is not possible."""
        found = 0
        for tables, cells in menu.blocks:
            for table in tables:
                first = self._first(table) if cells else 0
                if first is None:
                    return None
                found |= cells << first
        return found

    def _first(self, table: ByCell[Any]) -> int | None:
        """The index of a table's first offer, if the others follow in order and none has warnings."""
        known = self._tables.get(id(table))
        if known is None:
            if len(self._tables) >= MAX_TABLES:
                self._tables.clear()
            known = self._tables[id(table)] = (table, self._first_of(table))
        return known[1]

    def _first_of(self, table: ByCell[Any]) -> int | None:
        indices = [self.index(offer.action) for offer in table]
        in_order = indices == [*range(indices[0], indices[0] + len(indices))]
        return indices[0] if in_order and not any(map(_CAUTIONS, table)) else None

    def _mask(self, offers: Sequence[Offer[Any]]) -> int:
        try:
            return reduce(or_, map(self._bits.__getitem__, map(id, map(_ACTION, offers))))
        except KeyError:
            return reduce(or_, (1 << self.index(offer.action) for offer in offers))

    def _warned(self, offers: Sequence[Offer[Any]]) -> list[tuple[Caution, int]]:
        """Each distinct warning with the mask of its actions."""
        warned = dict[bytes, tuple[Caution, int]]()
        for offer in offers:
            for caution in offer.cautions:
                known, mask = warned.get(key := encode(caution), (caution, 0))
                warned[key] = (known, mask | 1 << self.index(offer.action))
        return [*warned.values()]

    def mask_text(self, mask: int) -> str:
        """A mask as text of constant length."""
        return mask.to_bytes((len(self) + 7) // 8, "little").hex()


_cache: dict[int, ActionIndex] = {}


def action_index(actions: Sequence[Any]) -> ActionIndex:
    """The index of a setup's actions, shared by all tables with the same list object."""
    known = _cache.get(id(actions))
    if known is None:
        if len(_cache) >= MAX_CACHED:
            del _cache[next(iter(_cache))]
        known = _cache[id(actions)] = ActionIndex(actions)
    return known


def parse_mask(mask_text: str) -> Iterator[int]:
    return bits(int.from_bytes(bytes.fromhex(mask_text), "little"))


def expanded(groups: Iterable[ActionGroup]) -> list[dict[str, Any]]:
    """All actions in order, as JSON objects."""
    return [
        {"type": group.action, **dict(zip(group.fields, row, strict=True))} for group in groups for row in group.rows
    ]
