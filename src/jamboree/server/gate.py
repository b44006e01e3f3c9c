"""Who is asking: tokens, cookies, and where a browser's request comes from."""

from typing import Any
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection, Request
from litestar.datastructures import Cookie

from .errors import Refused
from .limits import Limits
from .secret import hashed
from .table import Table

COOKIE = "jamboree-"
YEAR = 365 * 24 * 3600
Connection = ASGIConnection[Any, Any, Any, Any]


def check_origin(connection: Connection, needed: bool = False) -> None:
    """Refuse a page of somebody else. Programs send no origin; browsers always do where it matters."""
    origin = connection.headers.get("origin")
    if origin is None:
        if needed:
            raise Refused("foreign-origin", "A request with a cookie must say which page it comes from.")
        return
    if not _same_place(origin, connection.headers.get("host", "")) and origin != connection.app.state.public_origin:
        raise Refused("foreign-origin", "This page belongs to somebody else, so it can't ask for this.")


def _same_place(origin: str, host: str) -> bool:
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and bool(host) and parts.netloc.casefold() == host.casefold()


def bearer(connection: Connection) -> str | None:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.casefold() == "bearer" else None


def known_token(connection: Connection, table: Table) -> str | None:
    """Find the token somebody shows: a bearer, or the cookie that this table knows."""
    token = bearer(connection)
    if token is not None:
        check_origin(connection)
        return token
    mine = [value for name, value in connection.cookies.items() if name.startswith(COOKIE)]
    found = next((value for value in mine if table.knows(value)), None)
    check_origin(connection, needed=found is not None and not _only_reads(connection))
    if found is None and any(table.bans(value) for value in mine):
        raise Refused("banned", "The host has banned you from this table.")
    return found


def shown_tokens(connection: Connection) -> tuple[str, ...]:
    """Hash every token that came along, of whichever table: by these a device is known again."""
    cookies = [value for name, value in connection.cookies.items() if name.startswith(COOKIE)]
    return tuple(hashed(token) for token in [bearer(connection), *cookies] if token)


def _only_reads(connection: Connection) -> bool:
    """Tell a plain GET: browsers do not say where it comes from, and let no other page read what it brings."""
    return isinstance(connection, Request) and connection.method == "GET"


def person_at(connection: Connection, table: Table) -> str:
    """Find who is asking."""
    token = known_token(connection, table)
    if token is None:
        raise Refused("no-token", "This needs the token of somebody at the table.")
    return table.who(token)


def count(connection: Connection, opens: bool = False) -> None:
    """Refuse who asks too often."""
    limits: Limits | None = connection.app.state.limits
    if limits is None:
        return
    peer = connection.client.host if connection.client else ""
    address = limits.address(peer, connection.headers.get("x-forwarded-for", ""))
    limits.requests.take(address)
    if opens:
        limits.openings.take(address)


def cookie(code: str, token: str, secure: bool) -> Cookie:
    return Cookie(
        key=f"{COOKIE}{code}",
        value=token,
        path="/api/v1",
        max_age=YEAR,
        httponly=True,
        samesite="strict",
        secure=secure,
    )
