"""The oracle: the records on the disk, replayed by the rules alone, with every viewer's view after each."""

from typing import Any, NamedTuple

import msgspec

from jamboree.core.chance import Replayed
from jamboree.core.journal import state_hash
from jamboree.server.live.positions import forked_position
from jamboree.server.live.records import (
    Acted,
    AnyRecord,
    Forked,
    LinkMinted,
    LinkUsed,
    Opened,
    SeedAdded,
    Started,
    Undone,
    UndoRequested,
    read,
)
from jamboree.server.live.roster import Roster
from jamboree.server.protocol.canonical import canonical
from jamboree.server.protocol.wire import encode
from jamboree.server.store import Record

from ..machine.disk import Disk
from ..machine.server import GAMES
from .rights import Broken, Rights, check_consent

Events = tuple[bytes, ...]
ENDED = ("finished", "closed")


class StoredCounts(NamedTuple):
    """How much of a table was stored at a moment."""

    records: int
    lines: int


class History:
    """One table, from its first record. Index n is the state after record n."""

    roster: Roster

    def __init__(self, code: str) -> None:
        self.code, self.bodies = code, [Record("")]
        self.records: list[AnyRecord | None] = [None]
        self.states: list[Any] = [None]
        self.events_by_record: list[list[Any]] = [[]]
        self.acted: dict[tuple[str, str], int] = {}  # by person and id: the record
        self.taken_back: dict[tuple[str, str], int] = {}
        self.wished: dict[tuple[str, str], int] = {}  # undo requests
        self.course: list[tuple[int, Any]] = []  # actions that were not undone: their records and actors
        self.rights: list[Rights] = [Rights()]
        self.seeds: set[str] = set()
        self.lines: list[dict[str, Any]] = []
        self.secret = b""
        self._forked: Forked | None = None
        self._numbers: dict[int | None, list[int]] = {}
        self._views: dict[tuple[int, int | None], bytes] = {}
        self._since: list[int] = [0]  # by index: the record that led to the state

    @property
    def game(self) -> Any:
        return GAMES[self.roster.game]

    @property
    def last(self) -> int:
        return len(self.records) - 1

    @property
    def status(self) -> str:
        state = self.states[-1]
        over = self.roster.status == "playing" and state is not None and self.game.outcome(state)
        return "finished" if over else str(self.roster.status)

    def add(self, seq: int, stored: Record) -> None:
        if seq != self.last + 1:
            raise Broken(f"record {seq} of {self.code} comes after record {self.last}: something kept is lost")
        record = read(stored)
        if isinstance(record, Undone):
            check_consent(self.roster, record, self.course)
        if isinstance(record, Opened):
            self.roster = Roster.opened(record)
        else:
            self.roster.fold(record, seq)
        events: list[Any] = []
        before = self.states[-1]
        state = self._after(record, events)
        self.bodies.append(stored)
        self.records.append(record)
        self.states.append(state)
        self.events_by_record.append(events)
        self.rights.append(Rights.of(self.roster))
        self._since.append(seq if state is not before else self._since[-1])
        self._note(seq, record)

    def _after(self, record: AnyRecord, events: list[Any]) -> Any:
        state = self.states[-1]
        if isinstance(record, Started):
            state = self._set_up(record)
        elif isinstance(record, Acted):
            state = state.clone()
            action = msgspec.convert(record.action, self.game.info.action)
            self.game.apply(state, record.actor, action, Replayed(record.picks), events.append)
        elif isinstance(record, Undone):
            state = self.states[record.to]
        else:
            return state
        if state_hash(state) != record.state:
            raise Broken(f"record {self.last + 1} of {self.code} does not lead to the position it names")
        return state

    def _set_up(self, record: Started) -> Any:
        if self._forked:
            return forked_position(self._forked, self.game, self.roster.seats, self.roster.options)
        options = msgspec.convert(self.roster.options, self.game.info.options)
        return self.game.setup(self.roster.seats, options, Replayed(record.picks))

    def _note(self, seq: int, record: AnyRecord) -> None:
        match record:
            case Forked():
                self._forked = record
            case Acted():
                self.course.append((seq, record.actor))
                self._once(self.acted, record, seq)
            case Undone():
                self.course = [past for past in self.course if past[0] <= record.to]
                self._once(self.taken_back, record, seq)
            case UndoRequested():
                self._once(self.wished, record, seq)
            case SeedAdded():
                self.seeds.add(record.seed)
        self.secret = getattr(record, "secret", "").encode() or self.secret

    def _once(self, done: dict[tuple[str, str], int], record: Acted | Undone | UndoRequested, seq: int) -> None:
        if not record.person or not record.id:
            return
        if (record.person, record.id) in done:
            raise Broken(f"{record.person} at {self.code} asked once for {record.id}, and it was done twice")
        done[record.person, record.id] = seq

    def number(self, place: int, seat: int | None) -> int:
        """Count the records up to an index of which a viewer witnesses anything."""
        counted = self._numbers.setdefault(seat, [0])
        while len(counted) <= place:
            counted.append(counted[-1] + (not self._is_silent(len(counted), seat)))
        return counted[place]

    def _is_silent(self, place: int, seat: int | None) -> bool:
        record = self.records[place]
        if isinstance(record, Acted):
            return record.actor != seat and not self.witnessed(place, seat)
        return isinstance(record, LinkMinted | LinkUsed)

    def view(self, place: int, seat: int | None) -> bytes:
        """Encode a seat's view after a record; null before the game."""
        key = (self._since[place], seat)
        if key not in self._views:
            state = self.states[place]
            self._views[key] = b"null" if state is None else canonical(encode(self.game.view(state, seat)))
        return self._views[key]

    def witnessed(self, place: int, seat: int | None) -> Events:
        seen = (self.game.witness(event, seat) for event in self.events_by_record[place])
        return tuple(encode(event) for event in seen if event is not None)


class Chronicle:
    """Every table on a disk, as far as it was stored."""

    def __init__(self, disk: Disk) -> None:
        self.disk, self.tables = disk, dict[str, History]()
        self._read, self._row = -1, 0
        self._said: set[str] = set()  # encoded

    def stored(self, code: str) -> StoredCounts:
        """Return how much of a table is stored now."""
        self.follow()
        table = self.tables.get(code)
        return StoredCounts(table.last, len(table.lines)) if table else StoredCounts(0, 0)

    def follow(self) -> None:
        """Read the records since the last call."""
        if self._read == self.disk.version:
            return
        self._read, database = self.disk.version, self.disk.database
        rows = "SELECT rowid, table_id, seq, body, personal FROM records WHERE rowid > ? ORDER BY rowid"
        for row, code, seq, body, personal in database.rows(rows, self._row):
            self._row = row
            self.tables.setdefault(code, History(code)).add(seq, Record(body, personal))
        for code, body in database.rows("SELECT table_id, body FROM talk ORDER BY rowid"):
            if body not in self._said:  # unreadable rows are deleted, and their places reused
                self._said.add(body)
                self.tables[code].lines.append(msgspec.json.decode(body))

    def check(self) -> None:
        """Check that all stored records are unchanged."""
        self.follow()
        for code, table in self.tables.items():
            rows = self.disk.database.rows("SELECT body, personal FROM records WHERE table_id = ? ORDER BY seq", code)
            there = [Record(*row) for row in rows]
            if there != table.bodies[1:] and not (table.status in ENDED and _names_apart(there, table.bodies[1:])):
                raise Broken(f"of {table.last} records of {code} not all are there as they were written")


def _names_apart(there: list[Record], written: list[Record]) -> bool:
    """Return whether only names are missing: those of old tables are erased, by a clock that may be wrong."""
    same = [
        now.body == before.body and now.personal in (None, before.personal)
        for now, before in zip(there, written, strict=False)
    ]
    return len(there) == len(written) and all(same)
