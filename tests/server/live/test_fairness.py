"""Provably fair randomness of a live table: committed before, revealed after, and never in between."""

import json
import logging
import random
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.core.fair import check_luck, commitment
from jamboree.core.journal import Journal, read, write
from jamboree.server.errors import Refused
from jamboree.server.live import scheduler
from jamboree.server.live.clock import Tempo
from jamboree.server.live.commands.base import Decision
from jamboree.server.live.commands.joining import Leave
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.persistence import Persistence
from jamboree.server.live.records import Started
from jamboree.server.live.registry import Registry
from jamboree.server.live.replay import journal_of
from jamboree.server.store.store import Store

from ..bench.fake_time import FakeTime, until
from ..bench.local import EVERY, Client, a_registry, gathered, play_on, started
from ..bench.online import Player, online

STANDALONE = Path(__file__).parents[3] / "docs" / "verify.py"
SEEDS = ["a1b2c3d4e5f60718", "0123456789abcdef" * 4, "fe", "77"]


async def seated(registry: Registry, game: str = "high-card", seats: int = 2, **options: Any) -> list[Client]:
    """Fill a table and connect everyone, without starting."""
    code, tickets = await gathered(registry, game, seats, **options)
    clients = [Client(registry, code, ticket.token) for ticket in tickets]
    for client in clients:
        await client.hello()
    return clients


async def begin(clients: list[Client]) -> None:
    table = clients[0].session.table
    assert table
    await table.ask(Start(), "p1")


async def add(client: Client, seed: str) -> dict[str, Any]:
    return await client.send(type="seed", id=f"seed {seed[:8]}", seed=seed)


async def begun(registry: Registry, game: str = "high-card", seats: int = 2, **options: Any) -> list[Client]:
    clients = await seated(registry, game, seats, **options)
    await begin(clients)
    for client, seed in zip(clients, SEEDS, strict=False):
        assert (await add(client, seed))["type"] == "ack"
    return clients


async def stored(store: Store, clients: list[Client]) -> Journal:
    code = clients[0].session.code
    return journal_of(await store.history(code), code)


async def test_the_game_starts_when_all_connected_players_added_a_seed(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = clients = await seated(registry)
        assert ada.table["commitment"] == ""
        await begin(clients)
        assert {client.table["status"] for client in clients} == {"seeding"}
        promised = ada.table["commitment"]
        assert len(promised) == 64
        assert (await add(ada, "ab"))["type"] == "ack"
        assert bob.table["status"] == "seeding"
        assert bob.position is None
        assert (await add(bob, "cd"))["type"] == "ack"
        assert {client.table["status"] for client in clients} == {"playing"}
        assert ada.legal()
        assert ada.table["commitment"] == promised
        await play_on(clients, random.Random(1))
        (part,) = (await stored(store, clients)).fairness
        assert (part.commitment, part.seeds) == (promised, ["ab", "cd"])
        assert commitment(part.secret) == promised


async def test_a_missing_seed_does_not_delay_the_start(store: Store) -> None:
    now = [0.0]
    async with a_registry(store, now=lambda: now[0]) as registry:
        ada, bob = clients = await seated(registry)
        await begin(clients)
        await add(ada, "ab")
        table = registry.tables[ada.session.code]
        now[0] = scheduler.SEED_PATIENCE - 1
        assert (await table.inspect()).status == "seeding"
        now[0] = scheduler.SEED_PATIENCE + 1
        assert (await table.inspect()).status == "playing"
        assert bob.legal()
        assert (await add(bob, "cd"))["code"] == "no-seeds"
        assert table.state.luck.seeds == ["ab", ""]


async def test_a_disconnected_player_is_not_waited_for(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = clients = await seated(registry)
        await begin(clients)
        await add(ada, "ab")
        await bob.session.end()
        assert ada.table["status"] == "playing"


async def test_without_connections_the_game_starts_immediately(store: Store) -> None:
    async with a_registry(store) as registry:
        code, _ = await gathered(registry)
        table = await registry.table(code)
        await table.ask(Start(), "p1")
        assert table.state.roster.status == "playing"
        assert table.state.luck.seeds == ["", ""]


async def test_after_a_restart_seeds_are_expected_again(store: Store) -> None:
    """No seed is lost through the restart: reconnecting players have the same five seconds."""
    now = FakeTime()
    async with a_registry(store) as registry:
        clients = await seated(registry)
        await begin(clients)
        await add(clients[0], "ab")
        code, promised = clients[0].session.code, clients[0].table["commitment"]
        token = clients[1].token
    async with a_registry(store, now=now) as registry:
        subscriber = Client(registry, code)
        await subscriber.hello()
        assert (subscriber.table["status"], subscriber.table["commitment"]) == ("seeding", promised)
        back = Client(registry, code, token)
        await back.hello()
        assert (await add(back, "cd"))["type"] == "ack"
        assert subscriber.table["status"] == "playing"
        assert registry.tables[code].state.luck.seeds == ["ab", "cd"]


async def test_after_a_restart_the_wait_for_seeds_is_limited(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store) as registry:
        clients = await seated(registry)
        await begin(clients)
        await add(clients[0], "ab")
        code = clients[0].session.code
    async with a_registry(store, now=now) as registry:
        subscriber = Client(registry, code)
        await subscriber.hello()
        await now.goes_by(registry, scheduler.SEED_PATIENCE - 0.1)
        assert subscriber.table["status"] == "seeding"
        await now.goes_by(registry, 0.2)
        assert subscriber.table["status"] == "playing"
        assert registry.tables[code].state.luck.seeds == ["ab", ""]


async def test_a_failed_start_is_retried(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seeds were stored but the start was not; no further seed would trigger it."""
    now = FakeTime()
    async with a_registry(store, now=now) as registry:
        ada, bob = clients = await seated(registry)
        await begin(clients)
        failing = [True]
        persist = Persistence.persist

        async def keep_unless_it_begins(self: Persistence, decision: Decision) -> bool:
            if failing and any(isinstance(record, Started) for record in decision.records):
                failing.clear()
                raise Refused("not-saved", "The disk was full.")
            return await persist(self, decision)

        monkeypatch.setattr(Persistence, "persist", keep_unless_it_begins)
        await add(ada, "ab")
        assert (await add(bob, "cd"))["type"] == "ack", "the seed was kept"
        assert (failing, bob.table["status"]) == ([], "seeding")
        await now.goes_by(registry, Tempo().again + 0.1)
        assert bob.table["status"] == "playing"


async def test_only_players_add_seeds_and_only_once(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = clients = await seated(registry)
        subscriber = Client(registry, ada.session.code)
        await subscriber.hello()
        assert (await add(ada, "ab"))["code"] == "no-seeds"
        await begin(clients)
        for wrong in ("", "xyz", "AB", "ab\n", "a b"):
            assert (await add(ada, wrong))["code"] == "malformed"
        assert (await add(ada, "a" * 65))["code"] == "malformed"
        assert (await add(subscriber, "ab"))["code"] == "players-only"
        first = await add(ada, "ab")
        assert await add(ada, "ab") == {**first, "seq": ada.seq}, "an answer that got lost"
        assert (await add(ada, "cd"))["code"] == "no-seeds"
        assert bob.table["status"] == "seeding"


async def test_players_can_leave_during_the_seed_exchange(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await seated(registry)
        await begin(clients)
        table = registry.tables[clients[0].session.code]
        for person in ("p1", "p2"):
            await table.ask(Leave(), person)
        assert table.state.roster.status == "closed"
        assert table.state.position is None


async def test_the_real_clock_ends_the_seed_exchange(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "SEED_PATIENCE", 0.05)
    async with a_registry(store) as registry:
        clients = await seated(registry)
        await begin(clients)
        await until(lambda: clients[1].table["status"] == "playing")


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [("high-card", 3, {}), ("bebop", 2, {}), ("bebop", 3, {}), ("bpm", 3, {}), ("boogie", 3, {})],
)
async def test_a_served_game_is_verified_by_two_programs(
    store: Store, tmp_path: Path, game: str, seats: int, options: dict[str, Any]
) -> None:
    async with a_registry(store, EVERY) as registry:
        clients = await begun(registry, game, seats, **options)
        await play_on(clients, random.Random(2))
        assert clients[0].table["status"] == "finished"
        journal, promised = await stored(store, clients), clients[0].table["commitment"]
    assert sum(check_luck(journal)) > 10
    path = tmp_path / "game.json"
    path.write_text(write(journal), encoding="utf-8")
    assert read(path.read_bytes()) == journal
    if game != "high-card":  # the toy is not among the games of the program
        result = CliRunner().invoke(app, ["verify", str(path), "--commitment", promised])
        assert result.exit_code == 0, result.output
        assert "Valid:" in result.stdout
        assert "can't exclude" in result.stdout
        assert CliRunner().invoke(app, ["verify", str(path), "--commitment", "00" * 32]).exit_code == 1
        dutch = CliRunner().invoke(app, ["verify", str(path), "--lang", "nl"])
        assert "niet uitsluit" in dutch.stdout
    done = standalone(path, promised)
    assert done.returncode == 0, done.stderr
    assert standalone(path, "00" * 32).returncode == 1


def standalone(path: Path, *more: str) -> "subprocess.CompletedProcess[str]":
    """Run the page's program with nothing of ours in reach."""
    command = [sys.executable, "-I", "-S", str(STANDALONE), str(path), *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_standalone_verifier_is_short_and_self_contained() -> None:
    text = STANDALONE.read_text(encoding="utf-8")
    assert "jamboree" not in text.casefold()
    assert len(text.splitlines()) <= 40


async def a_journal(store: Store) -> dict[str, Any]:
    async with a_registry(store, seed=3) as registry:
        clients = await begun(registry, "bebop", 3)
        await play_on(clients, random.Random(2))
        document: dict[str, Any] = json.loads(write(await stored(store, clients)))
        return document


def nudge(pick: dict[str, Any]) -> None:
    pick["index"] = (pick["index"] + 1) % pick["n"]


def tampered(document: dict[str, Any], how: str) -> None:
    part, picks = document["fairness"][0], [pick for entry in document["entries"] for pick in entry["picks"]]
    match how:
        case "a pick of the set-up":
            nudge(document["setup"][3])
        case "a later pick":
            nudge(picks[-1])
        case "two picks in each other's place":
            one, kinds = picks[1], ("n", "stream")
            other = next(pick for pick in picks if pick != one and all(pick[key] == one[key] for key in kinds))
            for key in ("index", "value"):
                one[key], other[key] = other[key], one[key]
        case "a player's seed":
            part["seeds"][1] = "00"
        case "the order of seeds":
            part["seeds"].reverse()
        case "the server's seed":
            part["secret"] = "11" * 32
        case "the server's seed and its commitment":
            part["secret"], part["commitment"] = "11" * 32, commitment("11" * 32)
        case "a hole":
            part["since"] = 1
        case "among too many":
            picks[0]["n"] = 2**70


@pytest.mark.parametrize(
    ("how", "status"),
    [
        ("a pick of the set-up", 1),  # one of the same kind: by the rules all is well
        ("a later pick", 2),
        ("two picks in each other's place", 2),
        ("a player's seed", 1),
        ("the order of seeds", 1),
        ("the server's seed", 1),
        ("the server's seed and its commitment", 1),
        ("a hole", 1),
        ("among too many", 2),
    ],
)
async def test_tampering_is_detected(store: Store, tmp_path: Path, how: str, status: int) -> None:
    document, path = await a_journal(store), tmp_path / "game.json"
    tampered(document, how)
    path.write_text(json.dumps(document), encoding="utf-8")
    assert standalone(path).returncode == 1
    broken = CliRunner().invoke(app, ["verify", str(path)])
    assert broken.exit_code == 2
    assert "its seal does not fit" in broken.stderr
    journal = msgspec.convert(document, Journal)
    journal.seal = journal.expected_seal()
    path.write_text(write(journal), encoding="utf-8")
    resealed = CliRunner().invoke(app, ["verify", str(path)])
    assert resealed.exit_code == status
    assert resealed.stdout == ""
    assert resealed.stderr.count("\n") == 1


async def test_a_local_game_cannot_be_verified(store: Store, tmp_path: Path) -> None:
    document, path = await a_journal(store), tmp_path / "game.json"
    del document["fairness"]
    journal = msgspec.convert(document, Journal)
    journal.seal = journal.expected_seal()
    path.write_text(write(journal), encoding="utf-8")
    result = CliRunner().invoke(app, ["verify", str(path)])
    assert result.exit_code == 2
    assert "not played at a live table" in result.stderr
    assert standalone(path).returncode == 1


async def test_chance_continues_after_restarts_and_undos(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await begun(registry, "bebop", 3)
        await play_on(clients, random.Random(1), 40)
        code, tokens = clients[0].session.code, [client.token for client in clients]
        luck = registry.tables[code].state.luck
    async with a_registry(store) as registry:
        clients = [Client(registry, code, token) for token in tokens]
        for client in clients:
            await client.hello()
        state = registry.tables[code].state
        assert state.luck == luck
        mover = next(client for client in clients if client.undo and client.undo["rule"] != "never")
        await mover.send(type="undo", id="back")
        for client in clients:
            if client.table["undo_asked"] and client is not mover:
                await client.send(type="answer-undo", id="a", agrees=True)
        assert (state.luck.opened, state.luck.hidden) == (luck.opened, luck.hidden)
        await play_on(clients, random.Random(2))
    journal = journal_of(await store.history(code), code)
    assert any(entry.undo is not None for entry in journal.entries)
    check_luck(journal)


async def test_a_rematch_has_a_new_commitment(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await begun(registry)
        await play_on(clients, random.Random(1))
        again = await registry.rematch(clients[0].session.code, "p1")
        table = await registry.table(again)
        assert table.state.luck.commitment == ""
        assert await registry.rematch(clients[0].session.code, "p2") == again, "the other one agrees"
        await table.ask(Start(), "p1")
        assert table.state.luck.commitment not in ("", clients[0].table["commitment"])
        assert table.state.luck.seeds == ["", ""]


async def test_seeds_are_secret_until_the_end(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "jamboree")
    async with online(store) as server:
        tickets = await server.seated(start=False)
        code, paths = tickets[0]["table"], ("", "/fairness", "/journal", "/replay")
        messages: list[str] = []

        async def look() -> list[Any]:
            answers = [await server.get(f"/api/v1/tables/{code}{path}") for path in paths]
            answers.append(await server.get("/api/v1/tables?status=playing"))
            messages.extend(str(answer) for answer in answers)
            return answers

        async with server.socket(code) as one, server.socket(code) as two, server.socket(code) as three:
            players = [Player(socket) for socket in (one, two, three)]
            for player, ticket in zip(players, [*tickets, {"token": None}], strict=True):
                await player.hello(ticket["token"])
            start = await server.post(f"/api/v1/tables/{code}/start", authorization=f"Bearer {tickets[0]['token']}")
            assert start.status == 204
            await look()
            for player, seed in zip(players, SEEDS[:2], strict=False):
                await player.send(type="seed", id="seed", seed=seed)
                await player.until("ack")
            assert (await look())[0].body["status"] == "playing"
            for player in players[:2]:
                while not player.position:
                    await player.take()
            luck = server.registry.tables[code].state.luck
            number = 0
            while not any(player.position["outcome"] for player in players[:2]):
                messages += [str(message) for player in players for message in player.received]
                for player in players[:2]:
                    await player.act({"type": "Lay", "slot": 0}, f"{number}")
                await players[2].take()
                number += 1
                if number == 2:
                    assert [answer.status for answer in (await look())[1:4]] == [200, 409, 409]
        printed = "".join(messages) + caplog.text
        for hidden in (luck.secret, *SEEDS[:2]):
            assert hidden not in printed
        assert luck.commitment in printed
        shown = (await server.get(f"/api/v1/tables/{code}/fairness")).body
        assert shown == {"commitment": luck.commitment, "secret": luck.secret, "seeds": SEEDS[:2], "turned": 0}
        about = (await server.get(f"/api/v1/tables/{code}/journal")).body["about"]
        assert about.keys() == {"program", "date", "result"}
        assert about["date"] == datetime.now(UTC).date().isoformat()
        assert about["result"] in [player.position["outcome"] for player in players[:2]]


async def test_an_abandoned_table_reveals_its_seeds_and_steps(store: Store) -> None:
    async with online(store) as server:
        empty, played = await server.seated(start=False), await server.seated()
        for ticket in [*empty, *played]:
            await server.post(f"/api/v1/tables/{ticket['table']}/leave", authorization=f"Bearer {ticket['token']}")
        code = played[0]["table"]
        assert (await server.get(f"/api/v1/tables/{code}")).body["status"] == "closed"
        assert (await server.get(f"/api/v1/tables/{code}/fairness")).body["secret"]
        journal = read(json.dumps((await server.get(f"/api/v1/tables/{code}/journal")).body).encode())
        assert check_luck(journal)
        never = empty[0]["table"]
        assert (await server.get(f"/api/v1/tables/{never}/fairness")).body == {
            "commitment": "",
            "secret": None,
            "seeds": None,
            "turned": 0,
        }
        assert (await server.get(f"/api/v1/tables/{never}/journal")).status == 409


async def test_frames_of_a_started_table_contain_no_seed(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 2)
        luck = registry.tables[clients[0].session.code].state.luck
        assert luck.secret.encode() not in b"".join(frame for client in clients for frame in client.frames)
