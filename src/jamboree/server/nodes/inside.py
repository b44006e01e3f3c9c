"""The inner port: what other servers relay for visitors, and what they ask of this one, behind the key of its lease."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hmac import compare_digest
from typing import Any

import msgspec

from jamboree.core.errors import UNREADABLE, JamboreeError

from ..door.addresses import Origin
from ..door.listener import let_in
from ..errors import Refused
from ..live.commands.joining import Accept
from ..live.erasure import forget
from ..live.registry import ACCEPT, FORGET, NotOwner
from ..secret import is_code
from .node import Node
from .relay import DONE, ELSEWHERE, GIVE, KEY, VISITOR

RELAYED = "jamboree.relayed"  # in a scope: it came from another server, and is not passed on again
ASKED = "/nodes/"  # the paths of what servers ask of each other
LARGEST_BODY = 64 * 1024
MALFORMED, UNKNOWN, NOT_THIS_WAY, TOO_BIG, NOT_NOW = 400, 404, 405, 413, 503
POLICY = 1008


class Odd(Exception):
    """A request that no server of ours sends, with the status it is answered with."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Inside:
    """An application for visitors who reached another server first."""

    def __init__(self, app: Any, node: Node) -> None:
        self.app, self.node = app, node

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            shown = dict(scope["headers"])
            self._check_key(shown)
            if not scope["path"].startswith(ASKED):
                scope["jamboree.origin"] = _visitor(shown)
        except Odd as odd:
            await _answer(scope, send, odd.status)
            return
        if scope["path"].startswith(ASKED):
            await _answer(scope, send, await self._done(scope, receive))
        else:
            scope[RELAYED] = True
            await self.app(scope, receive, send)

    def _check_key(self, shown: dict[bytes, bytes]) -> None:
        run = self.node.lease.run.encode()
        if not run or not compare_digest(shown.get(KEY.encode(), b""), run):
            raise Odd(UNKNOWN)

    async def _done(self, scope: Any, receive: Any) -> int:
        """Do what another server asks about a person at a table that is here; give the status of the answer."""
        try:
            what, code = _task(scope)
            await done_here(self.node, what, code, await _words(receive, what))
        except Odd as odd:
            return odd.status
        except NotOwner:
            return ELSEWHERE
        except Refused as refusal:
            return UNKNOWN if refusal.code == "unknown-table" else NOT_NOW
        except JamboreeError:
            return NOT_NOW
        return DONE


def _visitor(shown: dict[bytes, bytes]) -> Origin:
    """Read who asks; the server that relays it has checked the name by which it was asked for."""
    try:
        return msgspec.json.decode(shown.get(VISITOR.encode(), b""), type=Origin)
    except UNREADABLE:
        raise Odd(MALFORMED) from None


def _task(scope: Any) -> tuple[str, str]:
    """Read what is asked, and about which table."""
    what, _, code = scope["path"].removeprefix(ASKED).partition("/")
    if what not in (GIVE, ACCEPT, FORGET) or not is_code(code):
        raise Odd(UNKNOWN)
    if scope["type"] != "http" or scope["method"] != "POST":
        raise Odd(NOT_THIS_WAY)
    return what, code


async def _words(receive: Any, what: str) -> list[str]:
    """Read the body: by what a person is known, or the run of the server that asks for a table."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise Odd(MALFORMED)
        body, more = body + message.get("body", b""), message.get("more_body", False)
        if len(body) > LARGEST_BODY:
            raise Odd(TOO_BIG)
    try:
        words = msgspec.json.decode(body, type=list[str])
    except UNREADABLE:
        raise Odd(MALFORMED) from None
    if what == GIVE and len(words) != 1:
        raise Odd(MALFORMED)
    return words


async def done_here(node: Node, what: str, code: str, words: list[str]) -> None:
    """Do something at a table of ours: about a person known by tokens and names, or for a server known by its run."""
    registry = node.registry
    if registry is None:
        raise NotOwner
    if what == GIVE:
        await node.give(code, words[0])
        return
    table = await registry.table(code)
    if what == ACCEPT:
        await table.ask(Accept(words))
    elif what == FORGET:
        await forget(registry, table, words)


async def _answer(scope: Any, send: Any, status: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY})
    else:
        await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})


@asynccontextmanager
async def listening_inside(app: Any, node: Node | None, largest_message: int) -> AsyncIterator[None]:
    """Let the other servers in until the end of the block, if there can be any."""
    if node is None:
        yield
        return
    host, _, port = node.lease.address.rpartition(":")
    async with let_in(Inside(app, node), host, int(port), largest_message, lambda address: True):
        yield
