"""Set-ups at the limits of the rules, to cover rare cases."""

from dataclasses import replace

from jamboree.core.chance import Chance
from jamboree.games import bpm
from jamboree.games.bpm.rules.setup import Options
from jamboree.games.bpm.rules.state import State

LEFT = 4


def set_up(seats: int, options: Options, chance: Chance) -> State:
    """Set up a table without dancers to draw: the first player has nearly all of them as superfans."""
    state = bpm.game.setup(seats, options, chance)
    for kind, count in enumerate(state.pile.counts):
        taken = max(0, min(count, state.pile.total - LEFT))
        state.superfans[state.first][kind] += taken
        state.pile.put(kind, -taken)
    return state


SCARCE = replace(bpm.game, rulebook=replace(bpm.game.rulebook, set_up=set_up))
