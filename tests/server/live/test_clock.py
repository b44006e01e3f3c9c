"""Deadlines count from a message's arrival, through restarts, whatever the wall clock says."""

import contextlib
import math
import os
import random
import time

import msgspec
import pytest
from msgspec.structs import replace

from jamboree.core.game import Timer
from jamboree.server.errors import Refused
from jamboree.server.live.clock import Clock
from jamboree.server.live.records import Acted, read
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store import Unavailable
from jamboree.server.store.store import Store
from tests.contract.toy import HighCard, State

from ..bench.fake_time import FakeTime, until
from ..bench.local import EVERY, Client, a_registry, started
from ..bench.timed import cards_of, jumping, latest
from .test_table import Faulty

INTERLEAVINGS = int(os.environ.get("JAMBOREE_INTERLEAVINGS", "50"))


def test_a_countdown_stops_and_resumes() -> None:
    clock = Clock()
    clock.set_countdowns({"a": 10.0}, True, 100.0)
    clock.set_countdowns({"a": 10.0}, False, 104.0)
    clock.set_countdowns({"a": 10.0}, False, 200.0)
    assert clock.countdowns["a"].left(300.0) == 6.0
    clock.set_countdowns({"a": 10.0, "b": 5.0}, True, 300.0)
    assert [each.deadline for each in clock.countdowns.values()] == [306.0, 305.0]


def test_stored_remaining_time_applies_to_the_same_turn_only() -> None:
    clock = Clock()
    clock.set_countdowns({"a": 10.0, "b": 5.0}, True, 100.0)
    again = Clock(clock.written(103.0))
    again.set_countdowns({"a": 10.0, "c": 5.0}, True, 7.0)
    assert [each.left(7.0) for each in again.countdowns.values()] == [7.0, 5.0]
    assert Clock().written(0.0) == ""


async def test_a_phase_ends_exactly_at_its_deadline(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await jumping(registry)
        assert latest(clients[0]) == {"kind": "phase", "left": 20.0, "of": 20.0, "running": True, "seats": [0, 1, 2]}
        await now.goes_by(registry, 19.999)
        assert clients[0].position["view"]["phase"] == "jump"
        await now.goes_by(registry, 0.0011)
        assert clients[0].position["view"]["phase"] == "pulled"
        await now.goes_by(registry, 3.0)
        assert clients[0].position["view"]["phase"] == "preparation"
        await now.goes_by(registry, 60.0)
        assert clients[0].position["view"]["phase"] == "plane"
        assert registry.bot_metrics.expiries == 3


class Endless(HighCard):
    info = replace(HighCard.info, key="endless")
    lasts = math.nan

    def timer(self, state: State) -> Timer | None:
        return Timer(1, self.lasts)


@pytest.mark.parametrize("seconds", [math.nan, math.inf, -1.0])
async def test_a_phase_without_duration_stops_its_table_and_names_the_game(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr(Endless, "lasts", seconds)
    async with a_registry(store, {"endless": Endless()}) as registry:
        with contextlib.suppress(Refused):
            await started(registry, "endless")
        await until(lambda: any(line.startswith("table ") and " stopped: " in line for line in caplog.messages))
    assert f"the game endless times a phase with {seconds!r} seconds" in caplog.messages


async def test_a_busy_table_judges_cards_by_their_time_of_arrival(store: Store) -> None:
    rng = random.Random(INTERLEAVINGS)
    early = late = 0
    for _ in range(INTERLEAVINGS):
        now = FakeTime(rng.uniform(0, 1e6))
        async with a_registry(store, EVERY, now=now) as registry:
            clients = await jumping(registry)
            deadline = now() + 20.0
            played = [(client, card) for client in clients for card in cards_of(client.legal())]
            stamps = sorted(deadline + rng.choice([-1, 1]) * rng.choice([1e-6, 0.001, 0.5, 5.0]) for _ in played)
            rng.shuffle(played)
            now.value = deadline + 10.0  # nobody had a look at the inbox meanwhile
            taken = []
            for number, ((client, card), stamp) in enumerate(zip(played, stamps, strict=True)):
                frame = msgspec.json.encode({"type": "act", "id": f"{number}", "action": card})
                taken.append((client, client.session.submit(frame, stamp), stamp))
            for client, message, stamp in taken:
                granted = await client.session.answer(message)
                if stamp <= deadline:
                    early += 1
                    assert granted, client.received[-1]
                else:
                    late += 1
                    refusal = client.received[-1]
                    assert not granted
                    assert (refusal["code"], refusal["detail"]["key"]) == ("illegal", "pulled"), "a clear refusal"
            table = registry.tables[clients[0].session.code]
            assert len(table.state.position.plays) == sum(stamp <= deadline for stamp in stamps)
    assert min(early, late) > 2 * INTERLEAVINGS


async def test_sealed_choices_are_judged_by_their_own_arrival(store: Store) -> None:
    rng = random.Random(7)
    for _ in range(INTERLEAVINGS):
        now = FakeTime()
        async with a_registry(store, EVERY, now=now) as registry:
            clients = await started(registry, "bpm", 3, seconds=20)
            assert latest(clients[1])["seats"] == [0, 1, 2]
            deadline = now() + 20.0
            stamps = sorted(deadline + rng.choice([-5.0, -1e-6, 1e-6, 5.0]) for _ in clients)
            rng.shuffle(clients)
            now.value = deadline + 10.0
            taken = []
            for client, stamp in zip(clients, stamps, strict=True):
                frame = msgspec.json.encode({"type": "act", "id": "1", "action": client.legal()[0]})
                taken.append((client, client.session.submit(frame, stamp), stamp))
            for client, message, stamp in taken:
                granted = await client.session.answer(message)
                assert bool(granted) == (stamp <= deadline), client.received[-1]
                assert granted or client.received[-1]["code"] == "too-late"
            code = clients[0].session.code
            await until(lambda: clients[0].position["view"]["phase"] != "setlist")  # noqa: B023
            records = [read(stored) for stored in await store.history(code)]
            choices = [record for record in records if isinstance(record, Acted)][: len(clients)]
            assert [record.stood_in for record in choices] == [stamp > deadline for stamp in stamps]


async def test_every_decision_has_its_own_time_limit(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "bebop", 2, seconds=30)
        first = next(client for client in clients if client.legal())
        await now.goes_by(registry, 29.0)
        await first.act(first.legal()[0], "1")
        assert registry.bot_metrics.expiries == 0
        second = next(client for client in clients if client.legal())
        whose = second.position["actors"]
        assert latest(second) == {"kind": "decision", "left": 30.0, "of": 30.0, "running": True, "seats": whose}
        seq = second.seq
        await now.goes_by(registry, 29.9)
        assert second.seq == seq
        await now.goes_by(registry, 0.2)
        (record,) = [read(stored) for stored in (await store.history(second.session.code))[seq:]]
        assert isinstance(record, Acted)
        assert (record.stood_in, record.person) == (True, None)
        assert (registry.bot_metrics.expiries, registry.bot_metrics.stood_in, registry.bot_metrics.fallbacks) == (
            1,
            1,
            0,
        )
        await now.goes_by(registry, 29.0)
        assert second.seq == seq + 1, "a new decision has all of its seconds"


async def test_an_undo_does_not_restore_time(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "bebop", 2, seconds=30)
        first = next(client for client in clients if client.legal())
        for number in range(3):
            await now.goes_by(registry, 5.0)
            await first.act(first.legal()[0], f"{number}")
            assert (await first.send(type="undo", id=f"undo {number}"))["type"] == "ack"
            assert latest(first)["left"] == 30.0 - 5.0 * (number + 1)
        code, token = first.session.code, first.token
    async with a_registry(store, EVERY, now=now) as registry:
        again = Client(registry, code, token)
        await again.hello()
        assert latest(again)["left"] == 15.0


async def test_a_timed_game_has_no_decision_clock(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        with pytest.raises(Refused, match="clock of its own"):
            await registry.open(OpenTable(game="boogie", seats=3, name="Ada", seconds=30))


@pytest.mark.parametrize("hours", [1, -1])
async def test_changes_of_the_wall_clock_have_no_effect(
    store: Store, hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, wall = FakeTime(), time.time
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await jumping(registry)
        await now.goes_by(registry, 10.0)
        monkeypatch.setattr(time, "time", lambda: wall() + hours * 3600)
        await clients[0].act(cards_of(clients[0].legal())[0], "card")
        assert latest(clients[0])["left"] == 10.0
        await now.goes_by(registry, 9.999)
        assert clients[0].position["view"]["phase"] == "jump"
        await now.goes_by(registry, 0.0011)
        assert clients[0].position["view"]["phase"] == "pulled"


async def test_clocks_stop_while_no_player_is_connected(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await jumping(registry)
        stranger = Client(registry, clients[0].session.code)
        await stranger.hello()
        await now.goes_by(registry, 5.0)
        for client in clients:
            await client.session.end()
        assert (latest(stranger)["left"], latest(stranger)["running"]) == (15.0, False)
        await now.goes_by(registry, 3600.0)
        assert stranger.position["view"]["phase"] == "jump"
        await clients[2].hello()
        assert (latest(stranger)["left"], latest(stranger)["running"]) == (15.0, True)
        assert latest(clients[2])["left"] == 15.0


async def test_late_actions_are_refused_even_if_storing_the_end_was_retried(store: Store) -> None:
    now, faulty = FakeTime(), Faulty(store, False, Unavailable)
    async with a_registry(faulty, EVERY, now=now) as registry:  # type: ignore[arg-type]
        clients = await jumping(registry)
        card = cards_of(clients[0].legal())[0]
        faulty.armed = True
        await now.goes_by(registry, 20.0)
        assert clients[0].position["view"]["phase"] == "jump"
        await now.goes_by(registry, 1.0)
        assert (await clients[0].act(card, "late"))["type"] == "error"
        assert clients[0].position["view"]["phase"] == "pulled"
