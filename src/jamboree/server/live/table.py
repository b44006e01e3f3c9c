"""A live table as an actor: one task takes jobs and alarms from its inbox, one after the other.

The order is always the same: decide, persist, publish, acknowledge. Nobody is sent anything that is not in the store. A
change that could not be stored is dropped: the state is read back from the store, as after a restart.
"""

import asyncio
import logging
import math
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast
from weakref import proxy

from jamboree.core.errors import JamboreeError

from ..errors import Refused, trace
from ..protocol.parts import TableDetails
from ..protocol.terms import UNDER_WAY, Status
from ..tokens import hashed
from .bots.chatter import BotChatter
from .clock import Alarm, Clock, Work
from .commands.base import Command, Context, Decision
from .commands.chat import AnnouncePeek, Speak
from .commands.playing import Act, Begin
from .persistence import Persistence
from .presence import Presence
from .records import Acted, AnyRecord, Joined, Started
from .scheduler import TableScheduler
from .state import TableState
from .viewers.subscribers import Connections, Subscribers
from .visibility import BANNED, check_view

if TYPE_CHECKING:
    from .registry import Registry
    from .session import Session

T = TypeVar("T")
log = logging.getLogger(__name__)
REST_AFTER = 60.0  # seconds without a job or an alarm


def stopped() -> Refused:
    return Refused("table-stopped", "This table was stopped by an internal error; reload to open it again.")


class Job(NamedTuple):
    carry_out: Work
    answer: "asyncio.Future[Any]"  # cancelled if the caller is gone, which does not stop the job
    arrived: float  # on the monotonic clock

    def grant(self, answer: Any) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def refuse(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class Inbox:
    """Orders jobs and alarms: jobs that arrived before a deadline precede its alarm."""

    __slots__ = ("_alarms", "_jobs", "_rings", "_timer", "_wake", "now")

    def __init__(self, wake: Callable[[], None], now: Callable[[], float] = time.monotonic) -> None:
        self._wake, self.now = wake, now
        self._jobs: list[Job] = []  # rarely more than one; an empty list takes a tenth of a deque
        self._alarms: dict[str, Alarm] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._rings = math.inf  # when the timer fires, perhaps too early

    def put(self, job: Job) -> None:
        self._jobs.append(job)
        self._wake()

    def submit(self, carry_out: Work, arrived: float | None = None) -> "asyncio.Future[Any]":
        """Add a job that arrived now or earlier. Cancelling the wait for its answer does not cancel the job."""
        stamp = self.now() if arrived is None else arrived
        job = Job(carry_out, asyncio.get_running_loop().create_future(), stamp)
        job.answer.add_done_callback(_noticed)
        self.put(job)
        return job.answer

    def set_alarm(self, name: str, at: float, carry_out: Work) -> None:
        """Set an alarm, replacing one of the same name."""
        self._alarms[name] = Alarm(at, carry_out)
        self._wake()

    def clear_alarm(self, name: str) -> None:
        self._alarms.pop(name, None)

    def emptied(self) -> list[Job]:
        left = list(self._jobs)
        self._jobs.clear()
        self._alarms.clear()
        self._stop_timer()
        return left

    def next(self) -> Job | Alarm | None:
        """The next due job or alarm; if none is due, schedule the wake-up for the next alarm."""
        name = min(self._alarms, key=lambda each: self._alarms[each].at, default=None)
        due = self._alarms[name].at if name else math.inf
        if self._jobs and self._jobs[0].arrived <= due:
            return self._jobs.pop(0)
        if name and due <= self.now():
            return self._alarms.pop(name)
        if due < self._rings:
            self._stop_timer()
            self._timer = asyncio.get_running_loop().call_later(max(0.0, due - self.now()), self._ring)
            self._rings = due
        return None

    def _ring(self) -> None:
        self._stop_timer()
        self._wake()

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer, self._rings = None, math.inf


def _noticed(answer: "asyncio.Future[Any]") -> None:
    """Mark a refusal as seen, since its caller may be gone."""
    if not answer.cancelled():
        answer.exception()


class Table:
    """The task runs only while something is due; an exception stops this table and no other."""

    __slots__ = (
        "__weakref__",
        "_is_resting",
        "_is_scheduled",
        "_replay_due",
        "_stopped",
        "_work",
        "chatter",
        "code",
        "connections",
        "inbox",
        "now",
        "offload",
        "persistence",
        "presence",
        "registry",
        "scheduler",
        "subscribers",
        "used",
    )

    def __init__(self, code: str, state: TableState, registry: "Registry") -> None:
        self.code = code
        self.registry = registry
        self.now = registry.services.now
        self.offload = registry.services.offload
        # The parts refer to the table weakly. With strong references each table that is put away would leave 137
        # objects in cycles, which only a full collection frees (docs/performance.md).
        table = cast(Table, proxy(self))
        self._work: asyncio.Task[None] | None = None  # none while nothing is due
        self._stopped = False
        self.connections = Connections()
        self.inbox = Inbox(lambda: table.wake(), self.now)
        self.persistence = Persistence(table, state)
        self.presence = Presence(table)
        self.chatter = BotChatter(table)
        self.scheduler = TableScheduler(table, Clock(state.clock))
        self.subscribers = Subscribers(code, state, self.scheduler, self.connections)
        self.used, self._is_resting = self.now(), True
        self._replay_due = False
        self._is_scheduled = False  # nothing has happened since the scheduler last set its alarms
        self.scheduler.reschedule()
        self.inbox.submit(self._resume)

    @property
    def state(self) -> TableState:
        return self.persistence.state

    # The interface for callers. Everything goes through the inbox.

    async def ask(self, command: Command, person: str | None = None, device: str = "") -> Any:
        """Carry out a command and wait until that is stored. Cancelling the wait does not cancel the command."""
        return await self.submit(command, person, device=device)

    def submit(
        self, command: Command, person: str | None = None, arrived: float | None = None, device: str = ""
    ) -> "asyncio.Future[Any]":
        """Enqueue a command of a person; it counts as of when it arrived, on the monotonic clock, or as of now."""
        stamp = self.now() if arrived is None else arrived
        return self.enqueue(lambda: self._decide_in_time(command, person, device, stamp), stamp)

    def enqueue(self, carry_out: Work, arrived: float | None = None) -> "asyncio.Future[Any]":
        if self._stopped:
            raise stopped()
        return self.inbox.submit(carry_out, arrived)

    def resync(self, subscriber: "Session", read_on: Callable[[], None] = lambda: None) -> "asyncio.Future[Any]":
        """Send the whole position to a connection that fell behind or failed its checksum."""

        async def welcome() -> None:
            read_on()
            self.subscribers.welcome(subscriber)

        return self.enqueue(welcome)

    async def read(self, select: Callable[[TableState], T]) -> T:
        """Read the state in the table's own task, where everything in it is stored."""

        async def selected() -> T:
            return select(self.state)

        found: T = await self.enqueue(selected)
        return found

    def knows(self, token: str) -> bool:
        return self.state.roster.person_with_token(hashed(token)) is not None

    async def inspect(self, person: str | None = None) -> TableDetails:
        """The table for a viewer; people who may not watch a finished one get what its journal reveals."""
        return await self.read(lambda _: self._details(person))

    # Reads outside of the task: only tokens and bans.

    def authenticate(self, token: str) -> str:
        person = self.state.roster.person_with_token(hashed(token))
        if person is None and self.state.roster.banned(hashed(token)):
            raise Refused("banned", BANNED)
        if person is None:
            raise Refused("wrong-token", "This token does not belong to anyone at this table.")
        return person

    # The task.

    def wake(self) -> None:
        if not self._work and not self._stopped:
            self._work = asyncio.get_running_loop().create_task(self._run(), name=f"table {self.code}")

    async def _run(self) -> None:
        """Process due jobs and alarms one by one; an exception stops the table."""
        try:
            while due := self.inbox.next():
                await self._carry_out(due)
            self._work = None
        except Exception as error:
            log.error("table %s stopped: %s", self.code, trace(error))
            self._stop()
        except asyncio.CancelledError:
            self._stop()
            raise

    async def _carry_out(self, due: Job | Alarm) -> None:
        self._is_scheduled = self._is_resting = False
        if isinstance(due, Job):
            await self._answer(due)
        else:
            try:
                await due.carry_out()
            except Refused:  # it could not be stored, so the state was read back
                self.scheduler.postpone()
        if self._replay_due:
            self._replay_due = False
            await self.persistence.store_replay()
        if not self._is_scheduled:
            self.scheduler.reschedule()
        self.subscribers.show_clock()
        self.subscribers.show_idle()

    async def _answer(self, job: Job) -> None:
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

    async def _decide_in_time(self, command: Command, person: str | None, device: str, arrived: float) -> Any:
        """Carry out a command; an expiry that preceded its arrival is handled first."""
        if isinstance(command, Act) and not command.is_known(self.state, person):
            await self.scheduler.expire_countdowns(arrived)
        elif isinstance(command, Speak | AnnouncePeek):
            return await self.chatter.speak(command, person)
        return await self.decide(command, person, device)

    async def decide(self, command: Command, person: str | None = None, device: str = "") -> Any:
        """Decide, persist, publish; the answer is the acknowledgement. For the table's own task."""
        self._is_scheduled = False
        self.state.check_rules()
        self.scheduler.note_activity(person)
        decision = await self._decision_on(command, person, device)
        is_known = False  # whether all viewers were sent the whole position meanwhile
        if decision.records or decision.talk:
            for record in decision.records:
                if isinstance(record, Joined):
                    self.presence.note_join(record.person)
            is_known = await self.persistence.persist(decision)
            self.scheduler.reschedule()
        if decision.records:
            await self._publish(decision.records, is_known)
            self._is_scheduled = isinstance(decision.records[-1], Acted) and not self.scheduler.is_voting
            await self.scheduler.settle()
        for line in () if is_known else decision.talk:
            self.subscribers.send_chat(line)
        return decision.answer

    async def _decision_on(self, command: Command, person: str | None, device: str) -> Decision:
        """Run a command's decision with its context; a new game is set up in a thread."""
        state, late = self.state, False
        if isinstance(command, Act) and person in state.roster.people:
            late = self.scheduler.is_late(state.roster.people[person].seat)
        ctx = Context(
            state,
            state.luck.chance(),
            person,
            device,
            here=self.connections.people,
            away_for=self.presence.away_for,
            pause_spent=self.scheduler.pause_spent(),
            is_late=late,
            new_secret=self.registry.new_seed,
        )
        if isinstance(command, Begin):
            return await self.offload.begin(state.roster.game, lambda: command.decide(ctx))
        decision = command.decide(ctx)
        if decision.needs_state_after is not None:
            return command.decide(ctx._replace(earlier=await self.persistence.earlier(decision.needs_state_after)))
        return decision

    async def _publish(self, records: list[AnyRecord], is_known: bool) -> None:
        if isinstance(records[-1], Started):
            self.subscribers.disconnect_private_screens()
        await self.subscribers.show(records, is_known)
        if isinstance(records[-1], Acted):
            self._replay_due = self.state.roster.status == Status.FINISHED
            self.chatter.react(self.state.last_step)

    async def renew(self, state: TableState) -> None:
        """Send all viewers the whole position, since the stored state differs from what they were shown."""
        self._is_scheduled = False
        self.subscribers.remember(state)
        await self.subscribers.welcome_all()

    async def _resume(self) -> None:
        """Resume after loading: start a game that was about to start."""
        if self.state.outdated:
            log.warning("table %s is read-only: %s", self.code, self.state.outdated)
        if self.state.roster.status == Status.SEEDING:  # wait for the missing seeds of all players
            self.scheduler.seeds.expected |= {*self.state.roster.players()}
        with suppress(Refused):
            await self.scheduler.settle()

    def _details(self, person: str | None) -> TableDetails:
        try:
            check_view(self.state.roster, person)
        except Refused:
            if self.state.roster.status in UNDER_WAY:
                raise
            return self.subscribers.frames.finished_table()
        return self.subscribers.frames.table_details(person)

    # Resting and stopping.

    @property
    def is_running(self) -> bool:
        return self._work is not None

    @property
    def idle(self) -> float:
        """Seconds since the last request."""
        return self.now() - self.used

    def rest(self) -> bool:
        """Drop the caches of a table that was unused for a minute; whether they were dropped now."""
        if self._is_resting or self.is_running or self.idle <= REST_AFTER:
            return False
        self._is_resting = True
        self.subscribers.frames.drop_caches()
        self.persistence.rest()
        return True

    async def stop(self) -> None:
        """Cancel the task and its current job."""
        while self._work and not self._work.done():
            self._work.cancel()
            await asyncio.wait([self._work])
        if not self._stopped:  # the task was not running, or had not started
            self._stop()

    def _stop(self) -> None:
        self._stopped, self._work = True, None
        for job in self.inbox.emptied():
            job.refuse(stopped())
        try:
            self.scheduler.stop()
            self.subscribers.hang_up()
        finally:  # the next request loads the table again
            self.registry.forget(self)
