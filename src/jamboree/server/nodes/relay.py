"""A reverse proxy between the servers of a cluster: relays requests and sockets to the owner of their table."""

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
from ..edge.early_responses import ENCODED_SECURITY_HEADERS
from ..errors import Refused
from ..live.registry import NotOwner
from ..protocol.urls import path
from .lease import Peer
from .node import Node
from .peer_socket import PeerUnreachable, connect_to

T = TypeVar("T")
# Headers that are trusted only on the internal port:
RELAY_KEY = "x-jamboree-relay"
VISITOR_ORIGIN = "x-jamboree-visitor"
DONE, MISDIRECTED = 204, 421  # statuses; 421: that server does not own the table
GIVE = "give"  # an operation of servers, besides those of live tables
RELOCATE_TIMEOUT = 5.0  # seconds in which a table's new owner must be found
RETRY_EVERY = 0.1  # seconds between attempts
READ_SIZE = 64 * 1024
RESTART, POLICY = 1012, 1008
HOP_HEADERS = (b"host", b"connection", b"upgrade", b"keep-alive", b"te", b"expect", b"content-length")
HOP_HEADER_PREFIXES = (b"sec-websocket-", b"transfer-encoding", b"x-jamboree-", b"x-forwarded-")
EDGE_HEADERS = {b"date"} | {name for name, _ in ENCODED_SECURITY_HEADERS}  # the edge adds them to every response
AnyRequest = Request[Any, Any, Any]
Headers = list[tuple[bytes, bytes]]


class RelayedResponse(NamedTuple):
    status: int
    headers: Headers
    body: bytes


class RelayResponse(Response[bytes]):
    """A response of another server, unchanged."""

    def __init__(self, response: RelayedResponse) -> None:
        super().__init__(b"", status_code=response.status)
        self.response = response

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        async def respond(scope: Any, receive: Any, send: Any) -> None:
            status, headers, body = self.response
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

        return respond


async def relay_request(node: Node, code: str, request: AnyRequest, origin: Origin) -> RelayResponse | None:
    """Relay a request to the owner of its table; None if that is this server."""
    if await node.owner(code) is None:
        return None
    body, headers = await request.body(), forwarded_headers(request.scope["headers"], origin)
    raw_path, query = request.scope["raw_path"], request.scope["query_string"]
    target = raw_path + b"?" + query if query else raw_path

    async def ask(peer: Peer) -> RelayResponse:
        return RelayResponse(await forward(node, peer, request.method, target, headers, body))

    return await at_owner(node, code, ask)


async def relay_socket(node: Node, code: str, socket: WebSocket[Any, Any, Any], origin: Origin) -> bool:
    """Relay a socket to the owner of its table; False if that is this server."""
    if await request_handover(node, code):
        node.note_received(code)
    headers, target = forwarded_headers(socket.scope["headers"], origin), socket.scope["raw_path"].decode()

    async def carry(peer: Peer) -> bool:
        far = await open_far_socket(node, peer, target, headers)
        try:
            await socket.accept()
            await _pump(far, socket, node.departure(peer))
        finally:
            far.transport.abort()
        return True

    return bool(await at_owner(node, code, carry))


async def request_handover(node: Node, code: str) -> bool:
    """Ask the owner for an unused table, so that later requests need no relay; whether it was handed over."""
    peer = await node.owner(code)
    if peer is None or node.leaving:
        return False
    with suppress(PeerUnreachable, Refused):
        return (await _request_of(node, peer, GIVE, code, [node.lease.run])).status == DONE
    return False


async def at_owner(node: Node, code: str, action: Callable[[Peer], Awaitable[T]]) -> T | None:
    """Perform an action at the owner of a table, retrying until there is one; None if that is this server."""
    loop = asyncio.get_running_loop()
    give_up = loop.time() + RELOCATE_TIMEOUT
    while peer := await node.owner(code):
        try:
            return await action(peer)
        except PeerUnreachable:
            node.invalidate(code)
        if loop.time() > give_up:
            raise Refused("not-saved", "This table's server can't be reached at the moment.")
        await asyncio.sleep(RETRY_EVERY)
    return None


async def ask_owner(node: Node, operation: str, code: str, arguments: Sequence[str]) -> None:
    """Have an operation on a person carried out by the server that owns a table."""

    async def ask(peer: Peer) -> RelayedResponse:
        return await _request_of(node, peer, operation, code, arguments)

    response = await at_owner(node, code, ask)
    if response is None or response.status != DONE:
        raise NotOwner


async def _request_of(node: Node, peer: Peer, operation: str, code: str, arguments: Sequence[str]) -> RelayedResponse:
    return await forward(
        node, peer, "POST", path("nodes", operation, code).encode(), [], msgspec.json.encode(arguments)
    )


def forwarded_headers(headers: Iterable[tuple[bytes, bytes]], origin: Origin) -> Headers:
    """A visitor's headers without hop-by-hop ones, and with the visitor's origin."""
    relayed = [(name, value) for name, value in headers if not _is_for_one_hop(name.lower())]
    return [*relayed, (VISITOR_ORIGIN.encode(), msgspec.json.encode(origin))]


def _is_for_one_hop(name: bytes) -> bool:
    return name in HOP_HEADERS or name.startswith(HOP_HEADER_PREFIXES)


async def forward(node: Node, peer: Peer, method: str, target: bytes, headers: Headers, body: bytes) -> RelayedResponse:
    """Send a request to a peer. If it dies before responding, a change may or may not have been made."""
    reader, writer = await asyncio.open_connection(sock=await connect_to(peer.address))
    try:
        writer.write(_request_bytes(peer, method, target, headers, body))
        response = await while_alive(node, peer, _read(reader, method))
    except (OSError, httptools.HttpParserError, PeerUnreachable) as error:
        if method in ("GET", "HEAD"):
            raise PeerUnreachable from error
        raise Refused("table-stopped", "This table's server was lost; check whether this was done.") from None
    finally:
        writer.close()
    if response.status == MISDIRECTED:
        raise PeerUnreachable
    return response


async def while_alive(node: Node, peer: Peer, work: Coroutine[Any, Any, T]) -> T:
    """Await a result from a peer; raise PeerUnreachable if the peer dies first."""
    working, departure = asyncio.create_task(work), asyncio.create_task(node.departure(peer).wait())
    try:
        await asyncio.wait([working, departure], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise PeerUnreachable
        return working.result()
    finally:
        for task in (working, departure):
            task.cancel()


def _request_bytes(peer: Peer, method: str, target: bytes, headers: Headers, body: bytes) -> bytes:
    own = [(RELAY_KEY.encode(), peer.run.encode()), (b"host", peer.address.encode()), (b"connection", b"close")]
    length = [(b"content-length", str(len(body)).encode())] if body else []
    lines = [b"%s: %s\r\n" % connection for connection in [*headers, *own, *length]]
    return b"%s %s HTTP/1.1\r\n%s\r\n%s" % (method.encode(), target, b"".join(lines), body)


class _ResponseParser:
    """Collects a response as httptools parses it."""

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


async def _read(reader: asyncio.StreamReader, method: str) -> RelayedResponse:
    answer = _ResponseParser()
    parser = httptools.HttpResponseParser(answer)
    while not answer.whole:
        data = await reader.read(READ_SIZE)
        if not data:
            break
        parser.feed_data(data)
    if not answer.whole and (method != "HEAD" or not answer.headers):
        raise ConnectionError("the response is missing or incomplete")
    ours = [connection for connection in answer.headers if connection[0] not in EDGE_HEADERS]
    return RelayedResponse(parser.get_status_code(), ours, bytes(answer.body))


async def open_far_socket(node: Node, peer: Peer, target: str, headers: Headers) -> ClientConnection:
    """Open a WebSocket to a table on a peer."""
    connection = await connect_to(peer.address)
    shown = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]
    opening = connect(
        f"ws://{peer.address}{target}",
        sock=connection,
        additional_headers=[*shown, (RELAY_KEY, peer.run)],
        user_agent_header=None,
        compression=None,
        max_size=None,
        ping_interval=None,
        proxy=None,
        open_timeout=None,
    )
    try:
        return await while_alive(node, peer, _connected(opening))
    except InvalidStatus as error:
        if error.response.status_code == MISDIRECTED:
            raise PeerUnreachable from error
        raise Refused("not-allowed", "This table does not let you in.") from None
    except InvalidHandshake as error:
        raise PeerUnreachable from error
    except (OSError, EOFError) as error:
        raise PeerUnreachable from error


async def reject_misdirected(socket: WebSocket[Any, Any, Any]) -> None:
    """Tell the relaying server that this one no longer owns the table."""
    send: Any = socket.send
    await send({"type": "websocket.http.response.start", "status": MISDIRECTED, "headers": []})
    await send({"type": "websocket.http.response.body", "body": b""})


async def _connected(opening: connect) -> ClientConnection:
    return await opening


async def _pump(far: ClientConnection, socket: WebSocket[Any, Any, Any], departure: asyncio.Event) -> None:
    """Pump messages both ways until one side closes or the peer is lost."""
    tasks = [asyncio.create_task(each) for each in (_to_far(far, socket), _to_client(far, socket), departure.wait())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(Exception):
            async with asyncio.timeout(1):
                await socket.close(far.close_code if far.close_code in (POLICY, 1009) else RESTART)


async def _to_far(far: ClientConnection, socket: WebSocket[Any, Any, Any]) -> None:
    with suppress(WebSocketDisconnect, ConnectionClosed):
        while True:
            await far.send(await socket.receive_data(mode="text"))


async def _to_client(far: ClientConnection, socket: WebSocket[Any, Any, Any]) -> None:
    with suppress(ConnectionClosed):
        async for message in far:
            if isinstance(message, str):
                await socket.send_data(message, mode="text")
            else:
                await socket.send_data(message, mode="binary")
