"""Soak test: `python -m tests.server.under_load.soak [--minutes 30 --tables 100 --rounds 5 …]`.

A server runs as a process of its own. In every round tables of bots are opened, watched until their games end, and
replaced by new ones, while two people play at another table. Then all clients disconnect, and the round ends when the
server has unloaded all tables. The program prints memory, descriptors, tables, the latency of the two people's moves
and the bots' metrics, and at the end whether memory and descriptors stayed flat from round to round. Tables are
unloaded sooner than usual, so that a round is short.
"""

import argparse
import asyncio
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from jamboree.bots import LEVELS
from jamboree.games import all_games
from jamboree.server import serve
from jamboree.server.live import registry, table
from jamboree.server.serve import Settings

from ..bench.online import HOST, METRICS_TOKEN, Player
from .plan import within

ENTRIES = "cached-entries"
PROGRAM = "tests.server.under_load.soak"
MIB = 1024 * 1024
RESTING, IDLE, SWEEP = 5.0, 20.0, 5.0  # seconds after which the server rests a table, puts it away, and looks for such
DRAIN = 180.0  # seconds in which the server must have put all tables away
QUIET = 25.0  # seconds without a message after that: the server searches for garbage in a quiet moment
EVERY = 0.5  # seconds between two moves of people
BUSY, AGAIN = 503, 1.0  # the status of a server that has too much to do, and seconds until it is asked again
ALLOWED_GROWTH, ALLOWED_MEMORY, ALLOWED_FILES = 0.05, 4 * MIB, 3  # of what there was after the first rounds
CACHE_ENTRY = 1024  # bytes that an entry of a bounded cache takes at most, with what it keeps alive
PAGE = os.sysconf("SC_PAGE_SIZE")


class Sample(NamedTuple):
    """External measurements of the server at one moment."""

    at: float  # seconds since the start
    memory: int  # bytes of the server's own process
    workers: int  # bytes of the processes that bots think in
    files: int
    tables: float  # in memory, by its metrics
    opened: int  # since the start
    cached: int  # entries of the server's bounded caches, which fill up over thousands of tables
    delays: list[float]  # seconds until the moves of people since the last sample were acknowledged
    moves: float  # of bots, since the start
    fallbacks: float
    unsearched: float
    answers: float
    waits: float  # seconds

    def row(self, before: "Sample | None") -> str:
        figures = zip(self[-5:], before[-5:] if before else [0.0] * 5, strict=True)
        moves, fallbacks, unsearched, answers, waits = (now - earlier for now, earlier in figures)
        seconds = self.at - (before.at if before else 0.0)
        delay = [f"{within(self.delays, share) * 1000:.0f}" for share in (50, 99)] if self.delays else ["–", "–"]
        memory = f"{self.memory / MIB:9.1f} {self.workers / MIB:9.0f} {self.files:6d}"
        tables = f"{self.tables:7.0f} {self.opened:7d} {self.cached:7d} {delay[0]:>7} {delay[1]:>7}"
        bots = f"{moves / seconds:8.1f} {waits / max(1, answers):7.2f} {unsearched / max(1, answers):9.1%}"
        return f"{self.at / 60:7.1f} {memory} {tables} {bots} {fallbacks / max(1, moves):9.2%}"


HEADING = (
    "minutes       MiB bots, MiB  files  tables  opened  cached p50, ms p99, ms  moves/s wait, s no search fallbacks"
)


class Server:
    """The server's process, seen through /proc and its metrics."""

    def __init__(self, process: Process, port: int, log: Path) -> None:
        self.process, self.port, self.log = process, port, log
        self.entries = log.with_name(ENTRIES)
        self.url = f"http://{HOST}:{port}"
        self.http = httpx.AsyncClient(base_url=self.url, timeout=60, trust_env=False)
        self.busy = 0  # requests that were answered with BUSY

    async def post(self, path: str, body: Any = None, token: str = "") -> Any:
        """Send a request, again and again while the server is busy."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        while (answer := await self.http.post(f"/api/v1{path}", json=body, headers=headers)).status_code == BUSY:
            self.busy += 1
            await asyncio.sleep(AGAIN)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def socket(self, code: str, **more: Any) -> connect:
        address = f"ws://{HOST}:{self.port}/api/v1/tables/{code}/socket"
        return connect(address, compression=None, max_size=None, proxy=None, ping_interval=None, **more)

    async def figures(self) -> dict[str, float]:
        answer = await self.http.get("/metrics", headers={"authorization": f"Bearer {METRICS_TOKEN}"})
        found = re.findall(r"^jamboree_(\w+) (\S+)$", answer.raise_for_status().text, re.MULTILINE)
        return {name: float(value) for name, value in found}

    def memory(self) -> int:
        return resident(self.process.pid)

    def workers(self) -> int:
        return sum(resident(pid) for pid in children(self.process.pid))

    async def cached(self) -> int:
        """Have the server count the entries of its caches."""
        before = self.entries.stat().st_mtime_ns if self.entries.exists() else 0
        self.process.send_signal(signal.SIGUSR1)
        for _ in range(200):
            if self.entries.exists() and self.entries.stat().st_mtime_ns > before:
                return int(self.entries.read_text() or 0)
            await asyncio.sleep(0.05)
        return 0

    def files(self) -> int:
        return sum(1 for _ in Path(f"/proc/{self.process.pid}/fd").iterdir())


def resident(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    return 0


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Crowd:
    """People who open tables and watch bots play, and two who play each other."""

    def __init__(self, server: Server, wanted: argparse.Namespace) -> None:
        self.server, self.wanted = server, wanted
        self.opened = 0
        self.delays: list[float] = []
        self._rng = random.Random(wanted.seed)

    @asynccontextmanager
    async def there(self) -> AsyncIterator[None]:
        """Connect everyone until the end of the block."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._watch_bots(number)) for number in range(self.wanted.tables)]
            tasks.append(group.create_task(self._play()))
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()

    async def _watch_bots(self, number: int) -> None:
        """Watch game after game; the first ones begin one after the other."""
        await asyncio.sleep(number * self.wanted.apart)
        while True:
            game = self._rng.choice(self.wanted.games)
            seats = self._rng.randint(*all_games()[game].info.seats)
            bots = {str(seat): self._rng.choice(self.wanted.levels) for seat in range(seats)}
            body = {"game": game, "seats": seats, "name": "Host", "bots": bots, "start": True, "pace": self.wanted.pace}
            ticket = await self.server.post("/tables", body | {"listed": False})
            self.opened += 1
            with suppress(ConnectionClosed):
                async with self.server.socket(ticket["table"]) as socket:
                    await socket.send(json.dumps({"type": "hello", "token": ticket["token"], "language": "en"}))
                    await _end_of(socket)

    async def _play(self) -> None:
        while True:
            tickets = [await self.server.post("/tables", {"game": "bebop", "seats": 2, "name": "Ada", "listed": False})]
            tickets.append(await self.server.post(f"/tables/{tickets[0]['table']}/join", {"name": "Bob"}))
            await self.server.post(f"/tables/{tickets[0]['table']}/start", token=tickets[0]["token"])
            async with self.server.socket(tickets[0]["table"]) as one, self.server.socket(tickets[0]["table"]) as two:
                players = [Player(one), Player(two)]
                for player, ticket in zip(players, tickets, strict=True):
                    await player.hello(ticket["token"])
                while not players[0].position["outcome"]:
                    await self._move(players)

    async def _move(self, players: Sequence[Player]) -> None:
        acting = next(player for player in players if player.legal())
        action, begun = self._rng.choice(acting.legal()), time.perf_counter()
        ack = await acting.act(action, f"{begun}")
        self.delays.append(time.perf_counter() - begun)
        for player in players:
            while player.seq < ack["seq"]:
                await player.take()
        await asyncio.sleep(EVERY)


async def _end_of(socket: ClientConnection) -> None:
    """Read until the game is over, without decoding."""
    async for frame in socket:
        if '"status":"finished"' in frame:  # no frame is packed
            return


async def soak(server: Server, wanted: argparse.Namespace) -> list[Sample]:
    """Let people come and go in rounds; return a sample after each."""
    crowd, begun, ends, last = Crowd(server, wanted), time.monotonic(), list[Sample](), None
    print(HEADING, flush=True)

    async def look() -> Sample:
        nonlocal last
        figures = await server.figures()
        sample = Sample(
            at=time.monotonic() - begun,
            memory=server.memory(),
            workers=server.workers(),
            files=server.files(),
            tables=figures["tables"],
            opened=crowd.opened,
            cached=await server.cached(),
            delays=[*crowd.delays],
            moves=figures["bot_moves_total"],
            fallbacks=figures["bot_fallbacks_total"],
            unsearched=figures["bot_unsearched_total"],
            answers=figures["bot_wait_seconds_count"],
            waits=figures["bot_wait_seconds_sum"],
        )
        crowd.delays.clear()
        print(sample.row(last), flush=True)
        last = sample
        return sample

    await look()
    for number in range(wanted.rounds):
        until = begun + (number + 1) * wanted.minutes * 60 / wanted.rounds - IDLE - QUIET - 2 * SWEEP
        async with crowd.there():
            while time.monotonic() < until:
                await asyncio.sleep(min(wanted.every, max(0.0, until - time.monotonic())))
                await look()
        async with asyncio.timeout(DRAIN):
            while (await server.figures())["tables"] > 0:
                await asyncio.sleep(1)
        await asyncio.sleep(QUIET)
        ends.append(await look())
        print(f"{'':7} ^ after round {number + 1}: nobody is there, and all tables are put away", flush=True)
    return ends


def verdict(ends: Sequence[Sample]) -> tuple[bool, str]:
    """Return whether the server was as large after the last round as after an earlier one.

    The first round also loads what every later one uses, so it is left out where there are three or more.
    """
    if len(ends) < 2:
        return True, "With one round there is nothing to compare."
    compared = ends[1:] if len(ends) > 2 else ends
    first, last = compared[0], compared[-1]
    grown, more = last.memory - first.memory, last.files - first.files
    allowed = max(ALLOWED_MEMORY, ALLOWED_GROWTH * first.memory) + CACHE_ENTRY * max(0, last.cached - first.cached)
    tables = last.opened - first.opened
    flat = grown <= allowed and more <= ALLOWED_FILES
    line = (
        f"{'FLAT' if flat else 'NOT FLAT'}: memory at rest {first.memory / MIB:.1f} → {last.memory / MIB:.1f} MiB over "
        f"{tables} tables ({grown / 1024 / max(1, tables):+.2f} KiB a table; {allowed / MIB:.1f} MiB are allowed), "
        f"{last.cached - first.cached:+d} entries in caches, descriptors {first.files} → {last.files}"
    )
    return flat, line


def about_log(log: Path) -> str:
    """Count the lines of the server's log by type."""
    lines = log.read_text(encoding="utf-8").splitlines()
    alike = Counter(re.sub(r"\d[\d.,]*|table \w+", "…", line.partition(" ")[2]) for line in lines)
    return "\n".join(
        [f"{len(lines)} lines in the log", *(f"{many:7d} × {line}" for line, many in alike.most_common(5))]
    )


@asynccontextmanager
async def a_server(wanted: argparse.Namespace, folder: Path) -> AsyncIterator[Server]:
    program = (sys.executable, "-m", wanted.program, "--serve", str(folder / "tables.db"))
    log = folder / "server.log"
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(*program, stdout=PIPE, stderr=errors)
        assert process.stdout
        try:
            line = (await process.stdout.readline()).decode()
            found = re.search(rf"http://{re.escape(HOST)}:(\d+)", line)
            assert found, log.read_text()
            server = Server(process, int(found[1]), log)
            async with server.http:
                yield server
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


def cached_entries() -> int:
    """Count the entries of the project's caches of functions; each has a maximum."""
    functions = {
        id(value): value
        for name, module in [*sys.modules.items()]
        if name.startswith("jamboree")
        for value in vars(module).values()
        if isinstance(value, _lru_cache_wrapper)
    }
    return sum(function.cache_info().currsize for function in functions.values())


def serve_here(database: str) -> None:
    """Be the server: as people run it, but without limits for one address, and tables are put away sooner."""
    table.REST_AFTER, registry.IDLE, serve.SWEEP_EVERY = RESTING, IDLE, SWEEP
    entries = Path(database).with_name(ENTRIES)
    signal.signal(signal.SIGUSR1, lambda *_: entries.write_text(f"{cached_entries()}"))
    settings = Settings(database=database, port=0, limited=False, metrics_token=METRICS_TOKEN, get_ready=True)
    serve.serve(settings, lambda address: print(address, flush=True))


async def main(wanted: argparse.Namespace) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        async with a_server(wanted, Path(folder)) as server:
            ends = await soak(server, wanted)
        print(about_log(server.log))
        if server.busy:
            print(f"{server.busy} requests were answered with {BUSY} and sent again")
    flat, line = verdict(ends)
    print(line)
    return flat


def parsed(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="soak", description="Watch the server's memory while tables come and go.")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--tables", type=int, default=100, help="tables of bots at a time")
    parser.add_argument("--rounds", type=int, default=5, help="how often everybody leaves")
    parser.add_argument("--every", type=float, default=30.0, help="seconds between two rows")
    parser.add_argument("--apart", type=float, default=0.1, help="seconds between the first tables of a round")
    parser.add_argument("--games", nargs="+", default=sorted(all_games()), choices=sorted(all_games()))
    parser.add_argument("--levels", nargs="+", default=LEVELS[:2], choices=LEVELS)
    parser.add_argument("--pace", default="quick", choices=("relaxed", "quick", "instant"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", metavar="DATABASE", help=argparse.SUPPRESS)
    parser.add_argument("--program", default=PROGRAM, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    settings = parsed()
    if settings.serve:
        serve_here(settings.serve)
    else:
        sys.exit(0 if asyncio.run(main(settings)) else 1)
