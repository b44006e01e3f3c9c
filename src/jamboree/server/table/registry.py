"""All tables of a server: opened on demand, each in a task of its own."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from math import inf
from types import TracebackType
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from jamboree.bots import Level, existing
from jamboree.core.chance import Chance, Seeded
from jamboree.core.errors import BadOptions
from jamboree.core.game import AnyGame, Nature
from jamboree.core.rulesets import Rulesets

from ..commands.arranging import Arrange, changed, gathering
from ..commands.bot_seats import seated
from ..commands.command import Join, Ticket
from ..commands.hosting import Accept, Expire, PointTo
from ..errors import Refused, trace
from ..memory.forking import forked
from ..memory.listing import listing
from ..memory.lobby import Lobby, Person
from ..memory.memory import Memory
from ..memory.recall import recall
from ..memory.records import AnyRecord, Banned, BotSeated, HostPassed, Joined, Opened, written
from ..minding.bot_pool import BotPool, Thinker
from ..minding.steward import Staff
from ..minding.tempo import Tempo
from ..minding.thinking import Tally
from ..offload import Offload
from ..protocol.terms import Consent, Status
from ..secret import is_code, new_code, new_seed
from ..store import Append, KeepClock, Store, StoreError, UnknownTable
from ..wall_clock import WallClock
from .table import Table

log = logging.getLogger(__name__)
DAY = 24 * 3600.0
IDLE = 600.0  # seconds without anybody after which a table is put away
MOST_UNWATCHED, IDLE_IN_A_CROWD = 2000, 10.0  # tables nobody looks at; beyond that they are put away much sooner
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


def _unknown() -> Refused:
    return Refused("unknown-table", "There is no such table.")


def _tried(game: AnyGame, seats: int, options: dict[str, Any], seconds: int | None) -> Any:
    """Set a game up for nobody; give the options as the game reads them."""
    try:
        typed = msgspec.convert(options, game.info.options)
        game.setup(seats, typed, Seeded(0))
    except (BadOptions, msgspec.ValidationError) as error:
        raise Refused("bad-options", f"The game can't be set up like this: {error}.") from None
    if seconds and _has_clock(game):
        raise Refused("bad-options", "This game has a clock of its own, so its decisions are not timed.")
    return typed


class House:
    """Keeps a reference to every table's task; one that stops takes no other with it."""

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
    ) -> None:
        self.store, self.games, self.new_seed, self.forget_after = store, Rulesets.of(games), new_seed, forget_after
        self.tally, tempo = Tally(), tempo or Tempo()
        self.offload = Offload(now)
        pool = thinker or BotPool(tempo.bot_limit)
        self.staff = Staff(pool, tempo, self.tally, self.offload, now, wall or WallClock())
        self._noted: dict[str, str] = {}  # the time left at tables, as it was kept last
        self.tables: dict[str, Table] = {}
        self._left_alone: set[str] = set()  # old tables whose rules are not here
        self._visited: dict[str, float] = {}  # tables that are put away: when somebody was last connected
        self._comebacks = store.comebacks
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # gone when nobody waits
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._group = asyncio.TaskGroup()
        self._closing = False

    async def __aenter__(self) -> "House":
        await self._group.__aenter__()
        self._timekeeper = self._group.create_task(self._keep_time(), name="timekeeper")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._closing = True
        await asyncio.gather(*self.note_clocks(), return_exceptions=True)
        for task in [self._timekeeper, *self._tasks.values()]:
            task.cancel()
        try:
            await self._group.__aexit__(kind, error, where)
        finally:
            self.offload.close()
            await self.staff.thinker.close()

    async def _keep_time(self) -> None:
        """Note every second how much time is left at each table."""
        while True:
            await asyncio.sleep(self.staff.tempo.keep_clock)
            self._read_back_if_lost()
            self.note_clocks()

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
            left = table.steward.clock.written(self.staff.now())
            if table.memory.has_rules and self._noted.get(code, table.memory.clock) != left:
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
        consent: Consent = Consent.EVERYBODY,
    ) -> tuple[str, Ticket]:
        """Make a new table; who makes it is its host, and sits down first unless bots have every seat."""
        opened = await self._opened(self._today(game), seats, options, listed, seconds, consent)
        nobody_there = Memory(self.games[game], Lobby.opened(opened))
        sitting = self._bots(nobody_there.lobby, bots or {})
        joined = Join(name, watch=not nobody_there.lobby.free_seats()).decide(nobody_there, Chance())
        return await self._keep_new([opened, *sitting, *joined.records]), joined.answer

    def _bots(self, lobby: Lobby, bots: Mapping[int, Level]) -> list[AnyRecord]:
        sitting: list[AnyRecord] = []
        for seat, level in bots.items():
            if not 0 <= seat < lobby.seats:
                raise Refused("taken", "There is no such seat.")
            sitting.append(seated(lobby, seat, existing(self.games[lobby.game], level)))
            lobby.fold(sitting[-1], 0)
        return sitting

    async def _keep_new(self, records: list[AnyRecord]) -> str:
        """Keep the first records of a new table and set it up."""
        opened, *others = records
        assert isinstance(opened, Opened), "a table begins by being opened"
        memory = Memory(self.games.version(opened.game, opened.rules), Lobby.opened(opened), epoch=1, seq=1)
        for record in others:
            memory.take_in(record)
        memory.touched = self.staff.wall.stamp()
        code, kept = new_code(), tuple(written(record) for record in records)
        try:
            await self.store.append(Append(table=code, epoch=1, after=0, records=kept, listing=listing(memory)))
        except StoreError:
            raise Refused("not-kept", "No table can be opened at the moment.") from None
        memory.owned = True
        self._set_up(code, memory)
        return code

    async def arrange(self, code: str, person: str, changes: Mapping[str, Any]) -> None:
        """Set a table up differently before its game."""
        table = await self.table(code)
        async with self._lock("arrange", code):  # nothing that another wish has changed meanwhile is changed back
            lobby = table.memory.lobby
            gathering(lobby)
            wanted = changed(lobby, changes)
            table.check_rules()
            game = table.memory.game
            opened = await self._opened(game, wanted.seats, wanted.options, wanted.listed, wanted.seconds)
            await table.ask(Arrange(person, msgspec.structs.replace(wanted, options=opened.options)))

    async def rematch(self, code: str, person: str) -> str:
        """Open another table for those who sit at a finished one; their tokens are good there too."""
        async with self._lock("rematch", code):  # whoever is second finds the table of the first
            return await self._rematch(code, person)

    async def _rematch(self, code: str, person: str) -> str:
        old = await self.table(code)
        status, lobby = await old.status(), old.memory.lobby
        old.check_rules()
        if lobby.rematch:
            await (await self.table(lobby.rematch)).ask(Accept(lobby.people[person].tokens))
            return lobby.rematch
        if status != Status.FINISHED or (lobby.people[person].seat is None and person != lobby.host):
            raise Refused("not-finished", "Players can ask for a rematch when their game is over.")
        opened = await self._like(lobby, self._today(lobby.game))
        bots = [BotSeated(seat, bot.level, bot.name) for seat, bot in lobby.bots.items()]
        people = [
            each for key, each in lobby.people.items() if (each.seat is not None and not each.gone) or key == person
        ]
        people.sort(key=_seat)
        joined = [
            Joined(f"p{at}", each.seat, each.tokens, each.name, invited=each is not lobby.people[person])
            for at, each in enumerate(people, 1)
        ]
        banned = [Banned(ban.tokens, ban.name) for ban in lobby.bans.values()]
        host = HostPassed(f"p{people.index(lobby.people[person]) + 1}")
        new = await self._keep_new([opened, *bots, *joined, host, *banned])
        await old.ask(PointTo(new))
        return new

    async def fork(self, code: str, person: str, step: int) -> str:
        """Open another table that takes a finished game up after a step; who asks is its host, on the same seat."""
        old = await self.table(code)
        lobby, host = old.memory.lobby, old.memory.lobby.people[person]
        if await old.status() != Status.FINISHED:
            raise Refused("not-finished", "A game can be continued at another table when it is over.")
        old.check_rules()
        game = old.memory.game  # what is taken up goes on by the rules it was begun by
        opened = await self._like(lobby, game)
        copied = await self.offload.run(forked, await self.store.history(code), code, step, game)
        joined = Joined("p1", host.seat or 0, host.tokens, host.name)
        return await self._keep_new([opened, copied, joined])

    async def sweep(self) -> None:
        """Put tables away that nobody uses, close those nobody comes back to, and erase old names and talk."""
        today = self.staff.wall.surely()
        self.note_clocks()
        for table in self._unused():
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

    def _unused(self) -> list[Table]:
        """Find the tables nobody uses; when very many are open, those that were used last a little while ago too."""
        unwatched = [table for table in self.tables.values() if not table.watched]
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
        if code in self.tables:
            return self.tables[code]
        if not is_code(code):
            raise _unknown()
        async with self._lock("open", code):
            try:
                if code not in self.tables:
                    self._set_up(code, await recall(self.store, code, self.games, self.offload))
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

    def _lock(self, what: str, code: str) -> asyncio.Lock:
        """Give the lock of those who do the same with a table at the same time."""
        lock = self._locks.get(f"{what} {code}") or asyncio.Lock()
        self._locks[f"{what} {code}"] = lock
        return lock

    async def _like(self, lobby: Lobby, game: AnyGame) -> Opened:
        """Open another table that is set up like one there was."""
        return await self._opened(game, lobby.seats, lobby.options, lobby.listed, lobby.seconds, lobby.consent)

    async def _opened(
        self,
        game: AnyGame,
        seats: int,
        options: dict[str, Any],
        listed: bool,
        seconds: int | None = None,
        consent: Consent = Consent.EVERYBODY,
    ) -> Opened:
        """Check that a game can be played like this by setting it up for nobody."""
        typed = await self.offload.run(_tried, game, seats, options, seconds)
        info = game.info
        return Opened(info.key, info.rules_version, seats, msgspec.to_builtins(typed), listed, seconds, consent)

    def _set_up(self, code: str, memory: Memory) -> None:
        if self._closing:  # nobody would end its task
            raise Refused("not-kept", "The tables can't be read at the moment.")
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
