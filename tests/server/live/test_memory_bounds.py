"""Bounded memory: limits on what strangers can make a table or the server remember."""

import random

import pytest

from jamboree.server.errors import Refused
from jamboree.server.live import state as memories
from jamboree.server.live.commands.base import Context
from jamboree.server.live.commands.joining import MOST_EVER, Join
from jamboree.server.live.records import Left, Opened
from jamboree.server.live.roster import REMEMBERED, Roster
from jamboree.server.live.state import WINDOW, TableState
from jamboree.server.live.visibility import RECENT_STEPS
from jamboree.server.store.store import Store

from ..bench.local import GAMES, Client, a_registry, play_on, started


def test_the_number_of_people_who_ever_joined_is_limited() -> None:
    state = TableState(GAMES["high-card"], Roster.opened(Opened("high-card", 1, seats=2, options={}, listed=True)))
    with pytest.raises(Refused) as refused:
        for _ in range(2 * MOST_EVER):
            joined = Join("Eve", watch=True).decide(Context(state))
            joined.fold_into(state)
            state.fold(Left(joined.answer.person))
    assert refused.value.code == "full"
    assert len(state.roster.people) == MOST_EVER


async def test_the_memory_of_a_long_game_is_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memories, "MOST_PAST", 10)
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 2)
        await play_on(clients, random.Random(1), 150)
        state = registry.tables[clients[0].session.code].state
        assert len(state.course) == 10
        assert len(state.witnesses.recent(0).steps) <= RECENT_STEPS
        assert all(len(person.done) <= REMEMBERED for person in state.roster.people.values())
        last = max(clients, key=lambda client: client.undo["rule"] == "free" if client.undo else False)
        assert (await last.send(type="undo", id="back"))["type"] in ("ack", "error")
        assert len(state.course) <= 10


async def test_the_chat_log_is_bounded(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        for number in range(WINDOW + 20):
            await ada.send(type="say", id=str(number), text="Hello")
        assert len(registry.tables[ada.session.code].state.talk) == WINDOW


async def test_requests_for_unknown_tables_leak_nothing(store: Store) -> None:
    async with a_registry(store) as registry:
        for number in range(50):
            assert (await Client(registry, f"nowhere{number}").hello())["code"] == "unknown-table"
        assert (len(registry.tables), len(registry._locks)) == (0, 0)
