"""Who sits there: each level has a character with a name, a portrait and a line, the same wherever bots are met."""

from typing import NamedTuple

from jamboree.core.words import Catalogue

from .levels import Level

CATALOGUE = Catalogue(__package__)


class Character(NamedTuple):
    level: str
    name: str
    line: str  # what one should know about this player
    portrait: str  # the drawing on the sheet


def character(level: Level, lang: str = "en") -> Character:
    say = CATALOGUE.say
    key = f"bot.{level}"
    return Character(say(lang, key), say(lang, f"{key}.name"), say(lang, f"{key}.line"), f"bot-{level}")
