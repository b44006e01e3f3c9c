"""The components in the box, all of which are on the table."""

from jamboree.games.boogie.box.components import CARDS

from ..table import BOOGIE, table


def test_the_box() -> None:
    assert sum(BOOGIE.census(table(5)).values()) == 162
    assert sum(table(5).deck.counts) == 93
    assert len(CARDS) == 16
