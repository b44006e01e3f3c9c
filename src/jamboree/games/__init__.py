"""The registry of games: Jamboree's own, each a sub-package, and plugins from other packages.

A game's package exposes `game`.
"""

import logging
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from jamboree.core.chance import Seeded
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame, Eye, GameInfo
from jamboree.core.rulesets import Rulesets
from jamboree.core.words import LANGUAGES

from .plugin_checks import check_bots, check_info, check_position, check_texts
from .plugins import Plugins, describe_error, error_location, find_plugins

log = logging.getLogger(__name__)
TRIAL_MOVES = 8  # moves of a plugin's game that are tried before it is listed


def keys() -> list[str]:
    """Return the keys of all games without loading them."""
    return list(_packages().packages)


def package(key: str) -> str:
    """Return the name of a game's package."""
    if key not in keys():
        raise JamboreeError(f"There is no game called {key!r} here; there are: {', '.join(keys())}.")
    return _packages().packages[key]


@lru_cache
def versions(key: str) -> tuple[AnyGame, ...]:
    """Load one game in every version of its rules, the current one first."""
    name = package(key)
    if key in _own():
        game: AnyGame = import_module(name).game
        return (game, *game.earlier)
    return _load_plugin(key, name)


def find(key: str, rules: int | None = None) -> AnyGame:
    """Load one game by its current rules, or by those of a version."""
    known = {game.info.rules_version: game for game in versions(key)}
    if rules is not None and rules not in known:
        title, here = versions(key)[0].info.title, " and ".join(map(str, known))
        raise JamboreeError(f"This was played by version {rules} of the {title} rules; this program plays {here}.")
    return versions(key)[0] if rules is None else known[rules]


def all_games() -> Rulesets:
    """Load every game in every version. A plugin that can't be loaded is logged and left out."""
    for sentence in rejected_plugins():
        log.warning(sentence)
    every = {key: loaded for key in keys() if (loaded := _load_or_warn(key))}
    return Rulesets(
        {key: today for key, (today, *_) in every.items()},
        [game for _, *earlier in every.values() for game in earlier],
    )


@lru_cache
def _own() -> dict[str, str]:
    return {module.name: f"{__name__}.{module.name}" for module in iter_modules(__path__) if module.ispkg}


@lru_cache
def _packages() -> Plugins:
    others = find_plugins(_own())
    return Plugins({**_own(), **others.packages}, others.rejected)


def rejected_plugins() -> list[str]:
    """Return a sentence for every plugin that is rejected without being loaded."""
    return _packages().rejected


def _load_or_warn(key: str) -> tuple[AnyGame, ...]:
    try:
        return versions(key)
    except BadPlugin as error:
        log.warning(error)
        return ()


class BadPlugin(JamboreeError):
    """A plugin has no playable game."""


def _load_plugin(key: str, name: str) -> tuple[AnyGame, ...]:
    """Load and check a plugin's game; any failure becomes BadPlugin, so that the other games stay playable."""
    try:
        current: Any = import_module(name).game
        _check_game(current)
        for earlier in current.earlier:
            _check_game(earlier)
        games: tuple[Any, ...] = (current, *current.earlier)
        declared_keys = {game.info.key for game in games if isinstance(game.info, GameInfo)}
    except BaseException as error:  # including SystemExit
        why = f"{describe_error(error)}{error_location(error, name)}"
        raise BadPlugin(f"The game {key!r} can't be loaded from {name}: {why}.") from error
    if declared_keys != {key}:
        itself = sorted(map(str, declared_keys))
        raise BadPlugin(f"The game {key!r} can't be loaded from {name}: it calls itself {itself}.")
    return games


def _check_game(game: AnyGame) -> None:
    """Set a game up and render it in every language: one that can't be shown would break the list of games."""
    check_info(game.info)
    for seats in sorted(set(game.info.seats)):
        state = game.setup(seats, game.info.options(), Seeded(0))
        if game.info.begins:
            range(seats)[game.info.begins(state)]
        names = [f"Player {seat + 1}" for seat in range(seats)]
        for lang in LANGUAGES:
            check_position(game, state, names, lang)
        _check_moves(game, state, names)
    check_bots(game)
    for lang in LANGUAGES:
        check_texts(game, lang)


def _check_moves(game: AnyGame, state: Any, names: list[str]) -> None:
    """Make some moves, and render their events for every viewer."""
    events, viewers = list[Any](), (None, *range(len(names)), Eye.ALL)
    for step in range(TRIAL_MOVES):
        if not (actors := sorted(game.to_act(state), key=str)):
            break
        game.apply(state, actors[0], game.legal(state, actors[0])[-1].action, Seeded(step), events.append)
    for seen in (game.witness(event, viewer) for event in events for viewer in viewers):
        for lang in LANGUAGES if seen is not None else ():
            game.words.sentence(seen, names, lang)
