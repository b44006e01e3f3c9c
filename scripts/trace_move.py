"""Trace the server code that one move at a live table executes: `python scripts/trace_move.py [--list]`.

A Bebop claim and a BPM cue are played at a table whose four players are connected over sockets. From the moment one
player sends the message until every player has received the update, a profile hook (sys.setprofile) records each
function call inside `jamboree.server`. The script prints how many files were executed, how often execution switched
from one file to another, and with `--list` the files in the order in which they were first entered. The thread that
writes to the database and the rules of the games are not counted.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect

import jamboree.server
from jamboree.games import all_games
from jamboree.server.http.app import build_app
from jamboree.server.live.commands.joining import Join
from jamboree.server.live.commands.playing import Act, Start
from jamboree.server.live.registry import Registry
from jamboree.server.live.table import Table
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.serve import free_port, listening
from jamboree.server.store.store import open_store

ROOT = Path(jamboree.server.__file__).parent
MOVES = (("bebop", "ClaimSeat"), ("bpm", "CueSong"))
HOST = "127.0.0.1"
SEATS = 4
MAX_MOVES = 1000  # played before the move to trace
SETTLE_TIME = 0.5  # seconds
NAMES = ("Ada", "Bob", "Cleo", "Dirk")


class Trace(NamedTuple):
    files: list[str]  # in the order in which they were first entered
    switches: int  # calls that led from one server file into another


class Recorder:
    """A profile hook that follows the calls inside the server package."""

    def __init__(self) -> None:
        self.entered: list[str] = []
        self._names: dict[str, str | None] = {}

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        file = frame.f_code.co_filename
        if file not in self._names:
            path = Path(file)
            self._names[file] = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else None
        name = self._names[file]
        if name and (not self.entered or self.entered[-1] != name):
            self.entered.append(name)

    def trace(self) -> Trace:
        return Trace(list(dict.fromkeys(self.entered)), max(0, len(self.entered) - 1))


class Player:
    """A client that counts the frames it receives by their type."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection, self.frames = connection, Counter[str]()

    async def read(self) -> None:
        async for frame in self.connection:
            self.frames[json.loads(frame)["type"]] += 1

    async def send(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def receives(self, kind: str, count: int) -> None:
        async with asyncio.timeout(10):
            while self.frames[kind] < count:
                await asyncio.sleep(0)


async def trace_move(game: str, kind: str, folder: Path) -> Trace:
    """Play random moves until a player can make a move of this kind, then make it under the recorder."""
    rng, store = random.Random(1), open_store(str(folder / f"{game}.db"))
    async with Registry(store, all_games(), lambda: rng.randbytes(32).hex()) as registry, AsyncExitStack() as stack:
        code, host = await registry.open(OpenTable(game=game, seats=SEATS, name=NAMES[0]))
        table = await registry.table(code)
        tickets = [host, *[await table.ask(Join(name)) for name in NAMES[1:]]]
        await table.ask(Start(), host.person)
        app, port = build_app(registry), free_port(HOST, 0)
        await stack.enter_async_context(listening(app, HOST, port))
        readers, players = await stack.enter_async_context(asyncio.TaskGroup()), list[Player]()
        for ticket in tickets:
            address = f"ws://{HOST}:{port}/api/v1/tables/{code}/socket"
            player = Player(await stack.enter_async_context(connect(address)))
            readers.create_task(player.read())
            await player.send(type="hello", token=ticket.token, language="en")
            await player.receives("welcome", 1)
            players.append(player)
        seat, action = await _play_until(table, kind, rng, [ticket.person for ticket in tickets])
        await asyncio.sleep(SETTLE_TIME)  # until the frames of earlier moves have arrived
        recorder, updates = Recorder(), [player.frames["update"] for player in players]
        sys.setprofile(recorder)
        try:
            await players[seat].send(type="act", id="traced", action=action)
            for player, before in zip(players, updates, strict=True):
                await player.receives("update", before + 1)
            await players[seat].receives("ack", 1)
        finally:
            sys.setprofile(None)
    store.close()
    return recorder.trace()


async def _play_until(table: Table, kind: str, rng: random.Random, people: list[str]) -> tuple[int, dict[str, Any]]:
    """Play random moves until some seat can make a move of this kind."""
    for number in range(MAX_MOVES):
        game, state = table.state.game, table.state.position
        moves = [
            (seat, msgspec.to_builtins(offer.action))
            for seat in sorted(actor for actor in game.to_act(state) if isinstance(actor, int))
            for offer in game.legal(state, seat)
        ]
        matching = [move for move in moves if move[1]["type"] == kind]
        if matching:
            return rng.choice(matching)
        seat, action = rng.choice(moves)
        await table.ask(Act(action, id=f"{number}"), people[seat])
    raise SystemExit(f"No player could make a move of kind {kind}.")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--list", action="store_true", help="print the files in the order they were entered")
    is_listed = arguments.parse_args().list
    with tempfile.TemporaryDirectory() as folder:
        for game, kind in MOVES:
            trace = asyncio.run(trace_move(game, kind, Path(folder)))
            print(f"{game} {kind}: {len(trace.files)} server files, {trace.switches} switches")
            if is_listed:
                print(*(f"  {number:2} {file}" for number, file in enumerate(trace.files, 1)), sep="\n")


if __name__ == "__main__":
    main()
