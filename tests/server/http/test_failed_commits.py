"""Decisions that are not stored yet are shown to nobody."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from jamboree.server.errors import Refused
from jamboree.server.live.commands.host import Ban, SetAccess
from jamboree.server.live.commands.joining import Join, TakeSeat
from jamboree.server.live.commands.playing import Start
from jamboree.server.protocol.terms import Status
from jamboree.server.store import Append, StoreError
from jamboree.server.store.store import Store

from ..bench.local import EVERY
from ..bench.online import Answer, Online, online


class Hanging:
    """Holds up one kind of record until it fails; bots may move meanwhile."""

    def __init__(self, store: Store, kind: str) -> None:
        self.kind, self.begun, self.over = kind, asyncio.Event(), asyncio.Event()
        self.append, store.append = store.append, self.hang  # type: ignore[method-assign]

    async def hang(self, append: Append) -> None:
        if f'"{self.kind}"' not in str(append.records):
            await self.append(append)
            return
        self.begun.set()
        await self.over.wait()
        raise StoreError("The disk is full.")


async def asked_meanwhile(
    store: Store, kind: str, change: Awaitable[Any], ask: Callable[[], Awaitable[Answer]]
) -> Answer:
    """Send a request while a commit hangs that then fails; return its response, which must wait for the commit."""
    hanging = Hanging(store, kind)
    changing = asyncio.ensure_future(change)
    await hanging.begun.wait()
    answer = asyncio.ensure_future(ask())
    await asyncio.sleep(0.2)
    assert not answer.done()
    hanging.over.set()
    try:
        await changing
    except Refused as refusal:
        assert refusal.code == "not-saved"
    else:
        raise AssertionError("what could not be kept was granted")
    store.append = hanging.append  # type: ignore[method-assign]
    return await answer


async def a_game(server: Online) -> tuple[Any, str, str]:
    """Start a game with a bot whose hand is hidden, and a spectator."""
    bots = {"1": "regular"}
    opened = {"game": "bebop", "seats": 2, "name": "Ada", "bots": bots, "options": {"hidden_hands": True}}
    host = (await server.post("/api/v1/tables", {**opened, "start": True})).body
    table = await server.registry.table(host["table"])
    while await table.read(lambda state: state.roster.status) != Status.PLAYING:
        await asyncio.sleep(0.05)
    await table.ask(SetAccess(latecomers=True), "p1")
    bob = await table.ask(Join("Bob", watch=True))
    return table, host["token"], bob.token


def by(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def test_an_unstored_seat_shows_no_hand(store: Store) -> None:
    async with online(store, games=EVERY) as server:
        table, _, bob = await a_game(server)
        path, person = f"/api/v1/tables/{table.code}/log", table.authenticate(bob)
        before = await server.get(path, **by(bob))
        asked = await asked_meanwhile(
            store, "Moved", table.ask(TakeSeat(1, person), person), lambda: server.get(path, **by(bob))
        )
        assert asked.body[: len(before.body)] == before.body
        assert table.state.roster.people[person].seat is None


async def test_an_unstored_ban_is_not_listed(store: Store) -> None:
    async with online(store, games=EVERY) as server:
        table, ada, bob = await a_game(server)
        ban = table.ask(Ban(table.authenticate(bob)), "p1")
        path = f"/api/v1/tables/{table.code}/bans"
        assert (await asked_meanwhile(store, "Banned", ban, lambda: server.get(path, **by(ada)))).body == []


async def test_an_unstored_commitment_is_not_binding(store: Store) -> None:
    async with online(store, games=EVERY) as server:
        host = (await server.post("/api/v1/tables", {"game": "bebop", "seats": 2, "name": "Ada"})).body
        table = await server.registry.table(host["table"])
        await table.ask(Join("Bob"))
        path = f"/api/v1/tables/{table.code}/fairness"
        seen = await asked_meanwhile(store, "Committed", table.ask(Start(), "p1"), lambda: server.get(path))
        assert seen.body["commitment"] == ""
