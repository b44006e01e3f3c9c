"""Where compiled code is kept: one folder for each exact source, one lock for each function."""

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLACE = "JAMBOREE_CACHE"


def folder(name: str) -> Path:
    """Give a folder that compiled code can be kept in; where that can't be, a private one that goes at the end."""
    kept = _root() / name
    try:
        kept.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=kept):
            return kept
    except OSError:
        return _for_now(kept)


def _root() -> Path:
    if chosen := os.environ.get(PLACE):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "jamboree"


def _for_now(kept: Path) -> Path:
    """Read what a folder that can't be written holds, from a copy."""
    private = Path(tempfile.mkdtemp(prefix="jamboree-"))
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    if kept.is_dir():
        shutil.copytree(kept, private, dirs_exist_ok=True)
    else:
        say(
            f"Compiled code can't be kept in {kept.parent}, so it is compiled each time; set {PLACE} to another folder."
        )
    return private


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock that other processes respect; it is let go even if this one is killed."""
    import fcntl

    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
