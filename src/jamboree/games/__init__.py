"""Every game there is: our own, each a sub-package here, and those that other packages bring along.

A game's package exposes `game`. It may also expose `earlier`: the same game by earlier rules, for games that were begun
by them.
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
TRIAL_MOVES = 8  # moves of a game that somebody else wrote, before it is listed


def keys() -> list[str]:
    """List the games without loading them."""
    return list(_packages().packages)


def package(key: str) -> str:
    """Name the package of a game."""
    if key not in keys():
        raise JamboreeError(f"There is no game called {key!r} here; there are: {', '.join(keys())}.")
    return _packages().packages[key]


@lru_cache
def versions(key: str) -> tuple[AnyGame, ...]:
    """Load one game by every version of its rules, today's first."""
    name = package(key)
    if key in _own():
        module = import_module(name)
        return (module.game, *getattr(module, "earlier", ()))
    return _load_plugin(key, name)


def find(key: str, rules: int | None = None) -> AnyGame:
    """Load one game, by the rules of today or by those of a version."""
    known = {game.info.rules_version: game for game in versions(key)}
    if rules is not None and rules not in known:
        title, here = versions(key)[0].info.title, " and ".join(map(str, known))
        raise JamboreeError(f"This was played by version {rules} of the {title} rules; this program plays {here}.")
    return versions(key)[0] if rules is None else known[rules]


def all_games() -> Rulesets:
    """Load every game, also by earlier rules. A package that can't be loaded is named in the log, and left out."""
    for sentence in refused():
        log.warning(sentence)
    every = {key: loaded for key in keys() if (loaded := _load_or_warn(key))}
    return Rulesets(
        {key: today for key, (today, *_) in every.items()},
        [game for _, *earlier in every.values() for game in earlier],
    )


@lru_cache
def _own() -> dict[str, str]:
    return {found.name: f"{__name__}.{found.name}" for found in iter_modules(__path__) if found.ispkg}


@lru_cache
def _packages() -> Plugins:
    others = find_plugins(_own())
    return Plugins({**_own(), **others.packages}, others.refused)


def refused() -> list[str]:
    """Say of every package whose game is left out unseen why that is so."""
    return _packages().refused


def _load_or_warn(key: str) -> tuple[AnyGame, ...]:
    try:
        return versions(key)
    except BadPlugin as error:
        log.warning(error)
        return ()


class BadPlugin(JamboreeError):
    """A package that says it has a game, and has none that can be played."""


def _load_plugin(key: str, name: str) -> tuple[AnyGame, ...]:
    """Load a game that somebody else wrote: whatever is wrong with it, the others can be played."""
    try:
        module = import_module(name)
        games = (module.game, *getattr(module, "earlier", ()))
        declared_keys = {game.info.key for game in games if isinstance(game.info, GameInfo)}
        for game in games:
            _check_game(game)
    except BaseException as error:  # also one that would end this program
        why = f"{describe_error(error)}{error_location(error, name)}"
        raise BadPlugin(f"The game {key!r} can't be loaded from {name}: {why}.") from error
    if declared_keys != {key}:
        itself = sorted(map(str, declared_keys))
        raise BadPlugin(f"The game {key!r} can't be loaded from {name}: it calls itself {itself}.")
    return games


def _check_game(game: AnyGame) -> None:
    """Set a game up and look at it in every language: one that can't be shown would break the list of all games."""
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
    """Make some moves, and tell what happens to everybody who would hear of it."""
    events, viewers = list[Any](), (None, *range(len(names)), Eye.ALL)
    for step in range(TRIAL_MOVES):
        if not (actors := sorted(game.to_act(state), key=str)):
            break
        game.apply(state, actors[0], game.legal(state, actors[0])[-1].action, Seeded(step), events.append)
    for seen in (game.witness(event, viewer) for event in events for viewer in viewers):
        for lang in LANGUAGES if seen is not None else ():
            game.words.sentence(seen, names, lang)
