"""Every game there is: each sub-package that exposes `game`."""

from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame


@lru_cache
def all_games() -> dict[str, AnyGame]:
    """Discover the games, by key."""
    packages = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__) if found.ispkg)
    games: list[AnyGame] = [package.game for package in packages if hasattr(package, "game")]
    return {game.info.key: game for game in games}


def find(key: str) -> AnyGame:
    games = all_games()
    if key not in games:
        raise JamboreeError(f"There is no game called {key!r} here; there are: {', '.join(games)}.")
    return games[key]
