"""`jamboree serve`, `backup` and `restore`: tables for everybody, and copies of what they keep."""

import os
import re
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from jamboree.core.errors import JamboreeError

from ..files import data_folder
from ..show import console, say

TOKEN_VARIABLE = "JAMBOREE_METRICS_TOKEN"
SHORTEST_TOKEN = 16

Database = Annotated[
    str | None,
    typer.Option("--db", help="A file, or postgresql://…", show_default="a file in your data folder"),
]


def serve(
    db: Database = None,
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 lets in the whole house.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="Which port; it must be free.",
            show_default="8300, or any if that is in use",
        ),
    ] = None,
    public_url: Annotated[str, typer.Option(help="The address others use, behind a proxy for instance.")] = "",
    trust_proxy: Annotated[
        list[str] | None,
        typer.Option(help="A proxy that may say who is asking: its address or network. Can be given several times."),
    ] = None,
    forget_after: Annotated[float, typer.Option(min=0, help="Days after which names and talk are erased.")] = 90.0,
    metrics_token_file: Annotated[
        Path | None,
        typer.Option(help=f"The token for /metrics, if not in {TOKEN_VARIABLE}; none closes it."),
    ] = None,
) -> None:
    """Open tables to play at together."""
    from jamboree.server.serve import Settings
    from jamboree.server.serve import serve as run

    where = db or str(data_folder() / "tables.db")
    if public_url and not re.fullmatch(r"https?://[^/\s]+/?", public_url):
        raise JamboreeError("A public address is http:// or https://, a host and nothing behind it.")
    settings = Settings(
        database=where,
        host=host,
        port=port,
        public_url=public_url.lower(),
        forget_after_days=forget_after,
        trusted_proxies=tuple(trust_proxy or ()),
        metrics_token=_metrics_token(metrics_token_file),
        get_ready=True,
    )
    run(settings, _announce)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to put the copy.")], db: Database = None
) -> None:
    """Copy the tables to a file, while the server runs."""
    from jamboree.server.store.backup import back_up

    back_up(_file_of(db), file)
    say(console(), f"Everything that was kept until now is in {file}.")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy that `jamboree backup` made.")],
    db: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the tables that are there.")] = False,
) -> None:
    """Put a copy in the place of the tables. The server must be stopped."""
    from jamboree.server.store.backup import put_back

    where = _file_of(db)
    put_back(file, where, force)
    say(console(), f"{where} is as it was when {file} was made.")


def _metrics_token(file: Path | None) -> str:
    """Read the token from a file or the environment, never from the command line, which everybody can list."""
    token = os.environ.pop(TOKEN_VARIABLE, "")  # the bots' processes need not know it
    if file:
        try:
            token = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise JamboreeError(f"{file} can't be read: {getattr(error, 'strerror', 'it is no text')}.") from None
    token = token.strip()
    if (file or token) and len(token) < SHORTEST_TOKEN:
        raise JamboreeError(f"A token for /metrics has at least {SHORTEST_TOKEN} characters.")
    return token


def _announce(address: str) -> None:
    typer.echo(f"Tables are open at {address}")  # nothing behind it that would be copied along
    typer.echo("Open this address in a browser. Ctrl+C stops the server.")
    if urlsplit(address).hostname in ("127.0.0.1", "localhost", "::1"):
        typer.echo("Only this machine can reach the tables; `jamboree serve --host 0.0.0.0` lets in the whole house.")


def _file_of(db: str | None) -> Path:
    if db and "://" in db:
        raise JamboreeError("Copies of a PostgreSQL database are made by pg_dump and put back by pg_restore.")
    return Path(db) if db else data_folder() / "tables.db"
