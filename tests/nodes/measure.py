"""What a move costs on one server, on two, and when everybody comes to the wrong one: processor time of the servers."""

import asyncio
import os
import random
from pathlib import Path
from typing import NamedTuple

from .players import Party
from .servers import Server, serving
from .trials import asked

TABLES, SECONDS = 16, 20.0
TICKS = os.sysconf("SC_CLK_TCK")
COMMITS = "SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'"


class Cost(NamedTuple):
    moves: int
    seconds: list[float]  # of processor time, by server
    commits: int

    @property
    def each(self) -> float:
        """Milliseconds of processor time that a move takes on all servers together."""
        return 1000 * sum(self.seconds) / self.moves


class Far(Party):
    """A table one of whose players comes to the right server, and the other always to a wrong one."""

    def choose(self, seat: int) -> Server:
        return self.servers[seat % len(self.servers)]


class Near(Party):
    """A table whose players come to the same server, as behind a proxy that hashes."""

    def choose(self, seat: int) -> Server:
        return self.servers[hash(self.code) % len(self.servers)]


def spent(server: Server) -> float:
    """Give the processor time of a server so far."""
    assert server.program
    fields = Path(f"/proc/{server.program.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def cost(folder: Path, where: str, names: str, lease: float, kind: type[Party]) -> Cost:
    """Let people play for a while, and see what that takes."""
    async with serving(folder, names, lease) as servers:
        parties = [kind(list(servers), random.Random(number)) for number in range(TABLES)]
        for party in parties:
            await party.open()
        playing = [asyncio.create_task(party.play()) for party in parties]
        await asyncio.sleep(SECONDS / 4)  # everybody has come by then
        before = [spent(server) for server in servers], sum(len(party.acked) for party in parties)
        [(commits,)] = await asked(where, COMMITS)
        await asyncio.sleep(SECONDS)
        after = [spent(server) for server in servers], sum(len(party.acked) for party in parties)
        [(committed,)] = await asked(where, COMMITS)
        for party in parties:
            party.over = True
        await asyncio.gather(*playing)
        for party in parties:
            await party.leave()
    seconds = [late - early for early, late in zip(before[0], after[0], strict=True)]
    return Cost(after[1] - before[1], seconds, committed - commits)


async def measure(folder: Path, where: str, lease: float) -> None:
    for label, names, kind in (("one server", "a", Near), ("two servers", "ab", Near), ("the wrong one", "ab", Far)):
        found = await cost(folder, where, names, lease, kind)
        by_server = ", ".join(f"{seconds:.2f} s" for seconds in found.seconds)
        print(
            f"{label:14} {found.moves} moves, {found.each:.1f} ms of processor time each ({by_server}), "
            f"{found.commits / found.moves:.1f} transactions each",
            flush=True,
        )
