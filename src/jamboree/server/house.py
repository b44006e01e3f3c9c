"""All tables of a server: opened on demand, each in a task of its own."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any

import msgspec

from jamboree.core.chance import Chance, Seeded
from jamboree.core.errors import BadOptions
from jamboree.core.game import Nature

from .commands import Join, Ticket
from .errors import Refused
from .forking import forked
from .hosting import Expire, PointTo
from .lobby import Lobby, Person, Status
from .memory import Games, Memory, recall
from .records import AnyRecord, HostPassed, Joined, Opened, written
from .secret import new_code, new_seed
from .store import Append, Store, StoreError, UnknownTable
from .table import Table, listing

DAY = 24 * 3600.0
IDLE = 600.0  # seconds without anybody after which a table is put away
PATIENCE = {
    Status.GATHERING: 1 * DAY,
    Status.SEEDING: 1 * DAY,
    Status.PLAYING: 30 * DAY,
}  # how long a table waits for people to come back


def _seat(person: Person) -> int:
    return -1 if person.seat is None else person.seat


class House:
    """Keeps a reference to every table's task; one that stops takes no other with it."""

    def __init__(
        self, store: Store, games: Games, new_seed: Callable[[], str] = new_seed, forget_after: float = 90 * DAY
    ) -> None:
        self.store, self.games, self.new_seed, self.forget_after = store, games, new_seed, forget_after
        self.tables: dict[str, Table] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._group = asyncio.TaskGroup()

    async def __aenter__(self) -> "House":
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks.values():
            task.cancel()
        await self._group.__aexit__(kind, error, trace)

    async def open(self, game: str, seats: int, options: dict[str, Any], name: str, listed: bool) -> tuple[str, Ticket]:
        """Make a new table; who makes it is its host and sits down first."""
        opened = self._opened(game, seats, options, listed)
        nobody_there = Memory(self.games[game], Lobby.opened(opened))
        joined = Join(name).decide(nobody_there, Chance())
        return await self._keep_new([opened, *joined.records]), joined.answer

    async def _keep_new(self, records: list[AnyRecord]) -> str:
        """Keep the first records of a new table and set it up."""
        opened, *others = records
        assert isinstance(opened, Opened), "a table begins by being opened"
        memory = Memory(self.games[opened.game], Lobby.opened(opened), epoch=1, seq=1)
        for record in others:
            memory.take_in(record)
        code, kept = new_code(), tuple(written(record) for record in records)
        try:
            await self.store.append(Append(table=code, epoch=1, after=0, records=kept, listing=listing(memory.lobby)))
        except StoreError:
            raise Refused("not-kept", "No table can be opened at the moment.") from None
        memory.owned = True
        self._set_up(code, memory)
        return code

    async def rematch(self, code: str, person: str) -> str:
        """Open another table for those who sit at a finished one; their tokens are good there too."""
        old = await self.table(code)
        lobby = old.memory.lobby
        if lobby.rematch:
            return lobby.rematch
        if lobby.status != Status.FINISHED or lobby.people[person].seat is None:
            raise Refused("not-finished", "Who played a game that is over can ask for another one.")
        opened = self._opened(lobby.game, lobby.seats, lobby.options, lobby.listed)
        players = sorted((each for each in lobby.people.values() if each.seat is not None), key=_seat)
        joined = [Joined(f"p{at}", each.seat, each.tokens, each.name) for at, each in enumerate(players, 1)]
        new = await self._keep_new([opened, *joined, HostPassed(f"p{players.index(lobby.people[person]) + 1}")])
        await old.ask(PointTo(new))
        return old.memory.lobby.rematch  # somebody else may have been first

    async def fork(self, code: str, person: str, step: int) -> str:
        """Open another table that takes a finished game up after a step; who asks is its host, on the same seat."""
        old = await self.table(code)
        lobby, host = old.memory.lobby, old.memory.lobby.people[person]
        if lobby.status != Status.FINISHED:
            raise Refused("not-finished", "A game can be taken up elsewhere when it is over.")
        opened = self._opened(lobby.game, lobby.seats, lobby.options, lobby.listed)
        history = await self.store.history(code)
        copied = await asyncio.to_thread(forked, history, code, step, self.games[lobby.game])
        joined = Joined("p1", host.seat or 0, host.tokens, host.name)
        return await self._keep_new([opened, copied, joined])

    async def sweep(self, now: float) -> None:
        """Put tables away that nobody uses, close those nobody comes back to, and erase old names and talk."""
        idle = [table for table in self.tables.values() if not table.watchers and table.idle > IDLE]
        for table in idle:
            self._tasks[table.code].cancel()
        for status, patience in PATIENCE.items():
            for code in await self.store.untouched(status, int(now - patience)):
                await (await self.table(code)).ask(Expire())
        await self.store.erase(int(now - self.forget_after))

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

    def _opened(self, key: str, seats: int, options: dict[str, Any], listed: bool) -> Opened:
        """Check that a game can be played like this by setting it up for nobody."""
        game = self.games.get(key)
        if game is None:
            raise Refused("unknown-game", f"There is no such game; there are: {', '.join(self.games)}.")
        try:
            typed = msgspec.convert(options, game.info.options)
            state = game.setup(seats, typed, Seeded(0))
        except (BadOptions, msgspec.ValidationError) as error:
            raise Refused("bad-options", f"The game can't be set up like this: {error}.") from None
        if Nature.CLOCK in game.to_act(state):
            raise Refused("no-clock", "Live tables have no clock yet: this game can be played untimed here.")
        return Opened(key, game.info.rules_version, seats, msgspec.to_builtins(typed), listed)

    def _set_up(self, code: str, memory: Memory) -> None:
        table = Table(code, memory, self.store, self.games, self.new_seed)
        task = self._group.create_task(table.run(), name=f"table {code}")
        self.tables[code], self._tasks[code] = table, task
        task.add_done_callback(lambda _: self._close(code))

    def _close(self, code: str) -> None:
        self.tables.pop(code, None)
        self._tasks.pop(code, None)
