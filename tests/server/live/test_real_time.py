"""Real time over real sockets."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from jamboree.core.game import Timer
from jamboree.games import boogie
from jamboree.games.boogie.rules.state import PHASES
from jamboree.server.http import sockets
from jamboree.server.store.store import Store

from ..bench.fake_time import FakeTime, until
from ..bench.local import EVERY
from ..bench.online import Online, Player, online
from ..bench.timed import READY, SHORT, cards_of

TABLES = "/api/v1/tables"


def hasty(state: Any) -> Timer | None:
    """Return seconds that are short, for people who have no time."""
    timer = boogie.game.timer(state)
    return timer and Timer(timer.number, timer.seconds / 25)


HASTY: Any = replace(boogie.game, rulebook=replace(boogie.game.rulebook, timer=hasty))


def progress(player: Player) -> tuple[int, int]:
    """Say how far the game is as a player sees it; their numbers count what each has witnessed."""
    return player.position["view"]["jumprun"], PHASES.index(player.position["view"]["phase"])


async def test_a_timed_game_is_played_to_its_end_over_sockets(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """One player keeps quiet, so that every phase ends by the clock; another plays too late on purpose."""
    games = {"boogie": HASTY}
    async with online(store, games=games) as server:
        body = {"game": "boogie", "seats": 4, "name": "Ada", "bots": {"2": "regular", "3": "rookie"}}
        ada = (
            await server.post(
                "/api/v1/tables", {**body, "options": {"pace": "own", "plane_seconds": 10, "jump_seconds": 10}}
            )
        ).body
        code = ada["table"]
        bob = (await server.post(f"/api/v1/tables/{code}/join", {"name": "Bob"})).body
        await server.post(f"/api/v1/tables/{code}/start", authorization=f"Bearer {ada['token']}")
        async with server.socket(code) as one, server.socket(code) as two:
            quiet, eager = Player(one), Player(two)
            await quiet.hello(ada["token"])
            await eager.hello(bob["token"])
            late = 0
            while not quiet.position["outcome"]:
                await quiet.take()
                while progress(eager) < progress(quiet):
                    await eager.take()
                phase, cards = (
                    eager.position["view"]["phase"],
                    [each for each in eager.legal() if each["type"] == "PlayCard"],
                )
                if phase == "pulled" and cards and late < 2:
                    late += (await eager.act(cards[0], f"late {late}"))["type"] == "ack"
            types = [event["type"] for event in quiet.events]
        assert late == types.count("CardLate") == 2
        assert types.count("PullCalled") == 4
        assert all(event["by_clock"] for event in quiet.events if event["type"] == "PullCalled")


async def jumping_online(server: Online) -> list[dict[str, Any]]:
    """Bring a table of three to the jump, and return their places."""
    ada = (await server.post(TABLES, {"game": "boogie", "seats": 3, "name": "Ada", "options": SHORT})).body
    tickets = [ada]
    for name in ("Bob", "Cleo"):
        tickets.append((await server.post(f"{TABLES}/{ada['table']}/join", {"name": name})).body)
    await server.post(f"{TABLES}/{ada['table']}/start", authorization=f"Bearer {ada['token']}")
    return tickets


async def test_messages_are_stamped_while_the_table_is_busy(store: Store) -> None:
    """A card that came in time waits behind another message and a busy table, while the minute ends."""
    now = FakeTime()
    async with online(store, games=EVERY, now=now) as server:
        tickets = await jumping_online(server)
        table = await server.registry.table(tickets[0]["table"])
        async with (
            server.socket(table.code) as one,
            server.socket(table.code) as two,
            server.socket(table.code) as three,
        ):
            players = [Player(one), Player(two), Player(three)]
            for player, ticket in zip(players, tickets, strict=True):
                await player.hello(ticket["token"])
            for phase in range(2):
                for player in players:
                    assert (await player.act(READY, f"{phase}"))["type"] == "ack"
            while players[0].position["view"]["phase"] != "jump":
                await players[0].take()
            early, late = cards_of(players[0].legal())[:2]
            held, free, metrics = asyncio.Event(), asyncio.Event(), server.app.state.metrics

            async def hold() -> None:
                held.set()
                await free.wait()

            busy = asyncio.ensure_future(table.enqueue(hold))
            await held.wait()
            now.value += 19.9
            before = metrics.frames
            await players[0].send(type="why-not", id="first", action=early)
            await players[0].send(type="act", id="early", action=early)
            await until(lambda: metrics.frames == before + 2)
            now.value += 0.2
            await players[0].send(type="act", id="late", action=late)
            await until(lambda: metrics.frames == before + 3)
            free.set()
            await busy
            answers = [await players[0].until("why-not", "ack", "error") for _ in range(3)]
            assert [(answer["id"], answer["type"]) for answer in answers] == [
                ("first", "why-not"),
                ("early", "ack"),
                ("late", "error"),
            ]
            assert answers[2]["detail"]["key"] == "pulled"


async def test_reading_ahead_is_limited(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        table = await server.registry.table(tickets[0]["table"])
        async with server.socket(table.code) as socket:
            player = Player(socket)
            await player.hello(tickets[0]["token"])
            free, metrics = asyncio.Event(), server.app.state.metrics
            busy, before = asyncio.ensure_future(table.enqueue(free.wait)), metrics.frames
            for number in range(80):
                await player.send(type="preview", id=f"{number}", action={"type": "Lay", "slot": 0})
            await until(lambda: metrics.frames - before >= sockets.MAX_PENDING)
            await asyncio.sleep(0.2)  # in which more would come
            assert sockets.MAX_PENDING <= metrics.frames - before <= sockets.MAX_PENDING + 2
            free.set()
            await busy
            answers = [(await player.until("preview"))["id"] for _ in range(80)]
            assert answers == [f"{number}" for number in range(80)]
