"""A connection to the database that can be cut silently."""

import asyncio
from contextlib import suppress
from pathlib import Path

from jamboree.server.serve import free_port
from tests.server.bench.online import HOST

SOCKET = ".s.PGSQL.5432"


class Cable:
    """Forwards a port of this machine to PostgreSQL's Unix socket."""

    def __init__(self, folder: Path) -> None:
        self.socket, self.port = folder / SOCKET, free_port(HOST, 0)
        self.address = f"postgresql://jamboree@{HOST}:{self.port}/postgres"
        self._whole = asyncio.Event()
        self._whole.set()
        self._carrying: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Cable":
        self._server = await asyncio.start_server(self._connected, HOST, self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.mend()

    def cut(self) -> None:
        self._whole.clear()

    def mend(self) -> None:
        """Allow new connections; those from before the cut stay dead."""
        self._whole.set()
        for task in self._carrying:
            task.cancel()

    async def _connected(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        await self._whole.wait()
        far, onward = await asyncio.open_unix_connection(self.socket)
        both = [asyncio.create_task(self._carry(*way)) for way in ((near, onward), (far, back))]
        self._carrying.update(both)
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in both:
            task.cancel()
            self._carrying.discard(task)
        for writer in (onward, back):
            writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await self._whole.wait()
                writer.write(data)
                await writer.drain()
