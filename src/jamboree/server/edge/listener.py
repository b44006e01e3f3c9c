"""Listens on a port: accepts connections, enforces their deadlines, and drains them at shutdown."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable
from email.utils import formatdate
from typing import Any

import websockets.http11
from uvicorn import Config

from .connections import BATCH, PER_ADDRESS, ConnectionTable, EdgeState
from .early_responses import ENCODED_SECURITY_HEADERS
from .http import IDLE_TIMEOUT, MAX_HEAD, GuardedHttpProtocol
from .open_file_limit import max_connections
from .websocket import GuardedWebSocketProtocol

BACKLOG = 4096  # connections that the kernel queues until they are accepted
SEND_BUFFER = 256 * 1024  # bytes that the kernel may buffer for a reader
PING_EVERY, PONG_TIMEOUT = 30.0, 30.0
SWEEP_EVERY = 1.0
DRAIN_TIMEOUT = 2.0  # seconds for the last responses


@contextlib.asynccontextmanager
async def listen(
    app: Any,
    host: str,
    port: int,
    largest_message: int,
    exempt: Callable[[str], bool] | None = None,
    per_address: int = PER_ADDRESS,
    reuse_port: bool = False,
) -> AsyncIterator[EdgeState]:
    """Serve an application until the end of the block."""
    edge = EdgeState(ConnectionTable(max_connections(), per_address, exempt))
    config = _config(app, largest_message)
    loop = asyncio.get_running_loop()
    edge.default_headers = _default_headers()
    with _listening_socket(host, port, reuse_port) as listener:
        server = await loop.create_server(lambda: GuardedHttpProtocol(config, edge, {}), sock=listener, backlog=BATCH)
        listener.listen(BACKLOG)
        sweeping = asyncio.create_task(_sweep(edge))
        try:
            yield edge
        finally:
            sweeping.cancel()
            server.close()
            await _drain(edge)


def _config(app: Any, largest_message: int) -> Config:
    websockets.http11.MAX_LINE_LENGTH = MAX_HEAD  # the Cookie header can be as long as a whole head
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # protocol errors of peers would fill the log
    config = Config(
        app,
        http=GuardedHttpProtocol,
        ws=GuardedWebSocketProtocol,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        timeout_keep_alive=int(IDLE_TIMEOUT),
        ws_max_size=largest_message,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=PONG_TIMEOUT,
    )
    config.load()
    return config


def _listening_socket(host: str, port: int, reuse_port: bool) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sets TCP_NODELAY for it
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, int(reuse_port))  # shared by processes
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)  # accepted connections inherit it
    listener.bind((host, port))
    listener.setblocking(False)
    return listener


def _default_headers() -> list[tuple[bytes, bytes]]:
    return [(b"date", formatdate(usegmt=True).encode()), *ENCODED_SECURITY_HEADERS]


async def _sweep(edge: EdgeState) -> None:
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        edge.default_headers = _default_headers()
        await edge.sweep(loop.time())


async def _drain(edge: EdgeState) -> None:
    """Give pending responses a moment to finish, then abort what is left."""
    for connection in list(edge.connections):
        connection.shutdown()
    end = asyncio.get_running_loop().time() + DRAIN_TIMEOUT
    while (edge.connections or edge.tasks) and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(0.02)
    for connection in list(edge.connections):
        connection.transport.abort()
    for task in list(edge.tasks):
        task.cancel()
    await asyncio.gather(*edge.tasks, return_exceptions=True)
