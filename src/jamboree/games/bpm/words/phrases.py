"""Names of dancers, cards and tempos."""

from ..box.dancers import Dancer
from ..box.texts import CATALOGUE


def say_dancer(dancer: Dancer, lang: str, key: str, cell: str = "") -> str:
    """Name a dancer; `key` selects the phrase: one of the pile, a newcomer or the one in a cell."""
    colour, arrow = CATALOGUE.say(lang, f"coloured.{dancer.colour}"), CATALOGUE.say(lang, f"arrow.{dancer.arrow}")
    return CATALOGUE.say(lang, key, colour=colour, arrow=arrow, cell=cell)


def say_card(card: str, lang: str) -> str:
    return CATALOGUE.say(lang, f"hype.{card}.name")


def say_effect(card: str, lang: str) -> str:
    return CATALOGUE.say(lang, f"hype.{card}.text")


def say_bpm(bpm: float, lang: str) -> str:
    """Format a tempo with at most two decimals."""
    return f"{round(bpm, 2):g}".replace(".", "," if lang == "nl" else ".")
