"""What live tables need of a store: the changes that it accepts, its queries, and its errors.

A table is a numbered list of records. An append names the record it follows (optimistic concurrency) and the owner's
epoch (fencing), and is acknowledged when it is durable.
"""

import asyncio
from abc import ABC, abstractmethod

import msgspec

from jamboree.core.errors import JamboreeError

MAX_LISTED = 200


class StoreError(JamboreeError):
    """The store could not carry out a request."""


class Conflict(StoreError):
    """The table was changed or taken over by another owner, so the caller's copy is out of date."""


class Unavailable(StoreError):
    """Nothing can be written: until the server is restarted, or until the database or the lease is back."""


class DatabaseUnreachable(StoreError):
    """The database can't be reached, so it is unknown whether the last change was committed."""


class Damaged(StoreError):
    """Stored data can't be read."""


class Incomplete(Damaged):
    """Records of a table are missing or altered."""

    def __init__(self, table: str, fault: str, accepted: bool = False) -> None:
        super().__init__(f"Table {table} is incomplete: {fault}.")
        self.table, self.fault = table, fault
        self.accepted = accepted  # the operator has accepted the loss, so it is not reported


class UnknownTable(StoreError):
    """The table does not exist."""


class Record(msgspec.Struct, frozen=True):
    body: str
    personal: str | None = None  # names, which are erased some time after the game; the body stays


class Snapshot(msgspec.Struct, frozen=True):
    """The state after a record, so that earlier records need not be read."""

    seq: int
    body: str


class Listing(msgspec.Struct, frozen=True):
    """A table's entry in lists, read without its records."""

    game: str
    status: str
    touched: int  # the time of the last change in Unix seconds; for moves, to the minute
    card: str  # what lists show, as JSON
    listed: bool = True  # whether lists include it


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """An atomic change of one table."""

    table: str
    epoch: int  # the owner's fencing token
    after: int  # the number of the last existing record; 0 creates the table
    records: tuple[Record, ...]
    listing: Listing | None  # None: unchanged
    claim: bool = False  # take the table over, which raises its epoch
    snapshot: str | None = None  # of the state after these records
    replay: bytes | None = None  # the views of a finished game
    talk: tuple[str, ...] = ()  # chat lines, which are stored beside the records
    unread: tuple[str, ...] = ()  # old chat lines to delete, which nobody can read any more
    node: str = ""  # the owner of a new table in a cluster


class EraseExpired(msgspec.Struct, frozen=True):
    """Delete names and chat of tables that ended before a time, and expired bans; records stay."""

    before: int  # in Unix seconds
    today: int = 0  # bans that expired before this are deleted


class SaveClock(msgspec.Struct, frozen=True):
    """Overwrite the remaining times of a table's clocks, which are not records."""

    table: str
    epoch: int
    body: str


class SaveAnalysis(msgspec.Struct, frozen=True):
    """Save the analysis of a finished game, which is not a record since it can be repeated."""

    table: str
    body: bytes


class ErasePerson(msgspec.Struct, frozen=True):
    """Delete a person's names at a table, and chat by, to or about them; their moves stay."""

    table: str
    person: str = ""  # the person's id at the table, if known
    tokens: tuple[str, ...] = ()  # hashed
    names: tuple[str, ...] = ()  # used elsewhere, by which others may mention them here
    epoch: int | None = None  # the owner's fencing token; None: any owner


class AddressBan(msgspec.Struct, frozen=True):
    """Ban an address or network until a time; a time in the past lifts the ban."""

    network: str
    until: int  # in Unix seconds
    why: str


Change = Append | EraseExpired | SaveClock | SaveAnalysis | AddressBan | ErasePerson


class Stored(msgspec.Struct, frozen=True):
    """A stored table: the last snapshot, if there is one, and the records after it."""

    epoch: int
    seq: int
    listing: Listing
    snapshot: Snapshot | None
    records: list[Record]
    talk: list[str]  # the last chat lines
    clock: str = ""  # the remaining times
    node: str = ""  # its owner in a cluster


class TableStore(ABC):
    """Keeps tables durably. Every change is acknowledged when it is on disk, and not before."""

    @property
    def comebacks(self) -> int:
        """How often the database came back; state in memory may be outdated since."""
        return 0

    @abstractmethod
    async def append(self, append: Append) -> None:
        """Append records. Cancelling the caller does not cancel the commit."""

    @abstractmethod
    def save_clock(self, clock: SaveClock) -> "asyncio.Future[None]":
        """Save a table's remaining times; awaiting the result is optional."""

    @abstractmethod
    async def erase_expired(self, before: int, today: int = 0) -> None:
        """Delete names and chat of tables that ended before a time, and expired bans."""

    @abstractmethod
    async def erase_person(self, erase: ErasePerson) -> None: ...

    @abstractmethod
    async def save_analysis(self, table: str, body: bytes) -> None: ...

    @abstractmethod
    async def unchanged_since(self, status: str, before: int) -> list[str]: ...

    @abstractmethod
    async def load(self, table: str) -> Stored: ...

    @abstractmethod
    async def history(self, table: str) -> list[Record]:
        """All records of a table."""

    @abstractmethod
    async def listed(self, status: str, limit: int = MAX_LISTED) -> list[tuple[str, Listing]]: ...

    @abstractmethod
    async def replay(self, table: str) -> bytes | None: ...

    @abstractmethod
    async def analysis(self, table: str) -> bytes | None: ...
