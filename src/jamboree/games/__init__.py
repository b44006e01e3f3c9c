"""Every game there is: each sub-package that exposes `game`, under the package's name."""

from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame


def keys() -> list[str]:
    """List the games without loading them."""
    return [found.name for found in iter_modules(__path__) if found.ispkg]


@lru_cache
def find(key: str) -> AnyGame:
    """Load one game."""
    if key not in keys():
        raise JamboreeError(f"There is no game called {key!r} here; there are: {', '.join(keys())}.")
    game: AnyGame = import_module(f"{__name__}.{key}").game
    return game


def all_games() -> dict[str, AnyGame]:
    return {key: find(key) for key in keys()}
