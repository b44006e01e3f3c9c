"""Legal actions as lazy sequences, stored as bitmasks over precomputed tables of offers."""

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

import msgspec

from .geometry import cells, nth_bit

A = TypeVar("A")


class Caution(msgspec.Struct, frozen=True):
    """A warning about a legal action that costs something by the given rule."""

    rule: str
    key: str
    params: dict[str, Any] = {}


class Offer(msgspec.Struct, Generic[A], frozen=True):
    """A legal action with its warnings."""

    action: A
    cautions: tuple[Caution, ...] = ()


ByCell = Sequence[Offer[A]]
Block = tuple[Sequence[ByCell[A]], int]


class Menu(Sequence[Offer[A]]):
    """Offers laid out as blocks: several tables of offers by cell, and the mask of cells that are legal in each.

    A claim on a large board has hundreds of offers; a menu of them costs a few integers.
    """

    __slots__ = ("blocks", "length")

    def __init__(self, blocks: list[Block[A]]) -> None:
        self.blocks = blocks
        length = 0
        for tables, mask in blocks:
            length += len(tables) * mask.bit_count()
        self.length = length

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> Offer[A]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Offer[A]]: ...
    def __getitem__(self, index: int | slice) -> Offer[A] | Sequence[Offer[A]]:
        if isinstance(index, slice):
            return list(self)[index]
        if index < 0:
            index += self.length
        if index >= 0:
            for tables, mask in self.blocks:
                count = mask.bit_count()
                if index < (offers := count * len(tables)):
                    table, cell = divmod(index, count)
                    return tables[table][nth_bit(mask, cell)]
                index -= offers
        raise IndexError("no such offer")

    def __iter__(self) -> Iterator[Offer[A]]:
        for tables, mask in self.blocks:
            for table in tables:
                yield from map(table.__getitem__, cells(mask))


def menu_of(*actions: A) -> list[Offer[A]]:
    """Return offers of the given actions, without warnings."""
    return [Offer(action) for action in actions]
