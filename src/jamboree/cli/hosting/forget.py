"""`jamboree forget`: delete what is kept of a person, from the database and from the copies of it."""

from typing import Annotated, Any

import typer

from jamboree.core.words import clean

from .flags import with_settings
from .found import configuration
from .settings import BY_NAME, DB


@with_settings([DB, BY_NAME["db-file"], BY_NAME["backups"]])
def forget(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the person was called at a table.")],
    table: Annotated[str | None, typer.Option("--table", metavar="CODE", help="Only who was called so there.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete it; without this it is only shown.")] = False,
    **told: Any,
) -> None:
    """Delete a person's name and talk from the tables and their copies; moves stay. The server must be stopped."""
    from .forgetting import copies_in, forget_in  # both kinds of databases are loaded for them

    found = configuration(told)
    people = 0
    for where in [found["db"], *map(str, copies_in(found["backups"]))]:
        people += forget_in(where, name, table, yes)
    if not people:
        typer.echo(f"Nobody was called {clean(name)} there.")
    elif not yes:
        typer.echo("Nothing was deleted yet: --yes does so.")
