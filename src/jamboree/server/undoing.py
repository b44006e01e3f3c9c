"""Taking a move back: at once, when the others agree, or never."""

from typing import TYPE_CHECKING

from jamboree.core.undo import Undo

from .commands import player
from .errors import Refused
from .memory import Deed, UndoWish
from .outlook import last_move, outlook
from .recall import recall_at
from .records import Undone
from .store import StoreError

if TYPE_CHECKING:
    from .table import Table

PATIENCE = 60.0  # seconds the others have to answer


class Undoing:
    """The wishes of one table to take moves back. One is discussed at a time."""

    def __init__(self, table: "Table") -> None:
        self.table = table

    async def ask(self, person: str | None, name: str) -> int:
        """Take somebody's last move back, or ask those who are there whether that may be."""
        memory = self.table.memory
        key, seat = player(memory, person)
        done = memory.lobby.people[key].done.get(name)
        if done is not None:
            return done
        if memory.undo_asked:
            return self._asked_already(memory.undo_asked, key, name)
        deeds, outcome = last_move(memory, seat), outlook(memory, seat)
        if outcome is None:
            raise Refused("no-undo", "There is no move of yours to take back.")
        if outcome.rule == Undo.NEVER:
            raise Refused("no-undo", "This can't be taken back: something hidden was seen, or the game forbids it.")
        needed = () if outcome.rule == Undo.FREE else self._others(key)
        if needed:
            self._discuss(UndoWish(key, name, needed))
            return memory.seq
        return await self._take_back(deeds[0], UndoWish(key, name, ()))

    async def answer(self, person: str | None, agrees: bool) -> int:
        """Take in what one of those who were asked says; one who is against it ends it."""
        memory = self.table.memory
        asked = memory.undo_asked
        if asked is None or person not in asked.needed:
            raise Refused("not-asked", "Nobody asks you whether a move may be taken back.")
        if not agrees:
            self.drop()
            return memory.seq
        asked = asked._replace(agreed=(*asked.agreed, *({person} - {*asked.agreed})))
        deeds = last_move(memory, memory.lobby.people[asked.person].seat)
        if deeds and set(asked.agreed) == set(asked.needed):
            return await self._take_back(deeds[0], asked)
        self._discuss(asked)
        return memory.seq

    def drop(self) -> None:
        """End what is discussed: somebody was against it, went on playing, or nobody answered."""
        self.table.inbox.clear_alarm("undo")
        if self.table.memory.undo_asked:
            self.table.memory.undo_asked = None
            self.table.show_table()

    def _asked_already(self, asked: UndoWish, person: str, name: str) -> int:
        if (asked.person, asked.id) == (person, name):
            return self.table.memory.seq
        raise Refused("undo-asked", "Somebody is asking already whether a move may be taken back.")

    def _others(self, person: str) -> tuple[str, ...]:
        """Name the other players who are there to be asked."""
        people = self.table.memory.lobby.people
        return tuple(sorted(key for key in self.table.here if key != person and people[key].seat is not None))

    def _discuss(self, asked: UndoWish) -> None:
        if self.table.memory.undo_asked is None:
            self.table.inbox.set_alarm("undo", self.table.now() + PATIENCE, self._nobody_answered)
        self.table.memory.undo_asked = asked
        self.table.show_table()

    async def _nobody_answered(self) -> None:
        self.drop()

    async def _take_back(self, deed: Deed, asked: UndoWish) -> int:
        table, to = self.table, deed.seq - 1
        try:
            earlier = await recall_at(table.store, table.code, table.games, to, table.offload)
        except StoreError:
            raise Refused("not-kept", "What was before can't be read at the moment.") from None
        table.inbox.clear_alarm("undo")
        table.memory.undo_asked = None
        table.memory.go_back(earlier)
        actor, state = deed.actor, table.memory.hash
        assert isinstance(actor, int), "moves of people are taken back"
        await table.enter([Undone(to, actor, state, asked.person, asked.id, list(asked.agreed))])
        return table.memory.seq
