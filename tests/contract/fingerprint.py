"""Prints a hash of some random games of each game: the same under every hash seed, if the rules are deterministic."""

import hashlib
import sys
from importlib import import_module

from jamboree.core.game import AnyGame, dump

from .record import play_at_random
from .test_contract import GAMES


def fingerprint(game: AnyGame) -> str:
    digest = hashlib.sha256()
    for seats in range(game.info.seats[0], game.info.seats[1] + 1):
        for options in game.info.samples:
            for state in play_at_random(game, seats, options, seed=21).states[::10]:
                digest.update(dump(state))
    return digest.hexdigest()


def main(names: list[str]) -> None:
    broken = import_module("tests.contract.broken")
    games = {name: getattr(broken, name)() for name in names} or GAMES
    for key, game in games.items():
        print(key, fingerprint(game))


if __name__ == "__main__":
    main(sys.argv[1:])
