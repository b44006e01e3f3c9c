"""Characters of the levels: a name, a portrait and a description, the same in the terminal and in the browser."""

from typing import NamedTuple

from jamboree.core.words import Catalogue

from .levels import Level

CATALOGUE = Catalogue(__package__)


class Character(NamedTuple):
    level: str
    name: str
    line: str  # a sentence about how this bot plays
    portrait: str  # id of the drawing in the sprite sheet


def character(level: Level, lang: str = "en") -> Character:
    say = CATALOGUE.say
    key = f"bot.{level}"
    return Character(say(lang, key), say(lang, f"{key}.name"), say(lang, f"{key}.line"), f"bot-{level}")
