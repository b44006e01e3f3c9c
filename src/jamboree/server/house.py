"""All tables of a server: opened on demand, each in a task of its own."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from math import inf
from types import TracebackType
from typing import Any

import msgspec

from jamboree.bots import Level
from jamboree.core.chance import Chance, Seeded
from jamboree.core.errors import BadOptions
from jamboree.core.game import AnyGame, Nature

from .arranging import Arrange, changed, gathering
from .bot_pool import BotPool, Thinker
from .bot_seats import seated
from .commands import Join, Ticket
from .errors import Refused, trace
from .forking import forked
from .hosting import Expire, PointTo
from .listing import listing
from .lobby import Lobby, Person, Status
from .memory import Games, Memory
from .recall import recall
from .records import AnyRecord, BotSeated, HostPassed, Joined, Opened, written
from .secret import new_code, new_seed
from .steward import Staff
from .store import Append, KeepClock, Store, StoreError, UnknownTable
from .table import Table
from .tempo import Tempo
from .thoughts import Tally
from .wall_clock import WallClock

log = logging.getLogger(__name__)
DAY = 24 * 3600.0
IDLE = 600.0  # seconds without anybody after which a table is put away
PATIENCE = {
    Status.GATHERING: 1 * DAY,
    Status.SEEDING: 1 * DAY,
    Status.PLAYING: 30 * DAY,
}  # how long a table waits for people to come back


def _seat(person: Person) -> int:
    return -1 if person.seat is None else person.seat


def _has_clock(game: AnyGame) -> bool:
    """Tell whether a game can be played in real time, by its own rules."""
    seats = game.info.seats[0]
    return any(Nature.CLOCK in game.to_act(game.setup(seats, sample, Seeded(0))) for sample in game.info.samples)


class House:
    """Keeps a reference to every table's task; one that stops takes no other with it."""

    def __init__(
        self,
        store: Store,
        games: Games,
        new_seed: Callable[[], str] = new_seed,
        forget_after: float = 90 * DAY,
        tempo: Tempo | None = None,
        thinker: Thinker | None = None,
        now: Callable[[], float] = time.monotonic,
        wall: WallClock | None = None,
    ) -> None:
        self.store, self.games, self.new_seed, self.forget_after = store, games, new_seed, forget_after
        self.tally, tempo = Tally(), tempo or Tempo()
        self.staff = Staff(thinker or BotPool(tempo.bot_limit), tempo, self.tally, now, wall or WallClock())
        self._noted: dict[str, str] = {}  # the time left at tables, as it was kept last
        self.tables: dict[str, Table] = {}
        self._visited: dict[str, float] = {}  # tables that are put away: when somebody was last connected
        self._rematching = asyncio.Lock()
        self._opening: dict[str, asyncio.Lock] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._group = asyncio.TaskGroup()

    async def __aenter__(self) -> "House":
        await self._group.__aenter__()
        self._timekeeper = self._group.create_task(self._keep_time(), name="timekeeper")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await asyncio.gather(*self.note_clocks(), return_exceptions=True)
        for task in [self._timekeeper, *self._tasks.values()]:
            task.cancel()
        try:
            await self._group.__aexit__(kind, error, where)
        finally:
            await self.staff.thinker.close()

    async def _keep_time(self) -> None:
        """Note every second how much time is left at each table."""
        while True:
            await asyncio.sleep(self.staff.tempo.keep_clock)
            self.note_clocks()

    def note_clocks(self) -> "list[asyncio.Future[None]]":
        """Have it kept how much time is left, where that is not what was kept last."""
        notes = []
        for code, table in self.tables.items():
            left = table.steward.clock.written(self.staff.now())
            if self._noted.get(code, table.memory.clock) != left:
                notes.append(self.store.note(KeepClock(code, table.memory.epoch, left)))
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
    ) -> tuple[str, Ticket]:
        """Make a new table; who makes it is its host, and sits down first unless bots have every seat."""
        opened = self._opened(game, seats, options, listed, seconds)
        nobody_there = Memory(self.games[game], Lobby.opened(opened))
        sitting = self._bots(nobody_there.lobby, bots or {})
        joined = Join(name, watch=not nobody_there.lobby.free_seats()).decide(nobody_there, Chance())
        return await self._keep_new([opened, *sitting, *joined.records]), joined.answer

    def _bots(self, lobby: Lobby, bots: Mapping[int, Level]) -> list[AnyRecord]:
        sitting: list[AnyRecord] = []
        for seat, level in bots.items():
            if not 0 <= seat < lobby.seats:
                raise Refused("taken", "There is no such seat.")
            sitting.append(seated(lobby, seat, level))
            lobby.fold(sitting[-1], 0)
        return sitting

    async def _keep_new(self, records: list[AnyRecord]) -> str:
        """Keep the first records of a new table and set it up."""
        opened, *others = records
        assert isinstance(opened, Opened), "a table begins by being opened"
        memory = Memory(self.games[opened.game], Lobby.opened(opened), epoch=1, seq=1)
        for record in others:
            memory.take_in(record)
        code, kept = new_code(), tuple(written(record) for record in records)
        try:
            listed = listing(memory, self.staff.wall.stamp())
            await self.store.append(Append(table=code, epoch=1, after=0, records=kept, listing=listed))
        except StoreError:
            raise Refused("not-kept", "No table can be opened at the moment.") from None
        memory.owned = True
        self._set_up(code, memory)
        return code

    async def arrange(self, code: str, person: str, changes: Mapping[str, Any]) -> None:
        """Set a table up differently before its game."""
        table = await self.table(code)
        lobby = table.memory.lobby
        gathering(lobby)
        arranged = changed(lobby, changes)
        opened = self._opened(lobby.game, arranged.seats, arranged.options, arranged.listed, arranged.seconds)
        await table.ask(Arrange(person, msgspec.structs.replace(arranged, options=opened.options)))

    async def rematch(self, code: str, person: str) -> str:
        """Open another table for those who sit at a finished one; their tokens are good there too."""
        async with self._rematching:  # whoever is second finds the table of the first
            return await self._rematch(code, person)

    async def _rematch(self, code: str, person: str) -> str:
        old = await self.table(code)
        status, lobby = await old.status(), old.memory.lobby
        if lobby.rematch:
            return lobby.rematch
        if status != Status.FINISHED or (lobby.people[person].seat is None and person != lobby.host):
            raise Refused("not-finished", "Who played a game that is over can ask for another one.")
        opened = self._opened(lobby.game, lobby.seats, lobby.options, lobby.listed, lobby.seconds)
        bots = [BotSeated(seat, bot.level, bot.name) for seat, bot in lobby.bots.items()]
        people = [
            each for key, each in lobby.people.items() if (each.seat is not None and not each.gone) or key == person
        ]
        people.sort(key=_seat)
        joined = [Joined(f"p{at}", each.seat, each.tokens, each.name) for at, each in enumerate(people, 1)]
        host = HostPassed(f"p{people.index(lobby.people[person]) + 1}")
        new = await self._keep_new([opened, *bots, *joined, host])
        await old.ask(PointTo(new))
        return new

    async def fork(self, code: str, person: str, step: int) -> str:
        """Open another table that takes a finished game up after a step; who asks is its host, on the same seat."""
        old = await self.table(code)
        lobby, host = old.memory.lobby, old.memory.lobby.people[person]
        if await old.status() != Status.FINISHED:
            raise Refused("not-finished", "A game can be taken up elsewhere when it is over.")
        opened = self._opened(lobby.game, lobby.seats, lobby.options, lobby.listed, lobby.seconds)
        history = await self.store.history(code)
        copied = await asyncio.to_thread(forked, history, code, step, self.games[lobby.game])
        joined = Joined("p1", host.seat or 0, host.tokens, host.name)
        return await self._keep_new([opened, copied, joined])

    async def sweep(self) -> None:
        """Put tables away that nobody uses, close those nobody comes back to, and erase old names and talk."""
        today = self.staff.wall.surely()
        idle = [table for table in self.tables.values() if not table.watched and table.idle > IDLE]
        self.note_clocks()
        for table in idle:
            self._tasks[table.code].cancel()
        await self.store.erase(int(today - self.forget_after))
        for status, patience in PATIENCE.items():
            for code in await self.store.untouched(status, int(today - patience)):
                if not self._is_visited(code, patience):
                    await self._expire(code)

    def _is_visited(self, code: str, patience: float) -> bool:
        """Tell whether somebody was there not too long ago, by the clock that nobody sets."""
        table = self.tables.get(code)
        last = table.visited if table else self._visited.get(code, -inf)
        return (table is not None and table.watched) or self.staff.now() - last < patience

    async def _expire(self, code: str) -> None:
        try:
            await (await self.table(code)).ask(Expire())
        except Exception as error:  # one table that can't be read must not keep the others
            log.error("table %s can't be closed: %s", code, trace(error))

    async def table(self, code: str) -> Table:
        """Find a table, and read it from the store if nobody was there lately."""
        if code in self.tables:
            return self.tables[code]
        async with self._opening.setdefault(code, asyncio.Lock()):
            try:
                if code not in self.tables:
                    self._set_up(code, await recall(self.store, code, self.games))
                return self.tables[code]
            except UnknownTable:
                raise Refused("unknown-table", "There is no such table.") from None
            except StoreError:
                raise Refused("not-kept", "The tables can't be read at the moment.") from None
            finally:
                self._opening.pop(code, None)

    def _opened(
        self, key: str, seats: int, options: dict[str, Any], listed: bool, seconds: int | None = None
    ) -> Opened:
        """Check that a game can be played like this by setting it up for nobody."""
        game = self.games.get(key)
        if game is None:
            raise Refused("unknown-game", f"There is no such game; there are: {', '.join(self.games)}.")
        try:
            typed = msgspec.convert(options, game.info.options)
            game.setup(seats, typed, Seeded(0))
        except (BadOptions, msgspec.ValidationError) as error:
            raise Refused("bad-options", f"The game can't be set up like this: {error}.") from None
        if seconds and _has_clock(game):
            raise Refused("bad-options", "This game has a clock of its own, so its decisions are not timed.")
        return Opened(key, game.info.rules_version, seats, msgspec.to_builtins(typed), listed, seconds)

    def _set_up(self, code: str, memory: Memory) -> None:
        table = Table(code, memory, self.store, self.games, self.staff, self.new_seed)
        task = self._group.create_task(table.run(), name=f"table {code}")
        self.tables[code], self._tasks[code] = table, task
        task.add_done_callback(lambda _: self._close(code))

    def _close(self, code: str) -> None:
        table = self.tables.pop(code, None)
        if table and table.visited > -inf:
            self._visited[code] = table.visited
        self._noted.pop(code, None)
        self._tasks.pop(code, None)
