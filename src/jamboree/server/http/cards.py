"""A game as it is listed: what somebody needs to choose it, and to set a table for it."""

import msgspec

from jamboree.bots import levels
from jamboree.core.avatars import avatar_names
from jamboree.core.game import AnyGame
from jamboree.core.learning import course_of
from jamboree.core.options import choices, fields_of, kind_of
from jamboree.core.words import LANGUAGES

from ..protocol.bodies import GameCard


def card(game: AnyGame) -> GameCard:
    info, options = game.info, fields_of(game.info.options)
    return GameCard(
        key=info.key,
        title=info.title,
        name={lang: game.words.text("web.poster.title", lang) or info.title for lang in LANGUAGES},
        line={lang: game.words.text("web.poster.line", lang) or "" for lang in LANGUAGES},
        rules_version=info.rules_version,
        seats=info.seats,
        minutes=info.minutes,
        options=msgspec.json.schema(info.options),
        help={lang: {option: game.words.help(option, lang) for option in options} for lang in LANGUAGES},
        labels={lang: labels(game, lang) for lang in LANGUAGES},
        bots=list(levels(game)),
        undo=info.undo,
        looks={lang: avatar_names(game, lang) for lang in LANGUAGES},
        lessons=len(course.lessons) if (course := course_of(game)) else 0,
        begins={lang: game.words.text("begins", lang) or "" for lang in LANGUAGES} if info.begins else None,
    )


def labels(game: AnyGame, lang: str) -> dict[str, str]:
    """Name the options and their values; what the game's catalogue has no name for is written out."""
    named = {}
    for name, field in fields_of(game.info.options).items():
        named[name] = game.words.text(f"web.option.{name}", lang) or written_out(name)
        for value in choices(kind_of(field.type)):
            named[f"{name}.{value}"] = game.words.text(f"web.option.{name}.{value}", lang) or written_out(value)
    return named


def written_out(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").capitalize()
