"""`jamboree backup` and `jamboree restore`: copies of an SQLite database, kept in a folder with a retention period."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jamboree.core.errors import JamboreeError

from ..output import console, print_text
from .configuration import configuration, with_settings
from .settings import BY_NAME, DB

if TYPE_CHECKING:
    from jamboree.server.store.backup import CopyReport

FILE_NAME = "tables-%Y%m%d-%H%M%S.db"
DAY = 24 * 3600.0  # seconds
DATABASE = (DB, BY_NAME["db-file"])
BACKUPS = (BY_NAME["backups"], BY_NAME["keep-backups"])
FILE_HELP = "Where to write the copy. Without it, a file named by the current time in the folder set by --backups."


@with_settings([*DATABASE, *BACKUPS])
def backup(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help=FILE_HELP, show_default=False)] = None,
    **flags: Any,
) -> None:
    """Copy the database to a file; the server may be running."""
    from jamboree.server.store.backup import back_up

    settings = configuration(flags)
    destination = file or _dated_file(settings["backups"])
    copied = back_up(_sqlite_file(flags), destination)
    print_text(console(), f"The copy is in {destination}.")
    _report_missing_data(copied, "this copy")
    if file is None:
        for old in _delete_old_backups(Path(settings["backups"]), settings["keep-backups"]):
            print_text(console(), f"Deleted the old copy {old}.")


@with_settings(DATABASE)
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy made by `jamboree backup`.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the existing database.")] = False,
    **flags: Any,
) -> None:
    """Replace the database by a copy. The server must be stopped."""
    from jamboree.server.store.backup import restore as restore_copy

    database = _sqlite_file(flags)
    copied = restore_copy(file, database, force)
    print_text(console(), f"{database} was restored from {file}.")
    _report_missing_data(copied, "that copy")


def _sqlite_file(flags: dict[str, Any]) -> Path:
    address: str = configuration(flags)["db"]
    if "://" in address:
        raise JamboreeError("Back up a PostgreSQL database with pg_dump, and restore it with pg_restore.")
    return Path(address)


def _dated_file(folder: str) -> Path:
    if not folder:
        raise JamboreeError("Name the copy or a folder for copies: jamboree backup FILE, or --backups FOLDER.")
    if not Path(folder).is_dir():
        raise JamboreeError(f"There is no folder {folder}.")
    return Path(folder) / datetime.now(UTC).strftime(FILE_NAME)


def _delete_old_backups(folder: Path, days: float) -> Iterator[Path]:
    """Delete copies whose names are older than some days; never any other file, and never the newest copy."""
    copies = sorted((made, path) for path in folder.glob("tables-*.db") if (made := _made_at(path)) is not None)
    for made, path in copies[:-1]:
        if made < time.time() - days * DAY:
            path.unlink()
            yield path


def _made_at(path: Path) -> float | None:
    try:
        return datetime.strptime(path.name, FILE_NAME).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _report_missing_data(copied: "CopyReport", copy: str) -> None:
    """Report what a copy lacks, since it may be the only one left some day."""
    if not copied.is_complete:
        print_text(
            console(),
            f"Commits may be missing in {copy}: its server had not closed the database, and the -wal file was not"
            " copied with it. `jamboree backup` makes complete copies.",
        )
    for table, fault in copied.incomplete.items():
        print_text(console(), f"Table {table} is incomplete in {copy}: {fault}.")
