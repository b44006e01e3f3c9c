"""Deleting what is kept of a person, from the database and from the copies of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean
from jamboree.server.store import Forget
from jamboree.server.store.contract import StoreError
from jamboree.server.store.lost_commits import check_whole, last_session, mark_clean
from jamboree.server.store.person_erasure import find
from jamboree.server.store.person_erasure import forget as forget_at
from jamboree.server.store.postgres import Postgres
from jamboree.server.store.sqlite import Sqlite
from jamboree.server.store.sqlite_files import check_own, held

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
        check_own(path)
    except StoreError:
        return False
    return path.stat().st_size > 0


def forget_in(where: str, name: str, table: str | None, yes: bool) -> int:
    """Say who was called so in a database, delete them if that is wanted, and count them."""
    with _opened(where) as database:
        people = find(database, name, table)
        for person in people:
            names = ", ".join(sorted(person.names))
            typer.echo(clean(f"{hidden(where)}: {names} at table {person.table}"))
        if yes and people:
            with database.transaction():
                for person in people:
                    forget_at(database, Forget(person.table, person.key, tuple(person.tokens), tuple(person.names)))
            database.tidy()
            typer.echo(clean(f"{hidden(where)}: deleted, and written anew without it."))
    return len(people)


@contextmanager
def _opened(where: str) -> Iterator[Sqlite | Postgres]:
    """Have a database for ourselves: a server would remember what is deleted here."""
    if "://" in where:
        postgres = Postgres(where)
        postgres.hold()
        try:
            yield postgres
        finally:
            postgres.close()
        return
    path = Path(where)
    if not path.is_file():
        raise JamboreeError(f"There is no database at {path}.")
    check_own(path)
    with held(path) as hold:
        last = last_session(path, hold)
        check_whole(path, last)
        sqlite = Sqlite(path)
        try:
            yield sqlite
        finally:
            if last.is_whole:
                mark_clean(sqlite)
                hold.settle()
            sqlite.script("PRAGMA journal_mode = DELETE")  # it is one file again
            sqlite.close()
