"""The registry of live tables: they are opened on demand, put away when idle, and closed when abandoned."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from math import inf
from types import TracebackType
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from jamboree.core.game import AnyGame
from jamboree.core.learning import CourseKind
from jamboree.core.rulesets import Rulesets

from ..analysis import Analyst
from ..bot_metrics import BotMetrics
from ..errors import IncompleteTable, Refused, trace
from ..offload import Offload
from ..protocol.bodies import OpenTable
from ..protocol.terms import BotPace, EveningGame, Seating, Status
from ..store import Append, Conflict, Incomplete, SaveClock, StoreError, TableStore, UnknownTable
from ..tokens import is_code, new_code, new_seed, normalized_code
from ..wall_clock import WallClock
from . import opening
from .bots.pool import BotPool, Thinker
from .clock import Tempo
from .commands.base import Context
from .commands.host import Arrange, Expire, PointTo, changed, check_gathering
from .commands.joining import Accept, Join, Ticket
from .commands.party import check_next_game, games_of
from .opening import NextGame
from .persistence import listing
from .records import AnyRecord, Joined, Opened, PaceSet, written
from .recovery import recover
from .roster import Roster
from .scheduler import SharedServices
from .state import TableState
from .table import Table

ACCEPT, FORGET = "accept", "forget"  # operations on tables of other servers


class NotOwner(Refused):
    """Another server has this table."""

    def __init__(self) -> None:
        super().__init__("not-saved", "This table is on its way to another server; please try again.")


class Peers:
    """The other servers of a cluster; a single server has none and owns every table."""

    @property
    def run(self) -> str:
        """The id under which this server owns tables now; raise NotOwner without a lease."""
        return ""

    async def claim(self, code: str) -> str:
        """Own a table before it is read, and return that id; raise NotOwner if another server has it."""
        return self.run

    async def ask(self, operation: str, code: str, arguments: Sequence[str]) -> None:
        """Carry out an operation on a person, given by hashed tokens and names, at a table of another server."""
        raise NotOwner


log = logging.getLogger(__name__)
DAY = 24 * 3600.0
MOST_TABLES = 50  # rematches that are followed when a person is erased
TRIES = 20  # random codes for a new table, if they are taken
IDLE = 600.0  # seconds without connections after which a table is unloaded
MOST_UNWATCHED, IDLE_IN_A_CROWD = 2000, 10.0  # tables without connections, beyond which they are unloaded sooner
# Seconds without people after which a table is closed:
PATIENCE = {Status.GATHERING: 1 * DAY, Status.SEEDING: 1 * DAY, Status.PLAYING: 30 * DAY}


def _unknown() -> Refused:
    return Refused("unknown-table", "There is no such table.")


class Registry:
    """All tables in memory; a failing table stops alone."""

    def __init__(
        self,
        store: TableStore,
        games: Mapping[str, AnyGame],
        new_seed: Callable[[], str] = new_seed,
        new_code: Callable[[], str] = new_code,
        forget_after: float = 90 * DAY,
        tempo: Tempo | None = None,
        thinker: Thinker | None = None,
        now: Callable[[], float] = time.monotonic,
        wall: WallClock | None = None,
        peers: Peers | None = None,
    ) -> None:
        self.store = store
        self.games = Rulesets.of(games)
        self.new_seed = new_seed
        self.new_code = new_code
        self.forget_after = forget_after
        self.bot_metrics = BotMetrics()
        self.offload = Offload(now)
        self.analyst = Analyst()
        tempo = tempo or Tempo()
        thinker = thinker or BotPool(tempo.bot_limit, metrics=self.bot_metrics)
        self.services = SharedServices(thinker, tempo, self.bot_metrics, self.offload, now, wall or WallClock())
        self._saved_clocks: dict[str, str] = {}  # the remaining times of tables, as saved last
        self.tables: dict[str, Table] = {}
        self._outdated_tables: set[str] = set()  # old tables whose rules are not installed
        self.peers = peers or Peers()
        self._visited: dict[str, float] = {}  # unloaded tables: when a person was last connected
        self._comebacks = store.comebacks
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # dropped when unused
        self._group, self._closing = asyncio.TaskGroup(), False

    async def __aenter__(self) -> "Registry":
        await self._group.__aenter__()
        self._timekeeper = self._group.create_task(self._keep_time(), name="timekeeper")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._closing = True
        await asyncio.gather(*self.save_clocks(), return_exceptions=True)
        self._timekeeper.cancel()
        try:
            await asyncio.gather(*map(self.unload, list(self.tables)))
            await self._group.__aexit__(kind, error, where)
        finally:
            self.bot_metrics.report(self.services.now(), at_once=True)
            self.offload.close()
            await self.services.thinker.close()
            await self.analyst.close()

    async def _keep_time(self) -> None:
        """Save the remaining times of all tables every second, and free the caches of unused tables."""
        while True:
            await asyncio.sleep(self.services.tempo.keep_clock)
            self._reload_if_lost()
            self.save_clocks()
            self.bot_metrics.report(self.services.now())
            for table in list(self.tables.values()):
                if table.rest():
                    await asyncio.sleep(0)  # let other tasks run

    def _reload_if_lost(self) -> None:
        """Make all tables reload after the database was unreachable."""
        if self._comebacks != self.store.comebacks:
            self._comebacks = self.store.comebacks
            for table in self.tables.values():
                table.enqueue(table.persistence.reload).add_done_callback(
                    lambda done: done.cancelled() or done.exception()
                )

    def save_clocks(self) -> "list[asyncio.Future[None]]":
        """Save the remaining times that have changed."""
        notes = []
        for code, table in self.tables.items():
            left = table.scheduler.clock.written(self.services.now())
            if table.state.has_rules and self._saved_clocks.get(code, table.state.clock) != left:
                notes.append(self.store.save_clock(SaveClock(code, table.state.epoch, left)))
                self._saved_clocks[code] = left
        return notes

    async def open(self, wanted: OpenTable) -> tuple[str, Ticket]:
        """Open a table; its opener is the host and has the first seat, unless bots have all seats."""
        game = self.current_rules(wanted.game)
        opened = await opening.opened_with(self.offload, game, wanted)
        state = TableState(game, Roster.opened(opened))
        sitting = opening.seat_bots(state, wanted.bots)
        joined = Join(wanted.name, watch=not state.roster.free_seats()).decide(Context(state))
        chosen = [] if wanted.pace == BotPace.RELAXED else [PaceSet(wanted.pace)]
        return await self._store_new([opened, *sitting, *joined.records, *chosen]), joined.answer

    async def open_party(self, game: str, seats: int | None, options: dict[str, Any]) -> str:
        """Open a table for a big screen; the first to join is its host."""
        return await self._store_new([await opening.for_party(self.offload, self.current_rules(game), seats, options)])

    async def learn(self, game: str, name: str, lesson: int, course: CourseKind = "basics") -> tuple[str, Ticket]:
        rules = self.current_rules(game)
        records, ticket = await self.offload.set_up(game, lambda: opening.for_lessons(rules, course, name, lesson))
        return await self._store_new(records), ticket

    async def _store_new(self, records: list[AnyRecord], said: Sequence[str] = ()) -> str:
        opened, *others = records
        assert isinstance(opened, Opened), "a table begins by being opened"
        state = TableState(self.games.version(opened.game, opened.rules), Roster.opened(opened), epoch=1, seq=1)
        for record in others:
            state.fold(record)
        state.touch(self.services.wall.stamp())
        stored = tuple(written(record) for record in records)
        state.add_chat(said)
        new = Append(table="", epoch=1, after=0, records=stored, listing=listing(state), talk=tuple(said))
        run, code = self.peers.run, await self._store_under_new_code(new)
        state.own(1)
        self._set_up(code, state, run)
        return code

    async def _store_under_new_code(self, append: Append) -> str:
        for _ in range(TRIES):
            code = self.new_code()
            try:
                await self.store.append(msgspec.structs.replace(append, table=code))
                return code
            except Conflict:
                continue
            except StoreError:
                break
        raise Refused("not-saved", "No table can be opened at the moment.")

    async def arrange(self, code: str, person: str, changes: Mapping[str, Any]) -> None:
        """Change a table's settings before its game."""
        table = await self.table(code)
        async with self.lock("arrange", code):  # so that concurrent changes are not overwritten
            roster = table.state.roster
            check_gathering(roster)
            wanted = changed(roster, changes)
            table.state.check_rules()
            opened = await opening.opened_with(self.offload, table.state.game, wanted)
            checked = msgspec.structs.replace(wanted, options=opened.options)
            await table.ask(Arrange(checked, frozenset(changes)), person)

    async def rematch(self, code: str, person: str, seating: Seating = Seating.SAME) -> str:
        """Open a rematch for the people of a finished table; their tokens are valid there too."""
        async with self.lock("rematch", code):  # the second request finds the table of the first
            old = await self.table(code)
            status, roster = await old.read(lambda state: state.roster.status), old.state.roster
            old.state.check_rules()
            if roster.rematch:
                return await self._accept_invitation(roster, person)
            if roster.party:
                return await self._open_next_game(old, person, roster.game, [], seating)
            if status != Status.FINISHED or (roster.seat_of(person) is None and person != roster.host):
                raise Refused("not-finished", "Players can ask for a rematch when their game is over.")
            opened = await opening.opened_with(self.offload, self.current_rules(roster.game), roster)
            lineup = opening.same_seats(roster, person, seating)
            return await self._store_next(old, opened, NextGame(roster, person, lineup))

    async def next_game(self, code: str, person: str, game: str | None, watching: Sequence[str]) -> str:
        """Open the next game of a party for all its people: the same one, or another."""
        async with self.lock("rematch", code):
            old = await self.table(code)
            roster = await old.read(lambda state: state.roster)
            old.state.check_rules()
            if roster.rematch:
                return await self._accept_invitation(roster, person)
            return await self._open_next_game(old, person, game or roster.game, watching)

    async def _open_next_game(
        self, old: Table, person: str, key: str, watching: Sequence[str], seating: Seating = Seating.SAME
    ) -> str:
        def finished_games(state: TableState) -> list[EveningGame]:
            check_next_game(Context(state, person=person))
            return games_of(state)

        games, roster, game = await old.read(finished_games), old.state.roster, self.current_rules(key)
        lineup = opening.everybody(roster, game, old.connections.people | {person}, watching, seating)
        opened = await opening.for_next_game(self.offload, roster, game, lineup.seats)
        return await self._store_next(old, opened, NextGame(roster, person, lineup, games))

    async def _accept_invitation(self, roster: Roster, person: str) -> str:
        """Accept the invitation to the next table, and return its code."""
        tokens = roster.people[person].tokens
        try:
            await (await self.table(roster.rematch)).ask(Accept(tokens))
        except NotOwner:
            await self.peers.ask(ACCEPT, roster.rematch, tokens)
        return roster.rematch

    async def _store_next(self, old: Table, opened: Opened, then: NextGame) -> str:
        """Store the next table, and have the old one point to it."""
        said = then.talk(await old.read(lambda state: state.talk.readable_by(None, then.roster)))
        new = await self._store_new([opened, *then.first_records()], said)
        await old.ask(PointTo(new, then.person))
        return new

    async def fork(self, code: str, person: str, step: int) -> str:
        """Fork a finished game after a step into a new table, with the requesting person as host in their old seat."""
        old = await self.table(code)
        roster, host = old.state.roster, old.state.roster.people[person]
        if await old.read(lambda state: state.roster.status) != Status.FINISHED:
            raise Refused("not-finished", "A game can be continued at another table when it is over.")
        old.state.check_rules()
        game = old.state.game  # a fork continues with the rules of the original
        opened = await opening.opened_with(self.offload, game, roster, party=roster.party)
        copied = await self.offload.run(opening.forked, await self.store.history(code), code, step, game)
        joined = Joined("p1", host.seat or 0, host.tokens, host.name)
        return await self._store_new([opened, copied, joined, *opening.avatar_records(roster)])

    async def erase_person(
        self, table: Table, identifiers: Sequence[str], person: str = "", most: int = MOST_TABLES
    ) -> None:
        """Erase a person's names and chat, also at rematches, each in its table's own task.

        The last table comes first: if a server fails in between, the first table still knows the names when the request
        is repeated.
        """
        async with self.lock("rematch", table.code):  # a rematch that is being opened copies the names
            known = await table.enqueue(lambda: table.persistence.identifiers_of(identifiers, person))
            if (following := table.state.roster.rematch) and most > 1:
                try:
                    later = await self.table(following)
                except NotOwner:
                    await self.peers.ask(FORGET, following, known)
                else:
                    await self.erase_person(later, known, most=most - 1)
            await table.enqueue(lambda: table.persistence.erase_person(known, person))

    async def sweep(self) -> None:
        """Unload unused tables, close abandoned ones, and erase expired names and chat."""
        today = self.services.wall.lower_bound()
        self.save_clocks()
        for table in self._unused():
            await table.stop()
        long_ago = self.services.now() - max(PATIENCE.values())
        self._visited = {code: visited for code, visited in self._visited.items() if visited > long_ago}
        await self.store.erase_expired(int(today - self.forget_after), today)
        for status, patience in PATIENCE.items():
            for code in await self.store.unchanged_since(status, int(today - patience)):
                if not self._is_visited(code, patience):
                    await self._expire(code)

    def _is_visited(self, code: str, patience: float) -> bool:
        """Whether a person was connected recently, by the monotonic clock."""
        table, last = self.tables.get(code), self._visited.get(code, -inf)
        if table:
            last = max(last, table.presence.visited)
        return bool(table and table.connections) or self.services.now() - last < patience

    def _unused(self) -> list[Table]:
        """Tables to unload: unused ones, sooner if very many are open."""
        unwatched = [table for table in self.tables.values() if not table.connections and not table.is_running]
        unwatched.sort(key=lambda table: table.used)
        surplus = max(0, len(unwatched) - MOST_UNWATCHED)
        return [table for at, table in enumerate(unwatched) if table.idle > (IDLE_IN_A_CROWD if at < surplus else IDLE)]

    async def _expire(self, code: str) -> None:
        if code in self._outdated_tables:
            return
        try:
            await (await self.table(code)).ask(Expire())
        except Refused as refusal:
            self._outdated_tables |= {code} if refusal.code == "outdated" else set()
        except Exception as error:  # a table that can't be read must not affect others
            log.error("table %s could not be closed: %s", code, trace(error))

    async def table(self, code: str) -> Table:
        """A table by its code, loaded from the store if necessary."""
        code = normalized_code(code)
        if code in self.tables:
            return self.tables[code]
        if not is_code(code):
            raise _unknown()
        async with self.lock("open", code):
            try:
                if code not in self.tables:
                    run = await self.peers.claim(code)
                    self._set_up(code, await recover(self.store, code, self.games, self.offload), run)
                return self.tables[code]
            except UnknownTable:
                raise _unknown() from None
            except Incomplete:
                raise IncompleteTable from None
            except StoreError:
                raise Refused("not-saved", "The tables can't be read at the moment.") from None

    def current_rules(self, key: str) -> AnyGame:
        if key not in self.games:
            raise Refused("unknown-game", f"There is no such game; there are: {', '.join(self.games)}.")
        return self.games[key]

    def lock(self, what: str, code: str) -> asyncio.Lock:
        """The lock for one kind of operation on a table."""
        return self._locks.setdefault(f"{what} {code}", asyncio.Lock())

    def _set_up(self, code: str, state: TableState, run: str) -> None:
        if self._closing or run != self.peers.run:  # its task would never end
            raise Refused("not-saved", "The tables can't be read at the moment.")
        self.tables[code] = Table(code, state, self)

    async def unload(self, code: str) -> None:
        """Stop a table and close its connections; it can be loaded again, here or at another server."""
        if table := self.tables.get(code):
            await table.stop()

    def forget(self, table: Table) -> None:
        """Remove a stopped table, remembering when a person was last connected if it waits for people."""
        self.tables.pop(table.code, None)
        if table.presence.visited > -inf and table.state.roster.status in PATIENCE:
            self._visited[table.code] = table.presence.visited
        self._saved_clocks.pop(table.code, None)
