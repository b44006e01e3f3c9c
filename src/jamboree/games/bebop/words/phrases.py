"""Names of dice, tokens and festivals, and their letters on a painted board."""

from ..box.dice import Die, Token
from ..box.texts import CATALOGUE


def letter(kind: str, lang: str) -> str:
    """Return the letter of a colour, a feature or a special seat on a painted board."""
    return CATALOGUE.say(lang, f"letter.{kind}")


def die_letters(die: Die, lang: str) -> str:
    return letter(die.colour, lang) + letter(die.face, lang)


def say_die(die: Die, lang: str) -> str:
    colour, face = CATALOGUE.say(lang, f"colour.{die.colour}"), CATALOGUE.say(lang, f"feature.{die.face}")
    return CATALOGUE.say(lang, "die", colour=colour, face=face)


def say_token(token: Token, lang: str) -> str:
    feature = CATALOGUE.say(lang, f"feature.{token.feature}")
    return CATALOGUE.say(lang, "star-token", feature=feature) if token.star else feature


def say_a_die(die: Die, lang: str) -> str:
    return CATALOGUE.say(lang, f"a-die.{die.colour}", face=CATALOGUE.say(lang, f"feature.{die.face}"))


def say_the_token(token: Token, lang: str) -> str:
    feature = CATALOGUE.say(lang, f"feature.{token.feature}")
    return CATALOGUE.say(lang, "the-token.star" if token.star else "the-token", feature=feature)


def say_tagline(festival: str, tagline: str, lang: str) -> str:
    """Translate the tagline of a packaged festival; that of a custom board stays as written."""
    key = f"tagline.{festival}"
    is_packaged = CATALOGUE.get(key, "en") == tagline
    return CATALOGUE.say(lang, key) if is_packaged else tagline
