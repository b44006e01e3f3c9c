"""How a searching player looks at a game: numbers that a machine can tune, kept by each game beside its bots."""

from functools import cache
from importlib.resources import files

import msgspec

from jamboree.games import package

from ..budget import Budget

FILE = "search.json"  # what a game says about this, by level


class Manner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a level thinks about a move, and how."""

    playouts: int = 2400
    fewest: int = 4  # actions on the shortlist
    most: int = 20
    each: int = 24  # playouts that an action on the shortlist should have at least
    anywhere: bool = False  # actions that look equally good are taken from all over the menu, not from its beginning
    believes: bool = False  # others are taken to have laid what they usually do, not just anything they may have
    lean: float = 0.0  # by which the player's first thought is ahead at the start; a win is worth 1
    win_part: float = 0.5  # of an end's value that is the share of the win; the rest is by how much
    spread: float = 8.0  # points by which a game is usually won
    weights: str = ""  # a name the game has for those by which everybody is taken to play on, if not greedy's own
    leaning: float = 0.0  # by which a network's word counts, for each unit of logarithmic probability
    foresight: float = 0.0  # of an action's value that is what a network expects; the rest is what playouts came to

    @property
    def budget(self) -> Budget:
        return Budget(playouts=self.playouts)

    def shortlist(self, budget: Budget) -> int:
        """Think of more actions where there is more time for each."""
        if budget.playouts is None:
            return self.most
        return max(self.fewest, min(self.most, budget.playouts // self.each))


USUAL = {"sharp": Manner(playouts=60), "star": Manner(), "champion": Manner()}


@cache
def manners(key: str) -> dict[str, Manner]:
    """Give how the levels of a game search: as the game says, or else as usual."""
    said = files(package(key)) / "bots" / FILE
    return USUAL | (msgspec.json.decode(said.read_bytes(), type=dict[str, Manner]) if said.is_file() else {})
