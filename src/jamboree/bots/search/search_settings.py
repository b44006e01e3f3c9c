"""Search settings by level: numbers tuned for each game and stored beside its bots in `search.json`."""

from functools import cache
from importlib.resources import files

import msgspec

from jamboree.games import package

from ..budget import Budget

FILE = "search.json"  # a game's own settings, by level


class SearchSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a level searches, and how many playouts it has for a decision."""

    playouts: int = 2400
    min_candidates: int = 4
    max_candidates: int = 20
    playouts_per_candidate: int = 24  # the shortlist is shortened until each candidate has that many
    shuffle_ties: bool = False  # order equally promising actions at random, not as in the menu
    use_beliefs: bool = False  # determinizations follow how players usually behave, not only the rules
    greedy_bonus: float = 0.0  # added to the value of the greedy choice; a win is worth 1
    win_weight: float = 0.5  # share of the win in the value of an outcome; the rest is the margin
    margin_scale: float = 8.0  # points by which a game is usually won
    playout_weights: str = ""  # name of the evaluation weights that playouts use; empty: those of the greedy bot
    policy_weight: float = 0.0  # of a champion: value of one unit of a network's log-probability
    value_weight: float = 0.0  # of a champion: share of a network's estimate in a value; the rest is playouts

    @property
    def budget(self) -> Budget:
        return Budget(playouts=self.playouts)

    def shortlist(self, budget: Budget) -> int:
        """Return the number of candidates for a budget."""
        if budget.playouts is None:
            return self.max_candidates
        return max(self.min_candidates, min(self.max_candidates, budget.playouts // self.playouts_per_candidate))


DEFAULTS = {"sharp": SearchSettings(playouts=60), "star": SearchSettings(), "champion": SearchSettings()}


@cache
def search_settings(key: str) -> dict[str, SearchSettings]:
    """Return the settings of a game's levels: its own, or else the defaults."""
    file = files(package(key)) / "bots" / FILE
    own = msgspec.json.decode(file.read_bytes(), type=dict[str, SearchSettings]) if file.is_file() else {}
    return DEFAULTS | own
