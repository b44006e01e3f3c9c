"""Copies of the database in a folder of their own: named by when they were made, deleted when they are old."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from jamboree.core.errors import JamboreeError

NAMED = "tables-%Y%m%d-%H%M%S.db"
DAY = 24 * 3600.0


def dated_copy(folder: str) -> Path:
    """Name the copy that is made now."""
    if not folder:
        raise JamboreeError("Say where to put the copy: jamboree backup FILE, or --backups FOLDER.")
    if not Path(folder).is_dir():
        raise JamboreeError(f"There is no folder {folder}.")
    return Path(folder) / datetime.now(UTC).strftime(NAMED)


def delete_old(folder: Path, days: float) -> Iterator[Path]:
    """Delete the copies that were made too long ago, by their names: no other file, and never the last copy."""
    made = sorted((when, path) for path in folder.glob("tables-*.db") if (when := _made(path)) is not None)
    for when, path in made[:-1]:
        if when < time.time() - days * DAY:
            path.unlink()
            yield path


def _made(path: Path) -> float | None:
    try:
        return datetime.strptime(path.name, NAMED).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None
