"""A live table: storing, publishing, and failures of the store."""

import asyncio
import logging
import random
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from jamboree.core.game import Eye
from jamboree.core.journal import steps
from jamboree.server.errors import Refused
from jamboree.server.live.commands.host import Remove
from jamboree.server.live.commands.playing import Act, Start
from jamboree.server.live.replay import journal_of, unpacked, views_of
from jamboree.server.store import Append, Conflict, Unavailable
from jamboree.server.store.store import Store
from tests.contract.toy import HighCard

from ..bench.local import GAMES, Client, a_registry, gathered, play_on, started

LAY = {"type": "Lay", "slot": 0}


@pytest.mark.parametrize(("game", "seats", "options"), [("high-card", 3, {}), ("bebop", 2, {"hidden_hands": True})])
async def test_a_whole_game_is_stored_step_by_step(
    store: Store, game: str, seats: int, options: dict[str, Any]
) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, game, seats, **options)
        subscriber = Client(registry, clients[0].session.code)
        await subscriber.hello()
        taken = await play_on(clients, random.Random(1))
        code = clients[0].session.code
        assert {client.seq for client in [*clients, subscriber]} == {registry.tables[code].state.seq}
        assert clients[0].table["status"] == "finished"
        assert clients[0].position["outcome"]["winners"]
        table = registry.tables[code]
        await table.enqueue(lambda: table.presence.detach(subscriber.session))  # comes after the replay
    journal = journal_of(await store.history(code))
    views = [GAMES[game].view(step.state, Eye.ALL) for step in steps(journal, GAMES[game])]
    assert len(views) == taken + 1
    replay = await store.replay(code)
    assert replay
    assert msgspec.json.decode(b"".join(unpacked(views_of(replay)))) == msgspec.to_builtins(views)
    last = list(steps(journal, GAMES[game]))[-1].state
    assert clients[1].position["view"] == msgspec.to_builtins(GAMES[game].view(last, 1))
    assert subscriber.position["view"] == msgspec.to_builtins(GAMES[game].view(last, None))


async def test_the_state_survives_a_restart(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 3)
        await play_on(clients, random.Random(2), 45)
        before = [(client.seq, client.position) for client in clients]
        code, tokens = clients[0].session.code, [client.token for client in clients]
    assert (await store.load(code)).snapshot, "some records need not be read again"
    async with a_registry(store) as registry:
        again = [Client(registry, code, token) for token in tokens]
        for client in again:
            await client.hello()
        assert [(client.seq, client.position) for client in again] == before
        await play_on(again, random.Random(3))


async def test_a_reconnecting_player_receives_every_event_once_in_order(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 2)
        coming_and_going = Client(registry, clients[0].session.code)
        rng, seen = random.Random(4), None
        for _ in range(12):
            await coming_and_going.hello(seen)
            await play_on(clients, rng, rng.randint(0, 4))
            await coming_and_going.session.end()
            seen = coming_and_going.seq
            await play_on(clients, rng, rng.randint(0, 4))
        await coming_and_going.hello(seen)
        state = registry.tables[clients[0].session.code].state
        whole = [
            state.game.witness(event, None) for step in state.witnesses.recent(None).steps for event in step.events
        ]
        assert coming_and_going.events == msgspec.to_builtins(whole)


async def test_after_a_long_absence_a_whole_view_is_sent(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        back = Client(registry, ada.session.code, ada.token)
        welcome = await back.hello(seen=99)
        assert welcome["missed"] is None
        assert welcome["position"] == ada.position


async def test_a_repeated_action_is_idempotent(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = await started(registry)
        first = await ada.act(LAY, "one")
        assert await ada.act(LAY, "one") == first
        await bob.act(LAY, "one")
        seq = bob.seq
        code = ada.session.code
    async with a_registry(store) as registry:
        again = Client(registry, code, ada.token)
        await again.hello()
        assert await again.act(LAY, "one") == first
        assert again.seq == seq


async def test_two_tabs_on_one_seat_both_work(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        tab = Client(registry, ada.session.code, ada.token)
        await tab.hello()
        await tab.act(LAY, "from the other tab")
        assert ada.position == tab.position
        assert ada.legal() == []


class Faulty:
    """A store that fails once, before or after storing the change."""

    def __init__(self, store: Store, stored: bool, error: type[Exception]) -> None:
        self.store, self.stored, self.error = store, stored, error
        self.armed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def append(self, append: Append) -> None:
        if not self.armed:
            await self.store.append(append)
            return
        self.armed = False
        if self.stored:
            await self.store.append(append)
        raise self.error("Something went wrong.")


@pytest.mark.parametrize("error", [Unavailable, Conflict])
async def test_an_unstored_change_is_never_published(store: Store, error: type[Exception]) -> None:
    faulty = Faulty(store, False, error)
    async with a_registry(faulty) as registry:  # type: ignore[arg-type]
        ada, bob = await started(registry)
        before, received = bob.position, len(bob.received)
        faulty.armed = True
        refusal = await ada.act(LAY, "one")
        assert (refusal["type"], refusal["code"]) == ("error", "not-saved")
        assert bob.position == before
        assert {message["type"] for message in bob.received[received:]} <= {"welcome"}
        answer = await ada.act(LAY, "one")
        assert answer["type"] == "ack"
        assert bob.position["view"]["laid"].count(True) == 1


async def test_a_commit_with_a_lost_reply_is_found_and_not_repeated(store: Store) -> None:
    faulty = Faulty(store, True, Unavailable)
    async with a_registry(faulty) as registry:  # type: ignore[arg-type]
        ada, bob = await started(registry)
        faulty.armed = True
        answer = await ada.act(LAY, "one")
        assert answer == {"type": "ack", "id": "one", "seq": bob.seq}
        assert bob.position["view"]["laid"].count(True) == 1
        assert await ada.act(LAY, "one") == answer


async def test_a_step_whose_commit_reply_was_lost_is_published(store: Store) -> None:
    faulty = Faulty(store, True, Unavailable)
    async with a_registry(faulty) as registry:  # type: ignore[arg-type]
        ada, bob = await started(registry)
        faulty.armed = True
        await ada.act(LAY, "one")
        for client in (ada, bob):
            missed = next(message for message in reversed(client.received) if message["type"] == "welcome")["missed"]
            assert [event["type"] for step in missed for event in step["events"]] == ["CardLaid"]


async def test_a_removal_whose_commit_reply_was_lost_disconnects_the_person(store: Store) -> None:
    faulty = Faulty(store, True, Unavailable)
    async with a_registry(faulty) as registry:  # type: ignore[arg-type]
        ada, bob = await started(registry)
        table = await registry.table(ada.session.code)
        faulty.armed = True
        await table.ask(Remove(str(bob.session.person)), str(ada.session.person))
        assert bob.closed
        assert table.connections.people == {ada.session.person}


async def test_chat_whose_commit_reply_was_lost_is_delivered_once(store: Store) -> None:
    faulty = Faulty(store, True, Unavailable)
    async with a_registry(faulty) as registry:  # type: ignore[arg-type]
        ada, bob = await started(registry)
        faulty.armed = True
        assert (await ada.send(type="say", id="hi", text="Hello."))["type"] == "ack"
        assert [line["text"] for line in bob.received[-1]["chat"]] == ["Hello."]


async def test_two_servers_on_one_store_never_both_commit(store: Store) -> None:
    async with a_registry(store) as first, a_registry(store) as second:
        ada, bob = await started(first)
        other = Client(second, bob.session.code, bob.token)
        await other.hello()
        assert (await other.act(LAY, "there"))["type"] == "ack"
        assert (await ada.act(LAY, "here"))["code"] == "not-saved"
        assert ada.position["view"]["laid"].count(True) == 1, "what the other server kept was read back"
        assert (await ada.act(LAY, "here"))["type"] == "ack"


async def test_cancelling_the_wait_does_not_cancel_the_command(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = await started(registry)
        table = registry.tables[ada.session.code]
        wish = asyncio.create_task(table.ask(Act(LAY, id="one"), "p1"))
        await asyncio.sleep(0)
        wish.cancel()
        assert (await bob.act(LAY, "two"))["type"] == "ack"
        assert bob.position["view"]["turned"] != [[], []]


async def test_a_table_has_a_task_only_while_work_is_due(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        table = registry.tables[ada.session.code]
        await table.read(lambda state: None)
        await asyncio.sleep(0)
        assert not table.is_running
        asked = table.submit(Act(LAY, id="one"), "p1")
        assert table.is_running
        await asked
        assert f"table {table.code}" not in {task.get_name() for task in asyncio.all_tasks() if not table.is_running}


async def test_queued_jobs_of_a_stopped_table_are_refused(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        table = registry.tables[ada.session.code]
        await table.read(lambda state: None)
        await asyncio.sleep(0)
        asked = table.submit(Act(LAY, id="one"), "p1")
        await registry.unload(table.code)
        with pytest.raises(Refused, match="stopped"):
            await asked
        with pytest.raises(Refused, match="stopped"):
            table.submit(Act(LAY, id="two"), "p1")
        assert ada.closed and not registry.tables and not table.is_running


class Broken(HighCard):
    """Breaks in the middle of a move."""

    def apply(self, state: Any, *rest: Any) -> None:
        state.points[0] = 1_000
        raise KeyError("the secret card is a four")


async def test_an_exception_stops_only_its_own_table(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    async with a_registry(store, {**GAMES, "high-card": Broken()}) as registry:
        other = await started(registry, "bebop", 2)
        ada, bob = await started(registry)
        with caplog.at_level(logging.ERROR):
            assert (await ada.act(LAY, "one"))["code"] == "table-stopped"
        assert bob.closed
        await play_on(other, random.Random(5), 3)
        again = Client(registry, bob.session.code, bob.token)
        await again.hello()
        assert again.position["view"]["points"] == [0, 0]
    assert "KeyError in" in caplog.text
    assert "four" not in caplog.text


async def test_an_outdated_snapshot_is_ignored(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 2)
        await play_on(clients, random.Random(8), 40)
        code, position = clients[0].session.code, clients[0].position
        state = registry.tables[code].state
        useless = state.snapshot().replace("rerolls", "rollers")
        listing = (await store.load(code)).listing
        await store.append(
            Append(table=code, epoch=state.epoch, after=state.seq, records=(), listing=listing, snapshot=useless)
        )
    async with a_registry(store) as registry:
        again = Client(registry, code, clients[0].token)
        await again.hello()
        assert again.position == position


async def test_a_game_starts_once_and_only_by_the_host(store: Store) -> None:
    async with a_registry(store) as registry:
        code, tickets = await gathered(registry)
        table = await registry.table(code)
        with pytest.raises(Refused, match="host"):
            await table.ask(Start(), tickets[1].person)
        await table.ask(Start(), tickets[0].person)
        with pytest.raises(Refused, match="begun"):
            await table.ask(Start(), tickets[0].person)


async def test_a_closing_registry_opens_no_table(store: Store) -> None:
    async with a_registry(store) as registry:
        code, _ = await gathered(registry)
    opening = asyncio.Event()

    class Slow(Faulty):
        async def load(self, table: str) -> Any:
            opening.set()
            await asyncio.sleep(0.05)
            return await self.store.load(table)

    async with asyncio.timeout(10):
        async with a_registry(Slow(store, False, Unavailable)) as registry:  # type: ignore[arg-type]
            registry._group.create_task(asyncio.sleep(0.5))  # something that takes a while to end
            asked = asyncio.create_task(registry.table(code))
            await opening.wait()
        with pytest.raises(Refused):
            await asked


async def test_a_table_that_failed_to_stop_can_be_opened_again(store: Store) -> None:
    async with a_registry(store) as registry:
        code, _ = await gathered(registry)
        table = await registry.table(code)
        with patch.object(type(table.scheduler), "stop", side_effect=ValueError), pytest.raises(ValueError):
            await registry.unload(code)
        assert await registry.table(code) is not table
