"""Fingerprints for cached results: a hash of the code, settings and data that decide how a level of bots plays."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from jamboree.core.game import AnyGame
from jamboree.games import package

from .levels import SEARCHING
from .search import search_settings

NOT_CODE = ("__pycache__", "web")  # folders
LEARNT = ("network.npz", "network.py")  # read only by a champion, next to a game's twin
SETTINGS = "search.json"  # of all levels; each level's own settings are hashed instead


def fingerprint_of(game: AnyGame, parts: Iterable[bytes]) -> str:
    """Hash a game's version and whatever else a result depends on."""
    digest = sha256(f"{game.info.key} {game.info.rules_version}".encode())
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def level_parts(game: AnyGame, level: str) -> Iterator[bytes]:
    """Yield the code and data of a level, without parts that only other levels use."""
    here = files("jamboree")
    yield level.encode()
    yield from contents(here / "bots", deep=False)
    yield from contents(here / "core" / "twin")
    champion = level == "champion"
    for folder in _folders_of(game):
        yield from contents(folder, left_out=(SETTINGS,) if champion else (SETTINGS, *LEARNT))
    if level in SEARCHING:
        yield msgspec.json.encode(search_settings(game.info.key)[level])
        yield from contents(here / "bots" / "search")
        yield from contents(here / "fast")
    if champion:
        yield from contents(here / "bots" / "champion")


def _folders_of(game: AnyGame) -> list[Traversable]:
    """Return the folders with a game's bots. Rules of Jamboree's games are covered by their version; of another package
    everything counts, since it may be work in progress."""
    root = files(package(game.info.key))
    ours = package(game.info.key).startswith("jamboree.games.")
    return [folder for name in ("bots", "fast") if (folder := root / name).is_dir()] if ours else [root]


def contents(folder: Traversable, deep: bool = True, left_out: tuple[str, ...] = ()) -> Iterator[bytes]:
    """Yield the names and contents of all files in a folder."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_file() and entry.name not in left_out and not entry.name.endswith(".pyc"):
            yield entry.name.encode()
            yield entry.read_bytes()
        elif deep and entry.is_dir() and entry.name not in NOT_CODE:
            yield from contents(entry, deep, left_out)
