"""Publish and subscribe: frames are written once a kind of viewer, and handed out in slices, players first."""

import asyncio
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from ...protocol.frames import Chat, ClockChanged, Error, Nudged, TableChanged
from ...protocol.parts import TableSeen
from ...protocol.terms import Pause, Status
from ...protocol.wire import PublicText, encode, milliseconds, mixed_frame
from ..records import PRIVATE, Acted, AnyRecord, ChatLine
from ..scheduler import TableScheduler
from ..state import TableState
from ..visibility import Viewer, farewell, may_hear
from .frame_builder import (
    NO_VIEWERS,
    FrameBuilder,
    Subscriber,
    Subscription,
    ViewerCounts,
    chat_message,
    seat_of,
    viewer_of,
)

SLICE = 50  # connections that are handed a frame in one go
MOST_GUESTS = 99  # that are counted: of a large audience nobody is told whenever somebody comes
NOBODY: frozenset[str] = frozenset()  # one for all tables
MOST_DUE = 16  # rounds of frames that may wait; then those who wait are told everything anew


Frames = dict[Subscription, bytes]


class Round(NamedTuple):
    number: int
    frames: Frames
    besides: Subscriber | None


class Connections:
    """Connections by their kinds; of each it is known since which round it listens."""

    __slots__ = ("_shared", "answering", "guests", "here", "kinds", "round", "screens")

    def __init__(self) -> None:
        self.kinds: dict[Subscription, dict[Subscriber, int]] = {}
        self.here = NOBODY  # people with a connection, or on a device that has one
        self.answering = NOBODY  # people with a connection of their own
        self._shared: dict[Subscriber, frozenset[str]] = {}  # who plays on which device
        self.guests = 0  # connections of nobody in particular, as far as they are counted
        self.screens = 0  # big ones, which are no guests
        self.round = 0

    def add(self, subscriber: Subscriber) -> None:
        """Let a connection hear of everything from now on, and of nothing before."""
        self.kinds.setdefault(subscription_of(subscriber), {})[subscriber] = self.round
        if subscriber.company:
            self._shared[subscriber] = subscriber.company
        self._count()

    def remove(self, subscriber: Subscriber) -> None:
        kind = subscription_of(subscriber)
        self.kinds[kind].pop(subscriber)
        if not self.kinds[kind]:
            del self.kinds[kind]
        self._shared.pop(subscriber, None)
        self._count()

    def __contains__(self, subscriber: Subscriber) -> bool:
        return subscriber in self.kinds.get(subscription_of(subscriber), ())

    def __iter__(self) -> Iterator[Subscriber]:
        return iter([subscriber for connections in self.kinds.values() for subscriber in connections])

    def __len__(self) -> int:
        return sum(map(len, self.kinds.values()))

    def all_public(self) -> list[Subscriber]:
        """List the lines on shared devices that show what one person may see."""
        return [subscriber for subscriber in self._shared if subscriber.person]

    def listening(self) -> list[Subscription]:
        """Name the kinds of those who take what they are told; who could not keep up is welcomed anew some time."""
        return [kind for kind, connections in self.kinds.items() if any(not each.behind for each in connections)]

    def deliver(self, due: Round) -> Iterator[None]:
        """Hand out the frames of a round one by one to those who listened when it began."""
        for kind, frame in due.frames.items():
            connections = self.kinds.get(kind, {})
            for subscriber in list(connections):
                is_meant = connections.get(subscriber, due.number) < due.number and subscriber is not due.besides
                if is_meant and not subscriber.behind:
                    subscriber.deliver(frame)
                    yield

    def _count(self) -> None:
        self.answering = frozenset(kind.person for kind in self.kinds if kind.person) or NOBODY
        self.here = self.answering.union(*self._shared.values()) if self._shared else self.answering
        nobodys = sum(subscriber.person is None for subscriber in self._shared)  # they stand for people who are counted
        strangers = {kind: len(connections) for kind, connections in self.kinds.items() if not kind.person}
        screens = sum(many for kind, many in strangers.items() if kind.screen)
        self.guests = min(sum(strangers.values()) - nobodys - screens, MOST_GUESTS)
        self.screens = min(screens, MOST_GUESTS)


class Lane:
    """Rounds on their way, one after the other. What a slice can't hold goes out while others have their turns."""

    __slots__ = ("_due", "_work", "crowd")

    def __init__(self, crowd: Connections) -> None:
        self.crowd = crowd
        self._due: list[Round] = []
        self._work: asyncio.Task[None] | None = None

    @property
    def overfull(self) -> bool:
        return len(self._due) >= MOST_DUE

    def send(self, due: Round) -> None:
        reached = sum(len(self.crowd.kinds.get(kind, ())) for kind in due.frames)
        if not self._due and reached <= SLICE:
            for _ in self.crowd.deliver(due):
                pass
        else:
            self._due.append(due)
            self._work = self._work or asyncio.create_task(self._hand_out(), name="broadcast")

    def drop(self) -> None:
        """Forget what waits: everybody will be told anew."""
        self._due.clear()

    def stop(self) -> None:
        self.drop()
        if self._work:
            self._work.cancel()

    async def _hand_out(self) -> None:
        while self._due:
            due = self._due[0]
            for count, _ in enumerate(self.crowd.deliver(due), 1):
                if count % SLICE == 0:
                    await asyncio.sleep(0)
                if not self._due or self._due[0] is not due:  # dropped
                    break
            else:
                del self._due[0]
        self._work = None


def subscription_of(subscriber: Subscriber) -> Subscription:
    return Subscription(
        subscriber.person,
        subscriber.language,
        subscriber.painted,
        subscriber.whole,
        subscriber.screen,
        addressed=len(subscriber.company) < 2,
    )


Face = tuple[str, Status, int | None]  # the position, how far the table is, the own seat
BREATHE = 4  # frames that are written in one go
TOGETHER = 0.7  # seconds in which every device of a party has heard of a step


class Subscribers:
    """Tells everybody their own part. To tell never waits for anybody, and players are told before the others."""

    __slots__ = (
        *("_faces", "_others", "_players", "_shown", "_shown_clock", "_shown_idle", "_shown_lookers"),
        *("state", "frames", "scheduler", "table", "connections"),
    )

    def __init__(self, table: str, state: TableState, scheduler: TableScheduler) -> None:
        self.table, self.scheduler = table, scheduler
        self.connections = Connections()
        self._players, self._others = Lane(self.connections), Lane(self.connections)
        self._shown_clock = scheduler.face()
        self._shown_idle, self._shown_lookers = self._idle(), NO_VIEWERS
        self._faces: dict[Subscription, Face] = {}  # as they were shown last
        self._shown = state.seq  # the last record that everybody who is there was told of
        self.remember(state)

    def remember(self, state: TableState) -> None:
        """Look at another memory of the table."""
        self.state = state
        self.frames = FrameBuilder(self.table, state, self.scheduler)

    @property
    def viewer_counts(self) -> ViewerCounts:
        return ViewerCounts(self.connections.guests, self.connections.screens)

    def seen(self) -> TableSeen:
        return self.frames.seen(self.connections.here, self.viewer_counts)

    def welcome(self, subscriber: Subscriber, seen: int | None = None) -> None:
        """Tell a connection everything anew, and nothing that is still on its way to others."""
        self.connections.add(subscriber)
        kind = subscription_of(subscriber)
        self._faces[kind] = self._face(kind)
        subscriber.deliver(self._welcome(kind, seen))

    def leave(self, subscriber: Subscriber) -> None:
        self.connections.remove(subscriber)
        self._faces = {kind: face for kind, face in self._faces.items() if kind in self.connections.kinds}
        self.frames.let_go({viewer_of(self.state, kind) for kind in self.connections.kinds})

    async def welcome_all(self) -> None:
        """Tell everybody everything anew, with the steps that are kept and that nobody was told of yet."""
        shown = self._shown
        self._tell(await self._written(lambda kind: self._welcome(kind, self.state.number(self._seat(kind), shown))))

    async def show(self, records: list[AnyRecord], is_known: bool = False) -> None:
        """Tell everybody what was kept, as far as they witness anything of it and have not been told anew since."""
        if isinstance(records[-1], PRIVATE):
            return
        if is_known:
            self._show_out(records)
        elif isinstance(records[-1], Acted):
            await self._show_step()
        else:
            await self._show_change()
            self._show_out(records)

    async def _show_step(self) -> None:
        self._shown_clock, frames, step = self.scheduler.face(), dict[Viewer, bytes](), self.state.last_step
        assert step, "a step was taken"
        at = milliseconds(self.scheduler.now() + TOGETHER) if self.state.roster.party else UNSET

        def update(kind: Subscription) -> bytes | None:
            who = viewer_of(self.state, kind)
            if who.seat in step.unseen_by:
                return None
            if who not in frames:
                frames[who] = self.frames.update(who, step, at)
            return frames[who]

        self._tell(await self._written(update))
        roster = self.state.roster
        if roster.status == Status.FINISHED or roster.paused == Pause.YES or roster.learning:
            self.show_table()

    async def _show_change(self) -> None:
        """Tell what became of the table, and everything anew where position, seat or status are others now."""
        self.frames.forget()
        small, known = self._table_changed(), self._faces
        same = {kind for kind in self.connections.kinds if known.get(kind) == self._face(kind)}
        if not same:
            self._shown_clock = self.scheduler.face()
        self._tell(
            await self._written(lambda kind: small(kind) if kind in same else self._welcome(kind, self._number(kind)))
        )

    def _show_out(self, records: list[AnyRecord]) -> None:
        """Send away those who may not stay, and say why."""
        for subscriber in self.connections:
            company, screen = subscriber.company, subscriber.screen
            refusal = farewell(self.state.roster, subscriber.person, subscriber.device, records, company, screen)
            if refusal:
                self.leave(subscriber)
                subscriber.deliver(encode(Error(None, refusal.code, refusal.sentence)))
                subscriber.hang_up()

    def close_curtains(self) -> None:
        """Hang up on shared devices that showed one person everything: from now on there are things to hide."""
        for subscriber in self.connections.all_public():
            self.leave(subscriber)
            subscriber.hang_up()

    def show_clock(self, besides: Subscriber | None = None) -> None:
        """Tell everybody when the clock is another one than they were shown."""
        before, self._shown_clock = self._shown_clock, self.scheduler.face()
        if before == self._shown_clock:
            return
        seats, frames = (
            {kind: self._seat(kind) for kind in self.connections.listening()},
            dict[int | None, bytes](),
        )
        for seat in set(seats.values()):
            frames[seat] = encode(ClockChanged(self.state.number(seat), self.scheduler.seen(seat)))
        self._tell({kind: frames[seat] for kind, seat in seats.items()}, besides)

    def show_idle(self) -> None:
        """Tell everybody when others than before are waited for or stood in for, or when bots have to wait."""
        if self._shown_idle != self._idle():
            self.show_table()

    def _idle(self) -> tuple[object, ...]:
        return *self.scheduler.idle.face(), *self.scheduler.bot_scheduler.queue.items()

    def show_guests(self) -> None:
        """Tell everybody when more or fewer guests or screens look on than they were shown."""
        if self._shown_lookers != self.viewer_counts:
            self.show_table()

    def nudge(self, person: str, by: str) -> None:
        frame = encode(Nudged(by))
        self._tell({kind: frame for kind in self.connections.listening() if kind.person == person})

    def show_table(self, besides: Subscriber | None = None) -> None:
        changed = self._table_changed()
        self._tell({kind: changed(kind) for kind in self.connections.listening()}, besides)

    def _table_changed(self) -> Callable[[Subscription], bytes]:
        """Write who is there once for all who have witnessed as much."""
        seen, frames = self.seen(), dict[int, bytes]()
        if seen.status != Status.GATHERING:  # nobody can change the options any more, and there may be a crate in them
            seen = replace(seen, options=UNSET)
        public = PublicText(encode(seen))
        self._shown_idle, self._shown_lookers = self._idle(), self.viewer_counts

        def changed(kind: Subscription) -> bytes:
            number = self._number(kind)
            if number not in frames:
                frames[number] = mixed_frame(TableChanged(number, seen), table=[public])
            return frames[number]

        return changed

    def say(self, line: ChatLine) -> None:
        roster, frame = self.state.roster, encode(Chat(chat_message(line)))
        self._tell({kind: frame for kind in self.connections.listening() if may_hear(line, kind.person, roster)})

    def hang_up(self) -> None:
        for lane in (self._players, self._others):
            lane.stop()
        for subscriber in self.connections:
            subscriber.hang_up()

    def _welcome(self, kind: Subscription, seen: int | None) -> bytes:
        return self.frames.welcome(kind, seen, self.connections.here, self.viewer_counts)

    def _face(self, kind: Subscription) -> Face:
        return (self.state.hash, self.state.roster.status, self._seat(kind))

    def _seat(self, kind: Subscription) -> int | None:
        return seat_of(self.state, kind.person)

    def _number(self, kind: Subscription) -> int:
        return self.state.number(self._seat(kind))

    async def _written(self, write: Callable[[Subscription], bytes | None]) -> Frames:
        """Write a frame for every kind of those who listen and have something to hear, a few in one go."""
        frames: Frames = {}
        for count, kind in enumerate(self.connections.listening()):
            if count and count % BREATHE == 0:
                await asyncio.sleep(0)
            if frame := write(kind):
                frames[kind] = frame
        self.frames.rest()
        self._faces, self._shown = (
            {kind: self._face(kind) for kind in self.connections.kinds},
            self.state.seq,
        )
        return frames

    def _tell(self, frames: Frames, besides: Subscriber | None = None) -> None:
        self.connections.round += 1
        playing = {kind: frame for kind, frame in frames.items() if self._is_seated(kind)}
        watching = {kind: frame for kind, frame in frames.items() if kind not in playing}
        for lane, theirs, seated in ((self._players, playing, True), (self._others, watching, False)):
            if lane.overfull:
                lane.drop()
                theirs = {
                    kind: self._welcome(kind, None)
                    for kind in self.connections.kinds
                    if self._is_seated(kind) == seated
                }
            if theirs:
                lane.send(Round(self.connections.round, theirs, besides))

    def _is_seated(self, kind: Subscription) -> bool:
        return self._seat(kind) is not None
