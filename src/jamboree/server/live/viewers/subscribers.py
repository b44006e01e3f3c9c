"""Publish and subscribe: each frame is built once per kind of viewer and delivered in slices, to players first."""

import asyncio
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from ...protocol.frames import Chat, ClockChanged, Error, Nudged, TableChanged
from ...protocol.terms import Pause, Status
from ...protocol.wire import PublicText, encode, milliseconds, mixed_frame
from ..presence import NOBODY
from ..records import PRIVATE, Acted, AnyRecord, ChatLine
from ..scheduler import TableScheduler
from ..state import TableState
from ..visibility import Viewer, farewell, may_hear
from .frame_builder import FrameBuilder, Subscription, chat_message, viewer_of

if TYPE_CHECKING:
    from ..session import Session

SLICE = 50  # connections that are served before other tasks run
MAX_GUESTS = 99  # the largest number shown, so that a large audience does not cause a frame per arrival
MAX_QUEUED = 16  # rounds of frames; beyond that, connections are sent the whole position


Frames = dict[Subscription, bytes]


class Round(NamedTuple):
    number: int
    frames: Frames
    besides: "Session | None"


class Connections:
    """The connections of a table by their subscriptions, each with the round since which it receives frames."""

    __slots__ = ("_shared", "answering", "guests", "kinds", "people", "round", "screens")

    def __init__(self) -> None:
        self.kinds: dict[Subscription, dict[Session, int]] = {}
        self.people = NOBODY  # people with a connection, shared devices included
        self.answering = NOBODY  # people with a connection of their own
        self._shared: dict[Session, frozenset[str]] = {}  # the people of each shared device
        self.guests = 0  # anonymous connections, up to MAX_GUESTS
        self.screens = 0  # big screens
        self.round = 0

    def add(self, subscriber: "Session") -> None:
        """Add a connection, which receives the frames of later rounds."""
        self.kinds.setdefault(subscriber.subscription, {})[subscriber] = self.round
        if subscriber.company:
            self._shared[subscriber] = subscriber.company
        self._count()

    def remove(self, subscriber: "Session") -> None:
        kind = subscriber.subscription
        self.kinds[kind].pop(subscriber)
        if not self.kinds[kind]:
            del self.kinds[kind]
        self._shared.pop(subscriber, None)
        self._count()

    def __contains__(self, subscriber: "Session") -> bool:
        return subscriber in self.kinds.get(subscriber.subscription, ())

    def __iter__(self) -> "Iterator[Session]":
        return iter([subscriber for connections in self.kinds.values() for subscriber in connections])

    def __len__(self) -> int:
        return sum(map(len, self.kinds.values()))

    def listening(self) -> list[Subscription]:
        """The subscriptions with a connection that keeps up; the others will get a whole position."""
        return [kind for kind, connections in self.kinds.items() if any(not each.behind for each in connections)]

    def deliver(self, due: Round) -> Iterator[None]:
        """Deliver the frames of a round one by one, to connections that existed when it began."""
        for kind, frame in due.frames.items():
            connections = self.kinds.get(kind, {})
            for subscriber in list(connections):
                is_meant = connections.get(subscriber, due.number) < due.number and subscriber is not due.besides
                if is_meant and not subscriber.behind:
                    subscriber.deliver(frame)
                    yield

    def _count(self) -> None:
        self.answering = frozenset(kind.person for kind in self.kinds if kind.person) or NOBODY
        self.people = self.answering.union(*self._shared.values()) if self._shared else self.answering
        shared = sum(subscriber.person is None for subscriber in self._shared)
        anonymous = {kind: len(connections) for kind, connections in self.kinds.items() if not kind.person}
        screens = sum(many for kind, many in anonymous.items() if kind.screen)
        self.guests = min(sum(anonymous.values()) - shared - screens, MAX_GUESTS)
        self.screens = min(screens, MAX_GUESTS)


class DeliveryQueue:
    """A queue of rounds; large ones are delivered by a task that yields between slices."""

    __slots__ = ("_due", "_work", "connections")

    def __init__(self, connections: Connections) -> None:
        self.connections = connections
        self._due: list[Round] = []
        self._work: asyncio.Task[None] | None = None

    @property
    def is_full(self) -> bool:
        return len(self._due) >= MAX_QUEUED

    def send(self, due: Round) -> None:
        reached = sum(len(self.connections.kinds.get(kind, ())) for kind in due.frames)
        if not self._due and reached <= SLICE:
            for _ in self.connections.deliver(due):
                pass
        else:
            self._due.append(due)
            self._work = self._work or asyncio.create_task(self._deliver(), name="broadcast")

    def drop(self) -> None:
        """Drop the queued rounds; the caller sends whole positions."""
        self._due.clear()

    def stop(self) -> None:
        self.drop()
        if self._work:
            self._work.cancel()

    async def _deliver(self) -> None:
        while self._due:
            due = self._due[0]
            for count, _ in enumerate(self.connections.deliver(due), 1):
                if count % SLICE == 0:
                    await asyncio.sleep(0)
                if not self._due or self._due[0] is not due:  # dropped
                    break
            else:
                del self._due[0]
        self._work = None


Signature = tuple[str, Status, int | None]  # the position, the status, and the viewer's seat
YIELD_EVERY = 4  # frames that are built before other tasks run
TOGETHER = 0.7  # seconds in which a step reaches every device of a party


class Subscribers:
    """Sends each connection what its viewer may see. Sending never waits, and players come first."""

    __slots__ = (
        "_others",
        "_players",
        "_shown",
        "_shown_clock",
        "_shown_idle",
        "_shown_viewers",
        "_signatures",
        "connections",
        "frames",
        "scheduler",
        "state",
        "table",
    )

    def __init__(self, table: str, state: TableState, scheduler: TableScheduler, connections: Connections) -> None:
        self.table, self.scheduler, self.connections = table, scheduler, connections
        self._players, self._others = DeliveryQueue(self.connections), DeliveryQueue(self.connections)
        self._shown_clock = scheduler.signature()
        self._shown_idle, self._shown_viewers = self._idle(), (0, 0)
        self._signatures: dict[Subscription, Signature] = {}  # as they were sent last
        self._shown = state.seq  # the last record that all connections were sent
        self.remember(state)

    def remember(self, state: TableState) -> None:
        """Use another state of the table."""
        self.state = state
        self.frames = FrameBuilder(self.table, state, self.scheduler, self.connections)

    def welcome(self, subscriber: "Session", seen: int | None = None) -> None:
        """Send a connection the whole position, and none of the frames that are queued for others."""
        self.connections.add(subscriber)
        kind = subscriber.subscription
        self._signatures[kind] = self._signature(kind)
        subscriber.deliver(self.frames.welcome(kind, seen))

    def leave(self, subscriber: "Session") -> None:
        self.connections.remove(subscriber)
        self._signatures = {
            kind: signature for kind, signature in self._signatures.items() if kind in self.connections.kinds
        }
        self.frames.retain({viewer_of(self.state, kind) for kind in self.connections.kinds})

    async def welcome_all(self) -> None:
        """Send all connections the whole position, with the stored steps that were not sent yet."""
        welcome, shown = self.frames.welcome, self._shown
        self._send(await self._build(lambda kind: welcome(kind, self.state.number(self._seat(kind), shown))))

    async def show(self, records: list[AnyRecord], is_known: bool = False) -> None:
        """Publish stored records to the viewers who witness them, unless they were sent the whole position since."""
        if isinstance(records[-1], PRIVATE):
            return
        if is_known:
            self._disconnect_unwelcome(records)
        elif isinstance(records[-1], Acted):
            await self._show_step()
        else:
            await self._show_change()
            self._disconnect_unwelcome(records)

    async def _show_step(self) -> None:
        self._shown_clock, frames, step = self.scheduler.signature(), dict[Viewer, bytes](), self.state.last_step
        assert step, "a step was taken"
        at = milliseconds(self.scheduler.table.now() + TOGETHER) if self.state.roster.party else UNSET

        def update(kind: Subscription) -> bytes | None:
            who = viewer_of(self.state, kind)
            if who.seat in step.unseen_by:
                return None
            if who not in frames:
                frames[who] = self.frames.update(who, step, at)
            return frames[who]

        self._send(await self._build(update))
        roster = self.state.roster
        if roster.status == Status.FINISHED or roster.paused == Pause.YES or roster.learning:
            self.show_table()

    async def _show_change(self) -> None:
        """Send the table, or the whole position to viewers whose position, seat or status has changed."""
        self.frames.forget()
        small, whole, known = self._table_changed(), self.frames.welcome, self._signatures
        same = {kind for kind in self.connections.kinds if known.get(kind) == self._signature(kind)}
        if not same:
            self._shown_clock = self.scheduler.signature()
        self._send(await self._build(lambda kind: small(kind) if kind in same else whole(kind, self._number(kind))))

    def _disconnect_unwelcome(self, records: list[AnyRecord]) -> None:
        """Disconnect viewers who may not stay, with the reason."""
        for subscriber in self.connections:
            if refusal := farewell(self.state.roster, subscriber, records):
                self.leave(subscriber)
                subscriber.deliver(encode(Error(None, refusal.code, refusal.sentence)))
                subscriber.hang_up()

    def disconnect_private_screens(self) -> None:
        """Disconnect shared devices that show one person's view when the game begins and there are secrets."""
        for subscriber in self.connections:
            if subscriber.company and subscriber.person:
                self.leave(subscriber)
                subscriber.hang_up()

    def show_clock(self, besides: "Session | None" = None) -> None:
        """Send the clock if it differs from the one that was sent last."""
        before, self._shown_clock = self._shown_clock, self.scheduler.signature()
        if before == self._shown_clock:
            return
        seats = {kind: self._seat(kind) for kind in self.connections.listening()}
        frames = {
            seat: encode(ClockChanged(self.state.number(seat), self.scheduler.clock_seen(seat)))
            for seat in set(seats.values())
        }
        self._send({kind: frames[seat] for kind, seat in seats.items()}, besides)

    def show_idle(self) -> None:
        """Send the table if idle players, votes or the queue of bots have changed."""
        if self._shown_idle != self._idle():
            self.show_table()

    def _idle(self) -> tuple[object, ...]:
        return *self.scheduler.idle.signature(), *self.scheduler.bot_scheduler.queue.items()

    def show_guests(self) -> None:
        """Send the table if the number of guests or screens has changed."""
        if self._shown_viewers != (self.connections.guests, self.connections.screens):
            self.show_table()

    def nudge(self, person: str, by: str) -> None:
        frame = encode(Nudged(by))
        self._send({kind: frame for kind in self.connections.listening() if kind.person == person})

    def show_table(self, besides: "Session | None" = None) -> None:
        changed = self._table_changed()
        self._send({kind: changed(kind) for kind in self.connections.listening()}, besides)

    def _table_changed(self) -> Callable[[Subscription], bytes]:
        """Build the table frame once for all viewers with the same record number."""
        seen = self.frames.table_info()
        frames = dict[int, bytes]()
        if seen.status != Status.GATHERING:  # options are constant from now on, and may be long
            seen = replace(seen, options=UNSET)
        public = PublicText(encode(seen))
        self._shown_idle, self._shown_viewers = self._idle(), (self.connections.guests, self.connections.screens)

        def changed(kind: Subscription) -> bytes:
            number = self._number(kind)
            if number not in frames:
                frames[number] = mixed_frame(TableChanged(number, seen), table=[public])
            return frames[number]

        return changed

    def send_chat(self, line: ChatLine) -> None:
        roster, frame = self.state.roster, encode(Chat(chat_message(line)))
        self._send({kind: frame for kind in self.connections.listening() if may_hear(line, kind.person, roster)})

    def hang_up(self) -> None:
        for queue in (self._players, self._others):
            queue.stop()
        for subscriber in self.connections:
            subscriber.hang_up()

    def _signature(self, kind: Subscription) -> Signature:
        return (self.state.hash, self.state.roster.status, self._seat(kind))

    def _seat(self, kind: Subscription) -> int | None:
        return self.state.roster.seat_of(kind.person)

    def _number(self, kind: Subscription) -> int:
        return self.state.number(self._seat(kind))

    async def _build(self, write: Callable[[Subscription], bytes | None]) -> Frames:
        """Build the frame of each subscription, yielding to other tasks from time to time."""
        frames: Frames = {}
        for count, kind in enumerate(self.connections.listening()):
            if count and count % YIELD_EVERY == 0:
                await asyncio.sleep(0)
            if frame := write(kind):
                frames[kind] = frame
        self.frames.drop_temporary()
        self._signatures = {kind: self._signature(kind) for kind in self.connections.kinds}
        self._shown = self.state.seq
        return frames

    def _send(self, frames: Frames, besides: "Session | None" = None) -> None:
        self.connections.round += 1
        playing = {kind: frame for kind, frame in frames.items() if self._is_seated(kind)}
        watching = {kind: frame for kind, frame in frames.items() if kind not in playing}
        for queue, due, seated in ((self._players, playing, True), (self._others, watching, False)):
            if queue.is_full:
                queue.drop()
                due = {
                    kind: self.frames.welcome(kind, None)
                    for kind in self.connections.kinds
                    if self._is_seated(kind) == seated
                }
            if due:
                queue.send(Round(self.connections.round, due, besides))

    def _is_seated(self, kind: Subscription) -> bool:
        return self._seat(kind) is not None
