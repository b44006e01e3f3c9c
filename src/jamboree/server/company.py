"""Those who look at a table: who is there, and how each is told what happens."""

from .hearing import Line, may_hear
from .lobby import Pause, Status
from .memory import Memory
from .records import PRIVATE, Acted, AnyRecord, Removed, Renamed, SeedAdded
from .showing import Onlooker, Showing, Watcher, onlooker, seat_of
from .steward import Steward
from .wire import ClockChanged, Error, Said, TableChanged, TableSeen, encode


class Company:
    """Tells everybody their own part. To tell never waits for anybody."""

    def __init__(self, table: str, memory: Memory, steward: Steward) -> None:
        self.table, self.steward = table, steward
        self.watchers: list[Watcher] = []
        self._shown_clock = steward.face()
        self.remember(memory)

    def remember(self, memory: Memory) -> None:
        """Look at another memory of the table."""
        self.memory = memory
        self.showing = Showing(self.table, memory, self.steward)

    @property
    def here(self) -> set[str]:
        return {watcher.person for watcher in self.watchers if watcher.person}

    @property
    def listening(self) -> list[Watcher]:
        """Those who take what they are told; who could not keep up is welcomed anew some time."""
        return [watcher for watcher in self.watchers if not watcher.behind]

    def seen(self) -> TableSeen:
        return self.showing.seen(self.here)

    def welcome(self, watcher: Watcher, seen: int | None = None) -> None:
        """Tell a connection everything anew."""
        watcher.deliver(self.showing.welcome(watcher, seen, self.here))

    def welcome_all(self, up_to_date: bool = False) -> None:
        """Tell everybody everything anew; who is up to date has missed no step."""
        for watcher in self.listening:
            self.welcome(watcher, self._number(watcher) if up_to_date else None)

    def _number(self, watcher: Watcher) -> int:
        return self.memory.number(seat_of(self.memory, watcher.person))

    def show(self, records: list[AnyRecord]) -> None:
        """Tell everybody what was kept, as far as they witness anything of it."""
        self.showing.forget()
        if isinstance(records[-1], PRIVATE):
            return
        self._shown_clock = self.steward.face()
        if isinstance(records[-1], Acted):
            self._show_step()
        elif isinstance(records[-1], SeedAdded | Renamed):
            self.show_table()
        else:
            self.welcome_all(up_to_date=True)
        for record in records:
            if isinstance(record, Removed):
                self._show_out(record.person)

    def _show_step(self) -> None:
        frames, told = dict[Onlooker, bytes](), self.memory.told
        assert told, "a step was taken"
        for watcher in self.listening:
            who = onlooker(self.memory, watcher)
            if who.seat in told.unseen_by:
                continue
            if who not in frames:
                frames[who] = self.showing.update(who, told)
            watcher.deliver(frames[who])
        if self.memory.lobby.status == Status.FINISHED or self.memory.lobby.paused == Pause.YES:
            self.show_table()

    def _show_out(self, person: str) -> None:
        for watcher in [each for each in self.watchers if each.person == person]:
            self.watchers.remove(watcher)
            watcher.deliver(encode(Error(None, "removed", "The host has shown you out.")))
            watcher.hang_up()

    def show_clock(self, besides: Watcher | None = None) -> None:
        """Tell everybody when the clock is another one than they were shown."""
        before, self._shown_clock = self._shown_clock, self.steward.face()
        for watcher in self.listening if before != self._shown_clock else []:
            if watcher is not besides:
                clock = self.steward.seen(seat_of(self.memory, watcher.person))
                watcher.deliver(encode(ClockChanged(self._number(watcher), clock)))

    def show_table(self, besides: Watcher | None = None) -> None:
        seen, frames = self.seen(), dict[int, bytes]()
        for watcher in self.listening:
            number = self._number(watcher)
            if watcher is not besides:
                frames[number] = frames.get(number) or encode(TableChanged(number, seen))
                watcher.deliver(frames[number])

    def say(self, line: Line) -> None:
        frame = encode(Said(line))
        for watcher in self.listening:
            if may_hear(line, watcher.person, self.memory.lobby):
                watcher.deliver(frame)

    def hang_up(self) -> None:
        for watcher in self.watchers:
            watcher.hang_up()
