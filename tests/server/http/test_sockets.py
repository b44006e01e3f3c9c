"""Sockets: playing, chatting, reconnecting, and misbehaving peers."""

import asyncio
import gc
import random
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from msgspec import UNSET
from websockets.exceptions import ConnectionClosed, InvalidStatus

from jamboree.server.edge import websocket
from jamboree.server.edge.connection_limits import ConnectionSlot
from jamboree.server.edge.outbox import MAX_PER_READER, STALLED, Outbox
from jamboree.server.edge.websocket import GuardedWebSocketProtocol
from jamboree.server.http import raw_socket, sockets
from jamboree.server.http.metrics import Metrics
from jamboree.server.http.sockets import OpenSocket
from jamboree.server.live.session import Session
from jamboree.server.live.visibility import GameStep, Viewer
from jamboree.server.store.store import Store

from ..bench.fake_time import FakeTime, until
from ..bench.local import Client, a_registry, started
from ..bench.online import Online, Player, online

LAY = {"type": "Lay", "slot": 0}
LARGE = b'{"type": "pong", "id": "' + b"x" * 200_000 + b'"}'


async def test_a_game_of_bebop_over_sockets(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated("bebop", 2)
        async with server.socket(tickets[0]["table"]) as one, server.socket(tickets[0]["table"]) as two:
            players, rng = [Player(one), Player(two)], random.Random(1)
            for player, ticket in zip(players, tickets, strict=True):
                await player.hello(ticket["token"])
            for number in range(40):
                acting = next(player for player in players if player.legal())
                ack = await acting.act(rng.choice(acting.legal()), str(number))
                assert ack["type"] == "ack", ack
                for player in players:
                    while player.seq < ack["seq"]:
                        await player.take()
        assert "jamboree_ack_seconds_count 40" in await server.metrics()


async def test_an_ack_follows_its_update(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        async with server.socket(tickets[0]["table"]) as socket:
            player = Player(socket)
            await player.hello(tickets[0]["token"])
            await player.act(LAY, "one")
            assert [message["type"] for message in player.received] == ["welcome", "update", "ack"]


async def test_a_reconnecting_player_misses_nothing(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated(seats=3)
        code, seen, events = tickets[0]["table"], None, []
        async with server.socket(code) as socket:
            steady = Player(socket)
            await steady.hello()
            for ticket in [*tickets, *tickets]:
                async with server.socket(code) as other:
                    player = Player(other)
                    welcome = await player.hello(ticket["token"], seen)
                    events += [event["type"] for step in welcome["missed"] or [] for event in step["events"]]
                    start = len(player.events)
                    await player.act(LAY, f"{ticket['seat']} {seen}")
                    events += [event["type"] for event in player.events[start:]]
                    seen = player.seq
            while steady.seq < (seen or 0):
                await steady.take()
        assert events == [event["type"] for event in steady.events]


async def talkers(server: Online) -> tuple[str, list[dict[str, Any]]]:
    tickets = await server.seated(seats=2)
    code = tickets[0]["table"]
    for name in ("Wim", "Xenia"):
        tickets.append((await server.post(f"/api/v1/tables/{code}/join", {"name": name, "watch": True})).body)
    return code, tickets


async def heard_by_all(server: Online, code: str, tickets: list[dict[str, Any]], **chat: Any) -> list[list[str]]:
    """Let one person chat, and return the lines each person can read after reconnecting."""
    for name, message in chat.items():
        ticket = next(ticket for ticket in tickets if ticket["person"] == name)
        async with server.socket(code) as socket:
            player = Player(socket)
            await player.hello(ticket["token"])
            await player.send(type="say", id="s", **message)
            assert (await player.until("ack", "error"))["type"] == "ack"
    received = []
    for ticket in [*tickets, {"token": None}]:
        async with server.socket(code) as socket:
            welcome = await Player(socket).hello(ticket["token"])
            received.append([line["text"] for line in welcome["chat"]])
    return received


async def test_chat_channels_and_whispers_reach_their_audience(store: Store) -> None:
    async with online(store) as server:
        code, tickets = await talkers(server)
        chat = {"p1": {"text": "hello  \u202eall"}, "p2": {"text": "psst", "to": "p1"}, "p3": {"text": "she bluffs"}}
        ada, bob, wim, xenia, stranger = await heard_by_all(server, code, tickets, **chat)
        assert ada == bob == ["hello all", "psst"]
        assert wim == xenia == ["hello all", "she bluffs"]
        assert stranger == ["hello all"]
    async with online(store) as server:
        assert await heard_by_all(server, code, tickets) == [ada, bob, wim, xenia, stranger], "it is kept"
        journal = (await store.history(code))[-1].body
        assert "psst" not in journal


async def test_chat_is_delivered_immediately_to_its_audience(store: Store) -> None:
    async with online(store) as server:
        code, tickets = await talkers(server)
        async with server.socket(code) as one, server.socket(code) as two, server.socket(code) as three:
            ada, bob, wim = Player(one), Player(two), Player(three)
            for player, ticket in zip((ada, bob, wim), tickets, strict=False):
                await player.hello(ticket["token"])
            await ada.send(type="say", id="1", text="psst", to="p2")
            assert (await bob.until("chat"))["message"]["text"] == "psst"
            await wim.send(type="say", id="2", text="psst", to="p1")
            assert (await wim.until("error"))["code"] == "players-only"
            assert not any(message["type"] == "chat" for message in wim.received)


async def test_chat_of_a_muted_person_is_not_delivered(store: Store) -> None:
    async with online(store) as server:
        code, tickets = await talkers(server)
        muting = await server.post(
            f"/api/v1/tables/{code}/mute", {"person": "p2"}, authorization=f"Bearer {tickets[0]['token']}"
        )
        assert muting.status == 204
        async with server.socket(code) as socket:
            bob = Player(socket)
            await bob.hello(tickets[1]["token"])
            await bob.send(type="say", id="1", text="hm")
            assert (await bob.until("error"))["code"] == "muted"


async def closed_with(server: Online, code: str, *messages: str | bytes, **headers: str) -> tuple[list[str], int]:
    """Send messages, and return the errors and the close code."""
    async with server.socket(code, **headers) as socket:
        player = Player(socket)
        try:
            for message in messages:
                await socket.send(message)
            while True:
                await player.take()
        except ConnectionClosed as closed:
            return [
                each["code"] for each in player.received if each["type"] == "error"
            ], closed.rcvd.code if closed.rcvd else 0


async def test_peers_that_exceed_the_limits_are_told_and_disconnected(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with online(store) as server:
        code = (await server.seated())[0]["table"]
        hello = '{"type": "hello"}'
        assert await closed_with(server, code, hello, "x" * 9_000) == (["too-big"], 1009)
        assert await closed_with(server, code, hello, *(["?"] * 100)) == (["malformed"] * 99 + ["too-fast"], 1008)
        monkeypatch.setattr(sockets, "HELLO_TIMEOUT", 0.2)
        assert await closed_with(server, code) == (["no-hello"], 1008)
        assert (await server.get(f"/api/v1/tables/{code}")).body["status"] == "playing"


async def test_invalid_tokens_are_rejected(store: Store) -> None:
    async with online(store) as server:
        code = (await server.seated())[0]["table"]
        for table, headers in ((code, {"origin": "http://evil.example"}), (code, {"origin": "null"}), ("nowhere", {})):
            with pytest.raises(InvalidStatus):
                async with server.socket(table, **headers):
                    pass


async def test_binary_messages_are_refused(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        errors, _ = await closed_with(server, tickets[0]["table"], b"\x00\xff", *(["?"] * 100))
        assert errors[0] == "malformed"


def test_a_full_outbox_is_cleared_and_requests_a_resync() -> None:
    async def fill() -> None:
        box = Outbox()
        for _ in range(MAX_PER_READER // 1024 + 1):
            box.put(b"x" * 1024)
        assert box.overflowed
        assert await box.next() is None
        box.overflowed = False
        box.put(b"fresh")
        assert await box.next() == b"fresh"
        box.put(b"y" * (MAX_PER_READER * 2))
        assert await box.next() is not None, "one large frame still fits an empty box"

    asyncio.run(fill())


def test_a_stalled_reader_has_no_queue() -> None:
    async def stall() -> None:
        now = FakeTime()
        box = Outbox(now)
        box.put(b"first")
        assert await box.next() == b"first"
        box.put(b"second")
        now.value += STALLED / 2
        assert not box.behind, "a moment is nothing"
        now.value += STALLED
        assert box.behind
        box.put(b"third")
        assert not box.has_frames
        assert await box.next() is None, "once it reads on it gets a whole position"

    asyncio.run(stall())


async def test_no_frames_are_built_for_connections_about_to_resync(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = await started(registry)
        stalled = Client(registry, ada.session.code)
        await stalled.hello()
        table, shown = registry.tables[ada.session.code], list[int | None]()
        update = table.subscribers.frames.update

        def noted(who: Viewer, step: GameStep, at: Any = UNSET) -> bytes:
            shown.append(who.seat)
            return update(who, step, at)

        table.subscribers.frames.update = noted  # type: ignore[method-assign]
        stalled.behind, before = True, len(stalled.received)
        await ada.act(LAY, "1")
        await ada.send(type="say", id="2", text="Hello?")
        assert (shown, len(stalled.received)) == ([0, 1], before)
        stalled.behind = False
        await table.resync(stalled.session, lambda: None)
        assert stalled.received[-1]["seq"] == ada.seq
        assert [line["text"] for line in stalled.received[-1]["chat"]] == ["Hello?"]
        await bob.act(LAY, "1")
        assert shown == [0, 1, 0, 1, None]


async def test_a_peer_that_does_not_read_delays_nobody(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "WRITE_TIMEOUT", 2.0)
    async with online(store) as server:
        tickets = await server.seated()
        code = tickets[0]["table"]
        table, metrics = await server.registry.table(code), server.app.state.metrics
        async with server.socket(code) as stalled, server.socket(code) as one:
            await stalled.send('{"type": "hello"}')
            stalled.transport.pause_reading()
            player = Player(one)
            await player.hello(tickets[0]["token"])
            (reader,) = [each for each in server.app.state.open_sockets if each.session.person is None]
            while len(table.connections) == 2:  # the buffers of both sides take some megabytes before it stalls
                for _ in range(20):  # not more pings than a player may send
                    reader.session.deliver(LARGE)
                    assert reader.outbox._size <= MAX_PER_READER
                    await asyncio.sleep(0.02)
                await player.send(type="ping", id="p")
                await player.until("pong")
            await until(lambda: metrics.sockets == 1)
            assert (await player.act(LAY, "on"))["type"] == "ack"
            stalled.transport.abort()


async def test_a_shutdown_is_announced(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        socket = await server.socket(tickets[0]["table"]).__aenter__()
        player = Player(socket)
        await player.hello(tickets[0]["token"])
    assert (await player.until("bye"))["sentence"]
    with pytest.raises(ConnectionClosed) as closed:
        await player.take()
    assert closed.value.rcvd and closed.value.rcvd.code == 1012


async def test_a_lagging_reader_gets_no_steps_before_its_welcome(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = await started(registry)
        outbox = Outbox()
        session = Session(registry, ada.session.code, outbox, ada.token)
        await session.receive(b'{"type":"hello"}')
        outbox.overflow()
        move = asyncio.create_task(bob.act({"type": "Lay", "slot": 0}, "while the table is busy"))
        await asyncio.sleep(0)
        await OpenSocket(None, session, outbox, Metrics(), ConnectionSlot(None, "", "table"))._resync()  # type: ignore[arg-type]
        await move
        frame = await outbox.next()
        assert frame is not None
        assert msgspec.json.decode(frame)["type"] == "welcome"


async def test_an_exception_in_a_socket_closes_it_without_details(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(self: OpenSocket) -> None:
        raise ValueError("the ace of spades")

    logged = Mock()
    monkeypatch.setattr(OpenSocket, "run", breaks)
    monkeypatch.setattr(raw_socket.log, "error", logged)
    async with online(store) as server:
        tickets = await server.seated()
        async with server.socket(tickets[0]["table"]) as socket:
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
        assert closed.value.rcvd and closed.value.rcvd.code == raw_socket.INTERNAL_ERROR
        assert "jamboree_sockets 0" in await server.metrics()
    (words, *values) = logged.call_args.args
    assert "a socket failed: ValueError" in words % tuple(values)
    assert "spades" not in words % tuple(values)


def guarded_sockets() -> list[GuardedWebSocketProtocol]:
    """List those there are; asking dead weak references for their class would fail."""
    return [each for each in gc.get_objects() if type(each) is GuardedWebSocketProtocol]


async def test_request_data_is_freed_once_the_socket_is_open(store: Store) -> None:
    before = guarded_sockets()  # of other tests, which nobody has cleared away yet
    async with online(store) as server:
        tickets = await server.seated()
        async with server.socket(tickets[0]["table"], cookie="something=long") as socket:
            await Player(socket).hello(tickets[0]["token"])
            stored = [each for each in guarded_sockets() if all(each is not other for other in before)]
            assert len(stored) == 1
            assert not stored[0].scope
            assert not list(stored[0].request.headers.raw_items())
