"""`jamboree forget`: delete what is kept of a person, from the database and from the copies of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean
from jamboree.server.store import Forget
from jamboree.server.store.contract import StoreError
from jamboree.server.store.forgetting import find
from jamboree.server.store.forgetting import forget as forget_at
from jamboree.server.store.place import check_own, held
from jamboree.server.store.postgres import Postgres
from jamboree.server.store.sqlite import Sqlite

from .flags import with_settings
from .found import configuration, hidden
from .settings import BY_NAME, DB


@with_settings([DB, BY_NAME["db-file"], BY_NAME["backups"]])
def forget(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the person was called at a table.")],
    table: Annotated[str | None, typer.Option("--table", metavar="CODE", help="Only who was called so there.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete it; without this it is only shown.")] = False,
    **told: Any,
) -> None:
    """Delete a person's name and talk from the tables and their copies; moves stay. The server must be stopped."""
    found = configuration(told)
    people = 0
    for where in [found["db"], *map(str, _copies(found["backups"]))]:
        people += _forget_in(where, name, table, yes)
    if not people:
        typer.echo(f"Nobody was called {clean(name)} there.")
    elif not yes:
        typer.echo("Nothing was deleted yet: --yes does so.")


def _copies(folder: str) -> list[Path]:
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


def _forget_in(where: str, name: str, table: str | None, yes: bool) -> int:
    with _opened(where) as database:
        people = find(database, name, table)
        for person in people:
            names = ", ".join(sorted(person.names))
            typer.echo(clean(f"{hidden(where)}: {names} at table {person.table}"))
        if yes and people:
            with database.transaction():
                for person in people:
                    forget_at(database, Forget(person.table, person.key))
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
    with held(path):
        sqlite = Sqlite(path)
        try:
            yield sqlite
        finally:
            sqlite.script("PRAGMA journal_mode = DELETE")  # it is one file again
            sqlite.close()
