"""Lets connections in, looks after their deadlines, and sees them out."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable
from email.utils import formatdate
from typing import Any

import websockets.http11
from uvicorn import Config

from .connections import PER_ADDRESS, Visitors
from .early_responses import HEAD
from .http import IDLE_WITHIN, LARGEST_HEAD, GuardedHttp
from .open_file_limit import most_connections
from .shared import AT_ONCE, Door
from .websocket import GuardedSocket

BACKLOG = 4096  # connections the system keeps for us until we get to them
SENDING = 256 * 1024  # bytes the system may keep for a reader
PING_EVERY, PONG_WITHIN = 30.0, 30.0
SWEEP_EVERY = 1.0
FAREWELL = 2.0  # seconds for the last answers to get out


@contextlib.asynccontextmanager
async def let_in(
    app: Any,
    host: str,
    port: int,
    largest_message: int,
    exempt: Callable[[str], bool] | None = None,
    per_address: int = PER_ADDRESS,
    shared: bool = False,
) -> AsyncIterator[Door]:
    """Serve an application until the end of the block."""
    door = Door(Visitors(most_connections(), per_address, exempt))
    config = _config(app, largest_message)
    loop = asyncio.get_running_loop()
    door.default_headers = _headers()
    with _listening_socket(host, port, shared) as listener:
        server = await loop.create_server(lambda: GuardedHttp(config, door, {}), sock=listener, backlog=AT_ONCE)
        listener.listen(BACKLOG)
        sweeping = asyncio.create_task(_sweep(door))
        try:
            yield door
        finally:
            sweeping.cancel()
            server.close()
            await _see_out(door)


def _config(app: Any, largest_message: int) -> Config:
    websockets.http11.MAX_LINE_LENGTH = LARGEST_HEAD  # a line of cookies can be as long as a head
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # what peers do wrong would fill the log
    config = Config(
        app,
        http=GuardedHttp,
        ws=GuardedSocket,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        timeout_keep_alive=int(IDLE_WITHIN),
        ws_max_size=largest_message,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=PONG_WITHIN,
    )
    config.load()
    return config


def _listening_socket(host: str, port: int, shared: bool) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, so that asyncio sets TCP_NODELAY
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, int(shared))  # other processes of ours listen there too
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING)  # those let in have it too
    listener.bind((host, port))
    listener.setblocking(False)
    return listener


def _headers() -> list[tuple[bytes, bytes]]:
    return [(b"date", formatdate(usegmt=True).encode()), *HEAD]


async def _sweep(door: Door) -> None:
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        door.default_headers = _headers()
        await door.sweep(loop.time())


async def _see_out(door: Door) -> None:
    """Let answers get out that are on their way, for a moment."""
    for connection in list(door.connections):
        connection.shutdown()
    end = asyncio.get_running_loop().time() + FAREWELL
    while (door.connections or door.tasks) and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(0.02)
    for connection in list(door.connections):
        connection.transport.abort()
    for task in list(door.tasks):
        task.cancel()
    await asyncio.gather(*door.tasks, return_exceptions=True)
