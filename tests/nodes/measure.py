"""Cost of a move on one server, on two, and if all clients use the wrong one: processor time of the servers."""

import asyncio
import os
import random
from pathlib import Path
from typing import Any, NamedTuple

from .players import Party, Person
from .servers import Server, serving
from .trials import asked

TABLES, SECONDS = 20, 20.0  # for each server, so that all have the same load
WITHIN = 30.0  # seconds in which a move is acknowledged and shown to everybody, since the machine may be busy
TICKS = os.sysconf("SC_CLK_TCK")
COMMITS = "SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'"


class Cost(NamedTuple):
    moves: int
    seconds: list[float]  # of processor time, by server
    idle: list[float]  # the same, without clients
    commits: int

    @property
    def each(self) -> float:
        """Milliseconds of processor time per move on all servers together."""
        return 1000 * sum(self.seconds) / self.moves


class Watching(Party):
    """A table whose players follow the updates, as people's clients do, without polling."""

    seq = 0

    async def _next(self) -> tuple[Person, dict[str, Any] | None]:
        for person in self.people:
            player = await person.connected()
            async with asyncio.timeout(WITHIN):
                while player.seq < self.seq:
                    await player.take()
        able = [(person, person.legal) for person in self.people if person.legal]
        person, legal = self.rng.choice(able) if able else (self.people[0], [None])
        return person, self.rng.choice(legal)

    async def _made(self, person: Person, action: dict[str, Any]) -> bool:
        player = await person.connected()
        async with asyncio.timeout(WITHIN):
            answer = await player.act(action, self.pending or "")
        assert answer["type"] == "ack", answer
        self.seq = answer["seq"]
        return True


class Far(Watching):
    """A table with one player at the right server and the other always at a wrong one."""

    def choose(self, seat: int) -> Server:
        return self.servers[seat % len(self.servers)]


class Near(Watching):
    """A table whose players use the same server, as behind a hashing proxy."""

    def choose(self, seat: int) -> Server:
        return self.servers[sum(self.code.encode()) % len(self.servers)]


def spent(server: Server) -> float:
    """Return the processor time of a server so far."""
    assert server.program
    fields = Path(f"/proc/{server.program.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def cost(folder: Path, where: str, names: str, lease: float, kind: type[Party]) -> Cost:
    """Let people play for a while, and measure the cost."""
    async with serving(folder, names, lease) as servers:
        idle = await _during(servers)
        parties = [kind(list(servers), random.Random(number)) for number in range(TABLES * len(names))]
        for party in parties:
            await party.open()
        playing = [asyncio.create_task(party.play()) for party in parties]
        await asyncio.sleep(SECONDS / 4)  # by then everybody has connected
        moves, [(commits,)] = _moves(parties), await asked(where, COMMITS)
        seconds = await _during(servers)
        moves, [(committed,)] = _moves(parties) - moves, await asked(where, COMMITS)
        for party in parties:
            party.over = True
        await asyncio.gather(*playing)
        for party in parties:
            await party.leave()
    return Cost(moves, seconds, idle, committed - commits)


async def _during(servers: list[Server]) -> list[float]:
    before = [spent(server) for server in servers]
    await asyncio.sleep(SECONDS)
    return [spent(server) - early for server, early in zip(servers, before, strict=True)]


def _moves(parties: list[Party]) -> int:
    return sum(len(party.acked) for party in parties)


async def measure(folder: Path, where: str, lease: float) -> None:
    for label, names, kind in (("one server", "a", Near), ("two servers", "ab", Near), ("the wrong one", "ab", Far)):
        found = await cost(folder, where, names, lease, kind)
        by_server = ", ".join(f"{seconds:.2f} s" for seconds in found.seconds)
        idle = ", ".join(f"{1000 * seconds / SECONDS:.1f} ms" for seconds in found.idle)
        print(
            f"{label:14} {found.moves} moves ({found.moves / SECONDS:.0f} a second), {found.each:.2f} ms of processor "
            f"time each ({by_server}), {found.commits / found.moves:.1f} transactions each; idle {idle} a second",
            flush=True,
        )
