"""What can be played here: games, their rules, and whether a table could be set up with certain options."""

from typing import Any

import msgspec
from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, Flaw
from jamboree.core.game import AnyGame, in_order
from jamboree.core.words import Language

from ..errors import Refused
from ..protocol.bodies import Checked, GameCard, OptionProblem, Rules
from ..protocol.wire import encode
from ..table.registry import Registry
from .answers import BODY, Asked, refusals
from .cards import card
from .packing import VARY, codings, packed

Theirs = NamedDependency[Registry]
Key = FromPath[str]


@get("/games", tags=["games"], responses=refusals())
async def list_games(registry: Theirs, request: Asked) -> Response[list[GameCard]]:
    """List the games: the options of each as a JSON Schema, and the names of options with a line about each."""
    cards: Any = encode([card(game) for game in in_order(registry.games.values())])
    headers, smaller = dict(VARY), packed(cards)
    if smaller is not cards and "gzip" in codings(request.headers.get("accept-encoding", "")):
        cards, headers["content-encoding"] = smaller, "gzip"
    return Response(cards, media_type=MediaType.JSON, headers=headers)


@get("/games/{key:str}/rules", tags=["games"], responses=refusals("unknown-game"))
async def show_rules(key: Key, registry: Theirs, language: FromQuery[Language] = "en") -> Rules:
    """Give the digest of a game's rules, and our rulings, as Markdown with an anchor at every heading."""
    return Rules(_game(key, registry).words.rules(language))


@post("/games/{key:str}/check", status_code=200, tags=["games"], responses=refusals(*BODY, "busy", "unknown-game"))
async def check_options(
    key: Key, data: JSONBody[dict[str, Any]], registry: Theirs, language: FromQuery[Language] = "en"
) -> Checked:
    """Say whether a game can be set up with these options, and everything that is against it."""
    return await registry.offload.run(_checked, _game(key, registry), data, language)


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
