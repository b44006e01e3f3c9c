"""Where compiled code is kept: a folder for each exact source, in it one file and one lock for each loop."""

import hashlib
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

PLACE = "JAMBOREE_CACHE"
QUIET = "JAMBOREE_QUIET"  # set: nothing is printed about compiling
DIGEST = 32  # bytes before the code that tell whether it is whole


def folder(name: str) -> Path:
    """Name the folder of a source; it is there if it can be made."""
    kept = root() / name
    try:
        kept.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        say_not_kept(kept.parent, str(why.strerror))
    return kept


def root() -> Path:
    if chosen := os.environ.get(PLACE):
        return Path(chosen)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "jamboree"
    except RuntimeError:  # nobody's home
        return Path(os.devnull)


def read(path: Path) -> bytes | None:
    """Read what was written, or nothing if that is not there or not what was written."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    code = data[DIGEST:]
    return code if hashlib.sha256(code).digest() == data[:DIGEST] else None


def write(path: Path, code: bytes) -> None:
    """Write all of it or nothing; where that can't be, a word is said, and whoever has the code goes on with it."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.", delete=False) as file:
            new = Path(file.name)
            try:
                file.write(hashlib.sha256(code).digest() + code)
                file.close()
                new.replace(path)
            except OSError:
                new.unlink(missing_ok=True)
                raise
    except OSError as why:
        say_not_kept(path.parent.parent, str(why.strerror))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock that other processes respect; it is let go even if this one is killed. Where no lock can be written,
    no code can be either."""
    import fcntl

    try:
        file = path.open("w")
    except OSError:
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@lru_cache
def say_not_kept(where: Path, why: str) -> None:
    say(f"Compiled code can't be kept in {where} ({why}), so it is compiled each time; set {PLACE} to another folder.")


def say(what: str) -> None:
    if QUIET not in os.environ:
        print(what, file=sys.stderr, flush=True)


@contextmanager
def quiet() -> Iterator[None]:
    """Print nothing about compiling, here and in processes started meanwhile: the terminal is a person's to play in."""
    before, os.environ[QUIET] = os.environ.get(QUIET), "1"
    log, unheard = logging.getLogger("jamboree"), logging.NullHandler()  # without a handler warnings are printed
    log.addHandler(unheard)
    try:
        yield
    finally:
        log.removeHandler(unheard)
        del os.environ[QUIET]
        if before is not None:
            os.environ[QUIET] = before
