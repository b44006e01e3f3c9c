"""The end of a simulation: every table continues, every client is up to date, and nothing acknowledged is lost."""

import asyncio
from typing import TYPE_CHECKING

from jamboree.core.fair import check_luck
from jamboree.core.game import Nature
from jamboree.core.journal import check as check_journal
from jamboree.core.journal import read, write
from jamboree.core.rulesets import Rulesets
from jamboree.server.live.recovery import recover
from jamboree.server.live.replay import journal_of
from jamboree.server.live.state import TableState
from jamboree.server.offload import Offload
from jamboree.server.store import queries

from ..machine.server import GAMES
from .chronicle import History
from .rights import Broken

if TYPE_CHECKING:
    from ..people.client import Client
    from ..world import World

IN_FLIGHT = 2  # records that may be stored but not shown yet at the shutdown
ARRIVING = 20.0  # seconds until everybody has reconnected
LONGEST_SILENCE = 40.0  # seconds without a move while all players are connected


async def watch(world: "World", seconds: float) -> None:
    """Check that every game continues while its players are connected."""
    await asyncio.sleep(ARRIVING)
    until, since = world.loop.time() + seconds, {code: world.loop.time() for code in _played(world)}
    before = {code: world.history(code).last for code in since}
    while since and world.loop.time() < until and not world.problems:
        await asyncio.sleep(2.0)
        for code in _played(world) & since.keys():
            if world.history(code).last != before[code]:
                before[code], since[code] = world.history(code).last, world.loop.time()
            elif world.loop.time() - since[code] > LONGEST_SILENCE + _grace(world, code):
                world.broken(f"{code} ({world.history(code).roster.game}) stands still since {since[code]:.1f}")
        if not _played(world):
            break


def _played(world: "World") -> set[str]:
    """Return the tables with a running game and a connected player; pauses may last."""
    world.chronicle.follow()
    playing = [client for client in world.clients if client.online and client.seat is not None]
    there = {client.code for client in playing if client.table.get("paused") == "no"}
    return {code for code in there if world.history(code).status in ("seeding", "playing")}


def _grace(world: "World", code: str) -> float:
    """Return how much longer a table may wait for a player who is at another table."""
    history = world.history(code)
    there = {client.seat for client in world.clients if client.online and client.code == code}
    asked = history.game.to_act(history.states[-1]) if history.states[-1] is not None else frozenset()
    people = {person.seat for person in history.roster.people.values() if not person.gone}
    return float(history.roster.house_rules.wait or 0) if asked & people - there else 0.0


async def check(world: "World") -> None:
    """Check everything once more after all clients have left."""
    store, rules, offload = world.disk.plug_in().store(), Rulesets.of(GAMES), Offload(world.loop.time)
    try:
        world.chronicle.check()
        for table, person, name in sorted(world.acked):
            if (person, name) not in world.history(table).acted:
                raise Broken(f"{name} of {person} at {table} was acknowledged, and is lost")
        for client in world.clients:
            _check_heard(client)
        for history in world.chronicle.tables.values():
            _check_table(world, history, await recover(store, history.code, rules, offload))
    except Broken as broken:
        world.broken(str(broken))


def _check_heard(client: "Client") -> None:
    if client.stream and client.bye is not None:
        unheard = client.stream.unheard(client.seat, client.bye - IN_FLIGHT)
        if unheard:
            raise Broken(f"{client.name} was never sent {unheard} at {client.code}")


def _check_table(world: "World", history: History, state: TableState) -> None:
    position = history.states[-1]
    if state.outdated or state.seq != history.last:
        raise Broken(f"{history.code} can't be read back: {state.outdated or state.seq}")
    if position is None:
        return
    if state.position != position and history.game.view(state.position, None) != history.game.view(position, None):
        raise Broken(f"{history.code} is read back as something else")
    journal = journal_of(queries.history(world.disk.database, history.code), history.code)
    over = check_journal(read(write(journal).encode()), history.game)
    check_luck(journal)
    if over != (history.status == "finished"):
        raise Broken(f"{history.code} is {history.status}, and its journal thinks otherwise")
    _check_census(history)
    _check_waiting(history, state)


def _check_census(history: History) -> None:
    states = [state for state in history.states if state is not None]
    first = dict(history.game.census(states[0]))
    for state in states[:: max(1, len(states) // 8)]:
        if dict(history.game.census(state)) != first:
            raise Broken(f"components of {history.code} were lost or made")


def _check_waiting(history: History, state: TableState) -> None:
    """Check that a reloaded table asks the players whom the rules ask."""
    asked = {actor for actor in history.game.to_act(history.states[-1]) if actor != Nature.CLOCK}
    if history.status == "playing" and set(state.pending) != asked:
        raise Broken(f"{history.code} asks {sorted(state.pending)} and not {sorted(asked)}")
