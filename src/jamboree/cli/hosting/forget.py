"""`jamboree forget`: erases a person's name and chat from the database and its backups."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean

from .configuration import configuration, hide_password, with_settings
from .settings import BY_NAME, DB

if TYPE_CHECKING:
    from jamboree.server.store.postgres import PostgresConnection
    from jamboree.server.store.sqlite import SqliteConnection


@with_settings([DB, BY_NAME["db-file"], BY_NAME["backups"]])
def forget(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The person's name at a table.")],
    table: Annotated[str | None, typer.Option("--table", metavar="CODE", help="Only at this table.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete; without this, only show what would be deleted.")] = False,
    **flags: Any,
) -> None:
    """Delete a person's name and chat from the tables and their backups; moves stay. The server must be stopped."""
    settings = configuration(flags)
    people = 0
    for database in [settings["db"], *map(str, _backups_in(settings["backups"]))]:
        people += _forget_in(database, name, table, yes)
    if not people:
        typer.echo(f"Nobody named {clean(name)} was found.")
    elif not yes:
        typer.echo("Nothing was deleted. Repeat the command with --yes to delete.")


def _backups_in(folder: str) -> list[Path]:
    """List the files in a folder that are databases of Jamboree."""
    if not folder:
        return []
    if not Path(folder).is_dir():
        raise JamboreeError(f"There is no folder {folder}.")
    return [path for path in sorted(Path(folder).iterdir()) if path.is_file() and _is_backup(path)]


def _is_backup(path: Path) -> bool:
    from jamboree.server.store.contract import StoreError
    from jamboree.server.store.sqlite_files import check_database

    try:
        check_database(path)
    except StoreError:
        return False
    return True


def _forget_in(address: str, name: str, table: str | None, yes: bool) -> int:
    """List the people of that name in a database, delete them if `yes`, and return their number."""
    from jamboree.server.store import ErasePerson
    from jamboree.server.store.person_erasure import erase, find_people

    with _exclusive(address) as database:
        people = find_people(database, name, table)
        for person in people:
            names = ", ".join(sorted(person.names))
            typer.echo(clean(f"{hide_password(address)}: {names} at table {person.table}"))
        if yes and people:
            with database.transaction():
                for person in people:
                    erase(database, ErasePerson(person.table, person.key, tuple(person.tokens), tuple(person.names)))
            database.tidy()
            typer.echo(clean(f"{hide_password(address)}: deleted, and the database rewritten without it."))
    return len(people)


@contextmanager
def _exclusive(address: str) -> "Iterator[SqliteConnection | PostgresConnection]":
    """Open a database exclusively: a running server would still hold in memory what is deleted here."""
    from jamboree.server.store.lost_commits import check_complete, last_run, mark_clean
    from jamboree.server.store.postgres import PostgresConnection
    from jamboree.server.store.sqlite import SqliteConnection
    from jamboree.server.store.sqlite_files import check_database, lock_database

    if "://" in address:
        postgres = PostgresConnection(address)
        postgres.hold()
        try:
            yield postgres
        finally:
            postgres.close()
        return
    path = Path(address)
    check_database(path)
    with lock_database(path) as hold:
        last = last_run(path, hold)
        check_complete(path, last)
        sqlite = SqliteConnection(path)
        try:
            yield sqlite
        finally:
            if last.is_complete:
                mark_clean(sqlite)
                hold.settle()
            sqlite.script("PRAGMA journal_mode = DELETE")  # leaves a single file behind
            sqlite.close()
