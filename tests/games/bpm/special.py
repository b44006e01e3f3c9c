"""Tables at the edge of the rules, so that what is rare is tested too."""

from jamboree.core.chance import Chance
from jamboree.games.bpm.game import BpmsPerMinute
from jamboree.games.bpm.rules.setup import Options
from jamboree.games.bpm.rules.state import State

LEFT = 4


class Scarce(BpmsPerMinute):
    """A table that has run out of dancers before it begins: the first player has taken nearly all of them home."""

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        state = super().setup(seats, options, chance)
        for kind, count in enumerate(state.pile.counts):
            taken = max(0, min(count, state.pile.total - LEFT))
            state.superfans[state.first][kind] += taken
            state.pile.put(kind, -taken)
        return state
