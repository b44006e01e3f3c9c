"""Fingerprints of bots: a hash of the code, settings and data that decide how a bot plays."""

import json
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from jamboree.bots import SEARCHING, is_own
from jamboree.bots.search import manners
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.games import package

NOT_CODE = ("__pycache__", "web")  # folders
LEARNT = ("network.npz", "network.py")  # read only by a champion, next to a game's twin
SETTINGS = "search.json"  # of all levels; each level's own settings are hashed instead


def fingerprint(game: AnyGame, name: str) -> str:
    """Hash the code, settings and data of a bot; a bot with another fingerprint may play differently."""
    digest = sha256(f"{game.info.key} {game.info.rules_version}".encode())
    for part in _own_parts(game, name) if is_own(name) else _level_parts(game, name):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _level_parts(game: AnyGame, level: str) -> Iterator[bytes]:
    """Yield the code and data of a level, without parts that only other levels use."""
    here = files("jamboree")
    yield level.encode()
    yield from _contents(here / "bots", deep=False)
    yield from _contents(here / "core" / "twin")
    champion = level == "champion"
    for folder in _folders_of(game):
        yield from _contents(folder, left_out=(SETTINGS,) if champion else (SETTINGS, *LEARNT))
    if level in SEARCHING:
        yield msgspec.json.encode(manners(game.info.key)[level])
        yield from _contents(here / "bots" / "search")
        yield from _contents(here / "fast")
    if champion:
        yield from _contents(here / "bots" / "champion")


def _folders_of(game: AnyGame) -> list[Traversable]:
    """Return the folders with a game's bots. Rules of Jamboree's games are covered by their version; of another package
    everything counts, since it may be work in progress."""
    root = files(package(game.info.key))
    ours = package(game.info.key).startswith("jamboree.games.")
    return [folder for name in ("bots", "fast") if (folder := root / name).is_dir()] if ours else [root]


def _contents(folder: Traversable, deep: bool = True, left_out: tuple[str, ...] = ()) -> Iterator[bytes]:
    """Yield the names and contents of all files in a folder."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_file() and entry.name not in left_out and not entry.name.endswith(".pyc"):
            yield entry.name.encode()
            yield entry.read_bytes()
        elif deep and entry.is_dir() and entry.name not in NOT_CODE:
            yield from _contents(entry, deep, left_out)


def _own_parts(game: AnyGame, name: str) -> Iterator[bytes]:
    """Yield the code and data of a custom bot: the files that a fresh process loads to make its first decision, and
    all of Jamboree's bots, which it may use."""
    yield name.encode()
    yield from _level_parts(game, "champion")
    command = [sys.executable, "-m", "jamboree.lab.ladder.loaded_files", game.info.key, name]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise JamboreeError(f"The bot {name!r} can't be loaded in a process of its own.")
    for label, path in json.loads(done.stdout):
        yield label.encode()
        yield Path(path).read_bytes()
