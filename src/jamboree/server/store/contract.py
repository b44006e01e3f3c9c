"""What a table asks of its store, and what it is told when that can't be done.

A table is a numbered list of records. To change it is to append records, on three conditions: nobody appended since
it was read, nobody else has taken it over, and all of it is durable before the answer comes.
"""

import msgspec

from jamboree.core.errors import JamboreeError


class StoreError(JamboreeError):
    """The store did not do what it was asked."""


class Conflict(StoreError):
    """Somebody else changed the table or took it over; what was known of it is out of date."""


class Unavailable(StoreError):
    """Nothing can be kept any more until the server is started anew."""


class Lost(StoreError):
    """The database can't be reached; whether the last change was kept is not known before it can be."""


class Damaged(StoreError):
    """Some of what was kept can't be read any more."""


class Incomplete(Damaged):
    """Records of a table are missing, or are not as they were written."""

    def __init__(self, table: str, fault: str, accepted: bool = False) -> None:
        super().__init__(f"Table {table} is incomplete: {fault}.")
        self.table, self.fault = table, fault
        self.accepted = accepted  # the loss, by whoever runs the server: it is reported no more


class UnknownTable(StoreError):
    """There is no such table."""


class Record(msgspec.Struct, frozen=True):
    body: str
    personal: str | None = None  # names, say: erased some time after the game, the body stays


class Snapshot(msgspec.Struct, frozen=True):
    """All that the records up to a sequence number add up to, so that they need not be read again."""

    seq: int
    body: str


class Listing(msgspec.Struct, frozen=True):
    """How a table is found without reading its records."""

    game: str
    status: str
    touched: int  # when it was last changed, in seconds of the wall clock; of moves, to the minute
    card: str  # what a list of tables shows of it
    listed: bool = True  # whether lists show it at all


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """One change of one table, all of it or nothing."""

    table: str
    epoch: int  # the owner's, as read or as claimed
    after: int  # the sequence number of the last record there is; 0 creates the table
    records: tuple[Record, ...]
    listing: Listing | None  # None: as it was
    claim: bool = False  # take the table over: from now on its epoch is one higher
    snapshot: str | None = None  # of the table with these records
    replay: bytes | None = None  # what all steps of a finished game looked like
    talk: tuple[str, ...] = ()  # what was said; it lies beside the records and has no number that others see
    unread: tuple[str, ...] = ()  # what was said long ago, and nobody can read any more
    node: str = ""  # which of several servers has the new table; of use only when it is created


class Erase(msgspec.Struct, frozen=True):
    """Delete names and talk of tables that came to their end before a time, and bans that are over; records stay."""

    before: int  # in seconds of the wall clock
    today: int = 0  # bans that ended before this are over


class KeepClock(msgspec.Struct, frozen=True):
    """Note how much time is left at a table. It is no record: what was noted before is gone."""

    table: str
    epoch: int
    body: str


class KeepAnalysis(msgspec.Struct, frozen=True):
    """Keep what was found out about a finished game. It is no record: it can be found out again."""

    table: str
    body: bytes


class Forget(msgspec.Struct, frozen=True):
    """Delete the names of one person at a table, and what was said by, to or about them; their moves stay."""

    table: str
    person: str = ""  # who it is at the table, if that is known
    tokens: tuple[str, ...] = ()  # hashed, by which they are known
    names: tuple[str, ...] = ()  # that they had elsewhere, and may be called by here
    epoch: int | None = None  # the owner's; None: whoever has the table


class KeepOut(msgspec.Struct, frozen=True):
    """Note that an address or a network is kept out until a time; a time that is over lets it in."""

    network: str
    until: int  # in seconds of the wall clock
    why: str


Change = Append | Erase | KeepClock | KeepAnalysis | KeepOut | Forget


class Stored(msgspec.Struct, frozen=True):
    """A table as it is kept: a snapshot, if there is one, and the records that came after it."""

    epoch: int
    seq: int
    listing: Listing
    snapshot: Snapshot | None
    records: list[Record]
    talk: list[str]  # the last of it
    clock: str = ""  # how much time was left
    node: str = ""  # which of several servers has it
