"""The server process: opens the store and the registry, listens, and shuts down cleanly."""

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
from jamboree.bots.search import COMPILE_COMMAND, disable_search
from jamboree.core.errors import JamboreeError
from jamboree.fast import has_numba, twin_keys
from jamboree.games import all_games

from . import telemetry
from .edge.addresses import Proxies
from .edge.ip_bans import IpBans
from .edge.listener import listen
from .edge.rate_limits import RateLimits
from .errors import trace
from .gc_tuning import collect_when_grown, collect_young, configure
from .http.admin_routes import close_banned_sockets
from .http.app import build_app
from .http.metrics import CountingApp
from .http.sockets import MAX_RECEIVED, close_sockets
from .live.clock import Tempo
from .live.registry import DAY, Registry
from .logs import configure_logging
from .nodes.cluster import Cluster, open_cluster
from .nodes.internal_port import listening_internally
from .nodes.lease import LEASE_SECONDS
from .nodes.node import Node, joined
from .offload import shorten_thread_switches
from .store import StoreError
from .store.store import Store, open_store

SWEEP_EVERY = 60.0
SYNC_BANS_EVERY = 5.0
COMPILE_AFTER = 20.0  # seconds: so that compiling does not slow down the first visitors
RETRY_EVERY = 5.0  # seconds between checks whether numba has been installed
DEFAULT_PORT = 8300
TRUSTS_ALL = "trusts every client: all can forge their address, so bans and rate limits have no effect"
TRUST_FEWER = "name only the addresses of your proxies"
log = logging.getLogger(__name__)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    database: str
    host: str = "127.0.0.1"
    port: int | None = None  # None: the default port, or any if that is in use
    public_url: str = ""
    forget_after_days: float = 90.0
    trusted_proxies: tuple[str, ...] = ()
    tempo: Tempo = Tempo()
    limited: bool = True  # whether rate limits apply
    metrics_token: str = ""  # without one there are no metrics
    admin_token: str = ""  # without one there are no admin routes
    log_format: str = "text"
    log_level: str = "info"
    telemetry: bool = False  # export OpenTelemetry spans
    node: str = ""  # this server's name in a cluster; empty: the only server of its database
    node_address: str = "127.0.0.1:0"  # where its peers reach it
    node_lease: float = LEASE_SECONDS  # seconds after which peers take its tables if it is dead
    shared_port: bool = False  # several processes listen on it (SO_REUSEPORT)
    get_ready: bool = False  # compile what searching bots need soon after the start, not on demand


def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Run until a signal stops it."""
    configure_logging(settings.log_format, settings.log_level)
    if settings.telemetry:
        telemetry.enable()
    with lifetime_logged(settings) as started:
        asyncio.run(_serve(settings, announce, started))


@contextlib.contextmanager
def lifetime_logged(settings: Settings) -> Iterator[Callable[[int], None]]:
    """Log the start and the stop of the server; one that could not start logs neither."""
    name = f"Jamboree {jamboree.__version__}" + (f" ({settings.node})" if settings.node else "")
    is_up = False

    def started(port: int) -> None:
        nonlocal is_up
        is_up = True
        public = f", publicly at {settings.public_url}" if settings.public_url else ""
        log.info("%s has started and listens on %s, port %d%s", name, settings.host, port, public)

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
        log.warning("--trust-proxy %s %s; %s", network, TRUSTS_ALL, TRUST_FEWER)


async def _serve(settings: Settings, announce: Callable[[str], None], started: Callable[[int], None]) -> None:
    port = free_port(settings.host, settings.port, settings.shared_port)  # before anything is written
    proxies = Proxies(settings.trusted_proxies)
    warn_of_wide_networks(proxies)
    games, stopped = all_games(), asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, _stop, stopped, sign)
    with opened_store(settings) as (store, node):
        registry = Registry(
            store,
            games,
            forget_after=settings.forget_after_days * DAY,
            tempo=settings.tempo,
            peers=Cluster(node) if node else None,
        )
        app = build_app(
            registry,
            settings.public_url,
            limits=RateLimits() if settings.limited else None,
            proxies=proxies,
            own_url=public_address(settings.host, port),
            metrics_token=settings.metrics_token,
            admin_token=settings.admin_token,
            banned=IpBans(await store.address_bans()),
            node=node,
        )
        if node:
            node.registry = registry
        _ = app.openapi_schema  # built now, not while people play
        async with (
            joined(node),
            registry,
            compiling_ahead(settings.get_ready),
            listening(app, settings.host, port, settings.shared_port),
        ):
            configure()
            shorten_thread_switches()
            with background_tasks(app, registry, store if node else None):
                started(port)
                announce(settings.public_url or public_address(settings.host, port))
                await stopped.wait()
            if node:
                await node.drain()


@contextlib.contextmanager
def background_tasks(app: Litestar, registry: Registry, shared: Store | None) -> Iterator[None]:
    """Run the periodic tasks until the end of the block; `shared` is a database that other servers use too."""
    tasks = [
        asyncio.create_task(_sweep(registry)),
        asyncio.create_task(collect_young()),
        asyncio.create_task(collect_when_grown(lambda: app.state.metrics.frames)),
        *([asyncio.create_task(sync_bans(app, shared))] if shared else []),
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


@contextlib.contextmanager
def opened_store(settings: Settings) -> Iterator[tuple[Store, Node | None]]:
    """Open the store, alone or as a member of a cluster, until the end of the block."""
    if settings.node:
        host, _, port = settings.node_address.rpartition(":")
        inner = f"{host}:{free_port(host, int(port))}"
        with open_cluster(settings.database, settings.node, inner, settings.node_lease) as shared:
            yield shared
        return
    store = open_store(settings.database)
    try:
        yield store, None
    finally:
        store.close()


@contextlib.asynccontextmanager
async def listening(app: Litestar, host: str, port: int, shared: bool = False) -> AsyncIterator[None]:
    """Listen until the end of the block, then close all sockets with a goodbye."""
    exempt = app.state.proxies.trusts if app.state.limits else lambda public_address: True
    counted = CountingApp(app, app.state.metrics)
    async with listen(counted, host, port, MAX_RECEIVED, exempt, reuse_port=shared) as edge:
        app.state.edge = edge
        watching = asyncio.create_task(app.state.metrics.sample_loop_lag())
        try:
            async with listening_internally(counted, app.state.node, MAX_RECEIVED):
                yield
        finally:
            watching.cancel()
            await close_sockets(app.state.open_sockets)


@contextlib.asynccontextmanager
async def compiling_ahead(enabled: bool) -> AsyncIterator[None]:
    """Compile in the background what searching bots need."""
    if not enabled:
        yield
        return
    compiling = asyncio.create_task(_compile_ahead())
    try:
        yield
    finally:
        compiling.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await compiling


async def _compile_ahead() -> None:
    """Compile in other processes, one game after another, once numba is installed."""
    at_first = has_numba()
    await asyncio.sleep(COMPILE_AFTER)
    while not has_numba():
        await asyncio.sleep(RETRY_EVERY)
    if not at_first:
        log.info("numba is installed now; the strong bots are available")
    for key in twin_keys():
        process = await asyncio.create_subprocess_exec(*COMPILE_COMMAND, key, stdin=PIPE, stdout=DEVNULL)
        try:
            if code := await process.wait():
                disable_search(key, f"the compiler ended with code {code}")
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


async def _sweep(registry: Registry) -> None:
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        with contextlib.suppress(StoreError, JamboreeError):  # retried in the next sweep
            await registry.sweep()


async def sync_bans(app: Litestar, store: Store) -> None:
    """Apply bans that were made at another server of the same database."""
    while True:
        await asyncio.sleep(SYNC_BANS_EVERY)
        with contextlib.suppress(StoreError):
            app.state.ip_bans.replace(await store.address_bans())
            close_banned_sockets(app.state)


def free_port(host: str, requested: int | None, shared: bool = False) -> int:
    """The requested port, which must be free; without one, the default port or any other."""
    for port in (DEFAULT_PORT, 0) if requested is None else (requested,):
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
    raise JamboreeError(f"The server can't listen on {host}, port {port}: {trouble}.")


def public_address(host: str, port: int) -> str:
    """The URL for friends: with an address of this machine if the server listens on all of them."""
    shown = _own_address() if host in ("0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def _own_address() -> str:
    """This machine's address in the local network, found without sending anything."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"
