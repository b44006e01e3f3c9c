"""A live table: one task with one inbox. It takes the next job when the one before is kept."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from typing import Any

from jamboree.core.chance import Chance
from jamboree.core.errors import JamboreeError
from jamboree.core.rulesets import Rulesets

from ..commands.access import check_view
from ..commands.command import Act, Command
from ..commands.seeding import Seeding
from ..commands.undoing import Undoing
from ..errors import Refused, trace
from ..memory.listing import listing
from ..memory.memory import Memory
from ..memory.recall import recall
from ..memory.records import Acted, AnyRecord, Joined, Returned, written
from ..memory.replay import replay_of
from ..minding.inbox import Alarm, Inbox, Job, Work
from ..minding.steward import Staff, Steward
from ..protocol.terms import UNDER_WAY, Circle, Line, Status
from ..protocol.wire import TableLooked, encode
from ..secret import hashed
from ..store import Append, Lost, Store, StoreError
from ..watching.audience import Audience
from ..watching.showing import Watcher, seat_of

SNAPSHOT_EVERY = 32
LOST_FOR, AGAIN = 30.0, 0.1  # seconds a table waits for a lost database, and between two tries
log = logging.getLogger(__name__)


class Table:
    """Nobody is told of anything before it is kept. What could not be kept is forgotten: memory is read back."""

    def __init__(
        self, code: str, memory: Memory, store: Store, games: Rulesets, staff: Staff, new_seed: Callable[[], str]
    ) -> None:
        self.code, self.store, self.games, self.new_seed = code, store, games, new_seed
        self.now, self.wall, self.offload = staff.now, staff.wall, staff.offload
        self.visited = -inf  # when somebody who belongs here was last connected
        self.used = self._opened = self.now()
        self.inbox = Inbox(self.now)
        self._undoing, self._seeding = Undoing(self), Seeding(self)
        self._stopped = self._replay_due = False
        self._last_seen: dict[str, float] = {}
        self.steward = Steward(self, self.inbox, staff, memory.clock)
        self.audience = Audience(code, memory, self.steward)
        self._remember(memory)
        self.steward.mind()

    async def ask(self, command: Command) -> Any:
        """Have a command carried out, and wait until that is kept. To stop waiting does not stop it."""
        return await self.submit(command)

    def submit(self, command: Command, arrived: float | None = None) -> "asyncio.Future[Any]":
        """Hand a command in at once; it counts as of when it arrived, on the monotonic clock, or as of now."""
        stamp = self.now() if arrived is None else arrived
        return self._hand_in(lambda: self._decide_in_time(command, stamp), stamp)

    async def hand_in(self, carry_out: Work) -> Any:
        """Have something done by the table's own task."""
        return await self._hand_in(carry_out)

    async def attach(self, watcher: Watcher, token: str | None = None, seen: int | None = None) -> None:
        """Welcome a connection of whoever the token belongs to, and let it hear of everything from then on."""
        await self._hand_in(lambda: self._attach(watcher, token, seen))

    def read_back(self) -> "asyncio.Future[Any]":
        """Have what is in memory read again."""
        return self._hand_in(self._read_back)

    async def resync(self, watcher: Watcher, read_on: Callable[[], None]) -> None:
        """Tell a connection that could not keep up everything anew; until then it is told nothing."""
        await self._hand_in(lambda: self._resync(watcher, read_on))

    def undo(self, person: str | None, name: str) -> "asyncio.Future[Any]":
        """Take somebody's last move back, or ask the others first."""
        return self._hand_in(lambda: self._undoing.ask(person, name))

    def agree(self, person: str | None, agrees: bool) -> "asyncio.Future[Any]":
        return self._hand_in(lambda: self._undoing.answer(person, agrees))

    def withdraw(self, person: str | None) -> "asyncio.Future[Any]":
        return self._hand_in(lambda: self._undoing.withdraw(person))

    def expect(self, person: str) -> None:
        """Wait a moment for the seed of somebody who is on the way to the table."""
        self._seeding.expected.add(person)

    async def enter(self, records: list[AnyRecord]) -> None:
        """Keep what the table itself decided, and show it."""
        is_known = await self._keep(records)
        self.steward.mind()
        await self._show(records, is_known)

    async def _show(self, records: list[AnyRecord], is_known: bool) -> None:
        await self.audience.show(records, is_known)
        if isinstance(records[-1], Acted):
            self._replay_due = self.memory.lobby.status == Status.FINISHED

    def veiled(self, frame: bytes, person: str | None) -> bytes:
        return self.audience.showing.answer(frame, seat_of(self.memory, person))

    def show_table(self) -> None:
        """Tell everybody who is there and how far the table is."""
        self.audience.show_table()

    async def look(self, person: str | None = None) -> TableLooked:
        """Give the table to somebody who passes by, or of one that is over what its journal tells everybody."""
        seen: TableLooked = await self._hand_in(lambda: self._look(person))
        return seen

    async def status(self) -> Status:
        """Say how far the table is by what is kept, not by what is about to be."""
        status: Status = await self._hand_in(self._status)
        return status

    async def detach(self, watcher: Watcher) -> None:
        await self._hand_in(lambda: self._detach(watcher))

    def knows(self, token: str) -> bool:
        return self.memory.lobby.who(hashed(token)) is not None

    def bans(self, token: str) -> bool:
        return self.memory.lobby.banned(hashed(token))

    def who(self, token: str) -> str:
        """Find the person a token belongs to."""
        person = self.memory.lobby.who(hashed(token))
        if person is None and self.bans(token):
            raise Refused("banned", "The host has banned you from this table.")
        if person is None:
            raise Refused("wrong-token", "This token does not belong to anybody at this table.")
        return person

    def check_rules(self) -> None:
        """Refuse to change a table whose rules are not here: another server goes on with it."""
        if self.memory.outdated:
            raise Refused("outdated", self.memory.outdated)

    @property
    def chance(self) -> Chance:
        """Give the luck that comes after what was drawn so far."""
        return self.memory.luck.chance()

    @property
    def here(self) -> frozenset[str]:
        return self.audience.watchers.here

    @property
    def deliberating(self) -> bool:
        return self._undoing.holding

    @property
    def watched(self) -> bool:
        return bool(self.audience.watchers)

    @property
    def idle(self) -> float:
        """Say for how many seconds nobody asked for anything."""
        return self.now() - self.used

    def away_since(self, person: str) -> float:
        """Say since when somebody has had no connection."""
        return self.now() if person in self.here else self._last_seen.get(person, self._opened)

    def away(self) -> dict[str, float]:
        """Say for how many seconds people have had no connection."""
        now = self.now()
        return {key: now - self.away_since(key) for key in self.memory.lobby.people if key not in self.here}

    async def run(self) -> None:
        """Carry out jobs one by one, for ever; come to an end only when something is broken."""
        try:
            await self._take_up()
            while True:
                await self._do(await self.inbox.next())
        except Exception as error:
            log.error("table %s stopped: %s", self.code, trace(error))
        finally:
            self._stop()

    def _hand_in(self, carry_out: Work, arrived: float | None = None) -> "asyncio.Future[Any]":
        if self._stopped:
            raise _stopped()
        return self.inbox.hand_in(carry_out, arrived)

    async def _do(self, next_thing: Job | Alarm) -> None:
        if isinstance(next_thing, Job):
            await self._grant(next_thing)
        else:
            try:
                await next_thing.carry_out()
            except Refused:  # it could not be kept, so memory was read back
                self.steward.try_later()
        if self._replay_due:
            await self._keep_replay()
        self.steward.mind()
        self.audience.show_clock()

    async def _grant(self, job: Job) -> None:
        self.used = self.now()
        try:
            answer = await job.carry_out()
        except JamboreeError as refusal:
            job.answer.set_exception(refusal)
        except BaseException:
            job.answer.set_exception(_stopped())
            raise
        else:
            job.answer.set_result(answer)

    async def _decide_in_time(self, command: Command, arrived: float) -> Any:
        """Carry out a command; a new action waits for the end of a time that was over when it arrived."""
        if isinstance(command, Act) and not command.is_known(self.memory):
            await self.steward.end_what_was_over(arrived)
        return await self.decide(command)

    async def decide(self, command: Command) -> Any:
        """Carry out a command now; for the table's own task."""
        self.check_rules()
        self.steward.hear_from(getattr(command, "person", None))
        decision = command.decide(self.memory, self.chance)
        is_known = False
        if decision.records or decision.talk:
            is_known = await self._keep(decision.records, decision.talk)
            self.steward.mind()
        if decision.records:
            await self._show(decision.records, is_known)
            await self._settle()
        for line in () if is_known else decision.talk:
            self.audience.say(line)
        return decision.answer

    async def _settle(self) -> None:
        """See to what waits for people: a game for their seeds, a move for their consent to be taken back."""
        await self._seeding.settle()
        await self._undoing.settle()

    async def _keep(self, records: list[AnyRecord], lines: Sequence[Line] = ()) -> bool:
        """Keep what happened, or refuse it; tell whether everybody has been told anew meanwhile."""
        self.check_rules()
        memory, after = self.memory, self.memory.seq
        for record in records:
            memory.take_in(record)
            if isinstance(record, Joined):
                self._last_seen[record.person] = self.now()
        due = memory.number(None) // SNAPSHOT_EVERY > memory.number(None, after) // SNAPSHOT_EVERY
        if memory.number(None) > memory.number(None, after) or any(line.circle == Circle.ALL for line in lines):
            memory.touched = self.wall.stamp()
        said = tuple(encode(line).decode() for line in lines)
        for text in said:
            memory.talk.add(text)
        unread = memory.talk.forget(memory.lobby) if said else []
        snapshot = memory.snapshot() if due else None
        return await self._append(after, records, snapshot=snapshot, talk=said, unread=tuple(unread))

    async def _append(self, after: int, records: list[AnyRecord], **more: Any) -> bool:
        append = Append(
            table=self.code,
            epoch=self.memory.epoch,
            after=after,
            records=tuple(written(record) for record in records),
            listing=listing(self.memory),
            claim=not self.memory.owned,
            **more,
        )
        try:
            await self.store.append(append)
        except StoreError:
            await self._read_back()
            if await self._was_kept(append):
                return True
            raise Refused("not-kept", "This could not be kept, so nothing has changed.") from None
        self.memory.epoch += append.claim
        self.memory.owned = True
        return False

    async def _read_back(self) -> None:
        """Throw away what may not be true, and tell those who look what is."""
        try:
            self._remember(await self._recall())
        except StoreError as error:
            raise RuntimeError("what is true can't be read") from error
        await self.audience.welcome_all()

    async def _was_kept(self, append: Append) -> bool:
        """Tell whether a change is there after all, once memory was read back."""
        try:
            history = await self.store.history(self.code)
        except StoreError as error:
            raise RuntimeError("what is true can't be read") from error
        kept = tuple(history[append.after : append.after + len(append.records)])
        said = self.memory.talk.last(len(append.talk))
        return bool(kept or said) and (kept, said) == (append.records, append.talk)

    async def _recall(self) -> Memory:
        """Read the table; if the database is lost, wait a while for it to come back."""
        give_up = self.now() + LOST_FOR
        while True:
            try:
                return await recall(self.store, self.code, self.games, self.offload)
            except Lost:
                if self.now() > give_up:
                    raise
            await asyncio.sleep(AGAIN)

    def _remember(self, memory: Memory) -> None:
        self.memory = memory
        memory.new_seed = self.new_seed
        self.audience.remember(memory)

    async def _attach(self, watcher: Watcher, token: str | None, seen: int | None) -> None:
        watcher.person, watcher.device = (self.who(token), hashed(token)) if token else (None, "")
        check_view(self.memory.lobby, watcher.person)
        person = self.memory.lobby.people[watcher.person] if watcher.person else None
        returned = person is not None and (person.gone or person.invited)
        if watcher.person and returned and self.memory.has_rules:
            await self._keep([Returned(watcher.person)])
        newly_here = returned or (watcher.person is not None and watcher.person not in self.here)
        self.visited = self.now() if watcher.person else self.visited
        self.audience.watchers.add(watcher)
        self.steward.hear_from(watcher.person)
        self._undoing.greet(watcher.person)
        self.steward.mind()
        self.audience.welcome(watcher, seen)
        self.audience.show_clock(besides=watcher)
        if newly_here:
            self.audience.show_table(besides=watcher)

    async def _resync(self, watcher: Watcher, read_on: Callable[[], None]) -> None:
        read_on()
        self.audience.welcome(watcher)

    async def _status(self) -> Status:
        return self.memory.lobby.status

    async def _look(self, person: str | None) -> TableLooked:
        lobby = self.memory.lobby
        try:
            check_view(lobby, person)
        except Refused:
            if lobby.status in UNDER_WAY:
                raise
            return self.audience.showing.recorded()
        return self.audience.showing.looked(person, self.here)

    async def _detach(self, watcher: Watcher) -> None:
        if watcher not in self.audience.watchers:
            return
        self.audience.leave(watcher)
        if watcher.person:
            self.visited = self._last_seen[watcher.person] = self.now()
        if watcher.person and watcher.person not in self.here:
            self.audience.show_table()
            await self._settle()

    async def _keep_replay(self) -> None:
        """Keep what every step of a finished game looked like, whatever becomes of the rules."""
        self._replay_due = False
        with suppress(JamboreeError):  # whoever wants to see it can have it made later
            history = await self.store.history(self.code)
            replay = await self.offload.run_first(replay_of, history, self.memory.game)
            await self._append(self.memory.seq, [], replay=replay)

    async def _take_up(self) -> None:
        """Go on where the table was left: begin a game that was to begin."""
        if self.memory.outdated:
            log.warning("table %s is left alone: %s", self.code, self.memory.outdated)
        with suppress(Refused):
            self._seeding.expect_all()
            await self._settle()

    def _stop(self) -> None:
        self._stopped = True
        self.steward.stop()
        for job in self.inbox.emptied():
            job.answer.set_exception(_stopped())
        self.audience.hang_up()


def _stopped() -> Refused:
    return Refused("table-stopped", "Something is broken at this table; it was stopped and can be opened again.")
