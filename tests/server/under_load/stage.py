"""Tables with as many people and moves as possible, for worst cases."""

import asyncio
import http.client
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import msgspec

from jamboree.games.bebop.box.board import load
from jamboree.server.live.commands.joining import MOST_PEOPLE, Join
from jamboree.server.live.registry import Registry
from jamboree.server.live.session import Session
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import Store

from ..bench.local import EVERY, OTHERS, Client, play_on, started
from ..bench.online import HOST, Online, online

SONGS = 800  # 60 KiB of them
LANGUAGES = (None, "en", "nl")
WIDEST_NAME = "\ufdfa" * 200  # one letter that becomes eighteen when it is composed


def crate(songs: int = SONGS) -> str:
    rows = (f"S{n} {'x' * 30},B {n},{60 + n % 200},19{50 + n % 50},red,hop" for n in range(songs))
    return "\n".join(["title,artist,bpm,released,colour,action", *rows])


def board(symbol: str, rows: int = 26, width: int = 180) -> str:
    """Draw the widest valid board, which cannot be played."""
    head = load("vanillaville").source.partition("map:")[0]
    drawn = ["\n".join(" " * (y % 2) + f"{each} " * width for y in range(rows)) for each in (symbol, "2")]
    return f"{head}map:\n{drawn[0]}\n\nregions:\n{drawn[1]}\n"


class Ear:
    """A connection that records the last frame."""

    behind = False

    def __init__(self, registry: Registry, code: str, token: str | None, language: str | None = None) -> None:
        self.session, self.token, self.language = Session(registry, code, self), token, language  # type: ignore[arg-type]
        self.last = b""
        self.received = 0

    def put(self, frame: bytes) -> None:
        self.last, self.received = frame, self.received + 1

    def close(self) -> None:
        pass

    async def send(self, **message: Any) -> Any:
        await self.session.receive(msgspec.json.encode(message))
        return msgspec.json.decode(self.last)

    async def hello(self, seen: int | None = None) -> Any:
        return await self.send(type="hello", token=self.token, seen=seen, language=self.language)


class Party(NamedTuple):
    """A full party before a big screen."""

    code: str
    token: str  # the host's


class Stage(NamedTuple):
    server: Online
    running: list[Client]  # of a game for eight, where everybody has a seat three times, in every language
    finished: list[Client]  # of a game that is over
    gathering: str  # a table whose host holds the same token as at the finished one
    ears: list[Ear]
    party: Party

    @property
    def registry(self) -> Registry:
        return self.server.registry

    def at(self, clients: list[Client], what: str = "") -> str:
        return f"/api/v1/tables/{clients[0].session.code}{what}"

    async def ask(self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str) -> int:
        """Ask, read all of the answer, and look at nothing but its status."""
        sent = {"content-type": "application/json", **headers}
        if token:
            sent["authorization"] = f"Bearer {token}"
        content = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        return await asyncio.to_thread(self._ask, method, path, content, sent)

    def _ask(self, method: str, path: str, content: bytes | None, headers: dict[str, str]) -> int:
        connection = http.client.HTTPConnection(HOST, self.server.port, timeout=60)
        connection.request(method, path, content, headers)
        response = connection.getresponse()
        response.read()
        connection.close()
        return response.status


@asynccontextmanager
async def staged(store: Store, game: str, seats: int, moves: int, tables: int) -> AsyncIterator[Stage]:
    """Set everything up: a full table in mid-game, a finished one, one forked from it, and many to be listed."""
    rng = random.Random(7)
    async with online(store, games=EVERY, seed=7) as server:
        _ = server.app.openapi_schema  # made beforehand, as by the server
        registry = server.registry
        for number in range(tables):
            await registry.open(OpenTable(game="high-card", seats=2, name=f"Host {number}"))
        running = await started(registry, game, seats)
        await play_on(running, rng, moves)
        await crowd(registry, running[0].session.code)
        finished = await started(registry, "bpm", 4, songs=crate())
        await play_on(finished, rng)
        forked = await fork(registry, finished)
        ears = [Ear(registry, running[0].session.code, each.token, lang) for each in running for lang in LANGUAGES]
        for each in [*running, *finished]:
            await each.session.end()
        for ear in ears:
            await ear.hello()
        yield Stage(server, running, finished, forked, ears, await party(registry))


async def party(registry: Registry) -> Party:
    code = await registry.open_party("boogie", None, {})
    host = await (await registry.table(code)).ask(Join("Host"))
    await crowd(registry, code)
    return Party(code, host.token)


async def crowd(registry: Registry, code: str) -> None:
    """Let people in to watch until the table is full."""
    table = await registry.table(code)
    free = MOST_PEOPLE - len(table.state.roster.people)
    await asyncio.gather(*(table.ask(Join("Ada", watch=True)) for _ in range(free)))


async def fork(registry: Registry, finished: list[Client]) -> str:
    """Take a finished game up near its end, with a person on every seat."""
    code, person = finished[0].session.code, finished[0].session.person or ""
    steps = len((await registry.table(code)).state.course)
    forked = await registry.fork(code, person, steps - 1)
    table = await registry.table(forked)
    for name in OTHERS[: len(table.state.roster.free_seats())]:
        await table.ask(Join(name))
    return forked
