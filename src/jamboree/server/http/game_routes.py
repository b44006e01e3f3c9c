"""What can be played here: games, their rules, and whether a table could be set up with certain options."""

import logging
from functools import cache
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, Flaw
from jamboree.core.game import AnyGame, in_order
from jamboree.core.learning import pictures_of, quick_reference
from jamboree.core.words import Language

from ..errors import Refused, trace
from ..live.commands.base import BODY
from ..live.registry import Registry
from ..live.viewers.examples import shown_examples, tried
from ..protocol.bodies import Checked, GameCard, OptionProblem
from ..protocol.rules import Examples, PiecesCard, Rules, Tried, TryExample
from ..protocol.wire import encode
from .cards import card
from .compression import in_form
from .error_responses import Asked, coding_for, public, refusals, sent

RegistryDep = NamedDependency[Registry]
Key = FromPath[str]
log = logging.getLogger(__name__)


@get("/games", tags=["games"], responses=refusals())
async def list_games(registry: RegistryDep, request: Asked) -> Response[list[GameCard]]:
    """List the games: the options of each as a JSON Schema, and the names of options with a line about each."""
    return public(request, encode([shown for game in in_order(registry.games.values()) if (shown := _card(game))]))


@get("/games/{key:str}/rules", tags=["games"], responses=refusals("unknown-game"))
async def show_rules(
    key: Key, registry: RegistryDep, request: Asked, language: FromQuery[Language] = "en"
) -> Response[Rules]:
    """Give the digest of a game's rules, and our rulings, as Markdown with an anchor at every heading."""
    game = _game(key, registry)
    pieces = [PiecesCard(each.rule, each.show, each.text(language)) for each in pictures_of(game).pieces]
    return public(request, encode(Rules(game.words.rules(language), quick_reference(game, language), pieces)))


@get("/games/{key:str}/examples", tags=["games"], responses=refusals("busy", "unknown-game"))
async def show_examples(
    key: Key, registry: RegistryDep, request: Asked, language: FromQuery[Language] = "en"
) -> Response[Examples]:
    """Give the worked examples of a game's rules as they begin."""
    game = _game(key, registry)
    return public(request, await registry.offload.set_up(key, lambda: encode(shown_examples(game, language))))


@post(
    "/games/{key:str}/examples/{name:str}",
    status_code=200,
    tags=["games"],
    responses=refusals(*BODY, "busy", "illegal", "no-example", "unknown-game"),
)
async def try_example(
    key: Key,
    name: FromPath[str],
    data: JSONBody[TryExample],
    registry: RegistryDep,
    request: Asked,
    language: FromQuery[Language] = "en",
) -> Response[Tried]:
    """Try moves on the position of a worked example; nothing is kept, so they come anew with every question."""
    game, coding = _game(key, registry), coding_for(request)
    example = pictures_of(game).example(name)
    if example is None:
        raise Refused("no-example", "There is no such example.")
    answer = await registry.offload.set_up(key, lambda: in_form(encode(tried(game, example, data, language)), coding))
    return sent(answer)


@post("/games/{key:str}/check", status_code=200, tags=["games"], responses=refusals(*BODY, "busy", "unknown-game"))
async def check_options(
    key: Key, data: JSONBody[dict[str, Any]], registry: RegistryDep, language: FromQuery[Language] = "en"
) -> Checked:
    """Say whether a game can be set up with these options, and everything that is against it."""
    game = _game(key, registry)
    return await registry.offload.set_up(key, lambda: _checked(game, data, language))


def _card(game: AnyGame) -> msgspec.Raw | None:
    """Write a game's card; a game that has none costs the others nothing."""
    try:
        return msgspec.Raw(encode(card(game)))
    except Exception as error:
        _leave_out(game.info.key, trace(error))
        return None


@cache
def _leave_out(key: str, why: str) -> None:
    """Say once that a game can't be listed."""
    log.error("the game %s can't be listed: %s", key, why)


def _checked(game: AnyGame, data: dict[str, Any], language: Language) -> Checked:
    try:
        options = msgspec.convert(data, game.info.options)
        game.setup(game.info.seats[0], options, Seeded(0))
    except BadOptions as error:
        return _mistaken(error.listed(language))
    except msgspec.ValidationError as error:
        return _mistaken([Flaw(0, f"{error}.")])
    return Checked(True, [], game.words.remarks(options, language))


def _mistaken(flaws: list[Flaw]) -> Checked:
    return Checked(False, [OptionProblem(flaw.line, flaw.sentence) for flaw in flaws], [])


def _game(key: str, registry: Registry) -> AnyGame:
    if key not in registry.games:
        raise Refused("unknown-game", f"There is no such game; there are: {', '.join(registry.games)}.")
    return registry.games[key]
