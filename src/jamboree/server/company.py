"""Those who look at a table: who is there, and how each is told what happens."""

from .lobby import Pause, Status
from .memory import Memory
from .records import Acted, AnyRecord, Removed, Renamed, SeedAdded
from .showing import Onlooker, Showing, Watcher, onlooker, seat_of
from .steward import Steward
from .talk import Line, may_hear
from .wire import ClockChanged, Error, Said, TableChanged, TableSeen, encode

Lengths = dict[Onlooker, int]  # of the frames to come, fixed before a choice is made


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

    def welcome_all(self, seen: int | None = None) -> None:
        for watcher in self.listening:
            self.welcome(watcher, seen)

    def veiled_lengths(self) -> Lengths:
        if self.memory.lobby.status != Status.PLAYING:
            return {}
        everybody = {onlooker(self.memory, watcher) for watcher in self.watchers}
        return {who: self.showing.veiled_length(who) for who in everybody}

    def show(self, records: list[AnyRecord], lengths: Lengths, is_known: bool = False) -> None:
        """Tell everybody what was kept, unless they have been told everything anew since."""
        self.showing.forget()
        self._shown_clock = self.steward.face()
        if is_known:
            pass
        elif isinstance(records[-1], Acted):
            self._show_step(lengths)
        elif isinstance(records[-1], SeedAdded | Renamed):
            self.show_table()
        else:
            self.welcome_all(self.memory.seq)
        for record in records:
            if isinstance(record, Removed):
                self._show_out(record.person)

    def _show_step(self, lengths: Lengths) -> None:
        frames: dict[Onlooker, bytes] = {}
        for watcher in self.listening:
            who = onlooker(self.memory, watcher)
            if who not in frames:
                frames[who] = self.showing.update(who, self.memory.told[-1], lengths.get(who, 0))
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
                watcher.deliver(encode(ClockChanged(self.memory.seq, clock)))

    def show_table(self, besides: Watcher | None = None) -> None:
        frame = encode(TableChanged(self.memory.seq, self.seen()))
        for watcher in self.listening:
            if watcher is not besides:
                watcher.deliver(frame)

    def say(self, line: Line) -> None:
        frame = encode(Said(line))
        for watcher in self.listening:
            if may_hear(line, watcher.person, self.memory.lobby):
                watcher.deliver(frame)

    def hang_up(self) -> None:
        for watcher in self.watchers:
            watcher.hang_up()
