"""What can be played here: games, their rules, and whether a table could be set up with certain options."""

from typing import Any

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from jamboree.bots import levels
from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, Flaw
from jamboree.core.game import AnyGame
from jamboree.core.words import LANGUAGES, Language

from ..errors import Refused
from ..protocol.bodies import Checked, GameCard, OptionProblem, Rules
from ..table.registry import House
from .answers import BODY, refusals

Theirs = NamedDependency[House]
Key = FromPath[str]


@get("/games", tags=["games"], responses=refusals())
async def list_games(house: Theirs) -> list[GameCard]:
    """List the games, the options of each as a JSON Schema, and a line about each option."""
    return [_card(game) for game in house.games.values()]


@get("/games/{key:str}/rules", tags=["games"], responses=refusals("unknown-game"))
async def show_rules(key: Key, house: Theirs, language: FromQuery[Language] = "en") -> Rules:
    """Give the digest of a game's rules, and our rulings, as Markdown with an anchor at every heading."""
    return Rules(_game(key, house).words.rules(language))


@post("/games/{key:str}/check", status_code=200, tags=["games"], responses=refusals(*BODY, "busy", "unknown-game"))
async def check_options(
    key: Key, data: JSONBody[dict[str, Any]], house: Theirs, language: FromQuery[Language] = "en"
) -> Checked:
    """Say whether a game can be set up with these options, and everything that is against it."""
    return await house.offload.run(_checked, _game(key, house), data, language)


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


def _card(game: AnyGame) -> GameCard:
    info = game.info
    return GameCard(
        key=info.key,
        title=info.title,
        rules_version=info.rules_version,
        seats=info.seats,
        minutes=info.minutes,
        options=msgspec.json.schema(info.options),
        help={
            lang: {option: game.words.help(option, lang) for option in info.options.__struct_fields__}
            for lang in LANGUAGES
        },
        bots=list(levels(game)),
        undo=info.undo,
    )


def _game(key: str, house: House) -> AnyGame:
    if key not in house.games:
        raise Refused("unknown-game", f"There is no such game; there are: {', '.join(house.games)}.")
    return house.games[key]
