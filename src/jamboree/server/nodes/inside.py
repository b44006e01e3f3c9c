"""Where the other servers come in: what they say of a visitor is believed, if they know what only they can know."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hmac import compare_digest
from typing import Any

import msgspec

from jamboree.core.errors import JamboreeError

from ..door.addresses import Origin
from ..door.listener import let_in
from ..live.commands.joining import Accept
from ..live.erasure import forget
from ..live.registry import ACCEPT, FORGET, NotOwner
from .node import Node
from .relay import ELSEWHERE, GIVE, KEY, VISITOR

RELAYED = "jamboree.relayed"  # in a scope: it came from another server, and is not passed on again
ASKED = "/nodes/"  # the paths of what servers ask of each other


class Inside:
    """An application for visitors who reached another server first."""

    def __init__(self, app: Any, node: Node) -> None:
        self.app, self.node = app, node

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        shown = dict(scope["headers"])
        run = self.node.lease.run.encode()
        if not run or not compare_digest(shown.get(KEY.encode(), b""), run):
            await _turn_away(scope, send)
            return
        if scope["path"].startswith(ASKED):
            await self._do(scope, receive, send)
            return
        visitor = msgspec.json.decode(shown[VISITOR.encode()], type=Origin)
        scope["jamboree.origin"] = visitor._replace(proxied=True)  # the first server has looked at the name
        scope[RELAYED] = True
        await self.app(scope, receive, send)

    async def _do(self, scope: Any, receive: Any, send: Any) -> None:
        """Do what another server asks about a person at a table that is here."""
        _, _, what, code = scope["path"].split("/")
        words = msgspec.json.decode((await receive())["body"], type=list[str])
        status = 204
        try:
            await done_here(self.node, what, code, words)
        except NotOwner:
            status = ELSEWHERE
        except JamboreeError:
            status = 503
        await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})


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


async def _turn_away(scope: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
    else:
        await send({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
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
