"""Responses in progress: to peers that disconnect, pipeline, or wait during a shutdown."""

import asyncio
import re
import time
from base64 import b64encode
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.client import connect

from jamboree.server.edge import websocket
from jamboree.server.edge.connections import READ_SIZE
from jamboree.server.edge.listener import listen
from jamboree.server.serve import free_port

from ..bench.online import HOST
from .test_edge import GET


async def test_nothing_is_written_to_a_closed_connection(caplog: pytest.LogCaptureFixture) -> None:
    writing, gone, over = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def long(scope: object, receive: object, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        writing.set()
        await gone.wait()
        for _ in range(50):
            await send({"type": "http.response.body", "body": b"x" * 100, "more_body": True})
        over.set()

    port = free_port(HOST, 0)
    async with listen(long, HOST, port, 1000):
        _, writer = await asyncio.open_connection(HOST, port)
        writer.write(GET * 2)
        await writing.wait()
        writer.transport.abort()
        await asyncio.sleep(0.1)
        gone.set()
        await over.wait()
    assert caplog.text == ""


async def test_a_pipelined_request_waits_for_the_response_before_it() -> None:
    begun = list[str]()

    async def never(scope: Any, receive: object, send: object) -> None:
        begun.append(scope["path"])
        await asyncio.Event().wait()

    port = free_port(HOST, 0)
    async with listen(never, HOST, port, 1000) as edge:
        _, writer = await asyncio.open_connection(HOST, port)
        writer.write(GET * 10_000)
        await asyncio.sleep(0.3)
        assert begun == ["/live"]
        assert len(edge.tasks) == 1
        assert 0 < edge.unfinished.total <= 2 * READ_SIZE, "the system keeps the rest"
        for task in list(edge.tasks):
            task.cancel()
        writer.close()


def post(body: bytes) -> bytes:
    return b"POST /%d HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(body), len(body), body)


def chunked(*chunks: bytes) -> bytes:
    head = b"POST /chunked HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in (*chunks, b""))


def get(path: bytes, *headers: bytes) -> bytes:
    return b"GET %s HTTP/1.1\r\n%s\r\n" % (path, b"".join(header + b"\r\n" for header in (b"Host: x", *headers)))


class Echo:
    """Answers with the method, the path and the body, the earlier requests more slowly; notes how many at a time."""

    def __init__(self, pause: float = 0.0) -> None:
        self.pause, self.at_once, self.most = pause, 0, 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        self.pause, pause = self.pause / 2, self.pause
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message["body"]
            if not message["more_body"]:
                break
        await asyncio.sleep(pause)
        echo = f"<{scope['method']} {scope['path']} {body!r}>".encode()
        head = [(b"content-length", str(len(echo)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        self.at_once -= 1
        await send({"type": "http.response.body", "body": echo})


TOLD = re.compile(rb"<[^>]*>|HTTP/1.1 (?!200)\d+")


async def responses_to(app: Any, *packets: bytes, answers: int) -> tuple[list[bytes], bool]:
    """Send packets one by one; return the responses, and whether the server closed the connection afterwards."""
    port = free_port(HOST, 0)
    async with listen(app, HOST, port, 1000):
        reader, writer = await asyncio.open_connection(HOST, port)
        for packet in packets:
            writer.write(packet)
            await asyncio.sleep(0)
        received = b""
        with suppress(TimeoutError, ConnectionResetError):
            async with asyncio.timeout(5):
                while len(TOLD.findall(received)) < answers and (data := await reader.read(2**16)):
                    received += data
        over = False
        with suppress(TimeoutError, ConnectionResetError):
            async with asyncio.timeout(0.2):
                over = not await reader.read(1)
        writer.close()
    return TOLD.findall(received), over


async def test_pipelined_requests_are_answered_in_order() -> None:
    """RFC 9112, 9.3.2: the answers come in the order of the requests, one for each."""
    app = Echo(pause=0.05)
    asked = [get(b"/a"), get(b"/b"), get(b"/c")]
    assert await responses_to(app, b"".join(asked), answers=3) == (
        [b"<GET /a b''>", b"<GET /b b''>", b"<GET /c b''>"],
        False,
    )
    assert app.most == 1


MIXED = [
    (post(b"{}"), b"<POST /2 b'{}'>"),
    (b"\r\n" + get(b"/a"), b"<GET /a b''>"),
    (chunked(b"one", b"\r\n\r\n", b"GET"), rb"<POST /chunked b'one\r\n\r\nGET'>"),
    (post(b"\r\n\r\n"), rb"<POST /4 b'\r\n\r\n'>"),
    (get(b"/b"), b"<GET /b b''>"),
]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 11, 50, 10_000])
async def test_packet_boundaries_do_not_matter(size: int) -> None:
    asked, expected = b"".join(request for request, _ in MIXED), [answer for _, answer in MIXED]
    packets = [asked[at : at + size] for at in range(0, len(asked), size)]
    assert await responses_to(Echo(), *packets, answers=len(MIXED)) == (expected, False)


async def test_large_bodies_can_follow_each_other() -> None:
    asked = post(b"x" * 30_000) + post(b"y" * 20_000) + get(b"/z")
    answers, _ = await responses_to(Echo(), asked, answers=3)
    assert [answer[:12] for answer in answers] == [b"<POST /30000", b"<POST /20000", b"<GET /z b''>"]


async def test_bytes_after_the_last_request_are_ignored() -> None:
    asked = get(b"/a", b"Connection: close") + get(b"/b")
    assert await responses_to(Echo(0.05), asked, answers=2) == ([b"<GET /a b''>"], True)


@pytest.mark.parametrize(
    ("behind", "status"),
    [(b"nonsense\r\n\r\n", b"400"), (get(b"/b", b"X: " + b"x" * 40_000), b"431")],
    ids=["nonsense", "a long head"],
)
async def test_a_refusal_follows_the_earlier_responses(behind: bytes, status: bytes) -> None:
    answers = await responses_to(Echo(0.05), get(b"/a") + behind, answers=2)
    assert answers == ([b"<GET /a b''>", b"HTTP/1.1 " + status], True)


async def test_an_upgrade_follows_the_earlier_responses() -> None:
    echo = Echo(0.05)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await echo(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.accept"})
            await receive()

    upgrade = (b"Connection: Upgrade", b"Upgrade: websocket", b"Sec-WebSocket-Version: 13")
    asked = get(b"/a") + get(b"/b") + get(b"/s", *upgrade, b"Sec-WebSocket-Key: " + b64encode(bytes(16)))
    answers, _ = await responses_to(app, asked, answers=3)
    assert answers == [b"<GET /a b''>", b"<GET /b b''>", b"HTTP/1.1 101"]


async def test_endless_blank_lines_are_cheap() -> None:
    port, blank = free_port(HOST, 0), b"\r\n" * 500_000
    async with listen(Echo(), HOST, port, 1000) as edge:
        for first in (b"", chunked()[:-5] + b"%x\r\n" % len(blank)):
            _, writer = await asyncio.open_connection(HOST, port)
            began = time.process_time()
            writer.write(first + blank)
            with suppress(TimeoutError, ConnectionError):
                async with asyncio.timeout(5):
                    await writer.drain()
            await asyncio.sleep(0.2)
            assert time.process_time() - began < 2.5, "a megabyte"
            writer.transport.abort()
        assert edge.table.total <= 1


async def test_reading_ahead_of_unprocessed_messages_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, messages, waiting = asyncio.Event(), list[str](), list[int]()

    class Noted(websocket.MessageQueue):
        def put_nowait(self, event: Any) -> None:
            super().put_nowait(event)
            waiting.append(self.qsize())

    async def slow(scope: object, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await go_on.wait()
        while (event := await receive())["type"] == "websocket.receive":
            messages.append(event["text"])

    monkeypatch.setattr(websocket, "MessageQueue", Noted)
    port, output = free_port(HOST, 0), [f"{number} {'x' * 5000}" for number in range(20)]
    async with listen(slow, HOST, port, 10_000), connect(f"ws://{HOST}:{port}/", proxy=None) as line:
        for text in output:
            await line.send(text)
        await asyncio.sleep(0.1)
        assert max(waiting) == websocket.MAX_QUEUED + 1, "what is larger than a piece comes one by one"
        go_on.set()
        while len(messages) < len(output):
            await asyncio.sleep(0.01)
    assert messages == output


async def test_a_message_in_flight_is_sent_during_shutdown() -> None:
    async def slow(scope: object, receive: object, send: object) -> None:
        await asyncio.sleep(0.3)
        await send({"type": "http.response.start", "status": 204, "headers": []})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": b""})  # type: ignore[operator]

    port = free_port(HOST, 0)
    async with listen(slow, HOST, port, 1000):
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(GET)
        await asyncio.sleep(0.1)
    assert (await reader.read()).startswith(b"HTTP/1.1 204")
    writer.close()
