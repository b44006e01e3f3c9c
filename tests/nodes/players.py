"""People who keep playing at many tables whatever happens to the servers, and record what was acknowledged."""

import asyncio
import http.client
import json
import random
import time
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.server.bench.online import HOST, Player

from .servers import Server

ACK_WITHIN = 1.0  # seconds before a person tries another server
PAUSE = (0.3, 0.5)  # seconds between two moves of a table: a socket may carry 100 messages in 20 s
MADE = "/api/v1/tables"
TROUBLE = (OSError, TimeoutError, WebSocketException, http.client.HTTPException)


def call(port: int, path: str, body: Any, token: str | None, source: str) -> Any:
    connection = http.client.HTTPConnection(HOST, port, timeout=5, source_address=(source, 0))
    shown = {"authorization": f"Bearer {token}"} if token else {}
    connection.request("POST", path, json.dumps(body), {"content-type": "application/json", **shown})
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    if answer.status >= 300:
        raise http.client.HTTPException(f"{answer.status} {data!r}")
    return json.loads(data) if data else None


class Person:
    """One player with at most one connection, to any of the servers."""

    def __init__(self, table: "Party", ticket: dict[str, Any]) -> None:
        self.table, self.ticket = table, ticket
        self.player: Player | None = None
        self.seen: dict[int, Any] = {}  # views, by sequence number
        self.socket: Any = None
        self.server: Server | None = None  # of the current or next connection
        self._patience: asyncio.Timeout | None = None

    async def connected(self) -> Player:
        """Return the connection; reconnect to a random server if it was lost."""
        if self.player is None:
            self.server = self.table.choose(self.ticket["seat"])
            try:
                async with asyncio.timeout(6) as self._patience:
                    self.player = await self._welcomed(self.server)
            finally:
                self._patience = None
        return self.player

    async def _welcomed(self, server: Server) -> Player:
        address = f"ws://{HOST}:{server.port}{MADE}/{self.ticket['table']}/socket"
        self.socket = await connect(address, compression=None, max_size=None, proxy=None, open_timeout=None)
        player = Player(self.socket)
        welcome = await player.hello(self.ticket["token"])
        assert welcome["you"]["seat"] == self.ticket["seat"], "everybody comes back to their own seat"
        return player

    async def act(self, action: dict[str, Any], name: str) -> Any:
        player = await self.connected()
        async with asyncio.timeout(ACK_WITHIN):
            return await player.act(action, name)

    async def look(self) -> Player:
        """Return the connection once it is up to date."""
        player = await self.connected()
        async with asyncio.timeout(ACK_WITHIN):
            await player.send(type="resync", id="look")
            await player.until("ack")
        self.seen[player.seq] = player.position
        return player

    @property
    def legal(self) -> list[Any]:
        return self.player.legal() if self.player else []

    def hang_up(self, server: Server) -> None:
        """Close connections to a server, as a proxy does that considers it dead."""
        if self.server is not server:
            return
        if self.socket:
            self.socket.transport.abort()
        elif self._patience:
            self._patience.reschedule(asyncio.get_running_loop().time())

    def lose(self) -> None:
        if self.socket:
            self.socket.transport.abort()
        self.player = self.socket = None


class Party:
    """A table of two players who move in turn."""

    def __init__(self, servers: list[Server], rng: random.Random) -> None:
        self.servers, self.rng = servers, rng
        self.code = ""
        self.people: list[Person] = []
        self.acked: list[str] = []
        self.times: list[float] = []  # of the acknowledgements
        self.pending: str | None = None  # the last request, if it may be unanswered
        self.over = False
        self.troubles: list[str] = []  # failures, with their times

    async def open(self) -> None:
        ada = await self._ask(MADE, {"game": "bebop", "seats": 2, "name": "Ada"})
        self.code = ada["table"]
        bob = await self._ask(f"{MADE}/{self.code}/join", {"name": "Bob"})
        await self._ask(f"{MADE}/{self.code}/start", None, ada["token"])
        self.people = [Person(self, ada), Person(self, bob)]

    def choose(self, seat: int) -> Server:
        """Choose the server for a player's connection."""
        return self.rng.choice(self.servers)

    async def _ask(self, path: str, body: Any, token: str | None = None) -> Any:
        port, source = self.rng.choice(self.servers).port, f"127.0.1.{self.rng.randrange(1, 250)}"
        return await asyncio.to_thread(call, port, path, body, token, source)

    async def play(self) -> None:
        """Play to the end, resending unanswered requests with the same id."""
        while not self.over:
            person, action = await self._next()
            if action is None:
                return
            self.pending = f"move {len(self.acked)}"
            while not await self._made(person, action):
                await asyncio.sleep(0.05)
            self.acked.append(self.pending)
            self.times.append(time.monotonic())
            self.pending = None
            await asyncio.sleep(self.rng.uniform(*PAUSE))

    async def _next(self) -> tuple[Person, dict[str, Any] | None]:
        """Choose a move of a player to move; None if there is none."""
        while not all(await asyncio.gather(*(self.is_shown(person) for person in self.people))):
            await asyncio.sleep(0.05)
        able = [(person, person.legal) for person in self.people if person.legal]
        person, legal = self.rng.choice(able) if able else (self.people[0], [None])
        return person, self.rng.choice(legal)

    async def is_shown(self, person: Person) -> bool:
        """Let a player fetch the table; return whether that succeeded."""
        try:
            await person.look()
        except TROUBLE as trouble:
            self._note(person, trouble)
            return False
        return True

    def _note(self, person: Person, trouble: object) -> None:
        """Record a failure of a player's connection, and close it."""
        where = person.server.name if person.server else "nowhere"
        self.troubles.append(f"{time.monotonic():.2f} seat {person.ticket['seat']} at {where}: {trouble!r}")
        person.lose()

    async def _made(self, person: Person, action: dict[str, Any]) -> bool:
        try:
            answer = await person.act(action, self.pending or "")
        except TROUBLE as trouble:
            self._note(person, trouble)
            return False
        if answer["type"] == "error":
            assert answer["code"] in ("not-saved", "table-stopped", "no-hello"), answer
            self._note(person, answer)
        return bool(answer["type"] == "ack")

    def is_on(self, since: float) -> bool:
        """Return whether there was a move since a time, and all players are connected."""
        return bool(self.times) and self.times[-1] > since and all(person.player for person in self.people)

    async def leave(self) -> None:
        for person in self.people:
            if person.socket:
                with suppress(*TROUBLE):
                    await person.socket.close()
            person.lose()
