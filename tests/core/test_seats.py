"""Rotating the table renames seats and changes nothing else."""

import msgspec

from jamboree.core.seats import BySeat, Seat, SeatSet, mentions, rotate


class Inner(msgspec.Struct, frozen=True):
    owner: Seat
    number: int


class Outer(msgspec.Struct, frozen=True):
    turn: Seat
    viewer: Seat | str | None
    points: BySeat[int]
    winners: SeatSet
    order: list[Seat]
    things: list[Inner]
    hands: BySeat[list[Inner]]


def outer(viewer: int | str | None) -> Outer:
    return Outer(2, viewer, [10, 11, 12], [1, 2], [2, 0, 1], [Inner(0, 5)], [[Inner(0, 1)], [], [Inner(2, 3)]])


def test_rotating_by_one() -> None:
    turned = rotate(outer(1), 1, 3)
    assert turned == Outer(0, 2, [12, 10, 11], [0, 2], [0, 1, 2], [Inner(1, 5)], [[Inner(0, 3)], [Inner(1, 1)], []])


def test_values_without_seats_are_not_rotated() -> None:
    assert rotate(outer(None), 1, 3).viewer is None
    assert rotate(outer("all"), 1, 3).viewer == "all"


def test_a_full_rotation_is_the_identity() -> None:
    assert rotate(outer(0), 3, 3) == outer(0)
    assert rotate(rotate(outer(0), 1, 3), 2, 3) == outer(0)


class Traded(msgspec.Struct, frozen=True):
    giver: Seat
    taker: Seat | None
    number: int
    winners: SeatSet
    things: list[Inner]


def test_mentions_finds_seats_in_a_value() -> None:
    traded = Traded(2, None, 4, [1], [Inner(0, 5)])
    assert [seat for seat in range(6) if mentions(traded, seat)] == [0, 1, 2]
    assert mentions(outer(None), 7), "there is an item for every seat"


class Tree(msgspec.Struct, frozen=True):
    owner: Seat
    word: str
    branches: list["Tree"]


def test_recursive_types_are_searched() -> None:
    tree = Tree(0, "a", [Tree(1, "b", [Tree(4, "c", [])])])
    assert [seat for seat in range(6) if mentions(tree, seat)] == [0, 1, 4]
