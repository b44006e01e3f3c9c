"""The catalogue of this game, refusals that name their rule, and the words for what is in the box."""

from jamboree.core.errors import Illegal
from jamboree.core.words import Catalogue

from ..box.dancers import Dancer

CATALOGUE = Catalogue(__package__)


def refuse(rule: str, key: str, **params: object) -> Illegal:
    """Make the Illegal for a broken rule, with its reason in English."""
    return Illegal(rule, key, params, CATALOGUE.say("en", f"illegal.{key}", **params))


def say_dancer(dancer: Dancer, lang: str, key: str, cell: str = "") -> str:
    """Name a dancer: one of the pile, a newcomer to a cell, or the one that is there."""
    colour, arrow = CATALOGUE.say(lang, f"coloured.{dancer.colour}"), CATALOGUE.say(lang, f"arrow.{dancer.arrow}")
    return CATALOGUE.say(lang, key, colour=colour, arrow=arrow, cell=cell)


def say_card(card: str, lang: str) -> str:
    return CATALOGUE.say(lang, f"hype.{card}.name")


def say_effect(card: str, lang: str) -> str:
    return CATALOGUE.say(lang, f"hype.{card}.text")
