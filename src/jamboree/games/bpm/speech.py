"""The catalogue of this game, refusals that name their rule, and the words for what is in the box."""

from jamboree.core.errors import Illegal
from jamboree.core.words import Catalogue

CATALOGUE = Catalogue(__package__)


def refuse(rule: str, key: str, **params: object) -> Illegal:
    """Make the Illegal for a broken rule, with its reason in English."""
    return Illegal(rule, key, params, CATALOGUE.say("en", f"illegal.{key}", **params))


def say_dancer(colour: str, arrow: str, lang: str) -> str:
    words = {"colour": CATALOGUE.say(lang, f"colour.{colour}"), "arrow": CATALOGUE.say(lang, f"arrow.{arrow}")}
    return CATALOGUE.say(lang, "dancer", **words)


def say_card(card: str, lang: str) -> str:
    return CATALOGUE.say(lang, f"hype.{card}.name")


def say_effect(card: str, lang: str) -> str:
    return CATALOGUE.say(lang, f"hype.{card}.text")
