"""Bots by name: a level, one that a game brings along, random, or a class of somebody's own as `module:Class`."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from jamboree.core.errors import JamboreeError
from jamboree.core.extras import MissingExtra
from jamboree.core.game import AnyGame
from jamboree.core.play import Player
from jamboree.fast import has_numba

from .budget import Budget
from .deciding import Seated
from .levels import SEARCHING, levels, player
from .random_bot import RandomBot

Maker = Callable[[int | None], Player]
"""Makes a player; the same seed makes one that plays the same."""


def roster(game: AnyGame) -> Mapping[str, Maker]:
    """Name every bot that can play a game: by level, by the game's own name for it, or random."""
    return {**{level: partial(player, game, level) for level in levels(game)}, "random": RandomBot, **game.bots()}


def maker(game: AnyGame, name: str) -> Maker:
    """Find what makes the bot of a name. Names of classes run their code: they must come from who runs this program."""
    if is_own(name):
        return partial(_made, name, _class_of(name))
    known = roster(game)
    if name not in known:
        check_numba(name)
        has = ", ".join(known)
        raise JamboreeError(f"{game.info.title} has no bot called {name!r}; it has: {has}, or your own module:Class.")
    return known[name]


def check_numba(name: str) -> None:
    """Raise MissingExtra if a level searches and numba is not installed."""
    if name in SEARCHING and not has_numba():
        raise MissingExtra(f"The level {name} needs numba, which is not installed", "fast")


def is_own(name: str) -> bool:
    """Tell whether a name is that of a class."""
    return ":" in name


def _class_of(name: str) -> Any:
    module, _, kind = name.partition(":")
    try:
        with _here():
            found = import_module(module)
    except Exception as error:  # whatever the code of a module does while it is loaded
        raise JamboreeError(f"The bot {name!r} can't be loaded: {error}.") from None
    if not callable(getattr(found, kind, None)):
        raise JamboreeError(f"The bot {name!r} can't be loaded: there is no class {kind!r} in {module}.")
    return getattr(found, kind)


@contextmanager
def _here() -> Iterator[None]:
    """Look for modules in the current folder too, as `python -m` does."""
    here = str(Path.cwd())
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)


def _made(name: str, kind: Any, seed: int | None) -> Player:
    """Make a bot of somebody's own, with a seed if it takes one."""
    bot = kind(seed) if signature(kind).parameters else kind()
    if hasattr(bot, "choose"):
        player: Player = bot
        return player
    if hasattr(bot, "decide"):
        return Seated(bot, Budget())
    raise JamboreeError(f"The bot {name!r} can't play: it has neither `choose` nor `decide`.")
