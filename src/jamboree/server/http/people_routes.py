"""HTTP: what the host may do about people, and the devices they come with."""

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ..errors import Refused
from ..live.commands.base import BODY, CHANGE, HOST, PERSON, Context
from ..live.commands.host import bans
from ..live.commands.joining import MintLink, UseLink
from ..live.erasure import forget, is_gone
from ..live.registry import Registry
from ..live.table import Table
from ..protocol.bodies import (
    BanSeen,
    Entry,
    Keeping,
    Link,
    RedeemLink,
)
from ..tokens import hashed
from .auth import AS, COOKIE, bearer, check_origin, cookies_with, note_seat, person_at
from .error_responses import Asked, refusals
from .invite_routes import device_link

RegistryDep = NamedDependency[Registry]
Code = FromPath[str]


async def met(code: str, request: Asked, registry: Registry) -> tuple[Table, str]:
    table = await registry.table(code)
    return table, person_at(request, table)


def entered(request: Asked, keep: Keeping, entry: Entry, beside: bool = False) -> Response[Entry]:
    """Hand over a seat; one `beside` those that the device has already leaves them their cookies."""
    assert entry.token
    note_seat(request, entry.token)
    if keep == Keeping.BEARER:
        return Response(entry, status_code=201)
    hidden = msgspec.structs.replace(entry, token=None)
    place = f"{entry.table}-{entry.person}" if beside else entry.table
    return Response(hidden, status_code=201, cookies=cookies_with(request, place, entry.token))


@post("/tables/{code:str}/forget-me", status_code=204, tags=["people"], responses=refusals(*PERSON))
async def forget_me(code: Code, request: Asked, registry: RegistryDep) -> None:
    """Have your name and what was said by, to or about you deleted, here and at rematches; your moves stay."""
    table, person = await registry.table(code), ""
    try:
        person = person_at(request, table)
        tokens = table.state.roster.people[person].tokens
    except Refused:
        tokens = _former(request, table.code)
        if not await is_gone(registry, table, tokens):
            raise
    await forget(registry, table, tokens, person)


def _former(request: Asked, code: str) -> list[str]:
    """Hash the token that somebody shows for a table where they may be no more."""
    person = request.headers.get(AS)
    cookie = request.cookies.get(f"{COOKIE}{code}-{person}" if person else f"{COOKIE}{code}")
    if bearer(request) is None:
        check_origin(request, needed=cookie is not None)
    return [hashed(token) for token in [bearer(request) or cookie] if token]


@post("/tables/{code:str}/links", tags=["people"], responses=refusals(*PERSON, "busy", "devices"))
async def mint_link(code: Code, request: Asked, registry: RegistryDep) -> Link:
    """Make a link by which one can come back on another device, once."""
    table, person = await met(code, request, registry)
    return await device_link(request, registry, table.code, await table.ask(MintLink(), person))


@post(
    "/tables/{code:str}/links/redeem",
    tags=["people"],
    responses=refusals(*CHANGE, *BODY, "devices", "foreign-origin", "wrong-token"),
)
async def redeem_link(code: Code, data: JSONBody[RedeemLink], request: Asked, registry: RegistryDep) -> Response[Entry]:
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    table = await registry.table(code)
    person, token = await table.ask(UseLink(data.link))
    seat = await table.read(lambda state: state.roster.people[person].seat)
    return entered(request, data.keep, Entry(table.code, person, seat, token))


@get("/tables/{code:str}/bans", tags=["people"], responses=refusals(*HOST))
async def list_bans(code: Code, request: Asked, registry: RegistryDep) -> list[BanSeen]:
    """Name those who may not come back; for the host."""
    table, person = await met(code, request, registry)
    return await table.read(lambda state: bans(Context(state, person=person)))


PEOPLE = (forget_me, mint_link, redeem_link, list_bans)
