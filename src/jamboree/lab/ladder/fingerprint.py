"""Fingerprints of bots: a hash of the code, settings and data that decide how a bot plays."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from jamboree.bots import is_class_name
from jamboree.bots.fingerprint import fingerprint_of, level_parts
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame


def fingerprint(game: AnyGame, name: str) -> str:
    """Hash the code, settings and data of a bot; a bot with another fingerprint may play differently."""
    return fingerprint_of(game, _own_parts(game, name) if is_class_name(name) else level_parts(game, name))


def _own_parts(game: AnyGame, name: str) -> Iterator[bytes]:
    """Yield the code and data of a custom bot: the files that a fresh process loads to make its first decision, and
    all of Jamboree's bots, which it may use."""
    yield name.encode()
    yield from level_parts(game, "champion")
    command = [sys.executable, "-m", "jamboree.lab.ladder.loaded_files", game.info.key, name]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise JamboreeError(f"The bot {name!r} can't be loaded in a process of its own.")
    for label, path in json.loads(done.stdout):
        yield label.encode()
        yield Path(path).read_bytes()
