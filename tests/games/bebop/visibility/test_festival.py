"""A board as it is drawn has all that its text has, for as many as play."""

import pytest

from jamboree.games.bebop.box.board import load
from jamboree.games.bebop.visibility.views import festival

COUNTS = {  # as in the designer's notes: hexes, normal ones, VIP, stage spaces, stages, preprinted dice
    "vanillaville": [(55, 34, 4, 17, 9, 0), (81, 51, 6, 24, 13, 0), (107, 68, 8, 31, 17, 0)],
    "cramped-valley": [(51, 30, 3, 18, 10, 0), (75, 45, 4, 26, 13, 0), (99, 60, 5, 34, 16, 0)],
    "longchain": [(52, 32, 3, 17, 8, 0), (78, 48, 5, 25, 11, 0), (104, 64, 7, 33, 14, 0)],
    "point-city": [(59, 37, 4, 18, 10, 5), (86, 56, 5, 25, 14, 8), (113, 74, 7, 32, 18, 10)],
}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", COUNTS)
def test_all_hexes_are_drawn(name: str, players: int) -> None:
    drawn = festival(load(name).ground(players))
    kinds = [spot.kind for spot in drawn.hexes]
    stages, dice = {spot.stage for spot in drawn.hexes if spot.stage}, [spot for spot in drawn.hexes if spot.die]
    found = (len(kinds), kinds.count("normal"), kinds.count("vip"), kinds.count("stage"), len(stages), len(dice))
    assert found == COUNTS[name][players - 2]
    assert drawn.id == name
    assert len(drawn.palette) == 3
    assert drawn.rating == load(name).rating[players - 2]
