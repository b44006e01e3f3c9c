"""An in-process client: messages go directly to a session, without a socket."""

import asyncio
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any

import msgspec

from jamboree.bots import Level, bot
from jamboree.coach import AdviceText
from jamboree.core.game import AnyGame
from jamboree.core.play import Later
from jamboree.core.rulesets import Rulesets
from jamboree.games import all_games, find
from jamboree.server.live.bots.pool import BotPool, Choice, Renewed
from jamboree.server.live.bots.worker import Question, WorkerBots
from jamboree.server.live.clock import Tempo
from jamboree.server.live.commands.joining import Join, Ticket
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.registry import Registry
from jamboree.server.live.session import Session
from jamboree.server.protocol.actions import ActionGroup, expanded, parse_mask
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.protocol.delta import apply_verified
from jamboree.server.protocol.terms import HouseRules
from jamboree.server.protocol.wire import CompressedFrame, decompressed
from jamboree.server.store.store import Store
from tests.contract.toy import HighCard

OTHERS = ("Bob", "Cleo", "Dirk", "Evi", "Finn", "Gus", "Hedy")
GAMES: dict[str, AnyGame] = {"high-card": HighCard(), "bebop": find("bebop")}
QUICK = Tempo(thinking=(0.0, 0.0), forced=(0.0, 0.0), by_the_clock=False)
EVERY = {**all_games(), **GAMES}


@asynccontextmanager
async def a_registry(
    store: Store, games: Any = GAMES, seed: int | None = None, tempo: Tempo = QUICK, **more: Any
) -> AsyncIterator[Registry]:
    """Open a registry; with a seed of its own, its luck is the same every time."""
    rng = random.Random(seed)
    more.setdefault("thinker", Thinking(games))
    async with Registry(store, games, lambda: rng.randbytes(32).hex(), tempo=tempo, **more) as registry:
        yield registry


class Thinking(BotPool):
    """Runs bots in the same process, also for games that only tests know."""

    def __init__(self, games: Mapping[str, AnyGame]) -> None:
        rulesets: Any = Rulesets.of(games)
        self.bots = WorkerBots(rulesets.version, bot)

    async def choose(self, question: Question, renewed: Renewed | None = None) -> Choice:
        await asyncio.sleep(0)
        question = (renewed and renewed()) or question
        reply = self.bots.answer(msgspec.json.decode(msgspec.json.encode(question), type=Question))
        return reply.whisper or (reply.action if reply.later is None else Later(reply.later))

    async def advise(self, question: Question) -> AdviceText:
        await asyncio.sleep(0)
        little = msgspec.structs.replace(question, seconds=0.2)
        advised = self.bots.answer(msgspec.json.decode(msgspec.json.encode(little), type=Question)).advised
        assert advised
        return advised

    def before(self, bot: str) -> int:
        return 0

    async def close(self) -> None:
        pass


class Client:
    """Records every received frame, and the client's state after the last one."""

    behind = False  # it reads at once

    def __init__(self, registry: Registry, code: str, token: str | None = None, language: str | None = None) -> None:
        self.session = Session(registry, code, self)  # type: ignore[arg-type]
        self.token, self.language = token, language
        self.frames: list[bytes] = []
        self.received: list[dict[str, Any]] = []
        self.events: list[Any] = []
        self.seq = 0
        self.position: Any = None
        self.groups: Any = None  # all actions there can be
        self.table: Any = None
        self.undo: Any = None
        self.closed = False

    def put(self, frame: bytes) -> None:
        message = msgspec.json.decode(as_read(frame))
        self.frames.append(frame)
        self.received.append(message)
        if "seq" in message and message["type"] != "ack":
            assert message["seq"] >= self.seq
            self.seq = message["seq"]
        for step in [*(message.get("missed") or []), *([message] if message["type"] == "update" else [])]:
            self.events += step["events"]
        self.position = next_position(self.position, message)
        if message["type"] == "update":
            message["position"] = self.position
        self.groups = message.get("actions") or self.groups
        self.table = message.get("table") or self.table
        self.undo = message["undo"] if message["type"] in ("welcome", "update") else self.undo

    def close(self) -> None:
        self.closed = True

    async def send(self, **message: Any) -> dict[str, Any]:
        """Send a message and return the response, which is the last received frame."""
        await self.session.receive(msgspec.json.encode(message))
        return self.received[-1]

    async def hello(self, seen: int | None = None, **more: Any) -> dict[str, Any]:
        return await self.send(type="hello", token=self.token, seen=seen, language=self.language, **more)

    async def act(self, action: dict[str, Any], name: str) -> dict[str, Any]:
        return await self.send(type="act", id=name, action=action)

    def legal(self) -> list[dict[str, Any]]:
        return actions(self.groups, self.position["legal"]) if self.position else []


def as_read(frame: bytes) -> bytes:
    """Return a frame as its receiver decodes it."""
    return decompressed(frame) if isinstance(frame, CompressedFrame) else frame


def next_position(before: Any, message: dict[str, Any]) -> Any:
    """Return the position after a message, computed like a client."""
    if not message.get("change"):
        return message.get("position") or before
    after = apply_verified(before, message["change"], message["check"])
    assert after is not None, "the change leads to the position that was meant"
    return after


def actions(groups: list[dict[str, Any]] | None, legal: dict[str, Any]) -> list[dict[str, Any]]:
    """Write out the legal actions, which are indices into the list of all actions."""
    every = every_action(groups)
    return [every[index] for index in parse_mask(legal["mask"])]


def every_action(groups: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    """Encode the whole action space once for all clients."""
    return _listed(msgspec.json.encode(groups or []))


@lru_cache(maxsize=64)
def _listed(groups: bytes) -> list[dict[str, Any]]:
    return expanded(msgspec.json.decode(groups, type=list[ActionGroup]))


async def gathered(
    registry: Registry,
    game: str = "high-card",
    seats: int = 2,
    bots: Mapping[int, Level] | None = None,
    seconds: int | None = None,
    house_rules: HouseRules | None = None,
    **options: Any,
) -> tuple[str, list[Ticket]]:
    """Open a table and fill its seats."""
    wanted = OpenTable(game=game, seats=seats, options=options, name="Ada", seconds=seconds, house_rules=house_rules)
    wanted.bots = dict(bots or {})
    code, host = await registry.open(wanted)
    table = await registry.table(code)
    free = len(table.state.roster.free_seats())
    others = [await table.ask(Join(name)) for name in OTHERS[:free]]
    return code, [host, *others]


async def started(registry: Registry, game: str = "high-card", seats: int = 2, **more: Any) -> list[Client]:
    """Start a game with a client for each seat."""
    code, tickets = await gathered(registry, game, seats, **more)
    await (await registry.table(code)).ask(Start(), tickets[0].person)
    clients = [Client(registry, code, ticket.token) for ticket in tickets]
    for client in clients:
        await client.hello()
    return clients


async def play_on(clients: list[Client], rng: random.Random, most: int = 100_000) -> int:
    """Let random clients play until the end, or for so many actions."""
    for number in range(most):
        able = [client for client in clients if client.legal()]
        if not able:
            return number
        client = rng.choice(able)
        answer = await client.act(rng.choice(client.legal()), f"{number} at {client.seq}")
        assert answer["type"] == "ack", answer
        await asyncio.sleep(0)
    return most
