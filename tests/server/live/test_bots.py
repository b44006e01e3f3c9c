"""Bots at live tables: they take seats, play at a human's pace in separate processes, and may fail."""

import asyncio
import json
import random
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from jamboree.bots import Level
from jamboree.core.journal import check, read
from jamboree.server.http import sockets
from jamboree.server.live.bots.pool import BotPool, Choice, Renewed
from jamboree.server.live.bots.worker import Question
from jamboree.server.live.clock import Tempo
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.registry import Registry
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import Store

from ..bench.fake_time import FakeTime, settled, until
from ..bench.local import EVERY, Client, Thinking, a_registry, started
from ..bench.online import Online, Player, online

TABLES = "/api/v1/tables"


async def opened(server: Online, game: str, seats: int, **more: Any) -> dict[str, Any]:
    """Open a table whose other seats have bots, and begin."""
    bots = {str(seat): ("regular", "rookie")[seat % 2] for seat in range(1, seats)}
    body = {"game": game, "seats": seats, "name": "Ada", "bots": bots, "start": True, **more}
    answer = await server.post(TABLES, body)
    assert answer.status == 201, answer
    ticket: dict[str, Any] = answer.body
    return ticket


async def play_along(player: Player, rng: random.Random) -> None:
    """Add a seed, and take any action whenever there is one, until the game is over."""
    number = 0
    await player.send(type="seed", id="seed", seed="ab")
    while not player.position:
        await player.take()
    while not player.position["outcome"]:
        legal = player.legal()
        if legal and rng.random() < 0.8:
            number += 1
            await player.send(type="act", id=f"{number}", action=rng.choice(legal))
            await player.until("ack", "error")
        elif not player.position["outcome"]:
            with suppress(TimeoutError):
                async with asyncio.timeout(0.3):
                    await player.take()


@pytest.mark.parametrize(("game", "seats"), [("bebop", 3), ("bpm", 4), ("boogie", 4)])
async def test_one_person_plays_a_whole_game_with_bots(
    store: Store, game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "MAX_MESSAGES", 100_000)
    pool = BotPool(5.0)
    async with online(store, games=EVERY, thinker=pool) as server:
        ticket = await opened(server, game, seats)
        async with server.socket(ticket["table"]) as socket:
            player = Player(socket)
            welcome = await player.hello(ticket["token"])
            bots = welcome["table"]["bots"]
            assert [(bot["seat"], bot["level"]) for bot in bots] == [
                (seat, ("regular", "rookie")[seat % 2]) for seat in range(1, seats)
            ]
            await player.send(type="seed", id="seed", seed="ada")
            while player.position is None:
                await player.take()
            await play_along(player, random.Random(1))
        journal = read(json.dumps((await server.get(f"{TABLES}/{ticket['table']}/journal")).body).encode())
        assert journal.header.names == ["Ada", *(bot["name"] for bot in bots)]
        assert check(journal, EVERY[game])
        assert server.registry.bot_metrics.bot_moves > 10
        assert server.registry.bot_metrics.fallbacks == 0


@pytest.mark.parametrize(("game", "seats"), [("bebop", 4), ("bpm", 2), ("boogie", 8)])
async def test_bots_play_each_other_while_watched(store: Store, game: str, seats: int) -> None:
    async with a_registry(store, EVERY) as registry:
        bots = {seat: ("regular", "rookie")[seat % 2] for seat in range(seats)}
        code, ticket = await registry.open(OpenTable(game=game, seats=seats, name="Ada", bots=bots))  # type: ignore[arg-type]
        assert ticket.seat is None, "every seat is taken"
        table = await registry.table(code)
        await table.ask(Start(), ticket.person)
        seq = table.state.seq
        await settled(table)
        assert (table.state.roster.status, table.state.seq) == ("playing", seq), "nobody looks"
        stranger = Client(registry, code)
        await stranger.hello()
        await until(lambda: bool(stranger.position["outcome"]))
        assert registry.bot_metrics.fallbacks == registry.bot_metrics.stood_in == 0


async def test_a_bot_moves_at_human_speed(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now, tempo=Tempo(thinking=(2.0, 3.0), forced=(2.0, 3.0))) as registry:
        ada, bob = await started(registry, "high-card", 3, bots={1: "regular"})
        await now.goes_by(registry, 1.99)
        assert ada.position["view"]["laid"] == [False, False, False]
        await now.goes_by(registry, 1.02)
        assert ada.position["view"]["laid"] == [False, True, False]
        assert bob.legal()


async def test_bots_spread_their_cards_over_a_timed_phase(store: Store) -> None:
    now, laid = FakeTime(), list[int]()
    async with a_registry(store, EVERY, now=now, tempo=Tempo()) as registry:
        bots = dict.fromkeys(range(1, 6), "regular")
        (ada,) = await started(registry, "boogie", 6, bots=bots, pace="standard")
        while ada.position["view"]["phase"] != "jump":
            await now.goes_by(registry, 1.0)
        while ada.position["view"]["phase"] == "jump":
            laid.append(len(ada.position["view"]["plays"]))
            await now.goes_by(registry, 1.0)
    assert len(laid) > 55, "nobody has to wait for the bots' last cards, but Ada was not done"
    assert laid[10] < laid[40], "some lay late"
    assert len({laid[second] for second in range(0, 58, 5)}) >= 5, "they do not lay all at once"
    assert laid[10] < laid[-1] / 2


async def test_bots_are_ready_soon_after_all_people(store: Store) -> None:
    """Also where they would speak on, search, or wait for a moment of their own."""
    now, later = FakeTime(), 0.0
    tempo = Tempo(thinking=(0.8, 2.5), forced=(0.3, 0.8))
    bots: dict[int, Level] = {2: "rookie", 3: "regular", 4: "regular"}
    async with a_registry(store, EVERY, now=now, tempo=tempo) as registry:
        ada, bob = await started(registry, "boogie", 5, bots=bots, pace="standard")
        await in_plane(registry, now, [ada, bob])
        await bob.act({"type": "SayReady"}, "bob")
        await now.goes_by(registry, 1.0)
        assert ada.position["view"]["phase"] == "plane", "one person may still talk"
        await ada.act({"type": "SayReady"}, "ada")
        while ada.position["view"]["phase"] == "plane" and later < 20:
            later += 0.25
            await now.goes_by(registry, 0.25)
        assert later <= 3


async def in_plane(registry: Registry, now: FakeTime, people: list[Client]) -> None:
    for client in people:
        if client.position["view"]["phase"] == "preparation":
            await client.act({"type": "SayReady"}, f"aboard {client.token}")
    for _ in range(40):
        if people[0].position["view"]["phase"] == "plane":
            return
        await now.goes_by(registry, 0.25)
    raise AssertionError("the plane does not leave")


async def test_a_bot_answers_every_deal_with_a_private_message(store: Store) -> None:
    """An impossible deal is refused in a whisper that nobody else receives."""
    now = FakeTime()
    tempo = Tempo(thinking=(0.1, 0.2), forced=(0.1, 0.2))
    async with a_registry(store, EVERY, now=now, tempo=tempo) as registry:
        ada, bob = await started(registry, "boogie", 3, bots={2: "rookie"}, pace="standard")
        await in_plane(registry, now, [ada, bob])
        solo = {"number": 1, "solo": 0}
        deal: list[dict[str, Any]] = [
            {"type": "PromiseTo", "to": 2},
            {"type": "AskInExchange", "term": {"pledge": "figures", "jump": solo, "worth": 12}},
            {"type": "Promise", "term": {"pledge": "harmless", "jump": {"number": 1, "solo": 1}}},
        ]
        for number, action in enumerate(deal):
            assert (await ada.act(action, str(number)))["type"] == "ack"
        before = len(bob.received)
        for _ in range(40):
            await now.goes_by(registry, 0.25)
        message = [received["message"] for received in ada.received if received["type"] == "chat"]
        answered = [made for made in ada.position["view"]["promises"] if (made["seat"], made["to"]) == (2, 0)]
        assert [line["audience"] for line in message] == ["whisper"] * len(message)
        assert len(message) + len(answered) == 1
        assert not any(received["type"] == "chat" for received in bob.received[before:])


async def test_metrics_count_bot_moves(store: Store) -> None:
    async with online(store, games=EVERY) as server:
        server.registry.bot_metrics.bot_moves, server.registry.bot_metrics.expiries = 3, 5
        text = await server.metrics()
        for line in ("bot_fallback_share 0.0", "bot_unsearched_total 0", "bot_wait_seconds_count 0"):
            assert f"\njamboree_{line}\n" in text
        for line in ("bot_moves_total 3", "clock_expiries_total 5", "stood_in_total 0", "bot_fallbacks_total 0"):
            assert f"\njamboree_{line}\n" in text
        for line in ("hint_failures_total 0", "hint_wait_seconds_count 0", "hint_thinking_seconds_count 0"):
            assert f"\njamboree_{line}\n" in text


async def test_a_bot_receives_its_own_view_only(store: Store) -> None:
    class Overheard(Thinking):
        async def choose(self, question: Question, renewed: Renewed | None = None) -> Choice:
            questions.append(question)
            return await super().choose(question, renewed)

    questions: list[Question] = []
    async with a_registry(store, EVERY, thinker=Overheard(EVERY)) as registry:
        (ada,) = await started(registry, "bpm", 2, bots={1: "regular"})
        await until(lambda: bool(questions))
        state = registry.tables[ada.session.code].state
        asked = msgspec.json.decode(msgspec.json.encode(questions[0]))
        assert set(asked) == {"bot", "game", "rules", "level", "view", "offers", "seconds", "left", "hint"}
        assert asked["view"]["viewer"] == 1
        mine = {name: value for name, value in ada.position["view"].items() if name == "hands"}
        assert mine != {name: value for name, value in asked["view"].items() if name == "hands"}
        assert state.roster.status == "playing"
