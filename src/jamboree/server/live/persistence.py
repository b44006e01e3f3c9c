"""Event sourcing, the writing side: records are appended to the store before anyone sees their effect."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from jamboree.core.errors import JamboreeError

from ..errors import Refused
from ..protocol.terms import UNDER_WAY, Status
from ..protocol.wire import encode
from ..store import Append, DatabaseUnreachable, ErasePerson, Listing, StoreError
from ..store.person_erasure import mentions_person, name_records, records_of_person
from .commands.base import Decision
from .records import Acted, AnyRecord, Circle, written
from .recovery import rebuild, recover, whole_history
from .replay import replay_of
from .state import Outdated, TableState

if TYPE_CHECKING:
    from .table import Table

T = TypeVar("T")
SNAPSHOT_EVERY = 32
NAME = "="  # the prefix of names among the identifiers of a person; the others are hashed tokens
MINUTE = 60  # seconds
LOST_FOR, AGAIN = 30.0, 0.1  # seconds a table waits for an unreachable database, and between attempts


def listing(state: TableState) -> Listing:
    """A table's entry in lists; a locked table is not listed."""
    roster = state.roster
    host = roster.people.get(roster.host)
    outcome = state.outcome if roster.status == Status.FINISHED else None  # also None without the rules
    names = roster.names() if outcome else []
    card = {
        "seats": roster.seats,
        "free": len(roster.free_seats()),
        "host": host.name if host else "",
        "winners": [names[seat] for seat in outcome.winners] if outcome else [],
        "players": names,
        "scores": list(outcome.scores) if outcome else [],
    }
    found = roster.listed and not (roster.locked and roster.status in UNDER_WAY)
    return Listing(roster.game, roster.status, state.touched, msgspec.json.encode(card).decode(), found)


class Persistence:
    """Owns a table's state and stores its changes; if storing fails, the state is reloaded and sent again."""

    __slots__ = ("_listed", "code", "games", "offload", "state", "store", "table")

    def __init__(self, table: "Table", state: TableState) -> None:
        self.table, self.code, self.state = table, table.code, state
        self.store, self.games, self.offload = table.registry.store, table.registry.games, table.offload
        self._listed: Listing | None = None  # as stored last

    async def persist(self, decision: Decision) -> bool:
        """Fold and store a decision; whether all viewers were sent the whole position meanwhile."""
        state, after = self.state, self.state.seq
        state.check_rules()
        decision.fold_into(state)
        due = state.number(None) // SNAPSHOT_EVERY > state.number(None, after) // SNAPSHOT_EVERY
        if state.number(None) > state.number(None, after) or any(each.circle == Circle.ALL for each in decision.talk):
            self._touch(decision)
        said = tuple(encode(line).decode() for line in decision.talk)
        unread, snapshot = state.add_chat(said), state.snapshot() if due else None
        return await self._append(after, decision.records, snapshot=snapshot, talk=said, unread=tuple(unread))

    def _touch(self, decision: Decision) -> None:
        """Update the time of the last public change; moves count to the minute, which spares index updates."""
        stamp = self.table.registry.services.wall.stamp()
        moved = decision.records and isinstance(decision.records[-1], Acted)
        if not moved or abs(stamp - self.state.touched) >= MINUTE or self.state.roster.status != Status.PLAYING:
            self.state.touch(stamp)

    def rest(self) -> None:
        """Drop caches that only speed up the next change."""
        self._listed = None
        self.state.rest()

    async def earlier(self, seq: int) -> TableState:
        """The state after a record."""
        try:
            stored = await whole_history(self.store, self.code, await self.store.load(self.code), seq)
            return await self.offload.run_for_table(rebuild, stored, self.games)
        except (StoreError, Outdated):
            raise Refused("not-saved", "The earlier position can't be loaded at the moment.") from None

    async def store_replay(self) -> None:
        """Store the replay of a finished game, so that it survives changes of the rules."""
        with suppress(JamboreeError):  # it can be computed on request
            history = await self.store.history(self.code)
            replay = await self.offload.run_for_table(replay_of, history, self.state.game)
            await self._append(self.state.seq, [], replay=replay)

    async def identifiers_of(self, identifiers: Sequence[str], person: str) -> list[str]:
        """The given identifiers of a person, and those of this table: hashed tokens, and names with a prefix."""
        records = name_records(await self.store.history(self.code))
        mine = records_of_person(records, _tokens(identifiers), person)
        own_names = {NAME + each.name for each in mine if each.name}
        return [*({*identifiers, *(token for each in mine for token in each.tokens)} | own_names)]

    async def is_gone(self, tokens: Sequence[str]) -> bool:
        """Whether tokens belong to a person who left for good or was removed, not to a device that was signed out."""
        mine = records_of_person(name_records(await self.store.history(self.code)), tokens)
        people, keys = self.state.roster.people, {each.person for each in mine} - {""}
        return bool(keys) and all(people[key].away_for_good for key in keys if key in people)

    async def erase_person(self, identifiers: Sequence[str], person: str) -> None:
        """Erase names and chat of a person, if they were at the table or are mentioned."""
        tokens, names = _tokens(identifiers), [each[len(NAME) :] for each in identifiers if each.startswith(NAME)]
        mine = records_of_person(name_records(await self.store.history(self.code)), tokens, person)
        talk = self.state.talk
        if mine or any(mentions_person(line, (), names) for line in talk.last(len(talk))):
            await self.store.erase_person(ErasePerson(self.code, person, tuple(tokens), tuple(names), self.state.epoch))
            await self.reload()
            await self._append(self.state.seq, [])  # the entry in lists, which may have names

    async def reload(self) -> None:
        """Reload the state from the store, and send it to all viewers."""
        self._listed = None
        try:
            self.state = await self._retry_while_lost(lambda: recover(self.store, self.code, self.games, self.offload))
        except StoreError as error:
            raise RuntimeError("the table could not be reloaded from the store") from error
        await self.table.renew(self.state)

    async def _append(self, after: int, records: list[AnyRecord], **more: Any) -> bool:
        card = listing(self.state)
        append = Append(
            table=self.code,
            epoch=self.state.epoch,
            after=after,
            records=tuple(written(record) for record in records),
            listing=None if card == self._listed and self.state.roster.status == Status.PLAYING else card,
            claim=not self.state.owned,
            **more,
        )
        try:
            await self.store.append(append)
        except StoreError:
            await self.reload()
            if await self._was_stored(append):
                return True
            raise Refused("not-saved", "This could not be saved, so nothing has changed.") from None
        self.state.own(self.state.epoch + append.claim)
        self._listed = card
        return False

    async def _was_stored(self, append: Append) -> bool:
        """Whether a change of unknown outcome was stored, after the state was reloaded."""
        try:
            history = await self._retry_while_lost(lambda: self.store.history(self.code))
        except StoreError as error:
            raise RuntimeError("the table could not be reloaded from the store") from error
        stored = tuple(history[append.after : append.after + len(append.records)])
        said = self.state.talk.last(len(append.talk))
        return bool(stored or said) and (stored, said) == (append.records, append.talk)

    async def _retry_while_lost(self, read: Callable[[], Awaitable[T]]) -> T:
        """Read from the store, waiting a while if the database is unreachable."""
        give_up = self.table.now() + LOST_FOR
        while True:
            try:
                return await read()
            except DatabaseUnreachable:
                if self.table.now() > give_up:
                    raise
            await asyncio.sleep(AGAIN)


def _tokens(identifiers: Sequence[str]) -> list[str]:
    return [each for each in identifiers if not each.startswith(NAME)]
