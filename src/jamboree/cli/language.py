"""What the terminal itself says, and the languages a game speaks."""

from importlib.resources import files

from jamboree import games
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.words import LANGUAGES, Catalogue

CATALOGUE = Catalogue(__package__)


def package_of(game: AnyGame) -> str:
    return games.package(game.info.key)


def check_language(game: AnyGame, lang: str) -> None:
    spoken = [
        known for known in LANGUAGES if (files(package_of(game)) / "words" / "locale" / f"{known}.json").is_file()
    ]
    if lang not in spoken:
        raise JamboreeError(f"{game.info.title} does not speak {lang!r}; it speaks: {', '.join(spoken)}.")


def label(game: AnyGame, key: str, lang: str) -> str:
    """Look up a word of the game; a game without it shows the key's last part."""
    texts = Catalogue(f"{package_of(game)}.words").texts(lang)
    return str(texts.get(key, key.rpartition(".")[2]))


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
