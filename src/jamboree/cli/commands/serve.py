"""`jamboree serve`, `backup` and `restore`: tables for everybody, and copies of what they keep."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from jamboree.core.errors import JamboreeError

from ..hosting.copies import dated_copy, delete_old
from ..hosting.flags import with_settings
from ..hosting.found import Configuration, configuration, use_cache
from ..hosting.settings import BY_NAME, DB
from ..show import console, say

if TYPE_CHECKING:
    from jamboree.server.store.backup import CopyReport

DATABASE = (DB, BY_NAME["db-file"])
COPIES = (BY_NAME["backups"], BY_NAME["keep-backups"])
WHERE = "Where to put the copy; without it, in the folder for backups under the time of now."


@with_settings()
def serve(**told: Any) -> None:
    """Open tables to play at together."""
    from jamboree.server.serve import Settings
    from jamboree.server.serve import serve as run

    found = configuration(told)
    use_cache(found)
    settings = Settings(
        database=found["db"],
        host=found["host"],
        port=found["port"],
        public_url=found["public-url"],
        forget_after_days=found["forget-after"],
        trusted_proxies=found["trust-proxy"],
        metrics_token=found["metrics-token"],
        admin_token=found["admin-token"],
        log_format=found["log-format"],
        log_level=found["log-level"],
        telemetry=found["telemetry"] == "on",
        node=found["node"],
        node_address=found["node-address"],
        node_lease=found["node-lease"],
        get_ready=True,
    )
    if found["processes"] > 1:
        from jamboree.server.processes import serve_with_processes

        serve_with_processes(settings, found["processes"], partial(_announce, found))
    else:
        run(settings, partial(_announce, found))


@with_settings([*DATABASE, *COPIES])
def backup(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help=WHERE, show_default=False)] = None, **told: Any
) -> None:
    """Copy the tables to a file, while the server runs."""
    from jamboree.server.store.backup import back_up

    found = configuration(told)
    copy = file or dated_copy(found["backups"])
    copied = back_up(_file_of(told), copy)
    say(console(), f"Everything that was kept until now is in {copy}.")
    _say_what_is_missing(copied, "this copy")
    if file is None:
        for old in delete_old(Path(found["backups"]), found["keep-backups"]):
            say(console(), f"{old} was too old and is deleted.")


@with_settings(DATABASE)
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy that `jamboree backup` made.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the tables that are there.")] = False,
    **told: Any,
) -> None:
    """Put a copy in the place of the tables. The server must be stopped."""
    from jamboree.server.store.backup import restore

    where = _file_of(told)
    copied = restore(file, where, force)
    say(console(), f"{where} is as it was when {file} was made.")
    _say_what_is_missing(copied, "that copy")


def _say_what_is_missing(copied: "CopyReport", which: str) -> None:
    """Name what a copy lacks, since it may be the only one that is left some day."""
    if not copied.is_complete:
        say(
            console(),
            f"Commits may be missing in {which}: its server had not closed the database, and the file -wal was not"
            " copied with it. `jamboree backup` makes whole copies.",
        )
    for table, fault in copied.incomplete.items():
        say(console(), f"Table {table} is incomplete in {which}: {fault}.")


def _announce(found: Configuration, address: str) -> None:
    typer.echo(f"Tables are open at {address}")  # nothing behind it that would be copied along
    typer.echo("Open this address in a browser. Ctrl+C stops the server.")
    if not found["public-url"] and urlsplit(address).hostname in ("127.0.0.1", "localhost", "::1"):
        typer.echo("Only this machine can reach the tables; `jamboree serve --host 0.0.0.0` lets in the whole house.")


def _file_of(told: dict[str, Any]) -> Path:
    db: str = configuration(told)["db"]
    if "://" in db:
        raise JamboreeError("Copies of a PostgreSQL database are made by pg_dump and put back by pg_restore.")
    return Path(db)
