"""The real server in the simulation: application, registry and store, started, stopped and crashed on virtual time."""

import asyncio
import random
from contextlib import suppress
from functools import cache
from typing import Any, ClassVar, NamedTuple

import msgspec
from litestar import Litestar

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.games import all_games
from jamboree.server.edge.outbox import OutboxBudget
from jamboree.server.edge.rate_limits import RateLimits
from jamboree.server.http.app import build_app
from jamboree.server.http.metrics import Metrics
from jamboree.server.http.sockets import close_sockets
from jamboree.server.live.clock import Tempo
from jamboree.server.live.registry import Registry
from jamboree.server.serve import SWEEP_EVERY
from jamboree.server.wall_clock import WallClock
from tests.contract.toy import HighCard

from .disk import Disk
from .loop import VirtualLoop
from .network import Connection
from .thinker import Thinker

GAMES: dict[str, AnyGame] = {**all_games(), "high-card": HighCard()}
TEMPO = Tempo(patience=30.0)
ENDING = 30.0  # virtual seconds after which all tasks of a server must have ended


class Gone(Exception):
    """The server stopped before it answered."""


class Answer(NamedTuple):
    status: int
    body: Any


class _Open(Registry):
    """A proxy for the current registry: the application is built once, which takes longer than a simulation."""

    now_open: ClassVar[list[Registry]] = []

    def __init__(self) -> None:
        pass

    def __getattribute__(self, name: str) -> Any:
        return getattr(_Open.now_open[-1], name)


@cache
def application() -> Litestar:
    return build_app(_Open())


def leave_application() -> None:
    """Drop the references of the shared application to the last simulation."""
    _Open.now_open.clear()
    application().state.update(dict.fromkeys(("registry", "metrics", "open_sockets", "outbox_budget", "limits")))


class OpenSockets(dict[Any, None]):
    """A set of open sockets in insertion order: that of a set differs from run to run."""

    def add(self, line: Any) -> None:
        self[line] = None

    def discard(self, line: Any) -> None:
        self.pop(line, None)


class Server:
    """One run of the server, from its start to its end."""

    def __init__(self, loop: VirtualLoop, disk: Disk, rng: random.Random, thinker: Thinker, wall: Any) -> None:
        self.loop, self.rng, self.plug = loop, rng, disk.plug_in()
        self.store, self.wall, self.thinker = self.plug.store(), wall, thinker
        self.connections: list[Connection] = []
        self.alive, self.up, self._stop = True, asyncio.Event(), asyncio.Event()
        self.app = application()
        self._main = loop.employ(self, self._run(), "server")

    async def _run(self) -> None:
        wall = WallClock(lambda: self.loop.time() + self.wall(), self.loop.time)
        more: dict[str, Any] = {"tempo": TEMPO, "thinker": self.thinker, "now": self.loop.time, "wall": wall}
        async with Registry(self.store, GAMES, **more) as self.registry:
            _Open.now_open[:] = [self.registry]
            fresh = {
                "metrics": Metrics(),
                "open_sockets": OpenSockets(),
                "outbox_budget": OutboxBudget(),
                "limits": RateLimits(now=self.loop.time),
            }
            self.app.state.update({"registry": self.registry, **fresh})
            sweeping = asyncio.create_task(self._sweep())
            self.up.set()
            await self._stop.wait()
            await close_sockets(self.app.state.open_sockets)
            self.up.clear()  # no new connections
            for connection in self.connections:
                connection.fence()
            sweeping.cancel()
        self.store.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_EVERY)
            with suppress(JamboreeError):
                await self.registry.sweep()

    async def stop(self) -> list[str]:
        """Shut down cleanly; return the names of tasks that did not end."""
        self._stop.set()
        await asyncio.wait([self._main], timeout=ENDING)
        self.alive = False
        for connection in self.connections:
            connection.fence()
        return await self._emptied()

    async def crash(self) -> list[str]:
        """Crash. Remaining tasks are cancelled, isolated from disk and clients."""
        self.alive = False
        self.plug.pull(self.rng)
        self.plug.disk.lose_power()
        for connection in self.connections:
            connection.fence()
        for job in self.loop.working_for(self):
            job.cancel()
        return await self._emptied()

    async def _emptied(self) -> list[str]:
        jobs = self.loop.working_for(self)
        if jobs:
            await asyncio.wait(jobs, timeout=ENDING)
        return [*(job.get_name() for job in self.loop.working_for(self)), *self._still_counted()]

    def _still_counted(self) -> list[str]:
        """Return counters that are not zero without clients."""
        state = self.app.state
        counted = {
            "sockets": state.metrics.sockets,
            "open_sockets": len(state.open_sockets),
            "bytes that wait": state.outbox_budget.total,
            "places in the crowd": state.limits.connections.total,
        }
        return [f"{number} {what}" for what, number in counted.items() if number]

    def connect(self, code: str, address: str, connection: Connection) -> None:
        self.connections = [each for each in self.connections if not (each.ended and each.close_noticed)] + [connection]
        scope = {**_scope("websocket", f"/api/v1/tables/{code}/socket", None, address), "subprotocols": []}
        if self.alive and self.up.is_set():
            self.loop.employ(self, self._serve(scope, connection), "socket")
        else:
            connection.fence()

    async def _serve(self, scope: dict[str, Any], connection: Connection) -> None:
        await self.app(scope, connection.receive, connection.send)  # type: ignore[arg-type]
        connection._finish(1006)

    async def ask(self, method: str, path: str, token: str | None, body: Any, address: str) -> Answer:
        """Make a request, with network delays. If the server stops meanwhile, its effect is unknown."""
        await asyncio.sleep(self.rng.uniform(0.002, 0.05))
        if not (self.alive and self.up.is_set()):
            raise Gone
        job = self.loop.employ(self, self._answer(method, path, body, _scope("http", path, token, address)), path)
        await asyncio.wait([job])
        if not self.alive or job.cancelled():
            raise Gone
        await asyncio.sleep(self.rng.uniform(0.002, 0.05))
        answer: Answer = job.result()
        return answer

    async def _answer(self, method: str, path: str, body: Any, scope: dict[str, Any]) -> Answer:
        content, sent = b"" if body is None else msgspec.json.encode(body), list[dict[str, Any]]()
        inbox = [{"type": "http.request", "body": content, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return inbox.pop() if inbox else {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.app({**scope, "method": method}, receive, send)  # type: ignore[arg-type]
        data = b"".join(message.get("body", b"") for message in sent)
        is_json = any(b"json" in value for name, value in sent[0]["headers"] if name == b"content-type")
        return Answer(sent[0]["status"], msgspec.json.decode(data) if data and is_json else data)


def _scope(kind: str, path: str, token: str | None, address: str) -> dict[str, Any]:
    headers = [(b"host", b"jamboree"), (b"content-type", b"application/json")]
    if token:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": (address, 1),
        "server": ("jamboree", 80),
    }
