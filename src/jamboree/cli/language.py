"""What the terminal itself says, and the languages a game speaks."""

import os
import re
from importlib.resources import files

from jamboree import games
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.words import LANGUAGES, Catalogue, Language

CATALOGUE = Catalogue(__package__)
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that says anything counts
DEFAULT: Language = "en"


def package_of(game: AnyGame) -> str:
    return games.package(game.info.key)


def language_of(game: AnyGame, asked: str) -> str:
    """Give the language to play a game in: the one that was asked for, else that of the person's other programs."""
    known = [each for each in LANGUAGES if (files(package_of(game)) / "words" / "locale" / f"{each}.json").is_file()]
    if not asked:
        return own if (own := own_language()) in known else DEFAULT
    if asked not in known:
        raise JamboreeError(f"{game.info.title} does not speak {asked!r}; it speaks: {', '.join(known)}.")
    return asked


def own_language() -> Language:
    """Read from the environment, as every program does, in which language a person wants to be spoken to."""
    said = next((value for name in VARIABLES if (value := os.environ.get(name))), "")
    code = re.split(r"[_.@-]", said)[0].lower()
    return next((each for each in LANGUAGES if each == code), DEFAULT)


def label(game: AnyGame, key: str, lang: str) -> str:
    """Look up a word of the game; a game without it shows the key's last part."""
    text = Catalogue(f"{package_of(game)}.words").get(key, lang)
    return key.rpartition(".")[2] if text is None else str(text)


def rules_text(game: AnyGame, lang: str) -> str:
    """Give the rules of a game without the anchors of its headings."""
    try:
        text = game.words.rules(lang)
    except FileNotFoundError:
        raise JamboreeError(f"The rules of {game.info.title} are not written in {lang!r} yet.") from None
    return without_anchors(text)


def without_anchors(text: str) -> str:
    lines = (line.partition(" {#")[0] if line.startswith("#") else line for line in text.splitlines())
    return "\n".join(lines) + "\n"
