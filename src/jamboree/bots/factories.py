"""Bot factories by name: a level, a bot of the game, `random`, or a class of one's own as `module:Class`."""

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
from .interface import BotPlayer
from .levels import SEARCHING, levels, player
from .random_bot import RandomBot

BotFactory = Callable[[int | None], Player]
"""Makes a player from a seed; equal seeds make players that decide equally."""


def bot_factories(game: AnyGame) -> Mapping[str, BotFactory]:
    """Return the factories of all bots that can play a game, by name."""
    return {**{level: partial(player, game, level) for level in levels(game)}, "random": RandomBot, **game.bots()}


def bot_factory(game: AnyGame, name: str) -> BotFactory:
    """Return the factory of a bot. The name of a class runs its code: it must come from the user of this process."""
    if is_class_name(name):
        return partial(_make, name, _load_class(name))
    known = bot_factories(game)
    if name not in known:
        check_numba(name)
        has = ", ".join(known)
        raise JamboreeError(f"{game.info.title} has no bot called {name!r}; it has: {has}, or your own module:Class.")
    return known[name]


def check_numba(name: str) -> None:
    """Raise MissingExtra if a level searches and numba is not installed."""
    if name in SEARCHING and not has_numba():
        raise MissingExtra(f"The level {name} needs numba, which is not installed", "fast")


def is_class_name(name: str) -> bool:
    """Return whether a bot's name is that of a class, `module:Class`."""
    return ":" in name


def _load_class(name: str) -> Any:
    module, _, kind = name.partition(":")
    try:
        with _current_folder_importable():
            found = import_module(module)
    except Exception as error:  # a module can raise anything while it is loaded
        raise JamboreeError(f"The bot {name!r} can't be loaded: {error}.") from None
    if not callable(getattr(found, kind, None)):
        raise JamboreeError(f"The bot {name!r} can't be loaded: there is no class {kind!r} in {module}.")
    return getattr(found, kind)


@contextmanager
def _current_folder_importable() -> Iterator[None]:
    """Search the current folder for modules too, as `python -m` does."""
    here = str(Path.cwd())
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)


def _make(name: str, kind: Any, seed: int | None) -> Player:
    """Instantiate a custom bot, with the seed if its constructor takes an argument."""
    bot = kind(seed) if signature(kind).parameters else kind()
    if hasattr(bot, "choose"):
        player: Player = bot
        return player
    if hasattr(bot, "decide"):
        return BotPlayer(bot, Budget())
    raise JamboreeError(f"The bot {name!r} can't play: it has neither `choose` nor `decide`.")
