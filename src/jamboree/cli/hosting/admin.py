"""`jamboree admin`: look at a running server and steer it, with its admin token."""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean
from jamboree.server.protocol.urls import api

from ..switches import PlainCommand, PlainGroup
from .asking import ask, nearby
from .flags import with_settings
from .found import configuration
from .settings import BY_NAME

DEFAULT_PORT = 8300
REACHED_BY = (BY_NAME["admin-token"], BY_NAME["admin-token-file"])
Url = Annotated[str, typer.Option("--url", metavar="URL", help="Where the server is; by default on this machine.")]

admin = typer.Typer(cls=PlainGroup, no_args_is_help=True, help="Look at a running server and steer it.")


def _asked(url: str, told: dict[str, Any], *parts: str, body: Any = None) -> Any:
    found = configuration(told)
    token, url = found["admin-token"], url or nearby(found["host"], found["port"] or DEFAULT_PORT)
    if not token:
        raise JamboreeError("This needs the server's admin token: set JAMBOREE_ADMIN_TOKEN or --admin-token-file.")
    answer = ask(url, api("admin", *parts), body, token)
    if answer.status == 404 and (answer.body or {}).get("code") == "not-found":
        raise JamboreeError(f"{url} does not know this admin token, or has none.")
    if answer.status >= 400:
        raise JamboreeError((answer.body or {}).get("sentence") or f"{url} answers with status {answer.status}.")
    return answer.body


@admin.command(cls=PlainCommand)
@with_settings(REACHED_BY)
def load(url: Url = "", **told: Any) -> None:
    """How the server is, and how busy."""
    found = _asked(url, told, "load")
    seen = found.pop("seen")
    found["trouble"] = found["trouble"] or "none"
    for name, value in found.items():
        typer.echo(f"{name:12} {clean(str(round(value, 1) if isinstance(value, float) else value))}")
    passed = "passed on by a trusted proxy" if seen["proxied"] else "not passed on by a trusted proxy"
    typer.echo(clean(f"{'you':12} {seen['address']} by {seen['scheme']} at {seen['host']}, {passed}"))


@admin.command(cls=PlainCommand)
@with_settings(REACHED_BY)
def tables(url: Url = "", **told: Any) -> None:
    """The tables in memory, those used last first."""
    columns = ("table", "game", "status", "people", "here", "guests", "idle")
    rows = [
        [str(round(each[name]) if name == "idle" else each[name]) for name in columns]
        for each in _asked(url, told, "tables")
    ]
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    for row in [columns, *rows]:
        typer.echo(clean("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()))


@admin.command(cls=PlainCommand)
@with_settings(REACHED_BY)
def close(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Its code.")],
    why: Annotated[str, typer.Option(help="A sentence that people there can read.")] = "",
    url: Url = "",
    **told: Any,
) -> None:
    """Close a table for everybody there. What was played stays."""
    _asked(url, told, "tables", _code(table), "close", body={"why": why})
    typer.echo(f"{table} is closed.")


def _code(table: str) -> str:
    code = table.replace("-", "").strip()
    if not (code.isascii() and code.isalnum()):
        raise JamboreeError(f"{table!r} is no code of a table.")
    return code


@admin.command(cls=PlainCommand)
@with_settings(REACHED_BY)
def bans(url: Url = "", **told: Any) -> None:
    """The addresses that are kept out."""
    found = _asked(url, told, "bans")
    for each in found:
        until = datetime.fromtimestamp(each["until"], UTC).isoformat(" ", "minutes")
        typer.echo(clean(f"{each['address']} until {until}  {each['why']}".rstrip()))
    if not found:
        typer.echo("Nobody is kept out.")


@admin.command(cls=PlainCommand)
@with_settings(REACHED_BY)
def ban(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="An address, or a network as 10.0.0.0/8.")],
    days: Annotated[float, typer.Option(help="For how long.")] = 7.0,
    why: Annotated[str, typer.Option(help="A note for those who run the server.")] = "",
    url: Url = "",
    **told: Any,
) -> None:
    """Keep an address or a network out, also after a restart."""
    _asked(url, told, "bans", body={"address": address, "days": days, "why": why})
    typer.echo(f"{address} is kept out for {days:g} days.")


@admin.command(cls=PlainCommand)
@with_settings(REACHED_BY)
def lift(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="As `jamboree admin bans` lists it.")],
    url: Url = "",
    **told: Any,
) -> None:
    """Let an address in again."""
    _asked(url, told, "bans", "lift", body={"address": address})
    typer.echo(f"{address} may come in again.")
