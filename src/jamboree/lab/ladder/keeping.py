"""Results kept as they come, a line for each game, so that a run can be taken up again."""

from os import SEEK_END
from pathlib import Path
from typing import BinaryIO

import msgspec

from jamboree.core.errors import JamboreeError
from jamboree.core.kit.reporting import Record


class Kept(msgspec.Struct, frozen=True):
    name: str  # of the game, as contests name it
    winners: list[int]
    scores: list[int]


def read(path: Path) -> dict[str, Kept]:
    """Read what was played before; a line that was cut off is left out. A file of something else is refused."""
    if not path.exists():
        return {}
    if not path.is_file():  # a device may never end
        raise JamboreeError(f"{path} is not a file that results can be kept in.")
    lines = [_read_line(line) for line in path.read_bytes().splitlines()]
    if lines and lines[0] is None:
        raise JamboreeError(f"{path} holds something else than the results of a ladder; name another file.")
    return {kept.name: kept for kept in lines if kept}


def _read_line(line: bytes) -> Kept | None:
    try:
        return msgspec.json.decode(line, type=Kept)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def keep(path: Path, name: str, record: Record) -> Kept:
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = Kept(name, list(record.winners), list(record.scores))
    with path.open("ab+") as file:
        file.write(_line_end(file) + msgspec.json.encode(kept) + b"\n")
    return kept


def _line_end(file: BinaryIO) -> bytes:
    """Give what a line that was cut off still needs, so that the next one is not lost with it."""
    if file.seek(0, SEEK_END) == 0:
        return b""
    file.seek(-1, SEEK_END)
    return b"" if file.read() == b"\n" else b"\n"
