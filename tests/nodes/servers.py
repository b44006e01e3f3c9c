"""Several `jamboree serve` processes on one PostgreSQL."""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from jamboree.server.serve import free_port
from tests.server.bench.online import HOST

from .cable import Cable


class Server:
    """A server that can be killed, paused, cut off, drained, and restarted under its name."""

    def __init__(self, name: str, cable: Cable, lease: float, database: str = "") -> None:
        self.name, self.cable, self.lease = name, cable, lease
        self.database = database or cable.address
        self.port = free_port(HOST, 0)
        self.log = cable.socket.parent / f"{name}.log"
        self.program: Process | None = None

    async def start(self) -> None:
        settings = {"db": self.database, "port": self.port, "node": self.name, "node-lease": self.lease}
        flags = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
        with self.log.open("a") as log:
            self.program = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "jamboree", "serve", *flags, stdout=PIPE, stderr=log
            )
        assert self.program.stdout
        async with asyncio.timeout(120):
            line = await self.program.stdout.readline()
        assert b"Tables are open" in line, line

    def send(self, sign: signal.Signals) -> None:
        assert self.program
        self.program.send_signal(sign)

    async def ended(self) -> int:
        assert self.program
        async with asyncio.timeout(60):
            return await self.program.wait()

    async def stop(self) -> None:
        if self.program and self.program.returncode is None:
            self.program.kill()
            await self.program.wait()


@asynccontextmanager
async def serving(folder: Path, names: str, lease: float, database: str = "") -> AsyncIterator[list[Server]]:
    """Start servers with one-letter names, on the PostgreSQL in a folder or at an address."""
    async with AsyncExitStack() as running:
        servers = []
        for name in names:
            server = Server(name, await running.enter_async_context(Cable(folder)), lease, database)
            running.push_async_callback(server.stop)
            servers.append(server)
        await asyncio.gather(*(server.start() for server in servers))
        yield servers
