"""HTTP for whoever runs the server, behind a token of its own: the load, the tables, and who is kept out."""

import logging
import resource
import time
from math import ceil
from typing import Any

from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody

import jamboree

from ...door.addresses import Network, read_address
from ...door.banned import Banned, read_network
from ...errors import Refused
from ...live.commands.base import BODY, CHANGE
from ...live.commands.host import CloseTable as Close
from ...live.registry import DAY, Registry
from ...live.table import Table
from ...protocol.admin import AdminTable, BanAddress, BannedAddress, CloseTable, LiftAddress, Load, Seen
from ...store import KeepOut
from ..answers import Asked, refusals
from ..gate import FORWARDED, check_form, let_in, origin_of, shows
from .metrics import resident_bytes

log = logging.getLogger(__name__)
RegistryDep = NamedDependency[Registry]
HIDDEN = ("not-found",)  # nobody without the token is told that there is anything here


async def check_token(request: Asked) -> Response[Any] | None:
    """Let in whoever shows the token; for everybody else, and without one, there is nothing."""
    elsewhere = await let_in(request)
    if not shows(request, request.app.state.admin_token):
        raise NotFoundException
    if elsewhere is None:
        check_form(request)
    return elsewhere


@get("/load", responses=refusals(*HIDDEN))
async def show_load(request: Asked, registry: RegistryDep) -> Load:
    """Say how the server is, how busy, and how this request looks from here."""
    state, tables = request.app.state, list(registry.tables.values())
    used = resource.getrusage(resource.RUSAGE_SELF)
    return Load(
        version=jamboree.__version__,
        up=time.time() - state.metrics.started,
        tables=len(tables),
        watched=sum(table.watched for table in tables),
        sockets=state.metrics.sockets,
        connections=state.door.visitors.total if "door" in state else 0,
        waiting=registry.offload.waiting,
        cpu=used.ru_utime + used.ru_stime,
        memory=resident_bytes(),
        trouble=registry.store.trouble or "",
        seen=_seen(request),
    )


def _seen(request: Asked) -> Seen:
    origin = origin_of(request)
    forwarded = [name for name in FORWARDED if name in request.headers]
    return Seen(origin.address, origin.scheme, origin.host, origin.proxied, forwarded)


@get("/tables", responses=refusals(*HIDDEN))
async def list_all_tables(registry: RegistryDep) -> list[AdminTable]:
    """List the tables in memory, those used last first; names of people are not told."""
    return [_card(table) for table in sorted(registry.tables.values(), key=lambda each: each.idle)]


def _card(table: Table) -> AdminTable:
    roster = table.state.roster
    return AdminTable(
        table=table.code,
        game=roster.game,
        status=roster.status,
        seats=roster.seats,
        people=len(roster.people),
        here=len(table.here),
        guests=table.subscribers.connections.guests,
        idle=table.idle,
        listed=roster.listed,
    )


@post("/tables/{code:str}/close", status_code=204, responses=refusals(*HIDDEN, *CHANGE, *BODY, "finished"))
async def close_table(code: FromPath[str], data: JSONBody[CloseTable], registry: RegistryDep) -> None:
    """Close a table for everybody there. What was played stays."""
    await (await registry.table(code)).ask(Close(data.why))
    log.warning("table %s was closed by whoever runs the server", code)


@get("/bans", responses=refusals(*HIDDEN))
async def list_banned(request: Asked) -> list[BannedAddress]:
    banned: Banned = request.app.state.banned
    return [
        BannedAddress(str(network), until, why)
        for network, (until, why) in banned.until.items()
        if until > banned.now()
    ]


@post("/bans", status_code=204, responses=refusals(*HIDDEN, *BODY, "bad-address", "not-kept", "yourself"))
async def ban_address(data: JSONBody[BanAddress], request: Asked, registry: RegistryDep) -> None:
    """Keep an address or network out for some days, also after a restart; who is connected from there is let go."""
    state, network = request.app.state, read_network(data.address)
    mine = read_address(origin_of(request).address)
    if (mine and mine in network) or any(_overlap(each, network) for each in state.proxies.networks):
        raise Refused("yourself", "You, or a proxy everybody comes through, would be kept out by this.")
    until = ceil(state.banned.now() + data.days * DAY)
    await registry.store.keep_out(KeepOut(str(network), until, data.why))
    state.banned.add(network, until, data.why)
    send_away(state)
    log.warning("a network is kept out for %s days", data.days)


def send_away(state: State) -> None:
    """Let go of everybody who is kept out from now on."""
    for socket in [each for each in state.open_sockets if state.banned.keeps_out(each.address)]:
        socket.send_away()


def _overlap(one: Network, other: Network) -> bool:
    return type(one) is type(other) and one.overlaps(other)


@post("/bans/lift", status_code=204, responses=refusals(*HIDDEN, *BODY, "bad-address", "not-banned", "not-kept"))
async def lift_ban(data: JSONBody[LiftAddress], request: Asked, registry: RegistryDep) -> None:
    """Let an address in again, named as it is listed."""
    network = read_network(data.address)
    if network not in request.app.state.banned.until:
        raise Refused("not-banned", "This address is not kept out.")
    await registry.store.keep_out(KeepOut(str(network), 0, ""))
    request.app.state.banned.lift(network)


admin = Router(
    "/api/v1/admin",
    before_request=check_token,
    tags=["admin"],
    response_headers={"cache-control": "no-store"},
    route_handlers=[show_load, list_all_tables, close_table, list_banned, ban_address, lift_ban],
)
