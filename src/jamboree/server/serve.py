"""The server as a program: opens the house, listens, and goes down cleanly."""

import asyncio
import contextlib
import gc
import logging
import signal
import socket
from collections.abc import AsyncIterator, Callable

import msgspec
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server
from litestar import Litestar

from jamboree.core.errors import JamboreeError
from jamboree.games import all_games

from .app import build_app
from .house import DAY, House
from .limits import Limits
from .sockets import say_goodbye
from .store import StoreError, open_store
from .tempo import Tempo

SWEEP_EVERY = 60.0
log = logging.getLogger(__name__)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    database: str
    host: str = "127.0.0.1"
    port: int = 8300
    public_url: str = ""
    forget_after_days: float = 90.0
    behind_proxy: bool = False
    tempo: Tempo = Tempo()
    limited: bool = True  # how much one address may ask


def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Run until somebody stops it."""
    asyncio.run(_serve(settings, announce))


async def _serve(settings: Settings, announce: Callable[[str], None]) -> None:
    store, games, stopped = open_store(settings.database), all_games(), asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, stopped.set)
    port = free_port(settings.host, settings.port)
    try:
        forget_after = settings.forget_after_days * DAY
        async with House(store, games, forget_after=forget_after, tempo=settings.tempo) as house:
            where = settings.public_url or address(settings.host, port)
            limits = Limits(behind_proxy=settings.behind_proxy) if settings.limited else None
            app = build_app(house, where, limits=limits)
            async with listening(app, settings.host, port):
                gc.freeze()
                sweeping = asyncio.create_task(_sweep(house))
                announce(where)
                await stopped.wait()
                sweeping.cancel()
    finally:
        store.close()


@contextlib.asynccontextmanager
async def listening(app: Litestar, host: str, port: int) -> AsyncIterator[None]:
    """Let people in; at the end tell those who are there, and go down."""
    server = Server(app, host, port, interface=Interfaces.ASGI, http=HTTPModes.http1, log_enabled=False)
    running = asyncio.create_task(server.serve())
    try:
        await _answering(host, port, running)
        yield
    finally:
        await say_goodbye(app.state.lines)
        server.stop()  # type: ignore[no-untyped-call]
        await running


async def _sweep(house: House) -> None:
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        with contextlib.suppress(StoreError, JamboreeError):  # what could not be done now is done next time
            await house.sweep()


async def _answering(host: str, port: int, running: "asyncio.Task[None]") -> None:
    """Wait until somebody who comes is let in."""
    while not running.done():
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(_reachable(host), port)
            writer.close()
            return
        await asyncio.sleep(0.02)
    await running


def free_port(host: str, wanted: int) -> int:
    """Give the port that was wanted if it is free, and any free one otherwise."""
    for port in (wanted, 0):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                if port == 0:
                    raise JamboreeError(f"The server can't listen at {host}: {error.strerror}.") from None
                continue
            found: int = probe.getsockname()[1]
            return found
    raise AssertionError("unreachable")


def address(host: str, port: int) -> str:
    """Say where friends find the server: an address of this machine when it listens at all of them."""
    shown = _own_address() if host in ("0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def _reachable(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def _own_address() -> str:
    """Find the address by which others in the house reach this machine; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"
