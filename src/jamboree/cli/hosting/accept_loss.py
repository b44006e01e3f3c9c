"""`jamboree accept-loss`: have missing commits and records reported no more, once they can't be had back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean

from .flags import with_settings
from .found import configuration
from .settings import BY_NAME, DB

if TYPE_CHECKING:
    from jamboree.server.store.postgres import PostgresConnection
    from jamboree.server.store.sqlite import SqliteConnection


@with_settings([DB, BY_NAME["db-file"]])
def accept_loss(
    yes: Annotated[bool, typer.Option("--yes", help="Accept it; without this it is only shown.")] = False,
    **told: Any,
) -> None:
    """Accept that commits or records are missing, so that the server reports them no more. Nothing is deleted."""
    from jamboree.server.store.integrity import accept_loss as accept
    from jamboree.server.store.integrity import incomplete_tables
    from jamboree.server.store.migrations import is_current

    with _opened(configuration(told)["db"], yes) as (database, commits):
        if not is_current(database):
            raise JamboreeError(
                "This database is of an earlier version; start the server once, which brings it up to date."
            )
        tables = incomplete_tables(database, True, lambda: False) or {}
        for line in (*commits, *(f"Table {table} is incomplete: {fault}." for table, fault in tables.items())):
            typer.echo(clean(line))
        if yes:
            with database.transaction():
                accept(database, tables)
    if not commits and not tables:
        typer.echo("Nothing is missing.")
    elif not yes:
        typer.echo(
            "Nothing was accepted yet: --yes does so. To have it back, put a copy back first (jamboree restore)."
        )
    else:
        typer.echo("This is reported no more. A running server finds that out within an hour.")


@contextmanager
def _opened(where: str, yes: bool) -> "Iterator[tuple[SqliteConnection | PostgresConnection, list[str]]]":
    """Open a database, and describe the commits that are missing in a file."""
    from jamboree.server.store.lost_commits import last_run, mark_clean, opened_readonly
    from jamboree.server.store.postgres import PostgresConnection
    from jamboree.server.store.sqlite import SqliteConnection
    from jamboree.server.store.sqlite_files import check_application_id, lock_database

    if "://" in where:
        postgres = PostgresConnection(where)
        try:
            yield postgres, []
        finally:
            postgres.close()
        return
    path = Path(where)
    if not path.is_file():
        raise JamboreeError(f"There is no database at {path}.")
    check_application_id(path)
    with lock_database(path) as hold:
        last = last_run(path, hold)
        if not yes:
            with opened_readonly(path, hold) as database:
                yield database, last.faults(path)
            return
        writing = SqliteConnection(path)
        try:
            yield writing, last.faults(path)
            mark_clean(writing, accept_loss=True)
            hold.settle()
        finally:
            writing.close()
