"""Deleting what is kept of a person, from the database and from the copies of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean
from jamboree.server.store import ErasePerson
from jamboree.server.store.contract import StoreError
from jamboree.server.store.lost_commits import check_complete, last_run, mark_clean
from jamboree.server.store.person_erasure import erase, find_people
from jamboree.server.store.postgres import PostgresConnection
from jamboree.server.store.sqlite import SqliteConnection
from jamboree.server.store.sqlite_files import check_application_id, lock_database

from .found import hidden


def copies_in(folder: str) -> list[Path]:
    """List the copies in a folder: the files there that are databases of ours."""
    if not folder:
        return []
    if not Path(folder).is_dir():
        raise JamboreeError(f"There is no folder {folder}.")
    return [path for path in sorted(Path(folder).iterdir()) if path.is_file() and _is_copy(path)]


def _is_copy(path: Path) -> bool:
    try:
        check_application_id(path)
    except StoreError:
        return False
    return path.stat().st_size > 0


def forget_in(where: str, name: str, table: str | None, yes: bool) -> int:
    """Say who was called so in a database, delete them if that is wanted, and count them."""
    with _opened(where) as database:
        people = find_people(database, name, table)
        for person in people:
            names = ", ".join(sorted(person.names))
            typer.echo(clean(f"{hidden(where)}: {names} at table {person.table}"))
        if yes and people:
            with database.transaction():
                for person in people:
                    erase(database, ErasePerson(person.table, person.key, tuple(person.tokens), tuple(person.names)))
            database.tidy()
            typer.echo(clean(f"{hidden(where)}: deleted, and written anew without it."))
    return len(people)


@contextmanager
def _opened(where: str) -> Iterator[SqliteConnection | PostgresConnection]:
    """Have a database for ourselves: a server would remember what is deleted here."""
    if "://" in where:
        postgres = PostgresConnection(where)
        postgres.hold()
        try:
            yield postgres
        finally:
            postgres.close()
        return
    path = Path(where)
    if not path.is_file():
        raise JamboreeError(f"There is no database at {path}.")
    check_application_id(path)
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
            sqlite.script("PRAGMA journal_mode = DELETE")  # it is one file again
            sqlite.close()
