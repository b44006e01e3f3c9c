"""How the server bears many people: `python -m tests.server.load [TABLES SECONDS]`.

The server is one process, as people run it; all clients are another. Printed is what the server measured: from an
action's arrival to its durable acknowledgement, alone, with sockets that stall, and how long it takes to come back.
"""

import asyncio
import gc
import json
import random
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from jamboree.games import all_games
from jamboree.server.app import build_app
from jamboree.server.commands import Join, Start
from jamboree.server.house import House
from jamboree.server.serve import free_port, listening
from jamboree.server.store import open_store

from .local import actions
from .online import HOST

SEATS, MOVES_A_SECOND, STALLED = 4, 100, 50


async def opened(house: House, number: int) -> tuple[str, list[str]]:
    code, host = await house.open("bebop", SEATS, {}, f"Host {number}", False)
    table = await house.table(code)
    tokens = [host.token, *[(await table.ask(Join(f"Guest {seat}"))).token for seat in range(1, SEATS)]]
    await table.ask(Start(host.person))
    return code, tokens


async def serve(tables: int, seconds: float, folder: Path) -> None:
    """Run the server, have the clients play, and print what it measured."""
    where = str(folder / "tables.db")
    store = open_store(where)
    async with House(store, all_games()) as house:
        app, port = build_app(house), free_port(HOST, 0)
        async with listening(app, HOST, port):
            places = [await opened(house, number) for number in range(tables)]
            (folder / "places.json").write_text(json.dumps([port, seconds, places]))
            clients = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.server.load", str(folder))
            gc.freeze()  # as the server does once it is up
            acks = Acks(app.state.metrics)
            lag = asyncio.create_task(lags())
            await phase(folder, "quiet")
            print(f"{tables} tables, {app.state.metrics.sockets} sockets: {acks.since()}", flush=True)
            await phase(folder, "stalled")
            print(f"with {STALLED} stalled sockets: {acks.since()}", flush=True)
            lag.cancel()
            await clients.wait()
    store.close()
    await come_back(where, [code for code, _ in places])


async def come_back(where: str, codes: list[str]) -> None:
    begun = time.perf_counter()
    store = open_store(where)
    async with House(store, all_games()) as house:
        for code in codes:
            await house.table(code)
        print(f"{len(codes)} tables back after a restart: {time.perf_counter() - begun:.2f} s", flush=True)
    store.close()


async def phase(folder: Path, name: str) -> None:
    while not (folder / name).exists():
        await asyncio.sleep(0.05)


async def lags() -> None:
    """Keep the loop's own hiccups in view."""
    while True:
        before = time.monotonic()
        await asyncio.sleep(0.1)
        if (late := time.monotonic() - before - 0.1) > 0.25:
            print(f"the loop was late by {late:.2f} s", flush=True)


class Acks:
    """The times of acknowledgements, taken as the server notes them."""

    def __init__(self, metrics: Any) -> None:
        self.times: list[float] = []
        noted = metrics.acked

        def acked(seconds: float) -> None:
            self.times.append(seconds)
            noted(seconds)

        metrics.acked = acked

    def since(self) -> str:
        times, self.times = sorted(self.times), []
        last = len(times) - 1
        at = [f"p{share} {times[min(last, len(times) * share // 100)] * 1000:.1f} ms" for share in (50, 95, 99)]
        return f"{len(times)} moves, {', '.join(at)}, slowest {times[-1] * 1000:.1f} ms"


class Guest:
    """One socket that plays random legal moves when told to."""

    def __init__(self, line: Any) -> None:
        self.line = line
        self.legal: list[dict[str, Any]] = []
        self.sent = 0

    async def listen(self) -> None:
        async for text in self.line:
            message = json.loads(text)
            if message["type"] in ("welcome", "update"):
                self.legal = actions(message["position"]["legal"])

    async def move(self) -> None:
        action, self.legal, self.sent = random.choice(self.legal), [], self.sent + 1
        await self.line.send(json.dumps({"type": "act", "id": f"{self.sent}", "action": action}))


async def play(folder: Path) -> None:
    """Be all the clients."""
    port, seconds, places = json.loads((folder / "places.json").read_text())
    guests: list[Guest] = []
    async with asyncio.TaskGroup() as group:
        for code, tokens in places:
            for token in tokens:
                guest = Guest(await connect(_address(port, code), compression=None, max_size=None, proxy=None))
                await guest.line.send(json.dumps({"type": "hello", "token": token}))
                group.create_task(guest.listen())
                guests.append(guest)
        await keep_moving(guests, seconds)
        (folder / "quiet").touch()
        await asyncio.sleep(0.5)  # let the server print before more come
        stalled = [await stall(port, *place) for place in places[:STALLED]]
        await keep_moving(guests, seconds)
        (folder / "stalled").touch()
        for writer in stalled:
            writer.close()
        for guest in guests:
            await guest.line.close()


async def keep_moving(guests: list[Guest], seconds: float) -> None:
    end, due = time.monotonic() + seconds, time.monotonic()
    while (now := time.monotonic()) < end:
        due = max(due + 1 / MOVES_A_SECOND, now - 0.1)
        able = [guest for guest in random.sample(guests, 40) if guest.legal]
        if able:
            await able[0].move()
        await asyncio.sleep(max(0.0, due - time.monotonic()))


async def stall(port: int, code: str, tokens: list[str]) -> asyncio.StreamWriter:
    """Open a socket by hand, say hello, and never read again."""
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    head = f"GET /api/v1/tables/{code}/socket HTTP/1.1\r\nHost: {HOST}:{port}\r\nUpgrade: websocket\r\n"
    keys = "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    writer.write((head + keys).encode())
    await reader.readuntil(b"\r\n\r\n")
    hello = json.dumps({"type": "hello", "token": tokens[0]}).encode()
    writer.write(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)  # masked by zeros
    reader._transport.pause_reading()  # type: ignore[attr-defined]
    return writer


def _address(port: int, code: str) -> str:
    return f"ws://{HOST}:{port}/api/v1/tables/{code}/socket"


def main() -> None:
    if len(sys.argv) == 2 and Path(sys.argv[1]).is_dir():
        asyncio.run(play(Path(sys.argv[1])))
        return
    tables, seconds = (int(each) for each in sys.argv[1:3]) if len(sys.argv) == 3 else (1000, 30)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(serve(tables, seconds, Path(folder)))


if __name__ == "__main__":
    main()
