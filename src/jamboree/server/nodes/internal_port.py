"""The port for other servers, protected by the key of the lease: relayed requests, and operations of peers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hmac import compare_digest
from typing import Any

import msgspec

from jamboree.core.errors import UNREADABLE, JamboreeError

from ..edge.addresses import Origin
from ..edge.listener import listen
from ..errors import Refused
from ..live.commands.joining import Accept
from ..live.registry import ACCEPT, FORGET, NotOwner
from ..tokens import is_code
from .node import Node
from .relay import DONE, GIVE, MISDIRECTED, RELAY_KEY, VISITOR_ORIGIN

RELAYED = "jamboree.relayed"  # a key in the scope of relayed requests, which are not relayed again
PEER_PATHS = "/nodes/"  # operations of peers
MAX_BODY = 64 * 1024
MALFORMED, UNKNOWN, METHOD_NOT_ALLOWED, TOO_BIG, UNAVAILABLE = 400, 404, 405, 413, 503
POLICY = 1008


class BadPeerRequest(Exception):
    """A request that no peer of this version sends; it is answered with a status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class InternalApp:
    """The application for requests that other servers relay or send."""

    def __init__(self, app: Any, node: Node) -> None:
        self.app, self.node = app, node

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            headers = dict(scope["headers"])
            self._check_key(headers)
            if not scope["path"].startswith(PEER_PATHS):
                scope["jamboree.origin"] = _visitor(headers)
        except BadPeerRequest as bad:
            await _respond(scope, send, bad.status)
            return
        if scope["path"].startswith(PEER_PATHS):
            await _respond(scope, send, await self._status_of(scope, receive))
        else:
            scope[RELAYED] = True
            await self.app(scope, receive, send)

    def _check_key(self, headers: dict[bytes, bytes]) -> None:
        run = self.node.lease.run.encode()
        if not run or not compare_digest(headers.get(RELAY_KEY.encode(), b""), run):
            raise BadPeerRequest(UNKNOWN)

    async def _status_of(self, scope: Any, receive: Any) -> int:
        """Execute a peer's operation, and return the status of the response."""
        try:
            operation, code = _operation(scope)
            await execute(self.node, operation, code, await _arguments(receive, operation))
        except BadPeerRequest as bad:
            return bad.status
        except NotOwner:
            return MISDIRECTED
        except Refused as refusal:
            return UNKNOWN if refusal.code == "unknown-table" else UNAVAILABLE
        except JamboreeError:
            return UNAVAILABLE
        return DONE


def _visitor(headers: dict[bytes, bytes]) -> Origin:
    """The visitor's origin, whose Host header the relaying server has checked."""
    try:
        return msgspec.json.decode(headers.get(VISITOR_ORIGIN.encode(), b""), type=Origin)
    except UNREADABLE:
        raise BadPeerRequest(MALFORMED) from None


def _operation(scope: Any) -> tuple[str, str]:
    """The requested operation and its table."""
    operation, _, code = scope["path"].removeprefix(PEER_PATHS).partition("/")
    if operation not in (GIVE, ACCEPT, FORGET) or not is_code(code):
        raise BadPeerRequest(UNKNOWN)
    if scope["type"] != "http" or scope["method"] != "POST":
        raise BadPeerRequest(METHOD_NOT_ALLOWED)
    return operation, code


async def _arguments(receive: Any, operation: str) -> list[str]:
    """Read the body: a person's hashed tokens and names, or the run id of the server that wants a table."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise BadPeerRequest(MALFORMED)
        body, more = body + message.get("body", b""), message.get("more_body", False)
        if len(body) > MAX_BODY:
            raise BadPeerRequest(TOO_BIG)
    try:
        arguments = msgspec.json.decode(body, type=list[str])
    except UNREADABLE:
        raise BadPeerRequest(MALFORMED) from None
    if operation == GIVE and len(arguments) != 1:
        raise BadPeerRequest(MALFORMED)
    return arguments


async def execute(node: Node, operation: str, code: str, arguments: list[str]) -> None:
    """Execute an operation on a table of this server."""
    registry = node.registry
    if registry is None:
        raise NotOwner
    if operation == GIVE:
        await node.give_away(code, arguments[0])
        return
    table = await registry.table(code)
    if operation == ACCEPT:
        await table.ask(Accept(arguments))
    elif operation == FORGET:
        await registry.erase_person(table, arguments)


async def _respond(scope: Any, send: Any, status: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY})
    else:
        await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})


@asynccontextmanager
async def listening_internally(app: Any, node: Node | None, largest_message: int) -> AsyncIterator[None]:
    """Listen for other servers until the end of the block, if this is a cluster."""
    if node is None:
        yield
        return
    host, _, port = node.lease.address.rpartition(":")
    async with listen(InternalApp(app, node), host, int(port), largest_message, lambda address: True):
        yield
