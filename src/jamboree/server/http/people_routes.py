"""Routes about people and their devices: erasure, device links, and bans."""

from litestar import Response, get, post
from litestar.params import JSONBody

from ..errors import Refused
from ..live.commands.base import BODY, CHANGE, HOST, PERSON, Context
from ..live.commands.host import bans
from ..live.commands.joining import MintLink, Ticket, UseLink
from ..live.registry import Registry
from ..live.table import Table
from ..protocol.bodies import (
    BanInfo,
    Credentials,
    Keeping,
    Link,
    RedeemLink,
)
from ..tokens import hashed
from .auth import ACTING_AS, COOKIE, bearer, check_origin, link_seats, person_at, table_cookies
from .error_responses import refusals
from .invite_routes import device_link
from .parameters import ApiRequest, RegistryDep, TableCode


async def table_and_person(code: str, request: ApiRequest, registry: Registry) -> tuple[Table, str]:
    table = await registry.table(code)
    return table, person_at(request, table)


def credentials_response(
    request: ApiRequest, keep: Keeping, code: str, ticket: Ticket, beside: bool = False
) -> Response[Credentials]:
    """The response to joining: with the token in the body or in a cookie; `beside` keeps the device's other cookies."""
    link_seats(request, ticket.token)
    if keep == Keeping.BEARER:
        return Response(Credentials(code, ticket.person, ticket.seat, ticket.token), status_code=201)
    cookies = table_cookies(request, f"{code}-{ticket.person}" if beside else code, ticket.token)
    return Response(Credentials(code, ticket.person, ticket.seat, None), status_code=201, cookies=cookies)


@post("/tables/{code:str}/forget-me", status_code=204, tags=["people"], responses=refusals(*PERSON))
async def forget_me(code: TableCode, request: ApiRequest, registry: RegistryDep) -> None:
    """Erase your name and chat by, to or about you, here and at rematches; your moves stay.

    You are called “Guest” and a number from then on. People who left or were removed can ask for it too ([what is
    kept](privacy.md)).
    """
    table, person = await registry.table(code), ""
    try:
        person = person_at(request, table)
        tokens = table.state.roster.people[person].tokens
    except Refused:
        tokens = _former_tokens(request, table.code)
        if not await table.persistence.is_gone(tokens):
            raise
    await registry.erase_person(table, tokens, person)


def _former_tokens(request: ApiRequest, code: str) -> list[str]:
    """The hashed token of a person who may have left the table."""
    person = request.headers.get(ACTING_AS)
    cookie = request.cookies.get(f"{COOKIE}{code}-{person}" if person else f"{COOKIE}{code}")
    if bearer(request) is None:
        check_origin(request, needed=cookie is not None)
    return [hashed(token) for token in [bearer(request) or cookie] if token]


@post("/tables/{code:str}/links", tags=["people"], responses=refusals(*PERSON, "busy", "too-many-devices"))
async def mint_link(code: TableCode, request: ApiRequest, registry: RegistryDep) -> Link:
    """Create a one-time `link` for another device.

    `address` is the table's URL with it, and `picture` that URL as a QR code in SVG. A person has at most eight
    devices.
    """
    table, person = await table_and_person(code, request, registry)
    return await device_link(request, registry, table.code, await table.ask(MintLink(), person))


@post(
    "/tables/{code:str}/links/redeem",
    tags=["people"],
    responses=refusals(*CHANGE, *BODY, "too-many-devices", "foreign-origin", "wrong-token"),
)
async def redeem_link(
    code: TableCode, data: JSONBody[RedeemLink], request: ApiRequest, registry: RegistryDep
) -> Response[Credentials]:
    """Exchange a one-time link for a token of the same person."""
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    table = await registry.table(code)
    return credentials_response(request, data.keep, table.code, await table.ask(UseLink(data.link)))


@get("/tables/{code:str}/bans", tags=["people"], responses=refusals(*HOST))
async def list_bans(code: TableCode, request: ApiRequest, registry: RegistryDep) -> list[BanInfo]:
    """The people banned from the table: the number of each `ban`, and a name; for the host."""
    table, person = await table_and_person(code, request, registry)
    return await table.read(lambda state: bans(Context(state, person=person)))


PEOPLE_ROUTES = (forget_me, mint_link, redeem_link, list_bans)
