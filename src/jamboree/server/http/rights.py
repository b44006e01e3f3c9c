"""HTTP: what the host may do about people, and the devices they come with."""

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ..errors import Refused
from ..live.commands import host, joining
from ..live.commands.host import LiftBan, Remove, SetAccess, bans
from ..live.erasure import forget, is_gone
from ..live.registry import Registry
from ..live.table import Table
from ..protocol.bodies import (
    About,
    Access,
    AnswerPerson,
    AskSeat,
    BanSeen,
    Entry,
    Keeping,
    Link,
    MutePerson,
    RedeemLink,
    SetPace,
    TakeLook,
    Unban,
)
from ..secret import hashed
from .answers import BODY, CHANGE, HOST, PERSON, Asked, refusals
from .gate import AS, COOKIE, bearer, check_origin, cookies_with, known_token, note_seat, person_at
from .invite import device_link

Theirs = NamedDependency[Registry]
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
async def forget_me(code: Code, request: Asked, registry: Theirs) -> None:
    """Have your name and what was said by, to or about you deleted, here and at rematches; your moves stay."""
    table, person = await registry.table(code), ""
    try:
        person = person_at(request, table)
        tokens = table.memory.lobby.people[person].tokens
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
async def mint_link(code: Code, request: Asked, registry: Theirs) -> Link:
    """Make a link by which one can come back on another device, once."""
    table, person = await met(code, request, registry)
    return await device_link(request, registry, table.code, await table.ask(joining.MintLink(person)))


@post(
    "/tables/{code:str}/links/redeem",
    tags=["people"],
    responses=refusals(*CHANGE, *BODY, "devices", "foreign-origin", "wrong-token"),
)
async def redeem_link(code: Code, data: JSONBody[RedeemLink], request: Asked, registry: Theirs) -> Response[Entry]:
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    table = await registry.table(code)
    person, token = await table.ask(joining.UseLink(data.link))
    seat = await table.read(lambda memory: memory.lobby.people[person].seat)
    return entered(request, data.keep, Entry(table.code, person, seat, token))


@post(
    "/tables/{code:str}/look",
    status_code=204,
    tags=["tables"],
    responses=refusals(*PERSON, *BODY, "left", "no-look", "only-watching", "started"),
)
async def take_look(code: Code, data: JSONBody[TakeLook], request: Asked, registry: Theirs) -> None:
    """Take a colour, an animal or a token that nobody has; ask whoever has it to exchange theirs."""
    table, person = await met(code, request, registry)
    await table.ask(joining.TakeLook(person, data.look))


@post(
    "/tables/{code:str}/look/answer",
    status_code=204,
    tags=["tables"],
    responses=refusals(*PERSON, *BODY, "left", "not-asked", "only-watching", "started"),
)
async def answer_look(code: Code, data: JSONBody[AnswerPerson], request: Asked, registry: Theirs) -> None:
    """Exchange looks with somebody who asks for yours, or say no."""
    table, person = await met(code, request, registry)
    await table.ask(joining.AnswerLook(person, data.person, data.agrees))


@post(
    "/tables/{code:str}/seat/ask",
    status_code=204,
    tags=["tables"],
    responses=refusals(*PERSON, *BODY, "not-playing", "taken", "unknown-person"),
)
async def ask_seat(code: Code, data: JSONBody[AskSeat], request: Asked, registry: Theirs) -> None:
    """Ask the host for the seat of a bot during the game; where latecomers are welcome it is taken at once."""
    table, person = await met(code, request, registry)
    await table.ask(joining.AskSeat(person, data.seat))


@post(
    "/tables/{code:str}/seat/answer",
    status_code=204,
    tags=["tables"],
    responses=refusals(*HOST, *BODY, "not-asked", "not-playing"),
)
async def answer_seat(code: Code, data: JSONBody[AnswerPerson], request: Asked, registry: Theirs) -> None:
    """Let somebody who has asked sit down for a bot, or not; for the host."""
    table, person = await met(code, request, registry)
    await table.ask(joining.AnswerSeat(person, data.person, data.agrees))


@post("/tables/{code:str}/host", status_code=204, tags=["people"], responses=refusals(*HOST, *BODY, "unknown-person"))
async def pass_host(code: Code, data: JSONBody[About], request: Asked, registry: Theirs) -> None:
    """Make somebody host; a player may take over from a host who has been away for a minute."""
    table, person = await met(code, request, registry)
    await table.ask(
        host.PassHost(person, data.person, table.now() - table.presence.away_since(table.memory.lobby.host))
    )


@post(
    "/tables/{code:str}/remove",
    status_code=204,
    tags=["people"],
    responses=refusals(*HOST, *BODY, "unknown-person", "yourself"),
)
async def remove_person(code: Code, data: JSONBody[About], request: Asked, registry: Theirs) -> None:
    table, person = await met(code, request, registry)
    await table.ask(Remove(person, data.person))


@post(
    "/tables/{code:str}/refuse-name",
    status_code=204,
    tags=["people"],
    responses=refusals(*HOST, *BODY, "unknown-person"),
)
async def refuse_name(code: Code, data: JSONBody[About], request: Asked, registry: Theirs) -> None:
    table, person = await met(code, request, registry)
    await table.ask(host.RefuseName(person, data.person))


@post("/tables/{code:str}/mute", status_code=204, tags=["people"], responses=refusals(*HOST, *BODY, "unknown-person"))
async def mute_person(code: Code, data: JSONBody[MutePerson], request: Asked, registry: Theirs) -> None:
    table, person = await met(code, request, registry)
    await table.ask(host.Mute(person, data.person, data.muted))


@post("/tables/{code:str}/sign-out", status_code=204, tags=["people"], responses=refusals(*PERSON))
async def sign_out(code: Code, request: Asked, registry: Theirs) -> None:
    """Sign all your other devices out."""
    table, person = await met(code, request, registry)
    await table.ask(joining.SignOut(person, known_token(request, table) or ""))


@post("/tables/{code:str}/access", status_code=204, tags=["people"], responses=refusals(*HOST, *BODY, "lesson"))
async def set_access(code: Code, data: JSONBody[Access], request: Asked, registry: Theirs) -> None:
    """Lock or unlock the table, and choose who may watch; for the host."""
    table, person = await met(code, request, registry)
    await table.ask(SetAccess(person, data.locked, data.spectators, data.latecomers))


@post("/tables/{code:str}/pace", status_code=204, tags=["tables"], responses=refusals(*HOST, *BODY))
async def set_pace(code: Code, data: JSONBody[SetPace], request: Asked, registry: Theirs) -> None:
    """Choose how long bots take over their moves; for the host."""
    table, person = await met(code, request, registry)
    await table.ask(host.SetPace(person, data.pace))


@post(
    "/tables/{code:str}/ban",
    status_code=204,
    tags=["people"],
    responses=refusals(*HOST, *BODY, "full", "unknown-person", "yourself"),
)
async def ban_person(code: Code, data: JSONBody[About], request: Asked, registry: Theirs) -> None:
    """Show somebody out for good; for the host."""
    table, person = await met(code, request, registry)
    await table.ask(Remove(person, data.person, ban=True))


@get("/tables/{code:str}/bans", tags=["people"], responses=refusals(*HOST))
async def list_bans(code: Code, request: Asked, registry: Theirs) -> list[BanSeen]:
    """Name those who may not come back; for the host."""
    table, person = await met(code, request, registry)
    found = await table.read(lambda memory: bans(memory, person))
    return [BanSeen(number, name) for number, name in found.items()]


@post("/tables/{code:str}/unban", status_code=204, tags=["people"], responses=refusals(*HOST, *BODY, "unknown-person"))
async def lift_ban(code: Code, data: JSONBody[Unban], request: Asked, registry: Theirs) -> None:
    """Let somebody come back; for the host."""
    table, person = await met(code, request, registry)
    await table.ask(LiftBan(person, data.ban))


PEOPLE = (
    take_look,
    answer_look,
    ask_seat,
    answer_seat,
    forget_me,
    mint_link,
    redeem_link,
    sign_out,
    pass_host,
    remove_person,
    ban_person,
    list_bans,
    lift_ban,
    set_access,
    set_pace,
    refuse_name,
    mute_person,
)
