"""The terminal's own texts, and the choice of language."""

import os
import re
from importlib.resources import files

from jamboree import games
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.words import LANGUAGES, Catalogue, Language

CATALOGUE = Catalogue(__package__)
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set counts
DEFAULT: Language = "en"


def package_of(game: AnyGame) -> str:
    return games.package(game.info.key)


def game_language(game: AnyGame, requested: str) -> str:
    """Return the requested language if the game has it, by default the system's."""
    folder = files(package_of(game)) / "words" / "locale"
    known = [language for language in LANGUAGES if (folder / f"{language}.json").is_file()]
    if not requested:
        return own if (own := system_language()) in known else DEFAULT
    if requested not in known:
        raise JamboreeError(f"{game.info.title} has no texts in {requested!r}; its languages are: {', '.join(known)}.")
    return requested


def system_language() -> Language:
    """Return the language of the user's locale."""
    locale = next((value for name in VARIABLES if (value := os.environ.get(name))), "")
    code = re.split(r"[_.@-]", locale)[0].lower()
    return next((each for each in LANGUAGES if each == code), DEFAULT)


def label(game: AnyGame, key: str, lang: str) -> str:
    """Look up a text of the game, by default the last part of the key."""
    text = Catalogue(f"{package_of(game)}.words").get(key, lang)
    return key.rpartition(".")[2] if text is None else str(text)


def rules_text(game: AnyGame, lang: str) -> str:
    """Return the rules of a game without the anchors of the headings."""
    try:
        text = game.words.rules(lang)
    except FileNotFoundError:
        raise JamboreeError(f"The rules of {game.info.title} are not available in {lang!r}.") from None
    return _without_anchors(text)


def _without_anchors(text: str) -> str:
    lines = (line.partition(" {#")[0] if line.startswith("#") else line for line in text.splitlines())
    return "\n".join(lines) + "\n"
