"""The words for what is in the box."""

from ..box.dancers import Dancer
from ..box.texts import CATALOGUE


def say_dancer(dancer: Dancer, lang: str, key: str, cell: str = "") -> str:
    """Name a dancer: one of the pile, a newcomer to a cell, or the one that is there."""
    colour, arrow = CATALOGUE.say(lang, f"coloured.{dancer.colour}"), CATALOGUE.say(lang, f"arrow.{dancer.arrow}")
    return CATALOGUE.say(lang, key, colour=colour, arrow=arrow, cell=cell)


def say_card(card: str, lang: str) -> str:
    return CATALOGUE.say(lang, f"hype.{card}.name")


def say_effect(card: str, lang: str) -> str:
    return CATALOGUE.say(lang, f"hype.{card}.text")


def say_bpm(bpm: float, lang: str) -> str:
    """Write a tempo with the decimals it has, two at most."""
    return f"{round(bpm, 2):g}".replace(".", "," if lang == "nl" else ".")
