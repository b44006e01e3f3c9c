"""Deltas: every client gets to the position it is shown, whenever it connected."""

import random
from typing import Any

import msgspec
import pytest

from jamboree.server.live.commands.joining import Rename
from jamboree.server.live.table import REST_AFTER
from jamboree.server.live.viewers import frame_builder
from jamboree.server.protocol import wire
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.protocol.wire import CompressedFrame
from jamboree.server.store.store import Store

from ...bench.fake_time import FakeTime
from ...bench.local import EVERY, Client, a_registry, as_read, play_on, started


def raw(client: Client, kind: str = "update") -> list[dict[str, Any]]:
    """Return the bytes as they were sent."""
    return [message for message in map(msgspec.json.decode, client.frames) if message["type"] == kind]


@pytest.mark.parametrize("game", ["bebop", "bpm", "boogie"])
async def test_deltas_lead_to_the_whole_position(store: Store, game: str) -> None:
    rng = random.Random(3)
    async with a_registry(store, EVERY, seed=3) as registry:
        clients = await started(registry, game, 3)
        code = clients[0].session.code
        whole = [Client(registry, code, token) for token in (clients[0].token, None)]
        for client in whole:
            await client.hello(whole=True)
        await play_on(clients, rng, 25)
        late = Client(registry, code, None)
        await late.hello()
        await play_on(clients, rng, 25)
        assert clients[0].position == whole[0].position
        assert late.position == whole[1].position
        assert all(update["change"] is None and update["position"] for client in whole for update in raw(client))
        assert all(update["position"] is None for client in [*clients, late] for update in raw(client))


@pytest.mark.parametrize("game", ["bebop", "bpm", "boogie"])
async def test_deltas_continue_after_a_table_rested(store: Store, game: str) -> None:
    rng, clock = random.Random(3), FakeTime()
    async with a_registry(store, EVERY, seed=3, now=clock) as registry:
        clients = await started(registry, game, 3)
        table = await registry.table(clients[0].session.code)
        whole = Client(registry, table.code, clients[0].token)
        await whole.hello(whole=True)
        for _ in range(10):
            await play_on(clients, rng, 2)
            known = len(table.subscribers.frames.positions._known)
            table.rest()
            assert len(table.subscribers.frames.positions._known) == known, "not at once"
            clock.value += REST_AFTER + 1
            table.rest()
            assert len(table.subscribers.frames.positions._known) < known
            assert table.state._position is None, "the position is packed"
        assert clients[0].position == whole.position
        assert all(update["position"] is None for client in clients for update in raw(client))


GAMES: list[tuple[str, int, dict[str, object], bool]] = [  # and whether all hands are open
    ("bebop", 3, {}, True),
    ("bebop", 2, {"hidden_hands": True}, False),
    ("bpm", 3, {}, False),
    ("boogie", 3, {}, False),
]


@pytest.mark.parametrize(("game", "seats", "options", "open_to_all"), GAMES)
async def test_only_the_public_part_of_a_welcome_is_compressed(
    store: Store, game: str, seats: int, options: dict[str, object], open_to_all: bool
) -> None:
    async with a_registry(store, EVERY, seed=3) as registry:
        clients = await started(registry, game, seats, **options)
        code = clients[0].session.code
        await play_on(clients, random.Random(3), 20)
        for token in (clients[0].token, None):
            plain, packed = (Client(registry, code, token, "en") for _ in range(2))
            await plain.hello()
            await packed.hello(packed=True)
            (frame,) = packed.frames
            assert isinstance(frame, CompressedFrame) and len(frame) < 0.6 * len(plain.frames[0])
            assert packed.position == plain.position
            question = msgspec.json.encode(packed.position["legal"])
            assert (question in bytes(frame)) == (token is not None and not open_to_all)


@pytest.mark.parametrize(("game", "seats", "options", "open_to_all"), GAMES)
async def test_deltas_are_compressed_only_in_open_games(
    store: Store, game: str, seats: int, options: dict[str, object], open_to_all: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (wire, frame_builder):
        monkeypatch.setattr(module, "SMALLEST", 1)
    async with a_registry(store, EVERY, seed=3) as registry:
        clients = await started(registry, game, seats, **options)
        code = clients[0].session.code
        player, spectator = (Client(registry, code, token, "en") for token in (clients[0].token, None))
        for client in (player, spectator):
            await client.hello(packed=True)
        await play_on(clients, random.Random(3), 20)
        for client, is_open in ((player, open_to_all), (spectator, True)):
            changes = [frame for frame in client.frames[1:] if as_read(frame).startswith(b'{"type":"update"')]
            assert changes and {isinstance(frame, CompressedFrame) for frame in changes} == {is_open}


@pytest.mark.parametrize(("game", "seats", "options", "open_to_all"), GAMES)
async def test_whole_positions_are_compressed_like_welcomes(
    store: Store, game: str, seats: int, options: dict[str, object], open_to_all: bool
) -> None:
    async with a_registry(store, EVERY, seed=3) as registry:
        clients = await started(registry, game, seats, **options)
        player = Client(registry, clients[0].session.code, clients[0].token, "en")
        await player.hello(packed=True, whole=True)
        await play_on(clients, random.Random(3), 10)
        updates = [frame for frame in player.frames if as_read(frame).startswith(b'{"type":"update"')]
        assert all(isinstance(frame, CompressedFrame) for frame in updates)
        assert [b'"legal":' in frame for frame in updates] == [not open_to_all] * len(updates)
        assert player.position == clients[0].position | {"question": player.position["question"]}


async def test_table_frames_are_compressed(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        clients = await started(registry, "bpm", 3)
        player = Client(registry, clients[0].session.code, clients[0].token)
        await player.hello(packed=True)
        await clients[1].session.end()
        (frame,) = [each for each in player.frames if as_read(each).startswith(b'{"type":"table"')]
        assert isinstance(frame, CompressedFrame) and len(frame) < 0.6 * len(as_read(frame))


async def test_whispers_are_not_compressed_with_other_chat(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob, cleo = await started(registry, "bebop", 3)
        await ada.send(type="say", id="a", text="Hello, all.")
        again = [Client(registry, ada.session.code, client.token) for client in (bob, cleo)]
        await ada.send(type="say", id="b", text="Between us.", to=bob.session.person)
        for client in again:
            await client.hello(packed=True)
        assert [b"Between us." in client.frames[0] for client in again] == [True, False]
        assert [b"Hello, all." in client.frames[0] for client in again] == [True, False]


async def test_constant_parts_are_sent_once(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 2)
        await play_on(clients, random.Random(3), 10)
        updates = [frame for frame in clients[0].frames if frame.startswith(b'{"type":"update"')]
        assert updates and not any(b"tagline" in frame for frame in updates)
        assert b"tagline" in clients[0].frames[0]


async def test_a_resync_sends_the_whole_position(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 2)
        await play_on(clients, random.Random(3), 5)
        before = clients[0].position
        answer = await clients[0].send(type="resync", id="lost")
        assert (answer["type"], answer["id"]) == ("ack", "lost")
        assert clients[0].received[-2]["type"] == "welcome"
        assert clients[0].position == before
        await play_on(clients, random.Random(4), 5)


@pytest.mark.parametrize("game", ["bebop", "bpm", "boogie"])
async def test_a_rename_reaches_earlier_and_later_subscribers(store: Store, game: str) -> None:
    async with a_registry(store, EVERY) as registry:
        clients = await started(registry, game, 3)
        connections = [Client(registry, clients[0].session.code, None, "en") for _ in range(2)]
        await connections[0].hello(painted=True)
        await play_on(clients, random.Random(3), 5)
        table = await registry.table(clients[0].session.code)
        await table.ask(Rename("Grace"), clients[0].session.person or "")
        await connections[1].hello(painted=True)
        assert connections[0].position != connections[1].position, "a painting names people"
        counts = [len(raw(subscriber)) for subscriber in connections]
        await play_on(clients, random.Random(4), 5)
        assert connections[0].position == connections[1].position
        assert all(
            raw(subscriber)[before]["change"] is None for subscriber, before in zip(connections, counts, strict=True)
        )


async def test_options_are_sent_only_before_the_game(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        gathered = await registry.open(OpenTable(game="bpm", seats=2, name="Ada", listed=False))
        early = Client(registry, gathered[0], gathered[1].token)
        await early.hello()
        clients = await started(registry, "bpm", 2)
        table = await registry.table(gathered[0])
        await table.ask(Rename("Grace"), gathered[1].person)
        await clients[1].session.end()
        assert raw(early, "table") and all("options" in message["table"] for message in raw(early, "table"))
        assert raw(clients[0], "table") and not any("options" in m["table"] for m in raw(clients[0], "table")[-1:])
        assert "options" in raw(clients[0], "welcome")[-1]["table"]
