"""A TCP proxy that can drop the server's bytes or break every connection."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

HOST = "127.0.0.1"


class Proxy:
    def __init__(self, port: int) -> None:
        self.target, self.port = port, 0
        self.drops_responses = False
        self.accepted = 0
        self._writers: list[asyncio.StreamWriter] = []

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    async def forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        try:
            far_reader, far_writer = await asyncio.open_connection(HOST, self.target)
        except OSError:
            writer.close()
            return
        self._writers += [writer, far_writer]
        await asyncio.gather(self._pump(reader, far_writer, False), self._pump(far_reader, writer, True))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, from_server: bool) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                if not (from_server and self.drops_responses):
                    writer.write(data)
                    await writer.drain()
        writer.close()

    def cut(self) -> None:
        """Break every connection."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()


@asynccontextmanager
async def proxied(port: int) -> AsyncIterator[Proxy]:
    proxy = Proxy(port)
    server = await asyncio.start_server(proxy.forward, HOST, 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        proxy.cut()
        server.close()
