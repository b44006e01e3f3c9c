"""The clients of `load.py`, in a separate process. They connect as browsers do, and move on schedule."""

import asyncio
import gc
import json
import random
import socket
import sys
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from jamboree.server.protocol.actions import parse_mask
from jamboree.server.protocol.wire import decompressed

from ..bench.local import every_action, next_position
from ..bench.online import HOST
from .plan import DONE, GO, STALL, STALLED, Plan, Traffic, take_core

SETTLING = 1.0  # seconds for the last answers


class Guest:
    """One socket that plays random legal moves on request."""

    def __init__(self, line: Any) -> None:
        self.line = line
        self.position: Any = None
        self.every: list[dict[str, Any]] = []  # actions
        self.legal: list[dict[str, Any]] = []
        self.sent = self.updates = self.received = 0
        self.asked = 0.0  # when it moved last
        self.waits: list[float] = []  # seconds until a move was acknowledged

    async def listen(self) -> None:
        async for frame in self.line:
            message = json.loads(frame if isinstance(frame, str) else decompressed(frame))
            if message["type"] == "ack":
                self.waits.append(time.monotonic() - self.asked)
            if message["type"] == "update":
                self.updates, self.received = self.updates + 1, self.received + len(frame)
            if message["type"] == "welcome":
                self.every = every_action(message["actions"])
            if message["type"] in ("welcome", "update"):
                self.position = next_position(self.position, message)
                self.legal = [self.every[index] for index in parse_mask(self.position["legal"]["mask"])]

    async def move(self) -> None:
        action, self.legal, self.sent = random.choice(self.legal), [], self.sent + 1
        self.asked = time.monotonic()
        await self.line.send(json.dumps({"type": "act", "id": f"{self.sent}", "action": action}))


async def play(folder: Path) -> None:
    """Be all the clients, and do as the server says."""
    take_core(own=False)
    port, plan, places = json.loads((folder / "places.json").read_text())
    guests: list[Guest] = []
    async with asyncio.TaskGroup() as group:
        for code, tokens in places:
            for token in tokens:
                guest = Guest(await connect(_address(port, code), compression=None, max_size=None, proxy=None))
                await guest.line.send(json.dumps({"type": "hello", "token": token, "language": "en", "packed": True}))
                group.create_task(guest.listen())
                guests.append(guest)
        await obey(guests, [code for code, _ in places], port, Plan(*plan))
        for guest in guests:
            await guest.line.close()


async def obey(guests: list[Guest], codes: list[str], port: int, plan: Plan) -> None:
    stalled: list[socket.socket] = []
    gc.disable()  # a client that looks for garbage for half a second makes all its moves of that time at once
    print(DONE, flush=True)
    while True:
        word = (await asyncio.to_thread(sys.stdin.readline)).strip()
        if word == DONE:
            return
        if word == GO:
            results = await keep_moving(guests, plan)
            print(DONE, json.dumps(results), flush=True)
            continue
        for each in stalled:
            each.close()
        await asyncio.sleep(1)  # in which the server lets go of them
        stalled = [await stall(port, code) for code in codes[:STALLED]] if word == STALL else []
        print(DONE, flush=True)


async def keep_moving(guests: list[Guest], plan: Plan) -> Traffic:
    """Make each move when it is due, regardless of earlier ones."""
    for guest in guests:
        guest.waits.clear()
    begun, before, due = time.monotonic(), _counted(guests), 0.0
    for number in range(plan.moves):
        due = begun + number / plan.rate
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        able = next((guest for guest in random.sample(guests, min(80, len(guests))) if guest.legal), None)
        if able:
            await able.move()
    seconds = time.monotonic() - begun
    await asyncio.sleep(SETTLING)
    sent, updates, received = (after - earlier for after, earlier in zip(_counted(guests), before, strict=True))
    return Traffic(seconds, sent, updates, received, [wait for guest in guests for wait in guest.waits])


def _counted(guests: list[Guest]) -> tuple[int, int, int]:
    return (
        sum(guest.sent for guest in guests),
        sum(guest.updates for guest in guests),
        sum(guest.received for guest in guests),
    )


async def stall(port: int, code: str) -> socket.socket:
    """Open a raw socket as a spectator, and never read from it."""
    loop, line = asyncio.get_running_loop(), socket.socket()
    line.setblocking(False)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    await loop.sock_connect(line, (HOST, port))
    head = f"GET /api/v1/tables/{code}/socket HTTP/1.1\r\nHost: {HOST}:{port}\r\nUpgrade: websocket\r\n"
    keys = "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    await loop.sock_sendall(line, (head + keys).encode())
    await loop.sock_recv(line, 1024)
    hello = json.dumps({"type": "hello"}).encode()
    await loop.sock_sendall(line, bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)  # masked by zeros
    return line


def _address(port: int, code: str) -> str:
    return f"ws://{HOST}:{port}/api/v1/tables/{code}/socket"


if __name__ == "__main__":
    asyncio.run(play(Path(sys.argv[1])))
