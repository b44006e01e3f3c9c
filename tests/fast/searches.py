"""Searches of the middle of games, for every number of players and set of options, to compare targets with."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec.structs import replace

from jamboree.bots.search import SearchRequest, SearchSettings, request_of_view
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame
from jamboree.fast.playouts import WAITING
from jamboree.games import find

SETTINGS = (
    SearchSettings(),
    SearchSettings(use_beliefs=True, shuffle_ties=True, greedy_bonus=0.1, win_weight=0.3, margin_scale=15.0),
)


def set_ups(key: str) -> list[tuple[int, Any]]:
    info = find(key).info
    return [(seats, sample) for seats, sample in product(range(info.seats[0], info.seats[1] + 1), info.samples)]


def requests(key: str, playouts: int) -> Iterator[SearchRequest]:
    """Yield a search for every set-up, in turn with different settings, budgets and seeds."""
    game = find(key)
    for number, (seats, options) in enumerate(set_ups(key)):
        state, seat = position(game, seats, options, number)
        offers, settings = len(game.legal(state, seat)), SETTINGS[number % len(SETTINGS)]
        request = request_of_view(key, game.view(state, seat), (1 << 52) + number, settings, offers)
        yield replace(
            request,
            first=WAITING if number % 5 == 4 else number % offers,
            max_candidates=2 + number % 4,
            bonus=settings.greedy_bonus,
            playouts=playouts + number % 3,
        )


def position(game: AnyGame, seats: int, options: Any, number: int) -> tuple[Any, int]:
    """Play random steps, and return the last position in which a seat had a choice."""
    rng, chance, found = random.Random(number), Seeded(number), list[tuple[Any, int]]()
    state = game.setup(seats, options, chance)
    while (actors := sorted(game.to_act(state), key=str)) and len(found) <= 4 * number:
        actor = rng.choice(actors)
        offers = game.legal(state, actor)
        if isinstance(actor, int) and len(offers) > 1:
            found.append((state.clone(), actor))
        game.apply(state, actor, offers[rng.randrange(len(offers))].action, chance)
    return found[-1]
