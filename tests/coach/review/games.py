"""Games to review."""

import random
from functools import lru_cache

from jamboree.bots import bot_factory
from jamboree.core.chance import Seeded
from jamboree.core.journal import About, Journal
from jamboree.core.play import Match, play
from jamboree.games import find


@lru_cache
def a_game(key: str, seed: int = 5, bots: str = "greedy") -> Journal:
    """Play a whole game among bots, of one kind or of several in turn."""
    game = find(key)
    seats = game.info.seats[0]
    about = About("tests")  # reviews take their luck from the journal's seal, which covers the version
    match = Match(game, seats, game.info.options(), Seeded(seed), ["Ada", "Bob", "Cleo"][:seats], about)
    kinds = bots.split(",")
    play(match, [bot_factory(game, kinds[seat % len(kinds)])(seat) for seat in range(seats)], random.Random(seed))
    return match.journal()
