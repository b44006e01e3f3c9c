"""Requests and sockets passed on to the server that has their table."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import httptools
import msgspec
from litestar import Request, Response, WebSocket
from litestar.exceptions import WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from ..edge.addresses import Origin
from ..edge.early_responses import HEAD
from ..errors import Refused
from ..live.registry import NotOwner
from ..protocol.urls import path
from .lease import Peer
from .node import Node
from .peer_socket import Unreached, line_to

T = TypeVar("T")
KEY, VISITOR = "x-jamboree-relay", "x-jamboree-visitor"  # headers; they are believed only inside
DONE, ELSEWHERE = 204, 421  # the status of an answer by a server that does not have the table after all
GIVE = "give"  # what a server asks of another, besides what tables ask
PATIENCE = 5.0  # seconds in which a table must be found on its new server
AGAIN = 0.1  # seconds before it is looked for again
LARGEST_PIECE = 64 * 1024
RESTART, POLICY = 1012, 1008
NOT_PASSED_ON = (b"host", b"connection", b"upgrade", b"keep-alive", b"te", b"expect", b"content-length")
NOT_PASSED_ON_EITHER = (b"sec-websocket-", b"transfer-encoding", b"x-jamboree-", b"x-forwarded-")
OUR_OWN = {b"date", *(name for name, _ in HEAD)}  # headers that the door puts on every answer
Asked = Request[Any, Any, Any]
Headers = list[tuple[bytes, bytes]]


class Answered(NamedTuple):
    status: int
    headers: Headers
    body: bytes


class Relayed(Response[bytes]):
    """An answer of another server, as it is."""

    def __init__(self, answered: Answered) -> None:
        super().__init__(b"", status_code=answered.status)
        self.answered = answered

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        async def respond(scope: Any, receive: Any, send: Any) -> None:
            status, headers, body = self.answered
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

        return respond


async def relay_request(node: Node, code: str, request: Asked, origin: Origin) -> Relayed | None:
    """Have a request answered where its table is; None if that is here."""
    if await node.owner(code) is None:
        return None
    body, headers = await request.body(), passed_on(request.scope["headers"], origin)
    asked_for, query = request.scope["raw_path"], request.scope["query_string"]
    target = asked_for + b"?" + query if query else asked_for

    async def ask(peer: Peer) -> Relayed:
        return Relayed(await asked(node, peer, request.method, target, headers, body))

    return await found(node, code, ask)


async def relay_socket(node: Node, code: str, socket: WebSocket[Any, Any, Any], origin: Origin) -> bool:
    """Carry a socket to where its table is; False if that is here."""
    if await is_given(node, code):
        node.receive(code)
    headers, target = passed_on(socket.scope["headers"], origin), socket.scope["raw_path"].decode()

    async def carry(peer: Peer) -> bool:
        far = await reached(node, peer, target, headers)
        try:
            await socket.accept()
            await _carry(far, socket, node.gone(peer))
        finally:
            far.transport.abort()
        return True

    return bool(await found(node, code, carry))


async def is_given(node: Node, code: str) -> bool:
    """Ask for a table that nobody is connected to: it belongs where its people arrive, which saves them the way."""
    peer = await node.owner(code)
    if peer is None or node.leaving:
        return False
    with suppress(Unreached, Refused):
        return (await _asked_of(node, peer, GIVE, code, [node.lease.run])).status == DONE
    return False


async def found(node: Node, code: str, do: Callable[[Peer], Awaitable[T]]) -> T | None:
    """Do something where a table is, looking for it until it has an owner again; None if that is here."""
    loop = asyncio.get_running_loop()
    give_up = loop.time() + PATIENCE
    while peer := await node.owner(code):
        try:
            return await do(peer)
        except Unreached:
            node.doubt(code)
        if loop.time() > give_up:
            raise Refused("not-kept", "This table's server can't be reached at the moment.")
        await asyncio.sleep(AGAIN)
    return None


async def ask_elsewhere(node: Node, what: str, code: str, words: Sequence[str]) -> None:
    """Have something done about a person at a table on another server."""

    async def ask(peer: Peer) -> Answered:
        return await _asked_of(node, peer, what, code, words)

    answered = await found(node, code, ask)
    if answered is None or answered.status != DONE:
        raise NotOwner


async def _asked_of(node: Node, peer: Peer, what: str, code: str, words: Sequence[str]) -> Answered:
    return await asked(node, peer, "POST", path("nodes", what, code).encode(), [], msgspec.json.encode(words))


def passed_on(headers: Iterable[tuple[bytes, bytes]], origin: Origin) -> Headers:
    """Give a visitor's headers without those that are for the next hop, and with where the visitor comes from."""
    kept = [(name, value) for name, value in headers if not _is_for_one_hop(name.lower())]
    return [*kept, (VISITOR.encode(), msgspec.json.encode(origin))]


def _is_for_one_hop(name: bytes) -> bool:
    return name in NOT_PASSED_ON or name.startswith(NOT_PASSED_ON_EITHER)


async def asked(node: Node, peer: Peer, method: str, target: bytes, headers: Headers, body: bytes) -> Answered:
    """Ask another server; what was sent to one that then died may have been done."""
    reader, writer = await asyncio.open_connection(sock=await line_to(peer.address))
    try:
        writer.write(_written(peer, method, target, headers, body))
        answered = await while_there(node, peer, _read(reader, method))
    except (OSError, httptools.HttpParserError, Unreached) as error:
        if method in ("GET", "HEAD"):
            raise Unreached from error
        raise Refused("table-stopped", "This table's server was lost; look whether this was done.") from None
    finally:
        writer.close()
    if answered.status == ELSEWHERE:
        raise Unreached
    return answered


async def while_there(node: Node, peer: Peer, work: Coroutine[Any, Any, T]) -> T:
    """Wait for something that another server does, as long as it lives."""
    working, gone = asyncio.create_task(work), asyncio.create_task(node.gone(peer).wait())
    try:
        await asyncio.wait([working, gone], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Unreached
        return working.result()
    finally:
        for task in (working, gone):
            task.cancel()


def _written(peer: Peer, method: str, target: bytes, headers: Headers, body: bytes) -> bytes:
    own = [(KEY.encode(), peer.run.encode()), (b"host", peer.address.encode()), (b"connection", b"close")]
    length = [(b"content-length", str(len(body)).encode())] if body else []
    lines = [b"%s: %s\r\n" % line for line in [*headers, *own, *length]]
    return b"%s %s HTTP/1.1\r\n%s\r\n%s" % (method.encode(), target, b"".join(lines), body)


class _Answer:
    """Takes in an answer as httptools finds it."""

    def __init__(self) -> None:
        self.headers: Headers = []
        self.body = bytearray()
        self.whole = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if not _is_for_one_hop(name.lower()) or name.lower() == b"content-length":
            self.headers.append((name.lower(), value))

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.whole = True


async def _read(reader: asyncio.StreamReader, method: str) -> Answered:
    answer = _Answer()
    parser = httptools.HttpResponseParser(answer)
    while not answer.whole:
        data = await reader.read(LARGEST_PIECE)
        if not data:
            break
        parser.feed_data(data)
    if not answer.whole and (method != "HEAD" or not answer.headers):
        raise ConnectionError("there was no answer, or not all of it")
    ours = [line for line in answer.headers if line[0] not in OUR_OWN]
    return Answered(parser.get_status_code(), ours, bytes(answer.body))


async def reached(node: Node, peer: Peer, target: str, headers: Headers) -> ClientConnection:
    """Open a socket to a table on another server."""
    line = await line_to(peer.address)
    shown = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]
    opening = connect(
        f"ws://{peer.address}{target}",
        sock=line,
        additional_headers=[*shown, (KEY, peer.run)],
        user_agent_header=None,
        compression=None,
        max_size=None,
        ping_interval=None,
        proxy=None,
        open_timeout=None,
    )
    try:
        return await while_there(node, peer, _opened(opening))
    except InvalidStatus as error:
        if error.response.status_code == ELSEWHERE:
            raise Unreached from error
        raise Refused("not-allowed", "This table does not let you in.") from None
    except InvalidHandshake as error:
        raise Unreached from error
    except (OSError, EOFError) as error:
        raise Unreached from error


async def send_back(socket: WebSocket[Any, Any, Any]) -> None:
    """Tell the server that passed a socket on that the table is not here any more."""
    send: Any = socket.send
    await send({"type": "websocket.http.response.start", "status": ELSEWHERE, "headers": []})
    await send({"type": "websocket.http.response.body", "body": b""})


async def _opened(opening: connect) -> ClientConnection:
    return await opening


async def _carry(far: ClientConnection, socket: WebSocket[Any, Any, Any], gone: asyncio.Event) -> None:
    """Carry messages both ways until one side ends it, or the other server is gone."""
    both = [asyncio.create_task(each) for each in (_up(far, socket), _down(far, socket), gone.wait())]
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)
        with suppress(Exception):
            async with asyncio.timeout(1):
                await socket.close(far.close_code if far.close_code in (POLICY, 1009) else RESTART)


async def _up(far: ClientConnection, socket: WebSocket[Any, Any, Any]) -> None:
    with suppress(WebSocketDisconnect, ConnectionClosed):
        while True:
            await far.send(await socket.receive_data(mode="text"))


async def _down(far: ClientConnection, socket: WebSocket[Any, Any, Any]) -> None:
    with suppress(ConnectionClosed):
        async for message in far:
            if isinstance(message, str):
                await socket.send_data(message, mode="text")
            else:
                await socket.send_data(message, mode="binary")
