"""The environment of a siege: a server of its own, and connections to it from many addresses."""

import asyncio
import json
import os
import re
import sys
import urllib.request
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

BYSTANDER = "127.0.0.1"
AT_ONCE = 200  # connections that are opened before others get a turn


class Field:
    """A server under attack."""

    def __init__(self, port: int, pid: int) -> None:
        self.port, self.pid = port, pid
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        """Say something that belongs into the report."""
        self.notes.append(text)

    def memory(self) -> float:
        """Return the memory of the server in MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def work(self) -> float:
        """Return the CPU seconds of the server."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, path: str, body: Any = None, token: str = "") -> Any:
        """Send a request as the bystander, and return the response."""
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{BYSTANDER}:{self.port}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def table(self) -> tuple[str, str]:
        """Open a table against a bot; return its code and the player's token."""
        setting = {"game": "bebop", "seats": 2, "name": "Ada", "bots": {"1": "rookie"}, "start": True}
        opened = self.ask("/api/v1/tables", setting)
        return opened["table"], opened["token"]


def somewhere(number: int) -> str:
    """Return one of many addresses of the loopback, none of which is the bystander's."""
    return f"127.{1 + number // 62_500 % 200}.{number // 250 % 250}.{1 + number % 250}"


class Leech(asyncio.Protocol):
    """A connection that sends data first, and reads only on request."""

    def __init__(self, first: bytes, reads: bool) -> None:
        self.first, self.reads = first, reads
        self.transport: Any = None
        self.open = True

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.first)
        if not self.reads:
            transport.pause_reading()

    def connection_lost(self, error: Exception | None) -> None:
        self.open = False

    def drip(self, data: bytes) -> None:
        if self.open and not self.transport.is_closing() and self.transport.get_write_buffer_size() < 2**20:
            self.transport.write(data)


class Swarm:
    """Many leeches that are replaced as soon as the server lets go of them."""

    def __init__(self, field: Field, size: int, first: bytes, reads: bool = True, address: str = "") -> None:
        self.field, self.first, self.reads, self.address = field, first, reads, address
        self.leeches: list[Leech | None] = [None] * size
        self.opened = 0

    async def keep_up(self, drip: bytes = b"", every: float = 1.0) -> None:
        """Hold all connections and send something on each of them now and then, until cancelled."""
        try:
            while True:
                await self._replace()
                if drip:
                    for leech in self.leeches:
                        if leech:
                            leech.drip(drip)
                await asyncio.sleep(every)
        finally:
            self.field.note(f"{self.opened} connections opened")
            for leech in self.leeches:
                if leech and leech.transport:
                    leech.transport.abort()

    async def _replace(self) -> None:
        gone = [at for at, leech in enumerate(self.leeches) if leech is None or not leech.open]
        for start in range(0, len(gone), AT_ONCE):
            await asyncio.gather(*[self._open(at) for at in gone[start : start + AT_ONCE]])

    async def _open(self, at: int) -> None:
        source, leech = self.address or somewhere(at), Leech(self.first, self.reads)
        try:
            async with asyncio.timeout(10):
                loop = asyncio.get_running_loop()
                await loop.create_connection(lambda: leech, BYSTANDER, self.field.port, local_addr=(source, 0))
        except (OSError, TimeoutError):
            return
        self.leeches[at], self.opened = leech, self.opened + 1


Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def connected(field: Field, source: str) -> AsyncIterator[Line]:
    """Connect from an address, and leave nothing open."""
    reader, writer = await asyncio.open_connection(BYSTANDER, field.port, local_addr=(source, 0))
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


@asynccontextmanager
async def besieged(folder: Path) -> AsyncIterator[Field]:
    """Start a server as a person would, and end it by its process id."""
    command = [sys.executable, "-m", "jamboree", "serve", "--db", str(folder / "tables.db"), "--port", "0"]
    server = await asyncio.create_subprocess_exec(*command, stdout=PIPE)
    try:
        assert server.stdout
        found = re.search(rb"http://127\.0\.0\.1:(\d+)", await server.stdout.readline())
        assert found
        yield Field(int(found[1]), server.pid)
    finally:
        await _end(server)


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()
