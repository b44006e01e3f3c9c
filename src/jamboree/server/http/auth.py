"""Checks of every request: origin (CSRF), Host (DNS rebinding), bans, rate limits, tokens and cookies."""

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

from ..edge.addresses import Origin, is_private, rate_limit_key
from ..edge.host_allowlist import is_same_authority, origin_of_url, read_authority
from ..edge.rate_limits import Charge, RateLimits, check, refund, spend_all
from ..errors import Refused
from ..live.table import Table
from ..live.visibility import BANNED
from ..nodes.internal_port import RELAYED
from ..nodes.node import Node
from ..nodes.relay import MISDIRECTED, relay_request
from ..offload import CLIENT_ADDRESS
from ..tokens import hashed, is_code, normalized_code

COOKIE = "jamboree-"
ACTING_AS = "jamboree-as"  # the header that names the person of a shared device who makes the request
NOBODY = "nobody"
YEAR = 365 * 24 * 3600
MAX_COOKIES_READ = 50  # of other tables; those of a rematch are among the newest
MAX_COOKIES = 100  # per browser, to fit into the 8 KiB that proxies allow
MAX_EXPIRED = 5  # cookies that are deleted by one response
THROTTLE_DELAY = 1.0  # seconds by which 429 responses are delayed
MAX_THROTTLED = 2_000  # responses that are delayed at a time
FORWARDED = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")  # methods that change nothing
SEPARATORS = (b"%2f", b"%5c")  # an encoded slash and backslash
MAX_NAME_SHOWN = 40  # characters of a parameter name in a refusal
Connection = ASGIConnection[Any, Any, Any, Any]
log = logging.getLogger(__name__)


def origin_of(connection: Connection) -> Origin:
    """The origin of a request, according to the trusted proxies."""
    found: Origin | None = connection.scope.get("jamboree.origin")  # type: ignore[assignment]
    if found is None:
        peer = connection.client.host if connection.client else ""
        forwarded = {name: connection.headers.getall(name, []) for name in FORWARDED}
        host, scheme = connection.headers.get("host", ""), connection.scope["scheme"]
        found = connection.app.state.proxies.origin(peer, scheme, host, forwarded)
        if forwarded["x-forwarded-for"] and not found.proxied and is_private(peer):
            _warn_of_untrusted_proxy(connection, peer)
        connection.scope["jamboree.origin"] = found  # type: ignore[typeddict-unknown-key]
    return found


def _warn_of_untrusted_proxy(connection: Connection, peer: str) -> None:
    """Warn once of a reverse proxy that is not configured as trusted."""
    if not connection.app.state.get("proxy_warning_logged"):
        connection.app.state.proxy_warning_logged = True
        log.warning(
            "requests come through an untrusted proxy at %s, so all clients behind it count as one address; "
            "if it is yours, start the server with --trust-proxy %s",
            peer,
            peer,
        )


async def check_request(request: Request[Any, Any, Any]) -> Response[Any] | None:
    """Check a request before its route runs; in a cluster, relay it to the owner of its table."""
    elsewhere = await admit(request)
    if elsewhere is None:
        check_form(request)
    return elsewhere


async def admit(request: Request[Any, Any, Any]) -> Response[Any] | None:
    """Check and count a request; in a cluster, relay it to the owner of its table."""
    check_connection(request)
    elsewhere = await relay_if_elsewhere(request)
    if elsewhere:
        return elsewhere
    CLIENT_ADDRESS.set(rate_limit_key(origin_of(request).address))
    await apply_rate_limit(request, bool(request.route_handler.opt.get("health")))
    return None


async def relay_if_elsewhere(request: Request[Any, Any, Any]) -> Response[Any] | None:
    """In a cluster, relay a request to the owner of its table; None if that is this server."""
    node: Node | None = request.app.state.node
    code = request.path_params.get("code", "")
    if node is None or not is_code(code):
        return None
    if is_relayed(request):
        return Response(b"", status_code=MISDIRECTED) if await node.owner(code) else None
    if is_guessing(request):
        return None  # refused later, without a lookup
    return await relay_request(node, code, request, origin_of(request))


def is_guessing(connection: Connection) -> bool:
    """Whether a client has tried too many unknown codes to learn whether another one exists."""
    state = connection.app.state
    known = state.limits is None or state.node.has_cached(connection.path_params["code"])
    charges = [] if known else state.limits.of_guess(rate_limit_key(origin_of(connection).address))
    return not all(buckets.has_token(whose) for buckets, whose in charges)


def is_relayed(connection: Connection) -> bool:
    """Whether another server has relayed the request."""
    return RELAYED in connection.scope


def check_connection(connection: Connection) -> None:
    """Check the Host header, bans and the path, and normalize the table code."""
    check_host(connection)
    connection.app.state.ip_bans.check(origin_of(connection).address)
    check_path(connection)
    normalize_code(connection)


def check_path(connection: Connection) -> None:
    """Refuse an encoded slash in a part of a path: routing goes by the decoded path, where it would be a separator."""
    raw = connection.scope["raw_path"].lower()
    if "path" not in connection.path_params and any(separator in raw for separator in SEPARATORS):
        raise Refused("malformed", "No part of this path can have a slash or a backslash in it.")


def check_form(request: Request[Any, Any, Any]) -> None:
    """Refuse undeclared parameters, and a body that is not declared as JSON if the route takes one."""
    check_query(request)
    if "data" in request.route_handler.parsed_fn_signature.parameters:
        check_json(request)


def check_query(connection: Connection) -> None:
    """Refuse undeclared parameters of state-changing routes, which indicate a badly encoded URL.

    If a client did not encode a path part, the rest of the intended path may arrive as a parameter (client-side CSRF).
    """
    if isinstance(connection, Request) and connection.method in SAFE_METHODS:
        return
    known, given = parameters_of(connection.route_handler), [name for name, _ in connection.query_params.multi_items()]
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        takes = f"it takes: {', '.join(sorted(known))}" if known else "it takes none"
        raise Refused("malformed", f"This has no parameter {unknown[:MAX_NAME_SHOWN]!r}; {takes}.")
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
    """The query parameters that a route declares."""
    fields = handler.parsed_fn_signature.parameters.values()
    return frozenset(field.name for field in fields if isinstance(field.kwarg_definition, QueryParameter))


def check_host(connection: Connection) -> None:
    """Refuse unknown Host headers, against DNS rebinding.

    A page on the proxy's machine can send X-Forwarded headers itself, so Host is checked as well as the forwarded name.
    Without a public URL the server can't know the proxy's names, and leaves the check to the proxy.
    """
    state, origin = connection.app.state, origin_of(connection)
    if is_relayed(connection) or (origin.proxied and not state.public_origin):
        return  # the relaying server has checked the name
    if not all(state.host_allowlist.allows(name) for name in (origin.host_header, origin.host)):
        raise Refused("foreign-host", "This server does not answer to that name; --public-url sets the one it has.")


def check_origin(connection: Connection, needed: bool = False) -> None:
    """Refuse requests of foreign pages (CSRF). Programs send no Origin header; browsers do where it matters."""
    origin = connection.headers.get("origin")
    if origin is None:
        if needed:
            raise Refused("foreign-origin", "A request with a cookie must say which page it comes from.")
        return
    if not _is_own_origin(origin_of_url(origin), connection):
        raise Refused("foreign-origin", "This page is not one of this server, so it can't ask for this.")


def _is_own_origin(page: str, connection: Connection) -> bool:
    """Whether a page has this server's scheme, host and port; an opaque origin, such as "null", is empty.

    With a public URL, requests through a proxy or to the public host name must come from exactly that origin. A direct
    connection by another name, such as that of a home network, may also come from the address it was made to.
    """
    state, origin = connection.app.state, origin_of(connection)
    if page and page in (state.public_origin, state.own_origin):
        return True
    authority, public_host = read_authority(origin.host), urlsplit(state.public_origin).hostname
    if not page or authority is None or (public_host and (origin.proxied or authority.host.rstrip(".") == public_host)):
        return False
    parts = urlsplit(page)
    return parts.scheme == origin.scheme and is_same_authority(parts.netloc, origin.host, parts.scheme)


def has_operator_token(request: Connection, token: str) -> bool:
    """Whether a request carries an operator's token; an empty token matches nothing."""
    return bool(token) and compare_digest((bearer(request) or "").encode(), token.encode())


def bearer(connection: Connection) -> str | None:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.casefold() == "bearer" else None


def known_token(connection: Connection, table: Table) -> str | None:
    """The request's token for a table: a bearer token, or one of the cookies."""
    token = bearer(connection)
    if token is not None:
        check_origin(connection)
        return token
    tokens = device_tokens(connection, table)
    check_origin(connection, needed=bool(tokens) and not _is_plain_get(connection))
    if not tokens and any(table.state.roster.banned(hashed(value)) for value in _cookies(connection)):
        raise Refused("banned", BANNED)
    return _chosen_token(connection.headers.get(ACTING_AS), tokens)


def device_tokens(connection: Connection, table: Table) -> dict[str, str]:
    """The people of a table who share this device, with their tokens."""
    return {table.authenticate(token): token for token in _cookies(connection) if table.knows(token)}


def _chosen_token(person: str | None, tokens: dict[str, str]) -> str | None:
    """The token of the named person of a device; a device with one person need not name it."""
    if person == NOBODY or not tokens:
        return None
    if person is not None and person not in tokens:
        raise Refused("wrong-token", "That person does not play on this device.")
    return tokens[person] if person else next(iter(tokens.values()))


def _cookies(connection: Connection) -> list[str]:
    return [token for _, token in _table_cookies(connection)]


def _table_cookies(connection: Connection) -> list[tuple[str, str]]:
    """Table codes and tokens of cookies: of the requested table first, then the newest ones."""
    named = [(name[len(COOKIE) :], value) for name, value in connection.cookies.items() if name.startswith(COOKIE)]
    tokens = [(name.partition("-")[0], token) for name, token in named]
    code = connection.path_params.get("code")
    own, others = ([each for each in tokens if (each[0] == code) == is_own] for is_own in (True, False))
    return [*own[:MAX_COOKIES_READ], *others[-MAX_COOKIES_READ:]]


def presented_token_hashes(connection: Connection) -> tuple[str, ...]:
    """Hashes of all tokens in a request, of any table; bans recognize a device by them."""
    return tuple(hashed(token) for token in [bearer(connection), *_cookies(connection)] if token)


def _is_plain_get(connection: Connection) -> bool:
    """Whether it is a plain GET: browsers send no Origin for it, and hide the response from other pages."""
    return isinstance(connection, Request) and connection.method == "GET"


def person_at(connection: Connection, table: Table) -> str:
    """The authenticated person at a table."""
    token = known_token(connection, table)
    if token is None:
        raise Refused("no-token", "This needs the token of a person at the table.")
    return table.authenticate(token)


def normalize_code(connection: Connection) -> None:
    """Normalize the table code in the path."""
    params = connection.path_params
    if "code" in params:
        connection.scope["path_params"] = {**params, "code": normalized_code(params["code"])}


def held_seat(connection: Connection) -> str | None:
    """The seat that a client holds at any table in memory, as a key for rate limits; None without one.

    The key is the hash of the person's first token, which stays the same in a rematch.
    """
    tables: dict[str, Table] = connection.app.state.registry.tables
    for code, token in [(connection.path_params.get("code"), bearer(connection) or ""), *_table_cookies(connection)]:
        table = tables.get(code) if code and token else None
        if table and table.knows(token):
            return table.state.roster.people[table.authenticate(token)].tokens[0]
    return None


async def apply_rate_limit(connection: Connection, health: bool = False) -> None:
    """Count a request, and refuse it with a delay if there were too many."""
    limits: RateLimits | None = connection.app.state.limits
    if limits is None:
        return
    address = rate_limit_key(origin_of(connection).address)
    charges = [(limits.health, address)] if health else limits.of_request(address, held_seat(connection))
    try:
        if connection.path_params.get("code") and not _has_token_of_table(connection):
            check(limits.of_guess(address))
        spend_all(charges)
    except Refused:
        await _throttle(connection.app.state)
        raise


def _has_token_of_table(connection: Connection) -> bool:
    """Whether a client has a token of the requested table; those of other tables do not exempt it from guess limits."""
    table: Table | None = connection.app.state.registry.tables.get(connection.path_params["code"])
    shown = [bearer(connection) or "", *_cookies(connection)]
    return table is not None and any(table.knows(token) for token in shown)


def count_guess(connection: Connection, refusal: Refused) -> None:
    """Count an unknown table code: codes are short, so guessing is limited."""
    limits: RateLimits | None = connection.app.state.limits
    if limits and refusal.code == "unknown-table":
        for buckets, whose in limits.of_guess(rate_limit_key(origin_of(connection).address)):
            buckets.spend(whose)


async def _throttle(state: Any) -> None:
    if state.throttled < MAX_THROTTLED:
        state.throttled += 1
        try:
            await asyncio.sleep(THROTTLE_DELAY)
        finally:
            state.throttled -= 1


@contextmanager
def opening_limits(connection: Connection) -> Iterator[None]:
    """Count the opening of a table, unless it fails."""
    limits: RateLimits | None = connection.app.state.limits
    address = rate_limit_key(origin_of(connection).address)
    with _charged(limits.of_opening(address, held_seat(connection)) if limits else []):
        yield


@contextmanager
def party_limits(connection: Connection) -> Iterator[None]:
    """Count the opening of a party, unless it fails."""
    limits: RateLimits | None = connection.app.state.limits
    with _charged(limits.of_party(rate_limit_key(origin_of(connection).address)) if limits else []):
        yield


@contextmanager
def joining_limits(connection: Connection, code: str) -> Iterator[None]:
    """Count the joining of a table, unless it fails."""
    limits: RateLimits | None = connection.app.state.limits
    address = rate_limit_key(origin_of(connection).address)
    with _charged(limits.of_joining(address, held_seat(connection), code) if limits else []):
        yield


def link_seats(connection: Connection, token: str) -> None:
    """Let a new seat share rate limits with one that its holder has already."""
    limits: RateLimits | None = connection.app.state.limits
    held = held_seat(connection)
    if limits and held:
        limits.add_seat(hashed(token), held)


@contextmanager
def _charged(charges: list[Charge]) -> Iterator[None]:
    spend_all(charges)
    try:
        yield
    except BaseException:
        refund(charges)
        raise


def _public_path(connection: Connection, public: str) -> str:
    """The path of the public URL, which a proxy strips, if the request came by it."""
    parts = urlsplit(public)
    return parts.path if is_same_authority(parts.netloc, origin_of(connection).host, parts.scheme) else ""


def table_cookies(connection: Connection, name: str, token: str) -> list[Cookie]:
    """A cookie with a token, named by the table code, and by the person too on a shared device.

    A browser with very many gets its oldest deleted, which it sends first.
    """
    known = [cookie[len(COOKIE) :] for cookie in connection.cookies if cookie.startswith(COOKIE)]
    oldest = known[: max(0, len(known) + 1 - MAX_COOKIES)][:MAX_EXPIRED]
    expired = [_cookie(connection, old, "", 0) for old in oldest if old != name]
    return [_cookie(connection, name, token, YEAR), *expired]


def _cookie(connection: Connection, name: str, token: str, max_age: int) -> Cookie:
    public: str = connection.app.state.public_url
    return Cookie(
        key=f"{COOKIE}{name}",
        value=token,
        path=f"{_public_path(connection, public)}/api/v1",
        max_age=max_age,
        httponly=True,
        samesite="strict",
        secure=public.startswith("https:") or origin_of(connection).scheme == "https",
    )
