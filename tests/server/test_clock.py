"""The minute is a minute: by when a message arrived, through restarts, whatever the wall clock says."""

import asyncio
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jamboree.core.game import Timer
from jamboree.games.boogie.game import Boogie
from jamboree.server.clock import Clock
from jamboree.server.errors import Refused
from jamboree.server.records import Acted, read
from jamboree.server.store import Store, open_store

from .fake_time import FakeTime, until
from .local import EVERY, Client, a_house, started
from .online import Player, online

BOOGIE = {"pace": "own", "plane_seconds": 30, "jump_seconds": 20}
INTERLEAVINGS = int(os.environ.get("JAMBOREE_INTERLEAVINGS", "50"))
READY = {"type": "SayReady"}
LAY = {"type": "Lay", "slot": 0}


def test_a_countdown_stops_and_goes_on() -> None:
    clock = Clock()
    clock.follow({"a": 10.0}, True, 100.0)
    clock.follow({"a": 10.0}, False, 104.0)
    clock.follow({"a": 10.0}, False, 200.0)
    assert clock.countdowns["a"].left(300.0) == 6.0
    clock.follow({"a": 10.0, "b": 5.0}, True, 300.0)
    assert [each.deadline for each in clock.countdowns.values()] == [306.0, 305.0]


def test_what_was_left_is_known_again_and_only_for_the_same_thing() -> None:
    clock = Clock()
    clock.follow({"a": 10.0, "b": 5.0}, True, 100.0)
    again = Clock(clock.written(103.0))
    again.follow({"a": 10.0, "c": 5.0}, True, 7.0)
    assert [each.left(7.0) for each in again.countdowns.values()] == [7.0, 5.0]
    assert Clock().written(0.0) == ""


async def jumping(house: Any, seats: int = 3, **options: Any) -> list[Client]:
    """Bring a table of Boogie to the jump."""
    clients = await started(house, "boogie", seats, **{**BOOGIE, **options})
    for phase in range(2):
        for client in clients:
            assert (await client.act(READY, f"ready {phase}"))["type"] == "ack"
    assert clients[0].position["view"]["phase"] == "jump"
    return clients


async def test_a_phase_ends_when_its_time_is_up_and_not_before(store: Store) -> None:
    now = FakeTime()
    async with a_house(store, EVERY, now=now) as house:
        clients = await jumping(house)
        assert latest(clients[0]) == {"kind": "phase", "left": 20.0, "of": 20.0, "running": True, "seats": [0, 1, 2]}
        await now.goes_by(house, 19.999)
        assert clients[0].position["view"]["phase"] == "jump"
        await now.goes_by(house, 0.0011)
        assert clients[0].position["view"]["phase"] == "pulled"
        await now.goes_by(house, 3.0)
        assert clients[0].position["view"]["phase"] == "preparation"
        await now.goes_by(house, 60.0)
        assert clients[0].position["view"]["phase"] == "plane"
        assert house.tally.expiries == 3


def cards_of(client: Client) -> list[dict[str, Any]]:
    """Choose a card for each of three jumps, so that none depends on another."""
    offers = [offer for offer in client.legal() if offer["type"] == "PlayCard"]
    found: dict[str, dict[str, Any]] = {}
    for offer in offers:
        taken = [each["jump"] for each in found.values()]
        if offer["card"] in ("sure", "maybe", "bluff") and offer["card"] not in found and offer["jump"] not in taken:
            found[offer["card"]] = offer
    return list(found.values())


async def test_a_busy_table_takes_every_card_that_came_in_time_and_none_that_came_late(store: Store) -> None:
    rng = random.Random(INTERLEAVINGS)
    early = late = 0
    for _ in range(INTERLEAVINGS):
        now = FakeTime(rng.uniform(0, 1e6))
        async with a_house(store, EVERY, now=now) as house:
            clients = await jumping(house)
            deadline = now() + 20.0
            played = [(client, card) for client in clients for card in cards_of(client)]
            stamps = sorted(deadline + rng.choice([-1, 1]) * rng.choice([1e-6, 0.001, 0.5, 5.0]) for _ in played)
            rng.shuffle(played)
            now.value = deadline + 10.0  # nobody had a look at the inbox meanwhile
            taken = []
            for number, ((client, card), stamp) in enumerate(zip(played, stamps, strict=True)):
                frame = msgspec.json.encode({"type": "act", "id": f"{number}", "action": card})
                taken.append((client, client.session.take(frame, stamp), stamp))
            for client, message, stamp in taken:
                granted = await client.session.answer(message)
                if stamp <= deadline:
                    early += 1
                    assert granted, client.heard[-1]
                else:
                    late += 1
                    refusal = client.heard[-1]
                    assert not granted
                    assert (refusal["code"], refusal["detail"]["key"]) == ("illegal", "pulled"), "a clear refusal"
            table = house.tables[clients[0].session.code]
            assert len(table.memory.state.plays) == sum(stamp <= deadline for stamp in stamps)
    assert min(early, late) > 2 * INTERLEAVINGS


async def test_each_sealed_choice_is_judged_by_its_own_arrival(store: Store) -> None:
    rng = random.Random(7)
    for _ in range(INTERLEAVINGS):
        now = FakeTime()
        async with a_house(store, EVERY, now=now) as house:
            clients = await started(house, "bpm", 3, seconds=20)
            assert latest(clients[1])["seats"] == [0, 1, 2]
            deadline = now() + 20.0
            stamps = sorted(deadline + rng.choice([-5.0, -1e-6, 1e-6, 5.0]) for _ in clients)
            rng.shuffle(clients)
            now.value = deadline + 10.0
            taken = []
            for client, stamp in zip(clients, stamps, strict=True):
                frame = msgspec.json.encode({"type": "act", "id": "1", "action": client.legal()[0]})
                taken.append((client, client.session.take(frame, stamp), stamp))
            for client, message, stamp in taken:
                granted = await client.session.answer(message)
                assert bool(granted) == (stamp <= deadline), client.heard[-1]
                assert granted or client.heard[-1]["code"] == "too-late"
            code = clients[0].session.code
            await until(lambda: clients[0].position["view"]["phase"] != "setlist")  # noqa: B023
            records = [read(kept) for kept in await store.history(code)]
            choices = [record for record in records if isinstance(record, Acted)][: len(clients)]
            assert [record.stood_in for record in choices] == [stamp > deadline for stamp in stamps]


async def test_every_decision_of_a_seat_has_its_own_seconds(store: Store) -> None:
    now = FakeTime()
    async with a_house(store, EVERY, now=now) as house:
        clients = await started(house, "bebop", 2, seconds=30)
        first = next(client for client in clients if client.legal())
        await now.goes_by(house, 29.0)
        await first.act(first.legal()[0], "1")
        assert house.tally.expiries == 0
        second = next(client for client in clients if client.legal())
        whose = second.position["actors"]
        assert latest(second) == {"kind": "decision", "left": 30.0, "of": 30.0, "running": True, "seats": whose}
        seq = second.seq
        await now.goes_by(house, 29.9)
        assert second.seq == seq
        await now.goes_by(house, 0.2)
        (record,) = [read(kept) for kept in (await store.history(second.session.code))[seq:]]
        assert isinstance(record, Acted)
        assert (record.stood_in, record.person) == (True, None)
        assert (house.tally.expiries, house.tally.stood_in, house.tally.fallbacks) == (1, 1, 0)
        await now.goes_by(house, 29.0)
        assert second.seq == seq + 1, "a new decision has all of its seconds"


def latest(client: Client) -> dict[str, Any]:
    clock: dict[str, Any] = next(each["clock"] for each in reversed(client.heard) if "clock" in each)
    return clock


async def test_a_game_with_a_clock_of_its_own_has_no_other(store: Store) -> None:
    async with a_house(store, EVERY) as house:
        with pytest.raises(Refused, match="clock of its own"):
            await house.open("boogie", 3, {}, "Ada", True, seconds=30)


@pytest.mark.parametrize("hours", [1, -1])
async def test_the_wall_clock_changes_nothing(store: Store, hours: int, monkeypatch: pytest.MonkeyPatch) -> None:
    now, wall = FakeTime(), time.time
    async with a_house(store, EVERY, now=now) as house:
        clients = await jumping(house)
        await now.goes_by(house, 10.0)
        monkeypatch.setattr(time, "time", lambda: wall() + hours * 3600)
        await clients[0].act(cards_of(clients[0])[0], "card")
        assert latest(clients[0])["left"] == 10.0
        await now.goes_by(house, 9.999)
        assert clients[0].position["view"]["phase"] == "jump"
        await now.goes_by(house, 0.0011)
        assert clients[0].position["view"]["phase"] == "pulled"


async def test_after_a_restart_a_phase_has_the_time_it_had_left(store: Store) -> None:
    now = FakeTime()
    async with a_house(store, EVERY, now=now) as house:
        clients = await jumping(house)
        await now.goes_by(house, 12.5)
        code, tokens = clients[0].session.code, [client.token for client in clients]
    now = FakeTime(3.0)  # the monotonic clock of another boot
    async with a_house(store, EVERY, now=now) as house:
        await house.table(code)
        await now.goes_by(house, 500.0)
        again = [Client(house, code, token) for token in tokens]
        for client in again:
            await client.hello()
        assert latest(again[0]) == {"kind": "phase", "left": 7.5, "of": 20.0, "running": True, "seats": [0, 1, 2]}
        await now.goes_by(house, 7.4)
        assert again[0].position["view"]["phase"] == "jump"
        await now.goes_by(house, 0.1001)
        assert again[0].position["view"]["phase"] == "pulled"


async def test_after_a_restart_each_decision_has_the_time_it_had_left(store: Store) -> None:
    now = FakeTime()
    async with a_house(store, EVERY, now=now) as house:
        clients = await started(house, "bpm", 3, seconds=60)
        await now.goes_by(house, 20.0)
        await clients[0].act(clients[0].legal()[0], "1")
        await now.goes_by(house, 10.0)
        code, tokens = clients[0].session.code, [client.token for client in clients]
    now = FakeTime(0.0)
    async with a_house(store, EVERY, now=now) as house:
        again = [Client(house, code, token) for token in tokens]
        for client in again:
            await client.hello()
        assert latest(again[1]) == {"kind": "decision", "left": 30.0, "of": 60.0, "running": True, "seats": [0, 1, 2]}


async def test_nothing_runs_while_no_player_is_there(store: Store) -> None:
    now = FakeTime()
    async with a_house(store, EVERY, now=now) as house:
        clients = await jumping(house)
        stranger = Client(house, clients[0].session.code)
        await stranger.hello()
        await now.goes_by(house, 5.0)
        for client in clients:
            await client.session.end()
        assert (latest(stranger)["left"], latest(stranger)["running"]) == (15.0, False)
        await now.goes_by(house, 3600.0)
        assert stranger.position["view"]["phase"] == "jump"
        await clients[2].hello()
        assert (latest(stranger)["left"], latest(stranger)["running"]) == (15.0, True)
        assert latest(clients[2])["left"] == 15.0


def killed(where: str, after: float) -> tuple[str, float]:
    """Let a phase run and kill the server; give the table and what was left just before."""
    program = subprocess.Popen([sys.executable, "-m", "tests.server.time_me", where], stdout=subprocess.PIPE)
    assert program.stdout
    code = program.stdout.readline().decode().strip()
    time.sleep(after)
    program.kill()
    lines = program.stdout.read().decode().splitlines(keepends=True)
    program.wait(30)
    program.stdout.close()
    return code, float([line for line in lines if line.endswith("\n")][-1])


@pytest.mark.parametrize("after", [1.7, 2.4])
async def test_kill_minus_nine_gives_back_a_second_at_most(tmp_path: Path, after: float) -> None:
    where = str(tmp_path / "tables.db")
    code, left = await asyncio.to_thread(killed, where, after)
    store = open_store(where)
    async with a_house(store) as house:
        table = await house.table(code)
        (countdown,) = table.steward.clock.countdowns.values()
        assert left - 0.1 <= countdown.left(table.now()) <= left + 1.2
    store.close()


class Hasty(Boogie):
    """Seconds that are short, for people who have no time."""

    def timer(self, state: Any) -> Timer | None:
        timer = super().timer(state)
        return timer and Timer(timer.number, timer.seconds / 25)


async def test_a_timed_game_is_played_to_its_end_over_sockets(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """One player keeps quiet, so that every phase ends by the clock; another plays too late on purpose."""
    games = {"boogie": Hasty()}
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
                while eager.seq < quiet.seq:
                    await eager.take()
                phase, cards = (
                    eager.position["view"]["phase"],
                    [each for each in eager.legal() if each["type"] == "PlayCard"],
                )
                if phase == "pulled" and cards and late < 2:
                    late += (await eager.act(cards[0], f"late {late}"))["type"] == "ack"
            told = [event["type"] for event in quiet.events]
        assert late == told.count("CardLate") == 2
        assert told.count("PullCalled") == 4
        assert all(event["by_clock"] for event in quiet.events if event["type"] == "PullCalled")
