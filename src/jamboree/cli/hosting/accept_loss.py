"""`jamboree accept-loss`: marks missing commits and records as accepted, so that they are no longer reported."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean

from .configuration import configuration, with_settings
from .settings import BY_NAME, DB

if TYPE_CHECKING:
    from jamboree.server.store.postgres import PostgresConnection
    from jamboree.server.store.sqlite import SqliteConnection


@with_settings([DB, BY_NAME["db-file"]])
def accept_loss(
    yes: Annotated[bool, typer.Option("--yes", help="Accept; without this, only show what is missing.")] = False,
    **flags: Any,
) -> None:
    """Accept that commits or records are missing, so that the server no longer reports them. Nothing is deleted."""
    from jamboree.server.store.integrity import accept_loss as accept
    from jamboree.server.store.integrity import incomplete_tables
    from jamboree.server.store.migrations import is_current

    with _opened(configuration(flags)["db"], yes) as (database, missing_commits):
        if not is_current(database):
            raise JamboreeError("This database has an old schema; start the server once to upgrade it.")
        tables = incomplete_tables(database, True, lambda: False) or {}
        for line in (
            *missing_commits,
            *(f"Table {table} is incomplete: {fault}." for table, fault in tables.items()),
        ):
            typer.echo(clean(line))
        if yes:
            with database.transaction():
                accept(database, tables)
    if not missing_commits and not tables:
        typer.echo("Nothing is missing.")
    elif not yes:
        typer.echo(
            "Nothing was accepted. Restore a copy if you have one (jamboree restore); otherwise repeat the command"
            " with --yes."
        )
    else:
        typer.echo("The loss is no longer reported. A running server notices this within an hour.")


@contextmanager
def _opened(address: str, yes: bool) -> "Iterator[tuple[SqliteConnection | PostgresConnection, list[str]]]":
    """Open a database, and describe the commits that are missing from its file."""
    from jamboree.server.store.lost_commits import last_run, mark_clean, opened_readonly
    from jamboree.server.store.postgres import PostgresConnection
    from jamboree.server.store.sqlite import SqliteConnection
    from jamboree.server.store.sqlite_files import check_database, lock_database

    if "://" in address:
        postgres = PostgresConnection(address)
        try:
            yield postgres, []
        finally:
            postgres.close()
        return
    path = Path(address)
    check_database(path)
    with lock_database(path) as hold:
        last = last_run(path, hold)
        if not yes:
            with opened_readonly(path, hold) as database:
                yield database, last.faults(path)
            return
        sqlite = SqliteConnection(path)
        try:
            yield sqlite, last.faults(path)
            mark_clean(sqlite, accept_loss=True)
            hold.settle()
        finally:
            sqlite.close()
