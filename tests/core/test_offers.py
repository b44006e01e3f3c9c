"""A menu is a lazy sequence: it behaves like a list without building one."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from jamboree.core.geometry import bits
from jamboree.core.offers import Menu, Offer

TABLES = [tuple(Offer(f"{table}{cell}") for cell in range(12)) for table in "abc"]
blocks = st.lists(st.tuples(st.integers(0, 3).map(lambda n: TABLES[:n]), st.integers(0, 2**12 - 1)), max_size=4)


@given(blocks)
def test_a_menu_groups_offers_by_cell(laid: list[tuple[Sequence[Sequence[Offer[str]]], int]]) -> None:
    written = [table[cell] for tables, mask in laid for table in tables for cell in bits(mask)]
    menu = Menu(laid)
    assert len(menu) == len(written)
    assert list(menu) == written
    assert [menu[at] for at in range(len(menu))] == written
    assert [menu[at] for at in range(-len(menu), 0)] == written
    assert list(menu[1:3]) == written[1:3]
    assert all(offer in menu for offer in written)
