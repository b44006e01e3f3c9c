"""The server as a program: opens the registry, listens, and goes down cleanly."""

import asyncio
import contextlib
import logging
import signal
import socket
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable, Iterator

import msgspec
from litestar import Litestar

import jamboree
from jamboree.bots.search import COMMAND, give_up
from jamboree.core.errors import JamboreeError
from jamboree.fast import has_numba, twin_keys
from jamboree.games import all_games

from . import telemetry
from .edge.addresses import Proxies
from .edge.ip_bans import Banned
from .edge.listener import let_in
from .edge.rate_limits import Limits
from .errors import trace
from .gc_tuning import clean_up, look_lately, settle_down
from .http.admin_routes import send_away
from .http.app import build_app
from .http.metrics import Counted
from .http.sockets import LARGEST_RECEIVED, say_goodbye
from .live.clock import Tempo
from .live.registry import DAY, Registry
from .logs import write_log
from .nodes.cluster import Neighbours, sharing
from .nodes.internal_port import listening_inside
from .nodes.lease import LASTS
from .nodes.node import Node, joined
from .offload import let_the_loop_in
from .store import Store, StoreError, open_store

SWEEP_EVERY = 60.0
HEAR_EVERY = 5.0
GET_READY_AFTER = 20.0  # seconds: the first who come, and a server that soon goes down again, are spared the work
LOOK_AGAIN = 5.0  # seconds between two looks whether numba has been installed
USUAL_PORT = 8300
BELIEVED = "believes whoever connects: anybody can claim any address, scheme and host, so bans and limits don't hold"
INSTEAD = "name the addresses of your proxies alone"
log = logging.getLogger(__name__)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    database: str
    host: str = "127.0.0.1"
    port: int | None = None  # None: the usual one, or any if that is in use
    public_url: str = ""
    forget_after_days: float = 90.0
    trusted_proxies: tuple[str, ...] = ()
    tempo: Tempo = Tempo()
    limited: bool = True  # how much one address may ask
    metrics_token: str = ""  # without one, nobody is told any figures
    admin_token: str = ""  # without one, there is nothing for whoever runs the server
    log_format: str = "text"
    log_level: str = "info"
    telemetry: bool = False  # send spans to where OpenTelemetry's variables say
    node: str = ""  # what this server is called among several on one database; without a name it is the only one
    node_address: str = "127.0.0.1:0"  # where the others reach it
    node_lease: float = LASTS  # seconds after which they take its tables if it is dead
    shared_port: bool = False  # several processes listen at it
    get_ready: bool = False  # have compiled soon what searching bots need, not when the first is asked


def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Run until somebody stops it."""
    write_log(settings.log_format, settings.log_level)
    if settings.telemetry:
        telemetry.switch_on()
    with lifetime_logged(settings) as started:
        asyncio.run(_serve(settings, announce, started))


@contextlib.contextmanager
def lifetime_logged(settings: Settings) -> Iterator[Callable[[int], None]]:
    """Log when the server has started and when it has stopped; one that could not start has neither line."""
    name = f"Jamboree {jamboree.__version__}" + (f" ({settings.node})" if settings.node else "")
    is_up = False

    def started(port: int) -> None:
        nonlocal is_up
        is_up = True
        public = f", for others at {settings.public_url}" if settings.public_url else ""
        log.info("%s has started; it listens at %s, port %d%s", name, settings.host, port, public)

    try:
        yield started
    except BaseException as error:
        if is_up:
            log.critical("%s has stopped after a failure: %s", name, trace(error))
        raise
    if is_up:
        log.info("%s has stopped", name)


def _stop(stopped: asyncio.Event, sign: signal.Signals) -> None:
    log.info("%s: the server is stopping", sign.name)
    stopped.set()


def warn_of_wide_networks(proxies: Proxies) -> None:
    for network in proxies.too_wide:
        log.warning("--trust-proxy %s %s; %s", network, BELIEVED, INSTEAD)


async def _serve(settings: Settings, announce: Callable[[str], None], started: Callable[[int], None]) -> None:
    port = free_port(settings.host, settings.port, settings.shared_port)  # before anything is written anywhere
    proxies = Proxies(settings.trusted_proxies)
    warn_of_wide_networks(proxies)
    games, stopped = all_games(), asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, _stop, stopped, sign)
    with opened(settings) as (store, node):
        registry = Registry(
            store,
            games,
            forget_after=settings.forget_after_days * DAY,
            tempo=settings.tempo,
            others=Neighbours(node) if node else None,
        )
        app = build_app(
            registry,
            settings.public_url,
            limits=Limits() if settings.limited else None,
            proxies=proxies,
            own_url=address(settings.host, port),
            metrics_token=settings.metrics_token,
            admin_token=settings.admin_token,
            banned=Banned(await store.kept_out()),
            node=node,
        )
        if node:
            node.registry = registry
        _ = app.openapi_schema  # made now, not while people play
        async with (
            joined(node),
            registry,
            getting_ready(settings.get_ready),
            listening(app, settings.host, port, settings.shared_port),
        ):
            settle_down()
            let_the_loop_in()
            with chores(app, registry, node):
                started(port)
                announce(settings.public_url or address(settings.host, port))
                await stopped.wait()
            if node:
                await node.drain()


@contextlib.contextmanager
def chores(app: Litestar, registry: Registry, node: Node | None) -> Iterator[None]:
    """See to what has to be done now and then, until the end of the block."""
    tasks = [
        asyncio.create_task(_sweep(registry)),
        asyncio.create_task(look_lately()),
        asyncio.create_task(clean_up(lambda: app.state.metrics.frames)),
        *([asyncio.create_task(hear_of_bans(app, registry.store))] if node else []),
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


@contextlib.contextmanager
def opened(settings: Settings) -> Iterator[tuple[Store, Node | None]]:
    """Open the store, alone or among other servers, until the end of the block."""
    if settings.node:
        host, _, port = settings.node_address.rpartition(":")
        inner = f"{host}:{free_port(host, int(port))}"
        with sharing(settings.database, settings.node, inner, settings.node_lease) as shared:
            yield shared
        return
    store = open_store(settings.database)
    try:
        yield store, None
    finally:
        store.close()


@contextlib.asynccontextmanager
async def listening(app: Litestar, host: str, port: int, shared: bool = False) -> AsyncIterator[None]:
    """Let people in; at the end tell those who are there, and go down."""
    exempt = app.state.proxies.trusts if app.state.limits else lambda address: True
    counted = Counted(app, app.state.metrics)
    async with let_in(counted, host, port, LARGEST_RECEIVED, exempt, shared=shared) as door:
        app.state.door = door
        watching = asyncio.create_task(app.state.metrics.watch_the_loop())
        try:
            async with listening_inside(counted, app.state.node, LARGEST_RECEIVED):
                yield
        finally:
            watching.cancel()
            await say_goodbye(app.state.open_sockets)


@contextlib.asynccontextmanager
async def getting_ready(wanted: bool) -> AsyncIterator[None]:
    """Have compiled what searching bots need, as long as the server is up."""
    if not wanted:
        yield
        return
    compiling = asyncio.create_task(_get_ready())
    try:
        yield
    finally:
        compiling.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await compiling


async def _get_ready() -> None:
    """Let other processes compile, one game after the other, once numba is installed."""
    at_first = has_numba()
    await asyncio.sleep(GET_READY_AFTER)
    while not has_numba():
        await asyncio.sleep(LOOK_AGAIN)
    if not at_first:
        log.info("numba is installed now: the strong bots are offered from now on")
    for key in twin_keys():
        process = await asyncio.create_subprocess_exec(*COMMAND, key, stdin=PIPE, stdout=DEVNULL)
        try:
            if code := await process.wait():
                give_up(key, f"the compiler ended with code {code}")
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


async def _sweep(registry: Registry) -> None:
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        with contextlib.suppress(StoreError, JamboreeError):  # what could not be done now is done next time
            await registry.sweep()


async def hear_of_bans(app: Litestar, store: Store) -> None:
    """Keep out whom an admin keeps out at another server on the same database."""
    while True:
        await asyncio.sleep(HEAR_EVERY)
        with contextlib.suppress(StoreError):
            app.state.banned.know(await store.kept_out())
            send_away(app.state)


def free_port(host: str, wanted: int | None, shared: bool = False) -> int:
    """Give the port that was named, which must be free; if none was, the usual one or any other."""
    for port in (USUAL_PORT, 0) if wanted is None else (wanted,):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, int(shared))
            try:
                probe.bind((host, port))
            except OSError as error:
                trouble = (error.strerror or str(error)).lower()
                continue
            found: int = probe.getsockname()[1]
            return found
    raise JamboreeError(f"The server can't listen at {host}, port {port}: {trouble}.")


def address(host: str, port: int) -> str:
    """Say where friends find the server: an address of this machine when it listens at all of them."""
    shown = _own_address() if host in ("0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def _own_address() -> str:
    """Find the address by which others in the house reach this machine; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"
