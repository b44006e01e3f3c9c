"""Forks of a finished game."""

import asyncio
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.core.fair import check_luck
from jamboree.core.game import Eye
from jamboree.core.journal import Journal, check, read, state_hash, steps, write
from jamboree.server.errors import Refused
from jamboree.server.live.commands.host import SeatBot
from jamboree.server.live.commands.joining import Join
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.registry import Registry
from jamboree.server.live.replay import journal_of
from jamboree.server.store.store import Store

from ..bench.fake_time import FakeTime
from ..bench.local import EVERY, Client, a_registry, play_on, started
from ..bench.online import online
from ..http.test_http import bearer, finished
from .commands.test_undo import played_with_undos
from .test_fairness import standalone

TABLES = "/api/v1/tables"


async def journal_at(registry: Registry, code: str) -> Journal:
    return journal_of(await registry.store.history(code), code)


async def taken_up(registry: Registry, code: str, person: str, step: int, token: str | None) -> list[Client]:
    """Fork a game, fill the free seats and start; return the clients by seat."""
    new = await registry.fork(code, person, step)
    table = await registry.table(new)
    tokens = {table.state.roster.people["p1"].seat: token}
    for name in ("Eve", "Fay", "Gus", "Hal")[: len(table.state.roster.free_seats())]:
        ticket = await table.ask(Join(name))
        tokens[ticket.seat] = ticket.token
    await table.ask(Start(), "p1")
    clients = [Client(registry, new, tokens[seat]) for seat in range(table.state.roster.seats)]
    for client in clients:
        await client.hello()
    return clients


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("high-card", 3, {}),
        ("bebop", 2, {}),
        ("bebop", 3, {}),
        ("bpm", 2, {"hypemaster": True}),
        ("boogie", 3, {}),
    ],
)
async def test_a_game_is_forked_at_any_step_played_and_verified(
    store: Store, tmp_path: Path, game: str, seats: int, options: dict[str, Any]
) -> None:
    rng, rules = random.Random(5), EVERY[game]
    async with a_registry(store, EVERY) as registry:
        clients = await started(registry, game, seats, **options)
        await play_on(clients, rng)
        code = clients[1].session.code
        first = await journal_at(registry, code)
        views = [rules.view(step.state, Eye.ALL) for step in steps(first, rules)]
        last = len(first.entries) - 1
        for step in (0, rng.randrange(1, last), last):
            again = await taken_up(registry, code, "p2", step, clients[1].token)
            table = registry.tables[again[0].session.code]
            assert rules.view(table.state.position, Eye.ALL) == views[step]
            assert again[1].table["forked_from"] == {"table": code, "step": step}
            assert again[1].session.person == again[1].table["host"] == "p1"
            assert again[1].undo is None, "what was inherited is not theirs to take back"
            assert again[1].table["commitment"] not in ("", clients[1].table["commitment"])
            await play_on(again, rng)
            journal = await journal_at(registry, table.code)
            assert journal.entries[:step] == first.entries[:step]
            assert [part.since for part in journal.fairness] == [0, step + 1]
            assert [part.table for part in journal.fairness] == [code, table.code]
            assert check(read(write(journal).encode()), rules)
            assert sum(check_luck(journal)) == sum(
                len(picks) for picks in (journal.setup, *(each.picks for each in journal.entries))
            )
            path = tmp_path / f"{step}.json"
            path.write_text(write(journal), encoding="utf-8")
            assert standalone(path, again[0].table["commitment"]).returncode == 0
            if game != "high-card":
                result = CliRunner().invoke(app, ["verify", str(path)])
                assert result.exit_code == 0, result.output
                assert f"Luck from step {step + 1} on" in result.stdout


async def test_both_parts_of_a_forked_journal_are_verified(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry)
        await play_on(clients, random.Random(1))
        again = await taken_up(registry, clients[0].session.code, "p1", 2, clients[0].token)
        await play_on(again, random.Random(2))
        journal = await journal_at(registry, again[0].session.code)
    check_luck(journal)
    for part in range(2):
        wrong = msgspec.convert(msgspec.to_builtins(journal), Journal)
        wrong.fairness[part].seeds[0] = "ab"
        with pytest.raises(Exception, match="does not follow from the seeds"):
            check_luck(wrong)


async def test_a_fork_of_a_fork_with_undos_survives_a_restart(store: Store) -> None:
    rules = EVERY["bebop"]
    async with a_registry(store, seed=8) as registry:
        clients = await played_with_undos(registry, 3)
        code = clients[0].session.code
        first = await journal_at(registry, code)
        back = next(number for number, entry in enumerate(first.entries, 1) if entry.undo is not None)
        again = await taken_up(registry, code, "p1", back + 1, clients[0].token)
        rng, free = random.Random(1), list[Client]()
        while not free:
            await play_on(again, rng, 20)
            free = [client for client in again if client.undo and client.undo["rule"] == "free"]
        (mover,) = free
        assert (await mover.send(type="undo", id="back"))["type"] == "ack"
        second, tokens = again[0].session.code, [client.token for client in again]
        before = [(client.seq, client.position) for client in again]
    async with a_registry(store) as registry:
        again = [Client(registry, second, token) for token in tokens]
        for client in again:
            await client.hello()
        assert [(client.seq, client.position) for client in again] == before
        await play_on(again, random.Random(2))
        middle = await journal_at(registry, second)
        step = len(middle.entries) - 5
        last = await taken_up(registry, second, "p1", step, again[0].token)
        await play_on(last, random.Random(3))
        journal = await journal_at(registry, last[0].session.code)
    assert [part.since for part in journal.fairness] == [0, back + 2, step + 1]
    assert sum(entry.undo is not None for entry in journal.entries[:step]) >= 2
    assert check(read(write(journal).encode()), rules)
    check_luck(journal)


async def test_an_incomplete_fork_survives_a_restart(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry)
        await play_on(clients, random.Random(1))
        new = await registry.fork(clients[0].session.code, "p1", 3)
        table = await registry.table(new)
        for _ in range(40):  # more than a snapshot apart
            await table.ask(Join("Eve", watch=True))
    async with a_registry(store) as registry:
        table = await registry.table(new)
        assert (await store.load(new)).snapshot
        await table.ask(Join("Bob"))
        await table.ask(Start(), "p1")
        assert table.state.roster.status == "playing"
        assert table.state.hash == (await table_hash(registry, clients[0].session.code, 3))


async def table_hash(registry: Registry, code: str, step: int) -> str:
    journal = await journal_at(registry, code)
    (state,) = (each.state.clone() for each in steps(journal, EVERY["high-card"]) if each.number == step)
    return state_hash(state)


async def test_a_spectator_takes_a_free_seat_of_a_fork(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry)
        table = registry.tables[clients[0].session.code]
        subscriber = await table.ask(Join("Wim", watch=True))
        await play_on(clients, random.Random(1))
        new = await registry.table(await registry.fork(table.code, subscriber.person, 1))
        assert new.authenticate(subscriber.token) == "p1"
        assert new.state.roster.people["p1"].seat == 0
        assert new.state.roster.free_seats() == [1]


async def test_only_steps_of_finished_games_can_be_forked(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry)
        code = clients[0].session.code
        with pytest.raises(Refused) as refusal:
            await registry.fork(code, "p1", 0)
        assert refusal.value.code == "not-finished"
        await play_on(clients, random.Random(1))
        for step in (-1, len((await journal_at(registry, code)).entries), 10_000):
            with pytest.raises(Refused) as refusal:
                await registry.fork(code, "p1", step)
            assert refusal.value.code == "no-step"


async def test_a_game_is_forked_over_http(store: Store) -> None:
    async with online(store) as server:
        tickets = await finished(server)
        code = tickets[0]["table"]
        assert (await server.post(f"{TABLES}/{code}/fork", {"step": 1})).status == 401
        assert (
            await server.post(f"{TABLES}/{code}/fork", {"step": 99}, authorization=bearer(tickets[1]))
        ).status == 409
        new = (await server.post(f"{TABLES}/{code}/fork", {"step": 1}, authorization=bearer(tickets[1]))).body["table"]
        seen = (await server.get(f"{TABLES}/{new}")).body
        assert seen["forked_from"] == {"table": code, "step": 1}
        assert [(each["name"], each["seat"]) for each in seen["people"]] == [("Bob", 1)]
        assert (await server.get(f"{TABLES}/{new}/journal")).status == 409
        other = (await server.post(f"{TABLES}/{new}/join", {"name": "Eve"})).body
        assert other["seat"] == 0
        assert (await server.post(f"{TABLES}/{new}/start", authorization=bearer(tickets[1]))).status == 204
        assert (await server.get(f"{TABLES}/{new}")).body["status"] == "playing"


async def test_a_fork_keeps_seats_and_options(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, seats=3)
        await play_on(clients, random.Random(1))
        new = await registry.fork(clients[0].session.code, "p1", 2)
        for changes in ({"seats": 2}, {"options": {"timed": True}}):
            with pytest.raises(Refused) as refusal:
                await registry.arrange(new, "p1", changes)
            assert refusal.value.code == "forked"
        await registry.arrange(new, "p1", {"listed": False})


async def test_bots_can_replace_people_in_a_fork(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 3)
        await play_on(clients, random.Random(1))
        new = await registry.fork(clients[0].session.code, "p1", 30)
        table = await registry.table(new)
        for seat in table.state.roster.free_seats():
            await table.ask(SeatBot(seat, "rookie"), "p1")
        await table.ask(Start(), "p1")
        alone = Client(registry, new, clients[0].token)
        await alone.hello()
        rng = random.Random(2)
        while alone.table["status"] == "playing":
            if alone.legal():
                await alone.act(rng.choice(alone.legal()), f"{alone.seq}")
            await asyncio.sleep(0)
        journal = await journal_at(registry, new)
        assert check(journal, EVERY["bebop"])
        check_luck(journal)


async def test_a_timed_game_stays_timed_in_a_fork(store: Store) -> None:
    now, rng = FakeTime(), random.Random(4)
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "boogie", 3, pace="standard")
        while clients[0].table["status"] == "playing":
            await play_on(clients, rng, 20)
            await now.goes_by(registry, 5)
        first = await journal_at(registry, clients[0].session.code)
        step = len(first.entries) // 2
        again = await taken_up(registry, clients[0].session.code, "p1", step, clients[0].token)
        table = registry.tables[again[0].session.code]
        welcome = next(message for message in reversed(again[0].received) if message["type"] == "welcome")
        assert welcome["clock"]["running"]
        before = table.state.seq
        await now.goes_by(registry, 600)
        assert table.state.seq > before, "time was up"
        while again[0].table["status"] == "playing":
            await play_on(again, rng, 20)
            await now.goes_by(registry, 5)
        journal = await journal_at(registry, table.code)
        assert check(journal, EVERY["boogie"])
        check_luck(journal)
