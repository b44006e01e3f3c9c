"""Unwitnessed steps leave no trace."""

import json
import random
from pathlib import Path

import msgspec
import pytest

from jamboree.core.rulesets import Rulesets
from jamboree.server.live.commands.joining import MintLink, UseLink
from jamboree.server.live.recovery import rebuild, recover
from jamboree.server.live.state import Outdated, TableState
from jamboree.server.offload import Offload
from jamboree.server.store import Snapshot
from jamboree.server.store.store import Store

from ..bench.local import EVERY, Client, a_registry, play_on, started
from .non_interference import PLOTS, differences
from .paired_tables import disguised

VIEWERS = (None, 0, 1, 2)


@pytest.mark.parametrize("name", PLOTS)
async def test_a_secret_step_reaches_its_witnesses_only(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await differences(tmp_path, name, monkeypatch, disguised) == []


def numbers(state: TableState) -> list[int]:
    return [state.number(viewer) for viewer in VIEWERS]


async def promised(store: Store, steps: int) -> tuple[TableState, list[Client]]:
    """Let three beasts promise and play for a while."""
    async with a_registry(store, EVERY) as registry:
        clients = await started(registry, "boogie", 3)
        subscriber = Client(registry, clients[0].session.code)
        await subscriber.hello()
        await play_on(clients, random.Random(2), steps)
        return registry.tables[subscriber.session.code].state, [subscriber, *clients]


async def test_sequence_numbers_have_no_gaps_for_anyone(store: Store) -> None:
    state, clients = await promised(store, 90)
    assert numbers(state)[0] < min(numbers(state)[1:]), "players have seen more than spectators"
    for client in clients:
        received = [message["seq"] for message in client.received if message["type"] == "update"]
        assert received == list(range(received[0], received[0] + len(received)))
        assert all(message["events"] for message in client.received if message["type"] == "update")


async def test_sequence_numbers_survive_a_restart(store: Store) -> None:
    state, clients = await promised(store, 120)
    code = clients[0].session.code
    stored = await store.load(code)
    assert stored.snapshot, "and some steps came after it"
    offload = Offload()
    assert numbers(await recover(store, code, Rulesets.of(EVERY), offload)) == numbers(state)


async def test_a_snapshot_of_an_earlier_format_is_ignored(store: Store) -> None:
    _, clients = await promised(store, 120)
    stored = await store.load(clients[0].session.code)
    assert stored.snapshot
    former = {name: part for name, part in json.loads(stored.snapshot.body).items() if name != "silent"}
    old = msgspec.structs.replace(stored, snapshot=Snapshot(stored.snapshot.seq, json.dumps(former)))
    with pytest.raises(Outdated):  # so that the whole history is read
        rebuild(old, Rulesets.of(EVERY))


async def test_device_links_are_private(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = await started(registry)
        table, received = await registry.table(ada.session.code), len(bob.frames)
        link = await table.ask(MintLink(), "p1")
        await table.ask(UseLink(link))
        assert len(bob.frames) == received
        await ada.act({"type": "Lay", "slot": 0}, "on")
        assert [message["seq"] for message in bob.received[received:]] == [bob.received[received - 1]["seq"] + 1]
