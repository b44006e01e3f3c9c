"""A client of a page's server: it follows deltas and knows its legal actions, as the web client does."""

import asyncio
import json
import random
import zlib
from typing import Any

import msgspec

from jamboree.server.page.server import PageServer
from jamboree.server.protocol.actions import ActionGroup, expanded, parse_mask
from jamboree.server.protocol.delta import apply_verified
from jamboree.server.protocol.wire import CompressedFrame


class PageClient:
    def __init__(self, server: PageServer, code: str, number: int = 1) -> None:
        self.server, self.code, self.number = server, code, number
        self.position: Any = None
        self.actions: list[Any] = []
        self.answers: dict[str, Any] = {}
        self.kinds: dict[str, int] = {}
        self.closed = False
        self._sent, self._changed, self._commitment = 0, asyncio.Event(), ""

    async def open(self) -> "PageClient":
        await self.server.connect(self.number, self.code, self.hear)
        self.server.receive(self.number, json.dumps({"type": "hello", "language": "en", "packed": True}))
        await self.until(lambda: self.position is not None)
        return self

    def send(self, kind: str, **fields: Any) -> str:
        self._sent += 1
        name = f"m{self._sent}"
        self.server.receive(self.number, json.dumps({"type": kind, "id": name, **fields}))
        return name

    async def ask(self, kind: str, **fields: Any) -> Any:
        name = self.send(kind, **fields)
        await self.until(lambda: name in self.answers)
        return self.answers[name]

    async def until(self, condition: Any) -> None:
        async with asyncio.timeout(60):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    def hear(self, frame: bytes | None) -> None:
        if frame is None:
            self.closed = True
        else:
            self._hear(json.loads(zlib.decompress(frame, -15) if isinstance(frame, CompressedFrame) else frame))
        self._changed.set()

    def _hear(self, message: Any) -> None:
        kind = message["type"]
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if kind == "welcome":
            self.position = message["position"]
            self.actions = expanded(msgspec.convert(message["actions"] or [], list[ActionGroup]))
        if kind == "update":
            change = message["change"]
            self.position = apply_verified(self.position, change, message["check"]) if change else message["position"]
            assert self.position is not None, "the checksum differs"
        if kind in ("welcome", "table"):
            commitment = message["table"].get("commitment") or ""
            if message["table"]["status"] == "seeding" and commitment != self._commitment:
                self._commitment = commitment
                self.send("seed", seed=f"{random.getrandbits(256):064x}")
        if "id" in message:
            self.answers[message["id"]] = message

    @property
    def legal(self) -> list[Any]:
        return [self.actions[place] for place in parse_mask(self.position["legal"]["mask"])] if self.position else []

    @property
    def is_over(self) -> bool:
        return bool(self.position) and self.position["outcome"] is not None

    async def play_on(self, chance: random.Random, most: int = 10**6) -> int:
        """Make random moves until the end, and return their number."""
        made = 0
        while not self.is_over and made < most:
            if self.legal:
                answer = await self.ask("act", action=chance.choice(self.legal))
                made += answer["type"] == "ack"
            else:
                await self.until(lambda: self.legal or self.is_over)
        return made


async def ask(server: PageServer, method: str, path: str, body: Any = None, **query: str) -> Any:
    """A request and its answer; a refusal is returned as its code."""
    content = b"" if body is None else json.dumps(body).encode()
    answer = await server.request(method, path, query, "", content)
    decoded = json.loads(answer.body) if answer.body else None
    return decoded if answer.ok or decoded is None else decoded["code"]


async def opened(server: PageServer, game: str, seats: int, **more: Any) -> str:
    """A table against Regulars that has begun."""
    bots = {str(seat): "regular" for seat in range(1, seats)}
    body = {"game": game, "seats": seats, "name": "Ann", "bots": bots, "start": True, "pace": "instant", **more}
    return str((await ask(server, "POST", "tables", body))["table"])
