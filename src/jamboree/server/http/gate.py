"""Who is asking: tokens, cookies, where a request comes from, whether it was too much, and whether its URL is sound."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hmac import compare_digest
from typing import Any
from urllib.parse import urlsplit

from litestar import Response
from litestar.connection import ASGIConnection, Request
from litestar.datastructures import Cookie
from litestar.handlers import BaseRouteHandler
from litestar.params import QueryParameter

from ..door.addresses import Origin, household, is_nearby
from ..door.hosts import is_same_authority, origin_of_url, read_authority
from ..door.limits import Limits, Share, check, give_back, take
from ..errors import Refused
from ..live.table import Table
from ..nodes.inside import RELAYED
from ..nodes.node import Node
from ..nodes.relay import ELSEWHERE, relay_request
from ..offload import ASKER
from ..secret import hashed, is_code, meant_code

COOKIE = "jamboree-"
AS, NOBODY = "jamboree-as", "nobody"  # a header: as whom of those who play on a device it asks, or as none of them
YEAR = 365 * 24 * 3600
MOST_COOKIES = 50  # of other tables that are looked through for a seat: those of a rematch are among the newest
MOST_KEPT, MOST_ENDED = 100, 5  # cookies in a browser, so that they fit into the 8 KiB of a proxy; that end at a time
PENANCE, MOST_PENITENTS = 1.0, 2_000  # seconds a refusal takes for those who ask too often, so that they ask less often
FORWARDED = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")
READING = ("GET", "HEAD", "OPTIONS")  # methods that change nothing
SEPARATORS = (b"%2f", b"%5c")  # a slash and a backslash as a part of a path has them
LONGEST_SHOWN = 40  # characters of a parameter's name in a refusal
Connection = ASGIConnection[Any, Any, Any, Any]
log = logging.getLogger(__name__)


def origin_of(connection: Connection) -> Origin:
    """Find out where a request comes from, as far as we believe it."""
    found: Origin | None = connection.scope.get("jamboree.origin")  # type: ignore[assignment]
    if found is None:
        peer = connection.client.host if connection.client else ""
        said = {name: connection.headers.getall(name, []) for name in FORWARDED}
        host, scheme = connection.headers.get("host", ""), connection.scope["scheme"]
        found = connection.app.state.proxies.origin(peer, scheme, host, said)
        if said["x-forwarded-for"] and not found.proxied and is_nearby(peer):
            _wonder_about(connection, peer)
        connection.scope["jamboree.origin"] = found  # type: ignore[typeddict-unknown-key]
    return found


def _wonder_about(connection: Connection, peer: str) -> None:
    """Say once that a proxy seems to stand in front of us that we were not told of."""
    if not connection.app.state.get("wondered"):
        connection.app.state.wondered = True
        log.warning(
            "requests come through a proxy at %s, and everybody behind it counts as one address; "
            "if it is yours, start the server with --trust-proxy %s",
            *(peer, peer),
        )


async def look_over(request: Request[Any, Any, Any]) -> Response[Any] | None:
    """Check a request before its route does anything; one about a table elsewhere is answered there."""
    elsewhere = await let_in(request)
    if elsewhere is None:
        check_form(request)
    return elsewhere


async def let_in(request: Request[Any, Any, Any]) -> Response[Any] | None:
    """Refuse those who may not ask at all, and count the others; one about a table elsewhere is answered there."""
    look_at(request)
    elsewhere = await answered_elsewhere(request)
    if elsewhere:
        return elsewhere
    ASKER.set(household(origin_of(request).address))
    await count(request, bool(request.route_handler.opt.get("health")))
    return None


async def answered_elsewhere(request: Request[Any, Any, Any]) -> Response[Any] | None:
    """Have a request answered by the server that has its table, if several share them and it is another one."""
    node: Node | None = request.app.state.node
    code = request.path_params.get("code", "")
    if node is None or not is_code(code):
        return None
    if is_relayed(request):
        return Response(b"", status_code=ELSEWHERE) if await node.owner(code) else None
    if guesses(request):
        return None  # and is refused before anything is looked up
    return await relay_request(node, code, request, origin_of(request))


def guesses(connection: Connection) -> bool:
    """Tell whether somebody has tried too many codes to be told whether there is yet another table."""
    state = connection.app.state
    known = state.limits is None or state.node.knows(connection.path_params["code"])
    shares = [] if known else state.limits.of_guess(household(origin_of(connection).address))
    return not all(buckets.has_left(whose) for buckets, whose in shares)


def is_relayed(connection: Connection) -> bool:
    """Tell whether another server has passed something on to us."""
    return RELAYED in connection.scope


def look_at(connection: Connection) -> None:
    """Refuse those who are not let in at all, and read the code that the others ask for."""
    check_host(connection)
    connection.app.state.banned.check(origin_of(connection).address)
    check_path(connection)
    read_code(connection)


def check_path(connection: Connection) -> None:
    """Refuse an encoded slash in a part of a path: routing goes by the decoded path, where it would be a separator."""
    raw = connection.scope["raw_path"].lower()
    if "path" not in connection.path_params and any(separator in raw for separator in SEPARATORS):
        raise Refused("malformed", "No part of this path can have a slash or a backslash in it.")


def check_form(request: Request[Any, Any, Any]) -> None:
    """Refuse parameters that a route does not have, and a body that is not declared as JSON where it takes one."""
    check_query(request)
    if "data" in request.route_handler.parsed_fn_signature.parameters:
        check_json(request)


def check_query(connection: Connection) -> None:
    """Refuse parameters that a state-changing route does not have: they hint at a URL that was put together wrongly.

    Where a path part was not encoded, the rest of the intended path arrives as a parameter (CSRF by a link).
    """
    if isinstance(connection, Request) and connection.method in READING:
        return
    known, given = parameters_of(connection.route_handler), [name for name, _ in connection.query_params.multi_items()]
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        takes = f"it takes: {', '.join(sorted(known))}" if known else "it takes none"
        raise Refused("malformed", f"This has no parameter {unknown[:LONGEST_SHOWN]!r}; {takes}.")
    if len(given) > len(set(given)):
        raise Refused("malformed", "A parameter is given twice.")


def check_json(request: Request[Any, Any, Any]) -> None:
    """Refuse a body not declared as JSON: a page of another site can send any other type without a CORS preflight."""
    headers = request.headers
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if has_body and headers.get("content-type", "").partition(";")[0].strip().casefold() != "application/json":
        raise Refused("not-json", "A body must be JSON, with the header Content-Type: application/json.")


@cache
def parameters_of(handler: BaseRouteHandler) -> frozenset[str]:
    """Give the names of the query parameters that a route declares."""
    fields = handler.parsed_fn_signature.parameters.values()
    return frozenset(field.name for field in fields if isinstance(field.kwarg_definition, QueryParameter))


def check_host(connection: Connection) -> None:
    """Host-header allow-list against DNS rebinding.

    A page on the proxy's machine can send X-Forwarded-* itself, so the header Host counts as well as what a proxy says.
    Without a public URL the server can't know the names of its proxy, and leaves them to it.
    """
    state, origin = connection.app.state, origin_of(connection)
    if is_relayed(connection) or (origin.proxied and not state.public_origin):
        return  # or the server that relays the request has checked the name
    if not all(state.hosts.knows(name) for name in (origin.host_header, origin.host)):
        raise Refused("foreign-host", "This server does not answer to that name; --public-url sets the one it has.")


def check_origin(connection: Connection, needed: bool = False) -> None:
    """Refuse a page of somebody else. Programs send no origin; browsers always do where it matters."""
    origin = connection.headers.get("origin")
    if origin is None:
        if needed:
            raise Refused("foreign-origin", "A request with a cookie must say which page it comes from.")
        return
    if not _is_own_origin(origin_of_url(origin), connection):
        raise Refused("foreign-origin", "This page belongs to somebody else, so it can't ask for this.")


def _is_own_origin(page: str, connection: Connection) -> bool:
    """Compare scheme, host and port of a page with those of this server; an opaque origin, such as "null", is empty.

    With a public URL, requests through a proxy or to the public host name must come from exactly that origin. A direct
    connection by another name, such as that of a home network, may also come from the address it was made to.
    """
    state, asked = connection.app.state, origin_of(connection)
    if page and page in (state.public_origin, state.own_origin):
        return True
    authority, public_host = read_authority(asked.host), urlsplit(state.public_origin).hostname
    if not page or authority is None or (public_host and (asked.proxied or authority.host.rstrip(".") == public_host)):
        return False
    parts = urlsplit(page)
    return parts.scheme == asked.scheme and is_same_authority(parts.netloc, asked.host, parts.scheme)


def shows(request: Connection, token: str) -> bool:
    """Tell whether a request shows a token of whoever runs the server; one that is not set opens nothing."""
    return bool(token) and compare_digest((bearer(request) or "").encode(), token.encode())


def bearer(connection: Connection) -> str | None:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.casefold() == "bearer" else None


def known_token(connection: Connection, table: Table) -> str | None:
    """Find the token somebody shows: a bearer, or a cookie that this table knows."""
    token = bearer(connection)
    if token is not None:
        check_origin(connection)
        return token
    tokens = tokens_on(connection, table)
    check_origin(connection, needed=bool(tokens) and not _only_reads(connection))
    if not tokens and any(table.bans(value) for value in _cookies(connection)):
        raise Refused("banned", "The host has banned you from this table.")
    return _token_of(connection.headers.get(AS), tokens)


def tokens_on(connection: Connection, table: Table) -> dict[str, str]:
    """Find who of a table plays on this device, with the token of each: several people may share it."""
    return {table.who(token): token for token in _cookies(connection) if table.knows(token)}


def _token_of(person: str | None, tokens: dict[str, str]) -> str | None:
    """Choose among the people of a device; one that is alone on it need not say who that is."""
    if person == NOBODY or not tokens:
        return None
    if person is not None and person not in tokens:
        raise Refused("wrong-token", "That person does not play on this device.")
    return tokens[person] if person else next(iter(tokens.values()))


def _cookies(connection: Connection) -> list[str]:
    return [token for _, token in _kept(connection)]


def _kept(connection: Connection) -> list[tuple[str, str]]:
    """List codes and tokens in cookies: of the table that is asked for, and the newest, which browsers send last."""
    named = [(name[len(COOKIE) :], value) for name, value in connection.cookies.items() if name.startswith(COOKIE)]
    kept = [(place.partition("-")[0], value) for place, value in named]
    asked = connection.path_params.get("code")
    own, others = ([each for each in kept if (each[0] == asked) == mine] for mine in (True, False))
    return [*own[:MOST_COOKIES], *others[-MOST_COOKIES:]]


def shown_tokens(connection: Connection) -> tuple[str, ...]:
    """Hash every token that came along, of whichever table: by these a device is known again."""
    return tuple(hashed(token) for token in [bearer(connection), *_cookies(connection)] if token)


def _only_reads(connection: Connection) -> bool:
    """Tell a plain GET: browsers do not say where it comes from, and let no other page read what it brings."""
    return isinstance(connection, Request) and connection.method == "GET"


def person_at(connection: Connection, table: Table) -> str:
    """Find who is asking."""
    token = known_token(connection, table)
    if token is None:
        raise Refused("no-token", "This needs the token of somebody at the table.")
    return table.who(token)


def read_code(connection: Connection) -> None:
    """Read the code in an address as it was meant, before anything goes by it."""
    params = connection.path_params
    if "code" in params:
        connection.scope["path_params"] = {**params, "code": meant_code(params["code"])}


def seat_held(connection: Connection) -> str | None:
    """Find a place that somebody holds at any table that is in memory; others are counted by their address.

    It goes by its first token, hashed, which it keeps in a rematch.
    """
    tables: dict[str, Table] = connection.app.state.registry.tables
    for code, token in [(connection.path_params.get("code"), bearer(connection) or ""), *_kept(connection)]:
        table = tables.get(code) if code and token else None
        if table and table.knows(token):
            return table.state.roster.people[table.who(token)].tokens[0]
    return None


async def count(connection: Connection, health: bool = False) -> None:
    """Refuse who asks too often, and take a moment about it."""
    limits: Limits | None = connection.app.state.limits
    if limits is None:
        return
    address = household(origin_of(connection).address)
    shares = [(limits.health, address)] if health else limits.of_request(address, seat_held(connection))
    try:
        if connection.path_params.get("code") and not _sits_there(connection):
            check(limits.of_guess(address))
        take(shares)
    except Refused:
        await _do_penance(connection.app.state)
        raise


def _sits_there(connection: Connection) -> bool:
    """Tell whether somebody has a place at the very table they ask for: one elsewhere is no leave to guess."""
    table: Table | None = connection.app.state.registry.tables.get(connection.path_params["code"])
    shown = [bearer(connection) or "", *_cookies(connection)]
    return table is not None and any(table.knows(token) for token in shown)


def note_guess(connection: Connection, refusal: Refused) -> None:
    """Count a code that no table has: codes are short, so nobody may try many."""
    limits: Limits | None = connection.app.state.limits
    if limits and refusal.code == "unknown-table":
        for buckets, whose in limits.of_guess(household(origin_of(connection).address)):
            buckets.spend(whose)


async def _do_penance(state: Any) -> None:
    if state.penitents < MOST_PENITENTS:
        state.penitents += 1
        try:
            await asyncio.sleep(PENANCE)
        finally:
            state.penitents -= 1


@contextmanager
def opening(connection: Connection) -> Iterator[None]:
    """Count a table that is being opened, unless nothing comes of it."""
    limits: Limits | None = connection.app.state.limits
    address = household(origin_of(connection).address)
    with _spending(limits.of_opening(address, seat_held(connection)) if limits else []):
        yield


@contextmanager
def opening_party(connection: Connection) -> Iterator[None]:
    """Count a party that a screen opens, apart from the tables that people open."""
    limits: Limits | None = connection.app.state.limits
    with _spending(limits.of_party(household(origin_of(connection).address)) if limits else []):
        yield


@contextmanager
def joining(connection: Connection, code: str) -> Iterator[None]:
    """Count somebody who joins a table, unless nothing comes of it."""
    limits: Limits | None = connection.app.state.limits
    address = household(origin_of(connection).address)
    with _spending(limits.of_joining(address, seat_held(connection), code) if limits else []):
        yield


def note_seat(connection: Connection, token: str) -> None:
    """Count a new seat together with one that its holder has already."""
    limits: Limits | None = connection.app.state.limits
    held = seat_held(connection)
    if limits and held:
        limits.add_seat(hashed(token), held)


@contextmanager
def _spending(shares: list[Share]) -> Iterator[None]:
    take(shares)
    try:
        yield
    except BaseException:
        give_back(shares)
        raise


def _prefix(connection: Connection, public: str) -> str:
    """Give the path that a proxy takes off, if a request came by the public address."""
    parts = urlsplit(public)
    return parts.path if is_same_authority(parts.netloc, origin_of(connection).host, parts.scheme) else ""


def cookies_with(connection: Connection, place: str, token: str) -> list[Cookie]:
    """Keep a token in the browser, by the code of the table; for one of several people, by the person too.

    In a browser that has very many the oldest end, which it sends first.
    """
    kept = [name[len(COOKIE) :] for name in connection.cookies if name.startswith(COOKIE)]
    oldest = kept[: max(0, len(kept) + 1 - MOST_KEPT)][:MOST_ENDED]
    return [
        _cookie(connection, place, token, YEAR),
        *(_cookie(connection, old, "", 0) for old in oldest if old != place),
    ]


def _cookie(connection: Connection, place: str, token: str, lasts: int) -> Cookie:
    public: str = connection.app.state.public_url
    return Cookie(
        key=f"{COOKIE}{place}",
        value=token,
        path=f"{_prefix(connection, public)}/api/v1",
        max_age=lasts,
        httponly=True,
        samesite="strict",
        secure=public.startswith("https:") or origin_of(connection).scheme == "https",
    )
