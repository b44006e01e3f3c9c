"""Faults of a server during games, and checks that every guarantee held."""

import asyncio
import random
import signal
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec
import psycopg

from jamboree.core.rulesets import Rulesets
from jamboree.games import all_games
from jamboree.server.live.records import Acted, read
from jamboree.server.live.recovery import rebuild
from jamboree.server.protocol.wire import encode
from jamboree.server.store import queries
from jamboree.server.store.postgres import PostgresConnection

from .parting import is_let_in, is_refused, ways_between
from .players import Party
from .servers import Server
from .zombie import ZOMBIE, letters

TABLES = 6
BEFORE, AFTER = 1.0, 1.0  # seconds of play before the fault, and after all tables are back
FOUND_DEAD = 1.5  # seconds in which a proxy with a health check every second notices
BACK_WITHIN = 30.0  # seconds after which a table counts as lost
OWNED = "SELECT tables.id FROM tables JOIN nodes ON nodes.run = tables.node WHERE nodes.name = %s"


class Outcome(NamedTuple):
    victim: Server
    back: list[float]  # seconds until each table of the victim continued
    moves: int


Trial = Callable[["Scene"], Awaitable[float]]  # returns the time of the fault


class Scene(NamedTuple):
    servers: list[Server]
    spare: Server
    victim: Server
    parties: list[Party]  # all tables
    theirs: list[Party]  # those of the victim
    lease: float
    where: str  # the database's address

    @property
    def others(self) -> list[Server]:
        return [server for server in self.servers if server is not self.victim]

    def avoid(self) -> None:
        """Let people use the other servers only, as behind a proxy with health checks."""
        for party in self.parties:
            party.servers = self.others

    async def come_to_owners(self) -> None:
        """Let people use the owner of their table, as behind a proxy with the right hash."""
        for server in self.servers:
            owned = await owned_by(server, self.where)
            for party in self.parties:
                party.servers = [server] if party.code in owned else party.servers

    async def go_on(self, since: float) -> None:
        """Wait until there was a move at every table of the victim, and all its players are connected."""
        async with asyncio.timeout(BACK_WITHIN):
            while not all(party.is_on(since) for party in self.theirs):
                await asyncio.sleep(0.02)

    def hang_up(self, *servers: Server) -> None:
        """Close all connections to servers, as a proxy does that gets no answer; by default to the victim."""
        for party in self.parties:
            for person in party.people:
                for server in servers or [self.victim]:
                    person.hang_up(server)


async def kill(scene: Scene) -> float:
    scene.victim.send(signal.SIGKILL)
    since = time.monotonic()
    scene.avoid()
    await scene.victim.ended()
    return since


async def pause(scene: Scene) -> float:
    """Pause a server for longer than its lease; requests from meanwhile must not be carried out later."""
    async with letters(scene.theirs, scene.victim) as written:
        scene.victim.send(signal.SIGSTOP)
        since = time.monotonic()
        scene.avoid()
        await written.send()
        await asyncio.sleep(FOUND_DEAD)
        scene.hang_up()
        await asyncio.sleep(scene.lease + 1.0 - FOUND_DEAD)
        scene.victim.send(signal.SIGCONT)
        await written.are_refused()
    return since


async def cut(scene: Scene) -> float:
    scene.victim.cable.cut()
    since = time.monotonic()
    scene.avoid()
    await asyncio.sleep(scene.lease + 2.0)
    scene.victim.cable.mend()
    return since


async def drain(scene: Scene) -> float:
    since = time.monotonic()
    scene.victim.send(signal.SIGTERM)
    assert await scene.victim.ended() == 0
    return since


async def join(scene: Scene) -> float:
    since = time.monotonic()
    await scene.spare.start()
    for party in scene.parties:
        party.servers = [*scene.servers, scene.spare]
    return since


async def apart(scene: Scene) -> float:
    """Network partition between servers: each continues with its own tables, and refuses the rest."""
    wrong = scene.others[0]
    async with letters(scene.theirs, scene.victim), ways_between(scene.servers, scene.where) as ways:
        await ways.is_taken(scene.victim, wrong, scene.theirs[0].code)
        for party in scene.theirs:
            party.servers = [wrong]
        scene.hang_up(*scene.servers)
        await scene.go_on(time.monotonic())
        await scene.come_to_owners()  # after the partition
        await scene.go_on(time.monotonic())
        ways.cut()
        since = time.monotonic()
        await asyncio.gather(*(is_refused(party, wrong) for party in scene.theirs))
        await scene.go_on(since)
    await asyncio.gather(*(is_let_in(party.people[0], wrong) for party in scene.theirs))
    return since


KINDS: dict[str, Trial] = {"kill": kill, "pause": pause, "cut": cut, "apart": apart, "drain": drain, "join": join}


async def attempt(kind: str, servers: list[Server], spare: Server, where: str, rng: random.Random) -> Outcome:
    """Let people play, inject a fault, and check everything afterwards."""
    parties = [Party(list(servers), rng) for _ in range(TABLES)]
    for party in parties:
        await party.open()
    playing = [asyncio.create_task(party.play()) for party in parties]
    await asyncio.sleep(BEFORE)
    victim, theirs = await _chosen(servers, parties, where, rng)
    scene = Scene(servers, spare, victim, parties, theirs, victim.lease, where)
    since = await KINDS[kind](scene)
    back = [await _is_back(party, since, playing, servers) for party in theirs]
    await asyncio.sleep(AFTER)
    for party in parties:
        party.over = True
    await asyncio.wait_for(asyncio.gather(*playing), BACK_WITHIN)
    for party in parties:
        await check(party, where)
        await party.leave()
    return Outcome(victim, back, sum(len(party.acked) for party in parties))


async def _chosen(
    servers: list[Server], parties: list[Party], where: str, rng: random.Random
) -> tuple[Server, list[Party]]:
    """Choose a server that owns tables, and return these."""
    for server in rng.sample(servers, len(servers)):
        owned = await owned_by(server, where)
        if theirs := [party for party in parties if party.code in owned]:
            return server, theirs
    raise AssertionError("nobody has any table")


async def owned_by(server: Server, where: str) -> set[str]:
    return {code for (code,) in await asked(where, OWNED, server.name)}


async def _is_back(party: Party, since: float, playing: "list[asyncio.Task[None]]", servers: list[Server]) -> float:
    """Return the time until a table continued."""
    while not (late := [at for at in party.times if at > since + 0.05]):
        await asyncio.sleep(0.02)
        for task in playing:
            _ = task.done() and task.result()  # raises the failures of its players
        if time.monotonic() > since + BACK_WITHIN:
            details = "\n".join([*party.troubles, *(f"{each.name}:\n{each.log.read_text()}" for each in servers)])
            raise AssertionError(
                f"{party.code} waits for {party.pending} since {since:.2f}, and is not back:\n{details}"
            )
    return late[0] - since


async def mend(victim: Server, spare: Server) -> None:
    """Undo the fault."""
    await spare.stop()
    if victim.program and victim.program.returncode is not None:
        await victim.start()


async def check(party: Party, where: str) -> None:
    """Check that all acknowledged moves are stored once and in order, and that nothing else was shown."""
    stored, history = await asyncio.to_thread(_read, where, party.code)
    done = [record.id for record in map(read, history) if isinstance(record, Acted)]
    unanswered = [party.pending] if party.pending else []
    assert done in (party.acked, party.acked + unanswered), (done, party.acked)
    assert ZOMBIE not in done
    state = rebuild(stored, Rulesets.of(all_games()))
    for person in party.people:
        async with asyncio.timeout(BACK_WITHIN):
            while not await party.is_shown(person):
                await asyncio.sleep(0.05)
        assert person.player
        view: Any = msgspec.json.decode(encode(state.game.view(state.position, person.ticket["seat"])))
        assert person.player.position["view"] == view, "everybody sees what their seat may see, and nothing else"


def _read(where: str, table: str) -> Any:
    connection = PostgresConnection(where, readonly=True)
    try:
        return queries.load(connection, table), queries.history(connection, table)
    finally:
        connection.close()


async def asked(where: str, question: str, *values: object) -> list[Any]:
    async with await psycopg.AsyncConnection[Any].connect(where, autocommit=True) as connection:
        return await (await connection.execute(question.encode(), values)).fetchall()
