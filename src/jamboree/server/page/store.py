"""The store of a page: tables as rows of a disk, of which one page at a time is the owner.

A table has a row `heads/{code}` with its epoch, record count, listing, chat and clock, and one row for every
record. Every transaction is guarded by the head that the page has read, so that two pages can't both go on.
"""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any

import msgspec

from ..store.contract import (
    MAX_LISTED,
    Append,
    Conflict,
    Damaged,
    ErasePerson,
    Incomplete,
    Listing,
    Record,
    SaveClock,
    Snapshot,
    Stored,
    TableStore,
    Unavailable,
    UnknownTable,
)
from ..store.person_erasure import name_records, plan_erasure
from .disk import Disk, DiskFailed, Guard, GuardFailed

HEADS = "heads/"
encode, decode = msgspec.json.encode, msgspec.json.decode


class Head(msgspec.Struct, frozen=True, array_like=True):
    """Everything about a table but its records."""

    epoch: int
    seq: int
    listing: Listing
    talk: tuple[str, ...] = ()
    clock: str = ""


def _head_key(table: str) -> str:
    return f"{HEADS}{table}"


def _record_key(table: str, seq: int) -> str:
    return f"records/{table}/{seq:09}"


class PageStore(TableStore):
    """Writes one change after the other: checked, on disk, and only then acknowledged."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self._heads: dict[str, tuple[Head, bytes]] = {}  # with the rows as they are on disk
        self._writing = asyncio.Lock()
        self._pending: set[asyncio.Future[None]] = set()

    async def open(self) -> None:
        """Read the heads of all tables."""
        await self._read_heads()

    async def _read_heads(self, table: str = "") -> None:
        for key, row in (await self.disk.read(_head_key(table))).items():
            self._heads[key.removeprefix(HEADS)] = decode(row, type=Head), row

    async def append(self, append: Append) -> None:
        await self._submit(self._append(append))

    def save_clock(self, clock: SaveClock) -> "asyncio.Future[None]":
        return self._submit(self._save_clock(clock))

    async def erase_expired(self, before: int, today: int = 0) -> None:
        """Do nothing: people delete the names on their own device themselves."""

    async def erase_person(self, erase: ErasePerson) -> None:
        await self._submit(self._erase_person(erase))

    async def save_analysis(self, table: str, body: bytes) -> None:
        await self._submit(self._write({f"analyses/{table}": body}))

    async def unchanged_since(self, status: str, before: int) -> list[str]:
        listings = {code: head.listing for code, (head, _) in self._heads.items()}
        return [code for code, listing in listings.items() if listing.status == status and listing.touched < before]

    async def load(self, table: str) -> Stored:
        head, _ = self._known(table)
        snapshot = await self._row(f"snapshots/{table}")
        shot = decode(snapshot, type=Snapshot) if snapshot else None
        records = (await self._records(table, head.seq))[shot.seq if shot else 0 :]
        return Stored(head.epoch, head.seq, head.listing, shot, records, list(head.talk), head.clock)

    async def history(self, table: str) -> list[Record]:
        head, _ = self._known(table)
        return await self._records(table, head.seq)

    async def listed(self, status: str, limit: int = MAX_LISTED) -> list[tuple[str, Listing]]:
        listings = [(code, head.listing) for code, (head, _) in self._heads.items()]
        found = [each for each in listings if each[1].status == status and each[1].listed]
        return sorted(found, key=lambda each: each[1].touched, reverse=True)[:limit]

    async def replay(self, table: str) -> bytes | None:
        return await self._row(f"replays/{table}")

    async def analysis(self, table: str) -> bytes | None:
        return await self._row(f"analyses/{table}")

    def tables(self) -> list[str]:
        """The codes of all tables."""
        return list(self._heads)

    async def delete(self, table: str) -> None:
        """Delete a table for good."""
        await self._submit(self._delete(table))

    def _submit(self, change: Coroutine[Any, Any, None]) -> "asyncio.Future[None]":
        """Carry out a change, also if its caller is cancelled."""
        task = asyncio.ensure_future(change)
        self._pending.add(task)
        task.add_done_callback(self._done)
        return asyncio.shield(task)

    def _done(self, task: "asyncio.Future[None]") -> None:
        self._pending.discard(task)
        task.cancelled() or task.exception()  # the caller may be gone

    async def _append(self, append: Append) -> None:
        async with self._writing:
            table, known = append.table, self._heads.get(append.table)
            at = (known[0].epoch, known[0].seq) if known else None
            if at != ((append.epoch, append.after) if append.after else None):
                raise Conflict("This table was changed or taken over by somebody else.")
            head, rows = _appended(known[0] if known else None, append)
            await self._write_head(table, head, rows)

    async def _save_clock(self, clock: SaveClock) -> None:
        async with self._writing:
            head = self._heads[clock.table][0] if clock.table in self._heads else None
            if head and head.epoch == clock.epoch:
                await self._write_head(clock.table, msgspec.structs.replace(head, clock=clock.body), {})

    async def _erase_person(self, erase: ErasePerson) -> None:
        async with self._writing:
            table, (head, _) = erase.table, self._known(erase.table)
            if erase.epoch is not None and erase.epoch != head.epoch:
                raise Conflict("This table was changed or taken over by somebody else.")
            history = await self._records(table, head.seq)
            erasure = plan_erasure(name_records(history), erase)
            rows: dict[str, bytes | None] = {f"snapshots/{table}": None}
            for seq, name in erasure.names.items():
                rows[_record_key(table, seq)] = encode(Record(history[seq - 1].body, name))
            card = erasure.anonymized(head.listing.card)
            talk = tuple(line for line in head.talk if not erasure.mentions(line))
            listing = msgspec.structs.replace(head.listing, card=card)
            await self._write_head(table, msgspec.structs.replace(head, listing=listing, talk=talk), rows)

    async def _delete(self, table: str) -> None:
        async with self._writing:
            row = self._known(table)[1]
            keys = [*(await self.disk.read(f"records/{table}/")), _head_key(table)]
            others = [f"{kind}/{table}" for kind in ("snapshots", "replays", "analyses")]
            await self._write(dict.fromkeys([*keys, *others]), Guard(_head_key(table), row))
            del self._heads[table]

    async def _write_head(self, table: str, head: Head, rows: Mapping[str, bytes | None]) -> None:
        key, row, known = _head_key(table), encode(head), self._heads.get(table)
        await self._write({**rows, key: row}, Guard(key, known[1] if known else None))
        self._heads[table] = head, row

    async def _write(self, rows: Mapping[str, bytes | None], guard: Guard | None = None) -> None:
        try:
            await self.disk.write(rows, guard)
        except GuardFailed:
            await self._read_heads()
            raise Conflict("This table is open in another window of this browser.") from None
        except DiskFailed as error:
            raise Unavailable(f"This browser can't store anything: {error}.") from None

    def _known(self, table: str) -> tuple[Head, bytes]:
        if table not in self._heads:
            raise UnknownTable("There is no such table.")
        return self._heads[table]

    async def _records(self, table: str, count: int) -> list[Record]:
        """All records of a table; raise Incomplete if the browser has lost any."""
        rows = await self.disk.read(f"records/{table}/")
        if list(rows) != [_record_key(table, seq) for seq in range(1, count + 1)]:
            raise Incomplete(table, "the browser has lost records of it")
        try:
            return [decode(row, type=Record) for row in rows.values()]
        except msgspec.MsgspecError as error:
            raise Damaged(f"Table {table} can't be read: {error}.") from None

    async def _row(self, key: str) -> bytes | None:
        return (await self.disk.read(key)).get(key)


def _appended(known: Head | None, append: Append) -> tuple[Head, dict[str, bytes | None]]:
    """The head after an append, and its other rows."""
    listing = append.listing or (known and known.listing)
    assert listing, "a new table has one"
    kept = [line for line in known.talk if line not in append.unread] if known else []
    head = Head(
        append.epoch + append.claim,
        append.after + len(append.records),
        listing,
        (*kept, *append.talk),
        known.clock if known else "",
    )
    rows: dict[str, bytes | None] = {
        _record_key(append.table, seq): encode(record) for seq, record in enumerate(append.records, append.after + 1)
    }
    if append.snapshot is not None:
        rows[f"snapshots/{append.table}"] = encode(Snapshot(head.seq, append.snapshot))
    if append.replay is not None:
        rows[f"replays/{append.table}"] = append.replay
    return head, rows
