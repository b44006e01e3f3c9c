"""An append-only file of results, one JSON line for each game, so that an interrupted run can be resumed."""

from os import SEEK_END
from pathlib import Path
from typing import BinaryIO

import msgspec

from jamboree.core.errors import UNREADABLE, JamboreeError
from jamboree.core.kit.reporting import GameResult


class LadderResult(msgspec.Struct, frozen=True):
    """How one game of a ladder ended."""

    name: str  # of the game, with the fingerprint of the bots that played it
    winners: list[int]
    scores: list[int]


def read(path: Path) -> dict[str, LadderResult]:
    """Read earlier results by name. A truncated line is skipped, and a later result replaces an earlier one."""
    if not path.exists():
        return {}
    if not path.is_file():  # a device may never end
        raise JamboreeError(f"{path} is not a regular file, so results can't be stored in it.")
    lines = [_read_line(line) for line in path.read_bytes().splitlines()]
    if lines and lines[0] is None:
        raise JamboreeError(f"{path} does not hold the results of a ladder; name another file.")
    return {result.name: result for result in lines if result}


def _read_line(line: bytes) -> LadderResult | None:
    try:
        return msgspec.json.decode(line, type=LadderResult)
    except UNREADABLE:
        return None


def append(path: Path, name: str, record: GameResult) -> LadderResult:
    path.parent.mkdir(parents=True, exist_ok=True)
    result = LadderResult(name, list(record.winners), list(record.scores))
    with path.open("ab+") as file:
        file.write(_missing_newline(file) + msgspec.json.encode(result) + b"\n")
    return result


def _missing_newline(file: BinaryIO) -> bytes:
    """Return the newline that a truncated last line lacks, so that the next line is not lost with it."""
    if file.seek(0, SEEK_END) == 0:
        return b""
    file.seek(-1, SEEK_END)
    return b"" if file.read() == b"\n" else b"\n"
