"""The fingerprint of the code that analyses a game: stored results of other code are not reused."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from jamboree.bots.fingerprint import contents, fingerprint_of, level_parts
from jamboree.core.game import AnyGame
from jamboree.games import find, package

from ..comparison import LEVEL


@cache
def analysis_fingerprint(key: str) -> str:
    """Hash the code, settings and data that determine the results of an analysis."""
    game = find(key)
    return fingerprint_of(game, _parts(game))


def _parts(game: AnyGame) -> Iterator[bytes]:
    """Yield the code of the search and of the coach, and the code of the game's own review sections."""
    yield from level_parts(game, LEVEL)
    coach = files("jamboree") / "coach"
    yield from contents(coach, deep=False)
    yield from contents(coach / "review")
    if game.review and (folder := files(package(game.info.key)) / "visibility").is_dir():
        yield from contents(folder)
