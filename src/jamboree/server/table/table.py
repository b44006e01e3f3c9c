"""A live table. It takes the next job when the one before is kept."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, TypeVar
from weakref import proxy

from msgspec.structs import replace

from jamboree.core.chance import Chance
from jamboree.core.errors import JamboreeError
from jamboree.core.rulesets import Rulesets

from ..commands.access import check_view
from ..commands.command import Act, Command, Decision, Start
from ..commands.seeding import Begin
from ..commands.undoing import AskUndo, CarryOutUndo
from ..errors import Refused
from ..memory.memory import Memory
from ..memory.records import Acted, AnyRecord, Joined, Started
from ..minding.deliberation import Deliberation
from ..minding.gathering import Gathering
from ..minding.inbox import Alarm, Job, Work
from ..minding.remarks import Remarks
from ..minding.steward import Staff, Steward
from ..protocol.parts import TableLooked
from ..protocol.terms import UNDER_WAY, Status
from ..secret import hashed
from ..store import Store
from ..watching.audience import Audience
from ..watching.showing import Watcher, seat_of
from .arrivals import Arrivals
from .guests import Guests
from .keeping import Keeper
from .presence import Presence
from .working import Worker, stopped

Seen = TypeVar("Seen")
log = logging.getLogger(__name__)
MOMENT = 60.0  # seconds


class House(Protocol):
    """What a table needs of the server it is at."""

    store: Store
    games: Rulesets
    staff: Staff
    new_seed: Callable[[], str]

    def forget(self, table: "Table") -> None: ...  # it has stopped


class Table(Worker):
    """Nobody is told of anything before it is kept. What could not be kept is forgotten: memory is read back.

    Its parts know it by a weak reference: once it has stopped, and nobody looks at it, it is gone without a search.
    """

    __slots__ = (
        *("_arrivals", "_deliberation", "_gathering", "_is_resting", "_minded", "_replay_due"),
        *("audience", "house", "keeper", "offload", "presence", "remarks", "steward", "used"),
    )

    def __init__(self, code: str, memory: Memory, house: House) -> None:
        self.house, staff, myself = house, house.staff, proxy(self)
        super().__init__(code, staff.now)
        self.keeper = Keeper(code, memory, house.store, house.games, staff, myself)
        self.offload = staff.offload
        self.presence = Presence(myself)
        self.used, self._is_resting = self.now(), True
        self._deliberation, self._gathering = Deliberation(myself, self.inbox), Gathering(myself, self.inbox)
        self.remarks = Remarks(myself, self.inbox)
        self._replay_due = False
        self._minded = False  # nothing has happened since the steward looked last
        self.steward = Steward(myself, self.inbox, staff, memory.clock)
        self.audience = Audience(code, memory, self.steward)
        self._arrivals = Arrivals(myself, self._deliberation, Guests(self.inbox, self.audience))
        self.steward.mind()
        self.inbox.hand_in(self._take_up)

    @property
    def memory(self) -> Memory:
        return self.keeper.memory

    async def ask(self, command: Command) -> Any:
        """Have a command carried out, and wait until that is kept. To stop waiting does not stop it."""
        return await self.submit(command)

    def submit(self, command: Command, arrived: float | None = None) -> "asyncio.Future[Any]":
        """Hand a command in at once; it counts as of when it arrived, on the monotonic clock, or as of now."""
        stamp = self.now() if arrived is None else arrived
        return self._hand_in(lambda: self._decide_in_time(command, stamp), stamp)

    def enqueue(self, carry_out: Work) -> "asyncio.Future[Any]":
        """Hand something in at once, to be done by the table's own task in its turn."""
        return self._hand_in(carry_out)

    async def attach(self, watcher: Watcher, token: str | None = None, seen: int | None = None) -> None:
        """Welcome a connection of whoever the token belongs to, and let it hear of everything from then on."""
        await self._hand_in(lambda: self._arrivals.attach(watcher, token, seen))

    def read_back(self) -> "asyncio.Future[Any]":
        return self._hand_in(self.keeper.read_back)

    async def resync(self, watcher: Watcher, read_on: Callable[[], None]) -> None:
        """Tell a connection that could not keep up everything anew; until then it is told nothing."""
        await self._hand_in(lambda: self._resync(watcher, read_on))

    def anew(self, watcher: Watcher) -> "asyncio.Future[Any]":
        """Tell a connection everything anew that has lost its place."""
        return self._hand_in(lambda: self._resync(watcher, lambda: None))

    def expect(self, person: str) -> None:
        """Wait a moment for the seed of somebody who is on the way to the table."""
        self._gathering.expected |= {person}

    async def _show(self, records: list[AnyRecord], is_known: bool) -> None:
        if isinstance(records[-1], Started):
            self.audience.close_curtains()
        await self.audience.show(records, is_known)
        if isinstance(records[-1], Acted):
            self._replay_due = self.memory.lobby.status == Status.FINISHED
            self.remarks.react(self.memory.told)

    def veiled(self, frame: bytes, person: str | None) -> bytes:
        return self.audience.showing.answer(frame, seat_of(self.memory, person))

    def show_table(self) -> None:
        self.audience.show_table()

    async def look(self, person: str | None = None) -> TableLooked:
        """Give the table to somebody who passes by, or of one that is over what its journal tells everybody."""
        seen: TableLooked = await self._hand_in(lambda: self._look(person))
        return seen

    async def read(self, look: Callable[[Memory], Seen]) -> Seen:
        """Look something up in the table's own task, where nothing is remembered that is not kept."""

        async def looked() -> Seen:
            return look(self.memory)

        found: Seen = await self._hand_in(looked)
        return found

    async def status(self) -> Status:
        return await self.read(lambda memory: memory.lobby.status)

    async def detach(self, watcher: Watcher) -> None:
        await self._hand_in(lambda: self._arrivals.detach(watcher))

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

    @property
    def chance(self) -> Chance:
        """Give the luck that comes after what was drawn so far."""
        return self.memory.luck.chance()

    @property
    def here(self) -> frozenset[str]:
        return self.audience.watchers.here

    @property
    def answering(self) -> frozenset[str]:
        return self.audience.watchers.answering

    @property
    def deliberating(self) -> bool:
        return self._deliberation.holding

    @property
    def watched(self) -> bool:
        return bool(self.audience.watchers)

    @property
    def idle(self) -> float:
        """Say for how many seconds nobody asked for anything."""
        return self.now() - self.used

    def rest(self) -> bool:
        """Put down what is only needed to be quick, once nothing was done for a moment; tell whether that is new."""
        if self._is_resting or self.at_work or self.idle <= MOMENT:
            return False
        self._is_resting = True
        self.audience.showing.put_down()
        self.keeper.rest()
        return True

    def away_since(self, person: str) -> float:
        return self.presence.away_since(person)

    def away(self) -> dict[str, float]:
        """Say for how many seconds people have had no connection."""
        return self.presence.away(self.memory.lobby.people)

    async def _do(self, next_thing: Job | Alarm) -> None:
        self._minded = self._is_resting = False
        if isinstance(next_thing, Job):
            await self._grant(next_thing)
        else:
            try:
                await next_thing.carry_out()
            except Refused:  # it could not be kept, so memory was read back
                self.steward.try_later()
        if self._replay_due:
            self._replay_due = False
            await self.keeper.keep_replay()
        if not self._minded:
            self.steward.mind()
        self.audience.show_clock()
        self.audience.show_idle()

    async def _grant(self, job: Job) -> None:
        self.used = self.now()
        try:
            answer = await job.carry_out()
        except JamboreeError as refusal:
            job.refuse(refusal)
        except BaseException:
            job.refuse(stopped())
            raise
        else:
            job.grant(answer)

    async def _decide_in_time(self, command: Command, arrived: float) -> Any:
        """Carry out a command; a new action waits for the end of a time that was over when it arrived."""
        if isinstance(command, Act) and not command.is_known(self.memory):
            await self.steward.end_what_was_over(arrived)
        return await self.decide(command)

    async def decide(self, command: Command) -> Any:
        """Carry out a command now; for the table's own task."""
        self._minded = False
        self.memory.check_rules()
        self.steward.hear_from(getattr(command, "person", None))
        decision = await self._decided(command)
        is_known = False
        if decision.records or decision.talk:
            is_known = await self.keep(decision)
            self.steward.mind()
        if decision.records:
            await self._show(decision.records, is_known)
            self._minded = isinstance(decision.records[-1], Acted) and not self.deliberating
            await self.settle()
        for line in () if is_known else decision.talk:
            self.audience.say(line)
        return decision.answer

    async def _decided(self, command: Command) -> Decision:
        """Let a command decide, with what only a live table knows; a new game is set up off the loop."""
        memory, chance = self.memory, self.chance
        if isinstance(command, Begin):
            return await self.offload.begin(memory.lobby.game, lambda: command.decide(memory, chance))
        if isinstance(command, Act):
            person = memory.lobby.people.get(command.person or "")
            command = replace(command, late=self.steward.is_late(person.seat if person else None))
        elif isinstance(command, Start):
            command = replace(command, secret=self.house.new_seed())
        decision = command.decide(memory, chance)
        if decision.looks_back is not None and isinstance(command, AskUndo | CarryOutUndo):
            return replace(command, earlier=await self.keeper.earlier(decision.looks_back)).decide(memory, chance)
        return decision

    async def keep(self, decision: Decision) -> bool:
        """Keep what was decided; tell whether everybody has been told anew meanwhile."""
        for record in decision.records:
            if isinstance(record, Joined):
                self.presence.came(record.person)
        return await self.keeper.keep(decision)

    async def renew(self, memory: Memory) -> None:
        """Tell those who look everything anew, by what was read back."""
        self._minded = False
        self.audience.remember(memory)
        await self.audience.welcome_all()

    async def settle(self) -> None:
        """See to what waits for people: a game for their seeds, a move for their consent to be taken back."""
        await self._gathering.settle()
        await self._deliberation.settle()

    async def _resync(self, watcher: Watcher, read_on: Callable[[], None]) -> None:
        read_on()
        self.audience.welcome(watcher)

    async def _look(self, person: str | None) -> TableLooked:
        lobby = self.memory.lobby
        try:
            check_view(lobby, person)
        except Refused:
            if lobby.status in UNDER_WAY:
                raise
            return self.audience.showing.recorded()
        return self.audience.showing.looked(person, self.here, self.audience.lookers)

    async def _take_up(self) -> None:
        """Go on where the table was left: begin a game that was to begin."""
        if self.memory.outdated:
            log.warning("table %s is left alone: %s", self.code, self.memory.outdated)
        with suppress(Refused):
            self._gathering.expect_all()
            await self.settle()

    def _end(self) -> None:
        try:
            self.steward.stop()
            self.audience.hang_up()
        finally:  # whatever is broken, the next who comes reads the table anew
            self.house.forget(self)
