"""Cost of a move in time and bytes: `python -m tests.server.under_load.weight [MOVES]`.

Random moves are made at one table of each game, with a client on every seat that requests sentences like a browser. The
program prints the processor time of a move, from its arrival until all frames are written, and the bytes of an update
and of a welcome as sent.
"""

import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from jamboree.core.game import Nature
from jamboree.games import all_games
from jamboree.server.live.commands.playing import Act, Start
from jamboree.server.live.registry import Registry
from jamboree.server.live.session import Session
from jamboree.server.live.table import Table
from jamboree.server.store.store import open_store

from ..bench.local import a_registry, as_read, gathered

SEATS, MOVES = 4, 600


class Scales:
    """A connection that measures frames, and reads only their type."""

    behind = False

    def __init__(self, registry: Registry, code: str, token: str) -> None:
        self.session, self.token = Session(registry, code, self), token  # type: ignore[arg-type]
        self.updates: list[int] = []
        self.welcomes: list[int] = []

    def put(self, frame: bytes) -> None:
        text = as_read(frame)
        if text.startswith(b'{"type":"update"'):
            self.updates.append(len(frame))
        elif text.startswith(b'{"type":"welcome"'):
            self.welcomes.append(len(frame))

    def close(self) -> None:
        pass

    async def hello(self) -> None:
        await self.session.receive(json.dumps({"type": "hello", "token": self.token, "language": "en", "packed": True}))


class Weight(NamedTuple):
    """Of many moves at tables of one game."""

    seconds: float  # of processor time a move
    updates: list[int]  # bytes, of every viewer
    welcomes: list[int]

    def line(self, game: str) -> str:
        median, most = statistics.median(self.updates), max(self.updates)
        work, welcome = self.seconds * 1000, statistics.median(self.welcomes)
        sizes = f"an update has {median:.0f} bytes (at most {most}), a welcome {welcome:.0f}"
        return f"{game}: {work:.2f} ms of work a move; {sizes}"


async def weigh(game: str, moves: int, folder: Path, seats: int = SEATS) -> Weight:
    """Play games one after the other until there were so many moves."""
    rng, store, weights, made = random.Random(5), open_store(str(folder / f"{game}.db")), list[Weight](), 0
    async with a_registry(store, all_games(), seed=5) as registry:
        while made < moves:
            weight, played = await _play(registry, game, seats, rng, moves - made)
            weights.append(weight)
            made += played
    store.close()
    updates = [each for weight in weights for each in weight.updates]
    welcomes = [each for weight in weights for each in weight.welcomes]
    return Weight(sum(weight.seconds for weight in weights) / made, updates, welcomes)


async def _play(registry: Registry, game: str, seats: int, rng: random.Random, most: int) -> tuple[Weight, int]:
    code, tickets = await gathered(registry, game, seats)
    table = await registry.table(code)
    await table.ask(Start(), tickets[0].person)
    scales = [Scales(registry, code, ticket.token) for ticket in tickets]
    for each in scales:
        await each.hello()
    people, made, choosing, before = [ticket.person for ticket in tickets], 0, 0.0, time.process_time()
    while made < most:
        began = time.thread_time()
        chosen = _move(table, rng)
        choosing += time.thread_time() - began
        if chosen is None:
            break
        seat, action = chosen
        await table.ask(Act(action, id=f"{made}"), people[seat])
        made += 1
    work = time.process_time() - before - choosing  # of all threads: one of them writes to the disk
    for each in scales:
        await each.session.end()
    return Weight(
        work, [each for one in scales for each in one.updates], [each for one in scales for each in one.welcomes]
    ), made


def _move(table: Table, rng: random.Random) -> tuple[int, dict[str, Any]] | None:
    """Choose a random legal move, if the game is not over."""
    seats = sorted(seat for seat in _actors(table) if seat is not Nature.CLOCK)
    if not seats:
        return None
    seat = rng.choice(seats)
    offers = table.state.game.legal(table.state.position, seat)
    return int(seat), msgspec.to_builtins(offers[rng.randrange(len(offers))].action)


def _actors(table: Table) -> frozenset[Any]:
    return table.state.game.to_act(table.state.position)


def main() -> None:
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else MOVES
    with tempfile.TemporaryDirectory() as folder:
        for game in all_games():
            print(asyncio.run(weigh(game, moves, Path(folder))).line(game), flush=True)


if __name__ == "__main__":
    main()
