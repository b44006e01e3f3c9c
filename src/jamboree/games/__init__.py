"""Every game there is: each sub-package that exposes `game`, under the package's name.

A package may also expose `earlier`: the same game by earlier rules, for games that were begun by them.
"""

from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.rulesets import Rulesets


def keys() -> list[str]:
    """List the games without loading them."""
    return [found.name for found in iter_modules(__path__) if found.ispkg]


@lru_cache
def versions(key: str) -> tuple[AnyGame, ...]:
    """Load one game by every version of its rules, today's first."""
    if key not in keys():
        raise JamboreeError(f"There is no game called {key!r} here; there are: {', '.join(keys())}.")
    package = import_module(f"{__name__}.{key}")
    return (package.game, *getattr(package, "earlier", ()))


def find(key: str, rules: int | None = None) -> AnyGame:
    """Load one game, by the rules of today or by those of a version."""
    known = {game.info.rules_version: game for game in versions(key)}
    if rules is not None and rules not in known:
        title, here = versions(key)[0].info.title, " and ".join(map(str, known))
        raise JamboreeError(f"This was played by version {rules} of the {title} rules; this program plays {here}.")
    return versions(key)[0] if rules is None else known[rules]


def all_games() -> Rulesets:
    """Load every game, also by earlier rules."""
    every = {key: versions(key) for key in keys()}
    return Rulesets(
        {key: today for key, (today, *_) in every.items()},
        [game for _, *earlier in every.values() for game in earlier],
    )
