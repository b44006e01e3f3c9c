"""All tables of a server: opened on demand, each in a task of its own."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any

import msgspec

from jamboree.core.chance import Chance, Seeded
from jamboree.core.errors import BadOptions

from .commands import Join, Ticket
from .errors import Refused
from .lobby import Lobby
from .memory import Games, Memory, recall
from .records import AnyRecord, Opened, written
from .secret import Luck, new_code
from .store import Append, Store, StoreError, UnknownTable
from .table import Table, listing


class House:
    """Keeps a reference to every table's task; one that stops takes no other with it."""

    def __init__(self, store: Store, games: Games, luck: Callable[[], Chance] = Luck) -> None:
        self.store, self.games, self.luck = store, games, luck
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
        lobby = Lobby.opened(opened)
        memory = Memory(self.games[game], lobby, epoch=1, seq=1)
        joined = Join(name).decide(memory, self.luck())
        records: list[AnyRecord] = [opened, *joined.records]
        memory.take_in(joined.records[0])
        code = new_code()
        kept = tuple(written(record) for record in records)
        try:
            await self.store.append(Append(table=code, epoch=1, after=0, records=kept, listing=listing(lobby)))
        except StoreError:
            raise Refused("not-kept", "No table can be opened at the moment.") from None
        memory.owned = True
        self._set_up(code, memory)
        return code, joined.answer

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
            finally:
                self._opening.pop(code, None)

    def _opened(self, key: str, seats: int, options: dict[str, Any], listed: bool) -> Opened:
        """Check that a game can be played like this by setting it up for nobody."""
        game = self.games.get(key)
        if game is None:
            raise Refused("unknown-game", f"There is no such game; there are: {', '.join(self.games)}.")
        try:
            typed = msgspec.convert(options, game.info.options)
            game.setup(seats, typed, Seeded(0))
        except (BadOptions, msgspec.ValidationError) as error:
            raise Refused("bad-options", f"The game can't be set up like this: {error}.") from None
        return Opened(key, game.info.rules_version, seats, msgspec.to_builtins(typed), listed)

    def _set_up(self, code: str, memory: Memory) -> None:
        table = Table(code, memory, self.store, self.games, self.luck())
        task = self._group.create_task(table.run(), name=f"table {code}")
        self.tables[code], self._tasks[code] = table, task
        task.add_done_callback(lambda _: self._close(code))

    def _close(self, code: str) -> None:
        self.tables.pop(code, None)
        self._tasks.pop(code, None)
