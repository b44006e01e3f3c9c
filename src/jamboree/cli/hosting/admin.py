"""`jamboree admin`: inspects and controls a running server through its admin API."""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean
from jamboree.server.protocol.urls import api

from ..typer_classes import CliCommand, CliGroup
from .configuration import configuration, with_settings
from .http_client import local_url, request
from .settings import BY_NAME

DEFAULT_PORT = 8300
ADMIN_SETTINGS = (BY_NAME["admin-token"], BY_NAME["admin-token-file"])
Url = Annotated[str, typer.Option("--url", metavar="URL", help="The server's URL; by default one on this machine.")]

admin = typer.Typer(cls=CliGroup, no_args_is_help=True, help="Inspect and control a running server.")


def _request(url: str, flags: dict[str, Any], *path: str, body: Any = None) -> Any:
    settings = configuration(flags)
    url = url or local_url(settings["host"], settings["port"] or DEFAULT_PORT)
    if not settings["admin-token"]:
        raise JamboreeError("This needs the server's admin token: set JAMBOREE_ADMIN_TOKEN or --admin-token-file.")
    response = request(url, api("admin", *path), body, settings["admin-token"])
    if response.status == 404 and (response.body or {}).get("code") == "not-found":
        raise JamboreeError(f"{url} has no admin token, or a different one.")
    if response.status >= 400:
        raise JamboreeError((response.body or {}).get("sentence") or f"{url} answered with status {response.status}.")
    return response.body


@admin.command(cls=CliCommand)
@with_settings(ADMIN_SETTINGS)
def load(url: Url = "", **flags: Any) -> None:
    """Show the server's health and load."""
    figures = _request(url, flags, "load")
    you = figures.pop("seen")
    figures["trouble"] = figures["trouble"] or "none"
    for name, value in figures.items():
        typer.echo(f"{name:12} {clean(str(round(value, 1) if isinstance(value, float) else value))}")
    forwarded = "forwarded by a trusted proxy" if you["proxied"] else "not forwarded by a trusted proxy"
    typer.echo(clean(f"{'you':12} {you['address']} by {you['scheme']} at {you['host']}, {forwarded}"))


@admin.command(cls=CliCommand)
@with_settings(ADMIN_SETTINGS)
def tables(url: Url = "", **flags: Any) -> None:
    """List the tables in memory, the most recently used first."""
    columns = ("table", "game", "status", "people", "connected", "guests", "idle")
    rows = [
        [str(round(table[name]) if name == "idle" else table[name]) for name in columns]
        for table in _request(url, flags, "tables")
    ]
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    for row in [columns, *rows]:
        typer.echo(clean("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()))


@admin.command(cls=CliCommand)
@with_settings(ADMIN_SETTINGS)
def close(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's code.")],
    reason: Annotated[str, typer.Option(help="A reason, shown to the people at the table.")] = "",
    url: Url = "",
    **flags: Any,
) -> None:
    """Close a table for everybody. Its game stays stored."""
    _request(url, flags, "tables", _table_code(table), "close", body={"reason": reason})
    typer.echo(f"{table} is closed.")


def _table_code(text: str) -> str:
    code = text.replace("-", "").strip()
    if not (code.isascii() and code.isalnum()):
        raise JamboreeError(f"{text!r} is not a table code.")
    return code


@admin.command(cls=CliCommand)
@with_settings(ADMIN_SETTINGS)
def bans(url: Url = "", **flags: Any) -> None:
    """List the banned addresses."""
    banned = _request(url, flags, "bans")
    for entry in banned:
        until = datetime.fromtimestamp(entry["until"], UTC).isoformat(" ", "minutes")
        typer.echo(clean(f"{entry['address']} until {until}  {entry['note']}".rstrip()))
    if not banned:
        typer.echo("No address is banned.")


@admin.command(cls=CliCommand)
@with_settings(ADMIN_SETTINGS)
def ban(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="An IP address or a network such as 10.0.0.0/8.")],
    days: Annotated[float, typer.Option(help="The duration of the ban.")] = 7.0,
    note: Annotated[str, typer.Option(help="A note for the server's operators.")] = "",
    url: Url = "",
    **flags: Any,
) -> None:
    """Ban an address or a network; the ban survives a restart."""
    _request(url, flags, "bans", body={"address": address, "days": days, "note": note})
    typer.echo(f"{address} is banned for {days:g} days.")


@admin.command(cls=CliCommand)
@with_settings(ADMIN_SETTINGS)
def lift(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="An address as listed by `jamboree admin bans`.")],
    url: Url = "",
    **flags: Any,
) -> None:
    """Lift a ban."""
    _request(url, flags, "bans", "lift", body={"address": address})
    typer.echo(f"{address} is no longer banned.")
