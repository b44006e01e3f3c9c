"""The rights of a host: each tried in every state of a table, by the host, a player and a spectator."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest

from jamboree.server.errors import Refused
from jamboree.server.live.commands.base import Command
from jamboree.server.live.commands.host import (
    Arrange,
    AskPause,
    Ban,
    Expire,
    LiftBan,
    Mute,
    PassHost,
    RefuseName,
    Remove,
    SeatBot,
    SetAccess,
    changed,
)
from jamboree.server.live.commands.joining import Join, TakeSeat
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.registry import Registry
from jamboree.server.live.table import Table
from jamboree.server.protocol.terms import Status
from jamboree.server.store.store import Store

from ...bench.fake_time import settled
from ...bench.local import Client, a_registry, gathered, play_on

HOST, PLAYER, SPECTATOR, OTHER = "p1", "p2", "p3", "p4"
YES = "done"
Attempt = Callable[[Table, str], tuple[Command, str]]

RIGHTS: dict[str, tuple[Attempt, dict[Status, str]]] = {
    "start": (lambda _, who: (Start(), who), {Status.GATHERING: YES}),
    "set up": (
        lambda table, who: (Arrange(changed(table.state.roster, {"listed": False}), frozenset({"listed"})), who),
        {Status.GATHERING: YES},
    ),
    "seat a bot": (lambda _, who: (SeatBot(2, "regular"), who), {Status.GATHERING: YES}),
    "swap seats": (lambda _, who: (TakeSeat(1, OTHER), who), {Status.GATHERING: YES}),
    "pause": (lambda _, who: (AskPause(True, id="1"), who), {Status.PLAYING: YES}),
    "remove": (lambda _, who: (Remove(OTHER), who), dict.fromkeys(Status, YES)),
    "ban": (lambda _, who: (Ban(OTHER), who), dict.fromkeys(Status, YES)),
    "lift a ban": (lambda _, who: (LiftBan(0), who), {}),
    "lock": (lambda _, who: (SetAccess(locked=True), who), dict.fromkeys(Status, YES)),
    "mute": (lambda _, who: (Mute(OTHER, True), who), dict.fromkeys(Status, YES)),
    "refuse a name": (lambda _, who: (RefuseName(OTHER), who), dict.fromkeys(Status, YES)),
    "pass host": (lambda _, who: (PassHost(OTHER), who), dict.fromkeys(Status, YES)),
}
OTHERWISE = {"pause": "not-playing", "lift a ban": "unknown-person"}  # besides "started"


async def brought(registry: Registry, status: Status) -> Table:
    """Bring a table with two players, a bot and two spectators to a state."""
    code, tickets = await gathered(registry, seats=3, bots={2: "rookie"})
    table = registry.tables[code]
    watching = [await table.ask(Join(name, watch=True)) for name in ("Wim", "Xandra")]
    assert [ticket.person for ticket in (*tickets, *watching)] == [HOST, PLAYER, SPECTATOR, OTHER]
    clients = [Client(registry, code, ticket.token) for ticket in tickets]
    for client in clients:
        await client.hello()
    if status == Status.CLOSED:
        await table.ask(Expire())
    elif status != Status.GATHERING:
        await table.ask(Start(), HOST)
    if status in (Status.PLAYING, Status.FINISHED):
        for number, client in enumerate(clients):
            await client.send(type="seed", id="seed", seed=f"{number}")
    async with asyncio.timeout(20):
        while status == Status.FINISHED != table.state.roster.status:
            await play_on(clients, random.Random(1))
            await asyncio.sleep(0.001)
    await settled(table)  # the bot has moved
    assert table.state.roster.status == status
    return table


async def outcome(table: Table, command: Command, person: str) -> str:
    try:
        await table.ask(command, person)
    except Refused as refusal:
        return refusal.code
    return YES


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("right", RIGHTS)
async def test_every_right_in_every_status_of_a_table(store: Store, right: str, status: Status) -> None:
    asking, allowed = RIGHTS[right]
    async with a_registry(store) as registry:
        table = await brought(registry, status)
        before = table.state.seq
        for who in (PLAYER, SPECTATOR):
            assert await outcome(table, *asking(table, who)) in ("host-only", "started", "taken"), who
        assert table.state.seq == before, "what was refused has changed nothing"
        expected = allowed.get(status, OTHERWISE.get(right, "started"))
        assert await outcome(table, *asking(table, HOST)) == expected


async def rematched(registry: Registry) -> tuple[Table, list[Any]]:
    code, tickets = await gathered(registry)
    table = registry.tables[code]
    await table.ask(Start(), HOST)
    clients = [Client(registry, code, ticket.token) for ticket in tickets]
    for client in clients:
        await client.hello()
    await play_on(clients, random.Random(1))
    return await registry.table(await registry.rematch(code, HOST)), tickets


async def test_a_rematch_waits_for_invited_players(store: Store) -> None:
    async with a_registry(store) as registry:
        table, (_, bob) = await rematched(registry)
        assert await outcome(table, Start(), HOST) == "not-arrived"
        assert [each.invited for each in (await table.inspect()).people] == [False, True]
        await Client(registry, table.code, bob.token).hello()
        assert await outcome(table, Start(), HOST) == YES


async def test_the_host_can_start_a_rematch_without_absent_players(store: Store) -> None:
    async with a_registry(store) as registry:
        table, _ = await rematched(registry)
        await table.ask(Remove(PLAYER), HOST)
        await table.ask(SeatBot(1, "rookie"), HOST)
        assert await outcome(table, Start(), HOST) == YES
