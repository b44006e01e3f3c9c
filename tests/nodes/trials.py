"""What can happen to a server while people play, and whether every promise was kept."""

import asyncio
import random
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
import psycopg
from websockets.exceptions import WebSocketException

from jamboree.core.rulesets import Rulesets
from jamboree.games import all_games
from jamboree.server.memory.recall import remember
from jamboree.server.memory.records import Acted
from jamboree.server.memory.written_records import read
from jamboree.server.protocol.wire import encode
from jamboree.server.store import database
from jamboree.server.store.postgres import Postgres

from .players import Party
from .servers import Server

TABLES = 6
BEFORE, AFTER = 1.0, 1.0  # seconds people play before something happens, and after all tables are back
BACK_WITHIN = 30.0  # seconds after which a table counts as lost
OWNED = "SELECT tables.id FROM tables JOIN nodes ON nodes.run = tables.node WHERE nodes.name = %s"
ZOMBIE = "zombie"


class Outcome(NamedTuple):
    victim: Server
    back: list[float]  # seconds until each table of the server in question went on
    moves: int


Trial = Callable[["Scene"], Awaitable[None]]


class Scene(NamedTuple):
    servers: list[Server]
    spare: Server
    victim: Server
    parties: list[Party]  # all tables
    theirs: list[Party]  # those of the victim
    lease: float

    @property
    def others(self) -> list[Server]:
        return [server for server in self.servers if server is not self.victim]

    def avoid(self) -> None:
        """Have people choose among the other servers, as a proxy would that looks whether a server is ready."""
        for party in self.parties:
            party.servers = self.others


async def kill(scene: Scene) -> None:
    scene.victim.send(signal.SIGKILL)
    scene.avoid()
    await scene.victim.ended()


async def pause(scene: Scene) -> None:
    """Stop a server for longer than its lease; what reached it meanwhile must not be done when it goes on."""
    scene.victim.send(signal.SIGSTOP)
    scene.avoid()
    for party in scene.theirs:
        await _send_to_the_zombie(party)
    await asyncio.sleep(scene.lease + 1.0)
    scene.victim.send(signal.SIGCONT)


async def _send_to_the_zombie(party: Party) -> None:
    """Send a legal move to the stopped server by a connection that was open before, if there is one just now."""
    for person in party.people:
        player = person.player
        if player and player.position and player.legal():
            with suppress(WebSocketException):
                await player.send(type="act", id=ZOMBIE, action=player.legal()[0])
            return


async def cut(scene: Scene) -> None:
    scene.victim.cable.cut()
    scene.avoid()
    await asyncio.sleep(scene.lease + 2.0)
    scene.victim.cable.mend()


async def drain(scene: Scene) -> None:
    scene.victim.send(signal.SIGTERM)
    assert await scene.victim.ended() == 0


async def join(scene: Scene) -> None:
    await scene.spare.start()
    for party in scene.parties:
        party.servers = [*scene.servers, scene.spare]


KINDS: dict[str, Trial] = {"kill": kill, "pause": pause, "cut": cut, "drain": drain, "join": join}


async def attempt(kind: str, servers: list[Server], spare: Server, where: str, rng: random.Random) -> Outcome:
    """Let people play, let something happen, and look at everything afterwards."""
    parties = [Party(list(servers), rng) for _ in range(TABLES)]
    for party in parties:
        await party.open()
    playing = [asyncio.create_task(party.play()) for party in parties]
    await asyncio.sleep(BEFORE)
    victim = rng.choice(servers)
    owned = {code for (code,) in await asked(where, OWNED, victim.name)}
    theirs = [party for party in parties if party.code in owned]
    scene = Scene(servers, spare, victim, parties, theirs, victim.lease)
    since = time.monotonic()
    await KINDS[kind](scene)
    back = [await _is_back(party, since, playing) for party in theirs]
    await asyncio.sleep(AFTER)
    for party in parties:
        party.over = True
    await asyncio.wait_for(asyncio.gather(*playing), BACK_WITHIN)
    for party in parties:
        await check(party, where)
        await party.leave()
    return Outcome(victim, back, sum(len(party.acked) for party in parties))


async def _is_back(party: Party, since: float, playing: "list[asyncio.Task[None]]") -> float:
    """Say how long it took until a table went on."""
    async with asyncio.timeout(BACK_WITHIN):
        while not (late := [at for at in party.times if at > since + 0.05]):
            await asyncio.sleep(0.02)
            for task in playing:
                _ = task.done() and task.result()  # somebody who was treated badly says so
    return late[0] - since


async def mend(victim: Server, spare: Server) -> None:
    """Have everything as it was before."""
    await spare.stop()
    if victim.program and victim.program.returncode is not None:
        await victim.start()


async def check(party: Party, where: str) -> None:
    """See that everything acknowledged is there once and in order, and that nobody was shown anything else."""
    stored, history = await asyncio.to_thread(_read, where, party.code)
    done = [record.id for record in map(read, history) if isinstance(record, Acted)]
    unanswered = [party.pending] if party.pending else []
    assert done in (party.acked, party.acked + unanswered), (done, party.acked)
    assert ZOMBIE not in done
    memory = remember(stored, Rulesets.of(all_games()))
    for person in party.people:
        async with asyncio.timeout(BACK_WITHIN):
            while not await party.looked(person):
                await asyncio.sleep(0.05)
        assert person.player
        view: Any = msgspec.json.decode(encode(memory.game.view(memory.state, person.place["seat"])))
        assert person.player.position["view"] == view, "everybody sees what their seat may see, and nothing else"


def _read(where: str, table: str) -> Any:
    connection = Postgres(where, readonly=True)
    try:
        return database.load(connection, table), database.history(connection, table)
    finally:
        connection.close()


async def asked(where: str, question: str, *values: object) -> list[Any]:
    async with await psycopg.AsyncConnection[Any].connect(where, autocommit=True) as connection:
        return await (await connection.execute(question.encode(), values)).fetchall()
