"""The fingerprint of the code that analyses a game: stored results of other code are not reused."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from jamboree.bots.fingerprint import contents, fingerprint_of, level_parts
from jamboree.core.game import AnyGame
from jamboree.games import find, package

from ..contest import LEVEL


@cache
def analysis_fingerprint(key: str) -> str:
    """Hash the code, settings and data that decide what an analysis of a game finds."""
    game = find(key)
    return fingerprint_of(game, _parts(game))


def _parts(game: AnyGame) -> Iterator[bytes]:
    """Yield the bots that search, the coach without its texts, and what reads the sections of a game's review."""
    yield from level_parts(game, LEVEL)
    coach = files("jamboree") / "coach"
    yield from contents(coach, deep=False)
    yield from contents(coach / "back")
    if game.review and (folder := files(package(game.info.key)) / "visibility").is_dir():
        yield from contents(folder)
