"""A worker process whose bots misbehave: `python -m tests.server.live.bad_worker KIND`."""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from jamboree.bots import Budget, Level, bot
from jamboree.core.game import AnyGame
from jamboree.games import find
from jamboree.server.live.bots.worker import WorkerBots, run

TROUBLE_EVERY = 3


class Bad:
    """Plays well, but for every third choice."""

    def __init__(self, game: AnyGame, level: Level, seed: int | None) -> None:
        self.good, self.number = bot(game, level, seed), 0

    def decide(self, view: Any, offers: Any, budget: Budget) -> Any:
        self.number += 1
        if self.number % TROUBLE_EVERY:
            return self.good.decide(view, offers, budget)
        return TROUBLE[sys.argv[1]](offers)


def raises(offers: Any) -> Any:
    raise RuntimeError("the bag holds two reds")


def hangs(offers: Any) -> Any:
    time.sleep(600)


def crashes(offers: Any) -> Any:
    os._exit(3)


def talks(offers: Any) -> Any:
    print("my hand is blue keys", flush=True)
    os.write(1, b"and more\n")
    return offers[0].action


def dawdles(offers: Any) -> Any:
    time.sleep(0.2)
    return offers[0].action


TROUBLE: dict[str, Callable[[Any], Any]] = {
    "raises": raises,
    "hangs": hangs,
    "crashes": crashes,
    "talks": talks,
    "dawdles": dawdles,
    "nonsense": lambda offers: {"type": "Fly", "to": "the moon"},
    "illegal": lambda offers: {"type": "BookSeat", "die": 0, "hex": "nowhere"},
}

if __name__ == "__main__":
    run(WorkerBots(find, Bad))
