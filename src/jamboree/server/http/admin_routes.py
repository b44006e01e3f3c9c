"""Routes for the operator, behind the admin token: load, tables and address bans."""

import logging
import resource
import time
from math import ceil
from typing import Any

from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody

import jamboree

from ..edge.addresses import Network, read_address
from ..edge.ip_bans import IpBans, read_network
from ..errors import Refused
from ..live.commands.base import BODY, CHANGE
from ..live.commands.host import OperatorClose
from ..live.registry import DAY
from ..live.table import Table
from ..protocol.admin import AdminTable, BanAddress, BannedAddress, CloseTable, LiftAddress, Load, RequestOrigin
from ..store import AddressBan
from .auth import FORWARDED, admit, check_form, has_operator_token, origin_of
from .error_responses import refusals
from .metrics import resident_bytes
from .parameters import ApiRequest, RegistryDep, TableCode

log = logging.getLogger(__name__)
NO_TOKEN = ("not-found",)  # without the token, the routes look as if they did not exist


async def check_token(request: ApiRequest) -> Response[Any] | None:
    """Require the admin token; without it respond 404."""
    elsewhere = await admit(request)
    if not has_operator_token(request, request.app.state.admin_token):
        raise NotFoundException
    if elsewhere is None:
        check_form(request)
    return elsewhere


@get("/load", responses=refusals(*NO_TOKEN))
async def show_load(request: ApiRequest, registry: RegistryDep) -> Load:
    """The server's load, and how it sees this request.

    `up` and `cpu` are seconds, `memory` is bytes, `tables` are those in memory, and `watched` those with connections.
    `waiting` counts queued pieces of heavy work, and `trouble` is what is wrong with the database. `seen` has the
    request's `address`, `scheme` and `host`, whether a trusted proxy forwarded it (`proxied`), and its `forwarded`
    headers.
    """
    state, tables = request.app.state, list(registry.tables.values())
    used = resource.getrusage(resource.RUSAGE_SELF)
    return Load(
        version=jamboree.__version__,
        up=time.time() - state.metrics.started,
        tables=len(tables),
        watched=sum(bool(table.connections) for table in tables),
        sockets=state.metrics.sockets,
        connections=state.edge.table.total if "edge" in state else 0,
        waiting=registry.offload.waiting,
        cpu=used.ru_utime + used.ru_stime,
        memory=resident_bytes(),
        trouble=state.registry.store.trouble or "",
        seen=_seen(request),
    )


def _seen(request: ApiRequest) -> RequestOrigin:
    origin = origin_of(request)
    forwarded = [name for name in FORWARDED if name in request.headers]
    return RequestOrigin(origin.address, origin.scheme, origin.host, origin.proxied, forwarded)


@get("/tables", responses=refusals(*NO_TOKEN))
async def list_all_tables(registry: RegistryDep) -> list[AdminTable]:
    """The tables in memory, the last used first, without names.

    `people` have joined, and `connected` of them are connected. `guests` are connected without having joined. `idle` is
    seconds.
    """
    return [_card(table) for table in sorted(registry.tables.values(), key=lambda each: each.idle)]


def _card(table: Table) -> AdminTable:
    roster = table.state.roster
    return AdminTable(
        table=table.code,
        game=roster.game,
        status=roster.status,
        seats=roster.seats,
        people=len(roster.people),
        connected=len(table.connections.people),
        guests=table.connections.guests,
        idle=table.idle,
        listed=roster.listed,
    )


@post("/tables/{code:str}/close", status_code=204, responses=refusals(*NO_TOKEN, *CHANGE, *BODY, "finished"))
async def close_table(code: TableCode, data: JSONBody[CloseTable], registry: RegistryDep) -> None:
    """Close a table; `reason` is a sentence for the people there. Its history stays."""
    await (await registry.table(code)).ask(OperatorClose(data.reason))
    log.warning("the operator closed table %s", code)


@get("/bans", responses=refusals(*NO_TOKEN))
async def list_banned(request: ApiRequest) -> list[BannedAddress]:
    """The banned networks, each with its end (`until`, in Unix seconds) and a `note`."""
    banned: IpBans = request.app.state.ip_bans
    return [
        BannedAddress(str(network), until, why)
        for network, (until, why) in banned.until.items()
        if until > banned.now()
    ]


@post("/bans", status_code=204, responses=refusals(*NO_TOKEN, *BODY, "bad-address", "not-saved", "yourself"))
async def ban_address(data: JSONBody[BanAddress], request: ApiRequest) -> None:
    """Ban an address or network for some days, across restarts, and close its connections."""
    state, network = request.app.state, read_network(data.address)
    mine = read_address(origin_of(request).address)
    if (mine and mine in network) or any(_overlap(each, network) for each in state.proxies.networks):
        raise Refused("yourself", "This would ban you, or a proxy that all clients come through.")
    until = ceil(state.ip_bans.now() + data.days * DAY)
    await state.registry.store.save_ban(AddressBan(str(network), until, data.note))
    state.ip_bans.add(network, until, data.note)
    close_banned_sockets(state)
    log.warning("the operator banned a network for %s days", data.days)


def close_banned_sockets(state: State) -> None:
    """Close the sockets of banned addresses."""
    for socket in [each for each in state.open_sockets if state.ip_bans.is_banned(each.address)]:
        socket.close_banned()


def _overlap(one: Network, other: Network) -> bool:
    return type(one) is type(other) and one.overlaps(other)


@post("/bans/lift", status_code=204, responses=refusals(*NO_TOKEN, *BODY, "bad-address", "not-banned", "not-saved"))
async def lift_ban(data: JSONBody[LiftAddress], request: ApiRequest) -> None:
    """Lift a ban, named as it is listed."""
    network = read_network(data.address)
    if network not in request.app.state.ip_bans.until:
        raise Refused("not-banned", "This address is not banned.")
    await request.app.state.registry.store.save_ban(AddressBan(str(network), 0, ""))
    request.app.state.ip_bans.lift(network)


admin = Router(
    "/api/v1/admin",
    before_request=check_token,
    tags=["admin"],
    response_headers={"cache-control": "no-store"},
    route_handlers=[show_load, list_all_tables, close_table, list_banned, ban_address, lift_ban],
)
