"""Answers on their way: to peers that go, that ask too much at once, or that wait while the server goes down."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.client import connect

from jamboree.server.door import http, websocket
from jamboree.server.door.listener import let_in
from jamboree.server.serve import free_port

from ..bench.online import HOST
from .test_door import GET


async def test_nothing_is_written_to_who_is_gone(caplog: pytest.LogCaptureFixture) -> None:
    writing, gone, over = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def long(scope: object, receive: object, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        writing.set()
        await gone.wait()
        for _ in range(50):
            await send({"type": "http.response.body", "body": b"x" * 100, "more_body": True})
        over.set()

    port = free_port(HOST, 0)
    async with let_in(long, HOST, port, 1000):
        _, writer = await asyncio.open_connection(HOST, port)
        writer.write(GET * 2)
        await writing.wait()
        writer.transport.abort()
        await asyncio.sleep(0.1)
        gone.set()
        await over.wait()
    assert caplog.text == ""


async def test_requests_are_not_taken_in_before_earlier_ones_are_answered() -> None:
    async def never(scope: object, receive: object, send: object) -> None:
        await asyncio.Event().wait()

    port = free_port(HOST, 0)
    async with let_in(never, HOST, port, 1000) as door:
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(GET * (2 + http.MOST_PIPELINED))
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
        assert http.MOST_PIPELINED <= 2
        for task in list(door.tasks):
            task.cancel()
        writer.close()


async def test_messages_are_not_taken_in_far_ahead_of_those_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, heard, waiting = asyncio.Event(), list[str](), list[int]()

    class Noted(websocket.Messages):
        def put_nowait(self, event: Any) -> None:
            super().put_nowait(event)
            waiting.append(self.qsize())

    async def slow(scope: object, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await go_on.wait()
        while (event := await receive())["type"] == "websocket.receive":
            heard.append(event["text"])

    monkeypatch.setattr(websocket, "Messages", Noted)
    port, said = free_port(HOST, 0), [f"{number} {'x' * 5000}" for number in range(20)]
    async with let_in(slow, HOST, port, 10_000), connect(f"ws://{HOST}:{port}/", proxy=None) as line:
        for text in said:
            await line.send(text)
        await asyncio.sleep(0.1)
        assert max(waiting) == websocket.AHEAD + 1, "what is larger than a piece comes one by one"
        go_on.set()
        while len(heard) < len(said):
            await asyncio.sleep(0.01)
    assert heard == said


async def test_a_message_on_its_way_gets_out_when_the_server_goes_down() -> None:
    async def slow(scope: object, receive: object, send: object) -> None:
        await asyncio.sleep(0.3)
        await send({"type": "http.response.start", "status": 204, "headers": []})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": b""})  # type: ignore[operator]

    port = free_port(HOST, 0)
    async with let_in(slow, HOST, port, 1000):
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(GET)
        await asyncio.sleep(0.1)
    assert (await reader.read()).startswith(b"HTTP/1.1 204")
    writer.close()
