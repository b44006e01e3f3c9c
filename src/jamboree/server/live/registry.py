"""The registry of live tables: they are opened on demand, put away when idle, and closed when abandoned."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from math import inf
from types import TracebackType
from typing import Any, Protocol
from weakref import WeakValueDictionary

import msgspec

from jamboree.bots import Level
from jamboree.core.game import AnyGame
from jamboree.core.rulesets import Rulesets

from ..bot_metrics import BotMetrics
from ..errors import Refused, trace
from ..offload import Offload
from ..protocol.terms import BotPace, Consent, HouseRules, Seating, Status
from ..store import Append, Conflict, KeepClock, Store, StoreError, UnknownTable
from ..tokens import is_code, meant_code, new_code, new_seed
from ..wall_clock import WallClock
from .analysis import Analyst
from .bots.pool import BotPool, Thinker
from .clock import Tempo
from .commands.base import Context
from .commands.host import Arrange, Expire, PointTo, changed, gathering
from .commands.joining import Accept, Join, Ticket
from .opening import Rematch, for_lessons, for_party, forked, like, looks_of, opened_with, seat_bots
from .persistence import listing
from .records import AnyRecord, Joined, Opened, PaceSet, written
from .recovery import recover
from .roster import Roster
from .scheduler import SharedServices
from .settings import TableSettings
from .state import TableState
from .table import Table

ACCEPT, FORGET = "accept", "forget"  # what can be asked of a table on another server


class NotOwner(Refused):
    """Another server has this table."""

    def __init__(self) -> None:
        super().__init__("not-kept", "This table is on its way to another server; please try again.")


class Peers(Protocol):
    @property
    def run(self) -> str:
        """Say by what tables are ours at this moment, or raise Elsewhere; they are not ours by another one."""

    async def claim(self, code: str) -> str:
        """Make sure that a table is ours before it is read and say by what, or raise Elsewhere."""

    async def ask(self, what: str, code: str, words: Sequence[str]) -> None:
        """Have something done about a person, known by hashed tokens and names, at a table on another server."""


class NoPeers:
    """No other server: every table is ours."""

    run = ""

    async def claim(self, code: str) -> str:
        return self.run

    async def ask(self, what: str, code: str, words: Sequence[str]) -> None:
        raise NotOwner


log = logging.getLogger(__name__)
DAY = 24 * 3600.0
TRIES = 20  # codes for a new table, should others have them
IDLE = 600.0  # seconds without anybody after which a table is put away
MOST_UNWATCHED, IDLE_IN_A_CROWD = 2000, 10.0  # tables nobody looks at; beyond that they are put away much sooner
PATIENCE = {
    Status.GATHERING: 1 * DAY,
    Status.SEEDING: 1 * DAY,
    Status.PLAYING: 30 * DAY,
}  # how long a table waits for people to come back


def _unknown() -> Refused:
    return Refused("unknown-table", "There is no such table.")


class Registry:
    """A table that stops takes no other with it."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        new_seed: Callable[[], str] = new_seed,
        forget_after: float = 90 * DAY,
        tempo: Tempo | None = None,
        thinker: Thinker | None = None,
        now: Callable[[], float] = time.monotonic,
        wall: WallClock | None = None,
        others: Peers | None = None,
    ) -> None:
        self.store, self.games, self.new_seed, self.forget_after = store, Rulesets.of(games), new_seed, forget_after
        self.bot_metrics, tempo = BotMetrics(), tempo or Tempo()
        self.offload, self.analyst = Offload(now), Analyst()
        pool, wall = thinker or BotPool(tempo.bot_limit, metrics=self.bot_metrics), wall or WallClock()
        self.services = SharedServices(pool, tempo, self.bot_metrics, self.offload, now, wall)
        self._noted: dict[str, str] = {}  # the time left at tables, as it was kept last
        self.tables: dict[str, Table] = {}
        self._left_alone: set[str] = set()  # old tables whose rules are not here
        self.others = others or NoPeers()
        self._visited: dict[str, float] = {}  # tables that are put away: when somebody was last connected
        self._comebacks = store.comebacks
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # gone when nobody waits
        self._group, self._closing = asyncio.TaskGroup(), False

    async def __aenter__(self) -> "Registry":
        await self._group.__aenter__()
        self._timekeeper = self._group.create_task(self._keep_time(), name="timekeeper")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._closing = True
        await asyncio.gather(*self.note_clocks(), return_exceptions=True)
        self._timekeeper.cancel()
        try:
            await asyncio.gather(*map(self.let_go, list(self.tables)))
            await self._group.__aexit__(kind, error, where)
        finally:
            self.bot_metrics.report(self.services.now(), at_once=True)
            self.offload.close()
            await self.services.thinker.close()
            await self.analyst.close()

    async def _keep_time(self) -> None:
        """Note every second how much time is left at each table, and let those rest that are not used."""
        while True:
            await asyncio.sleep(self.services.tempo.keep_clock)
            self._read_back_if_lost()
            self.note_clocks()
            self.bot_metrics.report(self.services.now())
            for table in list(self.tables.values()):
                if table.rest():
                    await asyncio.sleep(0)  # others are not kept waiting by many at once

    def _read_back_if_lost(self) -> None:
        """Have every table look at what is true when the database was lost and is back."""
        if self._comebacks != self.store.comebacks:
            self._comebacks = self.store.comebacks
            for table in self.tables.values():
                table.read_back().add_done_callback(lambda done: done.cancelled() or done.exception())

    def note_clocks(self) -> "list[asyncio.Future[None]]":
        """Have it kept how much time is left, where that is not what was kept last."""
        notes = []
        for code, table in self.tables.items():
            left = table.scheduler.clock.written(self.services.now())
            if table.state.has_rules and self._noted.get(code, table.state.clock) != left:
                notes.append(self.store.note(KeepClock(code, table.state.epoch, left)))
                self._noted[code] = left
        return notes

    async def open(
        self,
        game: str,
        seats: int,
        options: dict[str, Any],
        name: str,
        listed: bool,
        bots: Mapping[int, Level] | None = None,
        seconds: int | None = None,
        consent: Consent = Consent.EVERYBODY,
        house: HouseRules | None = None,
        pace: BotPace = BotPace.RELAXED,
    ) -> tuple[str, Ticket]:
        """Make a new table; who makes it is its host, and sits down first unless bots have every seat."""
        settings = TableSettings(seats, options, listed, seconds, consent, house or HouseRules())
        opened = await opened_with(self.offload, self._today(game), settings, usual_house=house is None)
        nobody_there = TableState(self.games[game], Roster.opened(opened))
        sitting = seat_bots(nobody_there, bots or {})
        joined = Join(name, watch=not nobody_there.roster.free_seats()).decide(Context(nobody_there))
        chosen = [] if pace == BotPace.RELAXED else [PaceSet(pace)]
        return await self._keep_new([opened, *sitting, *joined.records, *chosen]), joined.answer

    async def open_party(self, game: str, seats: int | None, options: dict[str, Any]) -> str:
        """Make a table where nobody sits yet; whoever comes first is its host."""
        return await self._keep_new([await for_party(self.offload, self._today(game), seats, options)])

    async def learn(self, game: str, name: str, lesson: int) -> tuple[str, Ticket]:
        """Make a table where somebody learns a game."""
        rules = self._today(game)
        records, ticket = await self.offload.set_up(game, lambda: for_lessons(rules, name, lesson))
        return await self._keep_new(records), ticket

    async def _keep_new(self, records: list[AnyRecord], said: Sequence[str] = ()) -> str:
        """Keep the first records of a new table and set it up."""
        opened, *others = records
        assert isinstance(opened, Opened), "a table begins by being opened"
        state = TableState(self.games.version(opened.game, opened.rules), Roster.opened(opened), epoch=1, seq=1)
        for record in others:
            state.fold(record)
        state.touch(self.services.wall.stamp())
        kept = tuple(written(record) for record in records)
        state.hear(said)
        new = Append(table="", epoch=1, after=0, records=kept, listing=listing(state), talk=tuple(said))
        run, code = self.others.run, await self._keep_under_new_code(new)
        state.own(1)
        self._set_up(code, state, run)
        return code

    async def _keep_under_new_code(self, append: Append) -> str:
        """Keep a new table under a code that no other has."""
        for _ in range(TRIES):
            code = new_code()
            try:
                await self.store.append(msgspec.structs.replace(append, table=code))
                return code
            except Conflict:
                continue
            except StoreError:
                break
        raise Refused("not-kept", "No table can be opened at the moment.")

    async def arrange(self, code: str, person: str, changes: Mapping[str, Any]) -> None:
        """Set a table up differently before its game."""
        table = await self.table(code)
        async with self.lock("arrange", code):  # nothing that another command has changed meanwhile is changed back
            roster = table.state.roster
            gathering(roster)
            wanted = changed(roster, changes)
            table.state.check_rules()
            opened = await opened_with(self.offload, table.state.game, wanted)
            await table.ask(Arrange(msgspec.structs.replace(wanted, options=opened.options)), person)

    async def rematch(self, code: str, person: str, seating: Seating = Seating.SAME) -> str:
        """Open another table for those who sit at a finished one; their tokens are good there too."""
        async with self.lock("rematch", code):  # whoever is second finds the table of the first
            return await self._rematch(code, person, seating)

    async def _rematch(self, code: str, person: str, seating: Seating) -> str:
        old = await self.table(code)
        status, roster = await old.status(), old.state.roster
        old.state.check_rules()
        if roster.rematch:
            tokens = roster.people[person].tokens
            try:
                await (await self.table(roster.rematch)).ask(Accept(tokens))
            except NotOwner:
                await self.others.ask(ACCEPT, roster.rematch, tokens)
            return roster.rematch
        if status != Status.FINISHED or (roster.people[person].seat is None and person != roster.host):
            raise Refused("not-finished", "Players can ask for a rematch when their game is over.")
        opened = await like(self.offload, roster, self._today(roster.game))
        rematch = Rematch(roster, person, seating)
        said = rematch.talk(await old.read(lambda state: state.talk.heard(None, roster)))
        new = await self._keep_new([opened, *rematch.records()], said)
        await old.ask(PointTo(new, person))
        return new

    async def fork(self, code: str, person: str, step: int) -> str:
        """Open another table that takes a finished game up after a step; whoever asks hosts it, on their old seat."""
        old = await self.table(code)
        roster, host = old.state.roster, old.state.roster.people[person]
        if await old.status() != Status.FINISHED:
            raise Refused("not-finished", "A game can be continued at another table when it is over.")
        old.state.check_rules()
        game = old.state.game  # what is taken up goes on by the rules it was begun by
        opened = await like(self.offload, roster, game)
        copied = await self.offload.run(forked, await self.store.history(code), code, step, game)
        joined = Joined("p1", host.seat or 0, host.tokens, host.name)
        return await self._keep_new([opened, copied, joined, *looks_of(roster)])

    async def sweep(self) -> None:
        """Put tables away that nobody uses, close those nobody comes back to, and erase old names and talk."""
        today = self.services.wall.surely()
        self.note_clocks()
        for table in self._unused():
            await table.stop()
        long_ago = self.services.now() - max(PATIENCE.values())
        self._visited = {code: visited for code, visited in self._visited.items() if visited > long_ago}
        await self.store.erase(int(today - self.forget_after), today)
        for status, patience in PATIENCE.items():
            for code in await self.store.untouched(status, int(today - patience)):
                if not self._is_visited(code, patience):
                    await self._expire(code)

    def _is_visited(self, code: str, patience: float) -> bool:
        """Tell whether somebody was there not too long ago, by the clock that nobody sets."""
        table, last = self.tables.get(code), self._visited.get(code, -inf)
        if table:
            last = max(last, table.presence.visited)
        return (table is not None and table.watched) or self.services.now() - last < patience

    def _unused(self) -> list[Table]:
        """Find the tables nobody uses; when very many are open, those that were used last a little while ago too."""
        unwatched = [table for table in self.tables.values() if not table.watched and not table.at_work]
        unwatched.sort(key=lambda table: table.used)
        surplus = max(0, len(unwatched) - MOST_UNWATCHED)
        return [table for at, table in enumerate(unwatched) if table.idle > (IDLE_IN_A_CROWD if at < surplus else IDLE)]

    async def _expire(self, code: str) -> None:
        if code in self._left_alone:
            return
        try:
            await (await self.table(code)).ask(Expire())
        except Refused as refusal:
            self._left_alone |= {code} if refusal.code == "outdated" else set()
        except Exception as error:  # one table that can't be read must not keep the others
            log.error("table %s can't be closed: %s", code, trace(error))

    async def table(self, code: str) -> Table:
        """Find a table, and read it from the store if nobody was there lately."""
        code = meant_code(code)
        if code in self.tables:
            return self.tables[code]
        if not is_code(code):
            raise _unknown()
        async with self.lock("open", code):
            try:
                if code not in self.tables:
                    run = await self.others.claim(code)
                    self._set_up(code, await recover(self.store, code, self.games, self.offload), run)
                return self.tables[code]
            except UnknownTable:
                raise _unknown() from None
            except StoreError:
                raise Refused("not-kept", "The tables can't be read at the moment.") from None

    def _today(self, key: str) -> AnyGame:
        """Find the rules that a new table plays by."""
        if key not in self.games:
            raise Refused("unknown-game", f"There is no such game; there are: {', '.join(self.games)}.")
        return self.games[key]

    def lock(self, what: str, code: str) -> asyncio.Lock:
        """Give the lock of those who do the same with a table at the same time."""
        lock = self._locks.get(f"{what} {code}") or asyncio.Lock()
        self._locks[f"{what} {code}"] = lock
        return lock

    def _set_up(self, code: str, state: TableState, run: str) -> None:
        if self._closing or run != self.others.run:  # nobody would end its task
            raise Refused("not-kept", "The tables can't be read at the moment.")
        self.tables[code] = Table(code, state, self)

    async def let_go(self, code: str) -> None:
        """Stop a table and send away whoever is there; what was kept can be read again, here or elsewhere."""
        if table := self.tables.get(code):
            await table.stop()

    def forget(self, table: Table) -> None:
        """Let go of a table that has stopped, but for when somebody was there, if anybody is waited for."""
        self.tables.pop(table.code, None)
        if table.presence.visited > -inf and table.state.roster.status in PATIENCE:
            self._visited[table.code] = table.presence.visited
        self._noted.pop(table.code, None)
