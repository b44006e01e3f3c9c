"""One simulation: a server, its disk, its clients and faults, from the seed to the last check."""

import asyncio
import gc
import logging
import random
import re
from collections.abc import Callable
from typing import Any

import msgspec

from jamboree.server import tokens

from .machine.faults import Weather
from .machine.loop import VirtualLoop
from .machine.network import Connection
from .machine.server import Server, application, leave_application
from .machine.thinker import Thinker
from .oracle import ending
from .oracle.frames import Previewed
from .oracle.rights import Broken
from .people import errands
from .people.client import Asked, Client
from .people.habits import live
from .scenario import Party, scenario
from .stage import Report, Stage, close, stop_all

LONGEST = 3600.0  # virtual seconds
SHOWN_OUT = 30.0  # virtual seconds in which a person who may not stay is disconnected


class World(Stage):
    def __init__(self, loop: VirtualLoop, seed: int, tell: Callable[[str], None] | None = None) -> None:
        super().__init__(loop, seed, tell)
        self.loop, self.plan = loop, scenario(seed)
        self.net, self.rng = random.Random(f"{seed} network"), random.Random(f"{seed} world")
        self.thinker = Thinker(random.Random(f"{seed} bots"))
        self.clients: list[Client] = []
        self.tokens: set[bytes] = set()
        self.acked: set[tuple[str, str, str]] = set()  # table, person, id
        self.failed = asyncio.Event()
        self.wall_set_by = 0.0
        self.pace = self.plan.pace

    def broken(self, problem: str) -> None:
        super().broken(problem)
        self.failed.set()

    # --- the server

    async def start_server(self) -> None:
        self.server = Server(self.loop, self.disk, self.net, self.thinker, lambda: 1e9 + self.wall_set_by)
        await self.server.up.wait()
        self.trace("server", "is up")

    async def restart_server(self, crash: bool) -> None:
        self.trace("server", "crashes" if crash else "goes down")
        left = await (self.server.crash() if crash else self.server.stop())
        if left:
            self.broken(f"the server left behind: {', '.join(left)}")
        self._check_disk()
        await asyncio.sleep(max(self.rng.uniform(0.05, 2.0), self.disk.back_at - self.loop.time()))
        await self.start_server()

    def _check_disk(self) -> None:
        try:
            self.chronicle.check()
        except Broken as broken:
            self.broken(str(broken))

    # --- the people

    async def gather(self) -> None:
        for party in self.plan.parties:
            await self._gather(party)

    async def _gather(self, party: Party) -> None:
        """Open a table and let everyone join."""
        clients = [self._new_client() for _ in range(party.people + party.connections + party.strangers)]
        bots = {seat: "rookie" for seat in range(party.seats) if seat >= party.people}
        table = {"game": party.game, "seats": party.seats, "options": party.options, "consent": party.consent}
        more = {"name": clients[0].name, "bots": bots, "seconds": party.seconds}
        answer = await self.server.ask("POST", "/api/v1/tables", None, {**table, **more}, clients[0].address)
        assert answer.status == 201, answer
        self.seat(clients[0], answer.body)
        for number, client in enumerate(clients[1:], 1):
            if number < party.people + party.connections:
                await errands.join(client, clients[0].code, watch=number >= party.people)
            else:
                client.sit_at(clients[0].code, None, None)

    def _new_client(self) -> Client:
        number = len(self.clients)
        self.clients.append(Client(self, f"c{number}", random.Random(f"{self.seed} client {number}")))
        return self.clients[-1]

    def seat(self, client: Client, entry: dict[str, Any]) -> None:
        self.tokens.add(entry["token"].encode())
        client.sit_at(entry["table"], entry["token"], entry["person"])

    def follow(self, client: Client, new: str) -> None:
        """Move a client to the rematch; its token is valid there, but person ids differ."""
        hashed = tokens.hashed(client.token) if client.token else ""
        person = self.history(new).roster.person_with_token(hashed) if hashed else None
        if client.connection:
            client.connection.cut()
        client.sit_at(new, client.token if person else None, person)

    def expect_end(self, client: Client, connection: Connection | None, whose: str) -> None:
        """Expect that a connection is closed soon, since its person may not stay."""

        def look() -> None:
            if connection and not connection.ended:
                self.broken(f"{client.name}: {whose} is still connected")

        self.loop.call_later(SHOWN_OUT, look)

    def foretold(self, client: Client, asked: Asked, message: Any) -> None:
        """Check that an answer about an action follows from the client's view."""
        assert client.stream and client.seat is not None, "the client that asks sits at the table"
        history = client.stream.history
        action = msgspec.convert(asked.message["action"], history.game.info.action)
        views = [history.game.view(history.states[place], client.seat) for place in client.stream.places]
        if isinstance(message, Previewed):
            received_events = [bytes(event) for event in message.events]
            possible = [
                [msgspec.json.encode(event) for event in _foreseen(history.game, view, action)] for view in views
            ]
            fits = received_events in possible
        else:
            fits = message.allowed in [history.game.why_not(view, action) is None for view in views]
        if not fits:
            raise Broken("a preview or a reason does not follow from what is seen")

    # --- the run

    async def run(self) -> None:
        """Run to the end, or to the first violation."""
        ways = [self.loop.create_task(way, name="world") for way in (self._run(), self.failed.wait())]
        await asyncio.wait(ways, timeout=LONGEST, return_when=asyncio.FIRST_COMPLETED)
        if ways[0].done():
            ways[0].result()
        elif not self.problems:
            self.broken("the simulation does not come to its end")

    async def _run(self) -> None:
        await self.start_server()
        await self.gather()
        lives = [self.loop.create_task(live(client), name=client.name) for client in self.clients]
        await Weather(self).blow(self.plan.storm)
        self.calm, self.thinker.troubled = True, False
        self.calm_the_disk()
        if self.server.store.trouble:
            await self.restart_server(crash=False)
        await ending.watch(self, self.plan.calm)
        self.over = True
        await asyncio.wait(lives)
        left = await self.server.stop()
        self.problems += [f"left behind: {name}" for name in left]
        for life in lives:
            life.result()
        await ending.check(self)


def _foreseen(game: Any, view: Any, action: Any) -> list[Any]:
    try:
        return list(game.preview(view, action).events)
    except Exception:
        return []


EXPECTED = re.compile(
    "the store has stopped writing|the database is unreachable|the store failed: DatabaseUnreachable"
    "|stopped: RuntimeError in .*(reload|_was_stored)"
)


class _Ear(logging.Handler):
    """Collects errors in the server's log, except those of a stopped server."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self.world = world

    def emit(self, record: logging.LogRecord) -> None:
        owner = getattr(asyncio.current_task(), "owner", None) if asyncio._get_running_loop() else None
        expected = self.world.disk.faults and EXPECTED.search(record.getMessage())
        if not expected and not (isinstance(owner, Server) and not owner.alive):
            self.world.broken(f"the log says: {record.getMessage()}")


def simulate(seed: int, tell: Callable[[str], None] | None = None) -> Report:
    """Run a simulation to its end, and free its objects."""
    application()
    gc.freeze()  # existing objects are exempt from garbage collection
    gc.disable()
    try:
        return _simulated(seed, tell)
    finally:
        leave_application()
        gc.collect()  # reference cycles of a finished simulation would be kept by the next freeze
        gc.enable()


def _simulated(seed: int, tell: Callable[[str], None] | None) -> Report:
    loop = VirtualLoop()
    asyncio.set_event_loop(loop)
    logger = logging.getLogger("jamboree")
    with tokens.drawing_from(random.Random(f"{seed} secrets")):
        world = World(loop, seed, tell)
        ear = _Ear(world)
        logger.addHandler(ear)
        was, logger.propagate = logger.propagate, False
        try:
            loop.run_until_complete(world.run())
        except Exception as error:  # any exception fails the seed
            world.broken(f"{type(error).__name__}: {error}")
            if tell:
                raise
        finally:
            logger.removeHandler(ear)
            logger.propagate = was
            stop_all(loop)
            world.problems += [f"nobody took care of: {trouble}" for trouble in loop.troubles]
            close(loop)
    return world.report(len(world.acked))
