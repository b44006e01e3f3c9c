"""The cache of compiled code on disk: a folder per fingerprint of the sources, with a file and a lock for each loop."""

import hashlib
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

CACHE_VARIABLE = "JAMBOREE_CACHE"
QUIET = "JAMBOREE_QUIET"  # if set, progress is not reported
DIGEST = 32  # bytes of a SHA-256 checksum before the code


def folder(name: str) -> Path:
    """Return the folder of a fingerprint, and create it if possible."""
    path = root() / name
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        report_unwritable(path.parent, str(why.strerror))
    return path


def root() -> Path:
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "jamboree"
    except RuntimeError:  # there is no home directory
        return Path(os.devnull)


def read(path: Path) -> bytes | None:
    """Return the code in a file; None if it is missing or its checksum does not match."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    code = data[DIGEST:]
    return code if hashlib.sha256(code).digest() == data[:DIGEST] else None


def write(path: Path, code: bytes) -> None:
    """Write a file atomically. A failure is reported and otherwise ignored, since the code is in memory."""
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
        report_unwritable(path.parent.parent, str(why.strerror))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a file lock, which ends with the process. If the lock file can't be written, neither can the code, so
    nothing is locked."""
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
def report_unwritable(where: Path, why: str) -> None:
    report(
        f"Compiled code can't be stored in {where} ({why}), so it is compiled each time; "
        f"set {CACHE_VARIABLE} to another folder."
    )


def report(message: str) -> None:
    """Print a message about compilation to stderr."""
    if QUIET not in os.environ:
        print(message, file=sys.stderr, flush=True)


@contextmanager
def quiet() -> Iterator[None]:
    """Print nothing about compilation, in this process and in those it starts, while a person plays in this
    terminal."""
    before, os.environ[QUIET] = os.environ.get(QUIET), "1"
    log, null_handler = logging.getLogger("jamboree"), logging.NullHandler()  # without a handler warnings are printed
    log.addHandler(null_handler)
    try:
        yield
    finally:
        log.removeHandler(null_handler)
        del os.environ[QUIET]
        if before is not None:
            os.environ[QUIET] = before
