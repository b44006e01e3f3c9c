"""The SQL of the store, for SQLite and PostgreSQL."""

from collections.abc import Sequence

from . import integrity, person_erasure
from .connection import DatabaseConnection, Row
from .contract import (
    AddressBan,
    Append,
    Change,
    Conflict,
    EraseExpired,
    ErasePerson,
    Listing,
    Record,
    SaveAnalysis,
    SaveClock,
    Snapshot,
    Stored,
    UnknownTable,
)

ROWS_AT_ONCE = 500
MAX_TALK = 7_000  # chat lines loaded per table; fewer are readable

CREATE = """INSERT INTO tables (id, epoch, seq, digest_seq, digest, game, status, touched, card, listed, node)
 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"""
REGISTER = "INSERT INTO table_ids (table_id) VALUES (?) ON CONFLICT (table_id) DO NOTHING"
IS_REGISTERED = "SELECT 1 FROM table_ids WHERE table_id = ?"
HEAD = f"""epoch = ?, seq = ?, digest_seq = ?,
 digest = CASE WHEN digest_seq = ? THEN (digest + ?) & {integrity.MODULUS - 1} END"""
AT = "WHERE id = ? AND epoch = ? AND seq = ?"
ADVANCE = f"UPDATE tables SET {HEAD}, game = ?, status = ?, touched = ?, card = ?, listed = ?, erased = 0 {AT}"
GO_ON = f"UPDATE tables SET {HEAD} {AT}"  # updates no index
INSERT = "INSERT INTO records (table_id, seq, body, personal) VALUES (?, ?, ?, ?)"
UPSERT_SNAPSHOT = """INSERT INTO snapshots (table_id, seq, body) VALUES (?, ?, ?)
 ON CONFLICT (table_id) DO UPDATE SET seq = excluded.seq, body = excluded.body"""
UPSERT_REPLAY = """INSERT INTO films (table_id, body) VALUES (?, ?)
 ON CONFLICT (table_id) DO UPDATE SET body = excluded.body"""
UPSERT_ANALYSIS = """INSERT INTO analyses (table_id, body) VALUES (?, ?)
 ON CONFLICT (table_id) DO UPDATE SET body = excluded.body"""
UPSERT_BAN = """INSERT INTO banned_addresses (network, until, why) VALUES (?, ?, ?)
 ON CONFLICT (network) DO UPDATE SET until = excluded.until, why = excluded.why"""
LOAD = """SELECT seq, digest, digest_seq, epoch, clock, node, game, status, touched, card, listed
 FROM tables WHERE id = ?"""
UPDATE_CLOCK = "UPDATE tables SET clock = ? WHERE id = ? AND epoch = ?"
SELECT_BANS = "SELECT network, until, why FROM banned_addresses ORDER BY until, network"
INSERT_TALK = """INSERT INTO talk (table_id, number, body)
 SELECT ?, COALESCE(MAX(number), 0) + 1, ? FROM talk WHERE table_id = ?"""
DELETE_TALK = "DELETE FROM talk WHERE table_id = ? AND body = ?"
ENDED = "status IN ('finished', 'closed') AND erased = 0 AND touched < ?"


def commit(connection: DatabaseConnection, group: Sequence[Change]) -> list[Conflict | None]:
    """Commit a group of changes in one transaction; conflicting ones are skipped and returned as Conflict."""
    with connection.transaction():
        return [_make(connection, change) for change in group]


def _make(connection: DatabaseConnection, change: Change) -> Conflict | None:
    if isinstance(change, Append):
        return _append(connection, change)
    if isinstance(change, SaveClock):
        connection.change(UPDATE_CLOCK, change.body, change.table, change.epoch)
    elif isinstance(change, SaveAnalysis):
        connection.change(UPSERT_ANALYSIS, change.table, change.body)
    elif isinstance(change, ErasePerson):
        return person_erasure.erase(connection, change)
    elif isinstance(change, AddressBan):
        connection.change(UPSERT_BAN, change.network, change.until, change.why)
    else:
        _erase(connection, change)
    return None


def _erase(connection: DatabaseConnection, erase: EraseExpired) -> None:
    expired = f"IN (SELECT id FROM tables WHERE {ENDED})"
    connection.change(f"UPDATE records SET personal = NULL WHERE table_id {expired}", erase.before)
    for place in ("snapshots", "talk"):
        connection.change(f"DELETE FROM {place} WHERE table_id {expired}", erase.before)
    connection.change(f"UPDATE tables SET card = '{{}}', listed = 0, erased = 1 WHERE {ENDED}", erase.before)
    connection.change("DELETE FROM banned_addresses WHERE until < ?", erase.today)


def _append(connection: DatabaseConnection, append: Append) -> Conflict | None:
    if not _advance(connection, append):
        return Conflict("This table was changed or taken over by somebody else.")
    for seq, record in enumerate(append.records, append.after + 1):
        connection.change(INSERT, append.table, seq, record.body, record.personal)
    if append.snapshot is not None:
        connection.change(UPSERT_SNAPSHOT, append.table, append.after + len(append.records), append.snapshot)
    if append.replay is not None:
        connection.change(UPSERT_REPLAY, append.table, append.replay)
    for line in append.unread:
        connection.change(DELETE_TALK, append.table, line)
    for line in append.talk:
        connection.change(INSERT_TALK, append.table, line, append.table)
    return None


def _advance(connection: DatabaseConnection, append: Append) -> bool:
    """Update a table's record count and digest, if its epoch and count are as the owner expects."""
    epoch, seq, listing = append.epoch + append.claim, append.after + len(append.records), append.listing
    added = integrity.digest((number, each.body) for number, each in enumerate(append.records, append.after + 1))
    head, where = (epoch, seq, seq, append.after, added), (append.table, append.epoch, append.after)
    if listing is None and append.after:
        return connection.change(GO_ON, *head, *where) == 1
    assert listing, "a new table has one"
    listed = (listing.game, listing.status, listing.touched, listing.card, int(listing.listed))
    if append.after:
        return connection.change(ADVANCE, *head, *listed, *where) == 1
    if connection.rows(IS_REGISTERED, append.table):  # also if its row is lost: old records must not mix with new ones
        return False
    created = connection.change(CREATE, append.table, epoch, seq, seq, added, *listed, append.node) == 1
    if created:
        connection.change(REGISTER, append.table)
    return created


def load(connection: DatabaseConnection, table: str) -> Stored:
    """Read a table in one transaction; raise Incomplete if records are missing."""
    with connection.transaction():
        found = connection.rows(LOAD, table)
        if not found:
            integrity.check_unknown(connection, table)
            raise UnknownTable("There is no such table.")
        seq, digest, digest_seq, epoch, clock, node, game, status, touched, card, listed = found[0]
        head = integrity.Head(seq, digest, digest_seq)
        snapshots = connection.rows("SELECT seq, body FROM snapshots WHERE table_id = ?", table)
        snapshot = Snapshot(*snapshots[0]) if snapshots else None
        rows = integrity.records_of(connection, table, head, snapshot.seq if snapshot else 0)
        chat = connection.rows("SELECT body FROM talk WHERE table_id = ? ORDER BY number DESC LIMIT ?", table, MAX_TALK)
    listing = Listing(game, status, touched, card, bool(listed))
    return Stored(epoch, seq, listing, snapshot, _records(rows), [body for (body,) in reversed(chat)], clock, node)


def history(connection: DatabaseConnection, table: str) -> list[Record]:
    """Read every record of a table from its first; raise Incomplete if any is missing or was altered."""
    with connection.transaction():
        return _records(integrity.whole_table(connection, table))


def _records(rows: Sequence[Row]) -> list[Record]:
    return [Record(body, personal) for _, body, personal in rows]


def record_counts(connection: DatabaseConnection, tables: Sequence[str]) -> dict[str, int]:
    """The record counts in the tables' rows; 0 for a missing row."""
    found = dict.fromkeys(tables, 0)
    for start in range(0, len(tables), ROWS_AT_ONCE):
        part = tables[start : start + ROWS_AT_ONCE]
        statement = f"SELECT id, seq FROM tables WHERE id IN ({', '.join('?' * len(part))})"
        found.update((table, seq) for table, seq in connection.rows(statement, *part))
    return found


def listed(connection: DatabaseConnection, status: str, limit: int) -> list[tuple[str, Listing]]:
    """Public tables with a status, the last changed first."""
    statement = """SELECT id, game, status, touched, card FROM tables WHERE status = ? AND listed = 1
 ORDER BY touched DESC, id LIMIT ?"""
    return [(table, Listing(*row)) for table, *row in connection.rows(statement, status, limit)]


def unchanged_since(connection: DatabaseConnection, status: str, before: int) -> list[str]:
    """Tables with a status that were not changed since a time."""
    found = connection.rows("SELECT id FROM tables WHERE status = ? AND touched < ? LIMIT 1000", status, before)
    return [table for (table,) in found]


def address_bans(connection: DatabaseConnection) -> list[tuple[str, int, str]]:
    """All address bans, expired ones included."""
    return [(network, until, why) for network, until, why in connection.rows(SELECT_BANS)]


def replay(connection: DatabaseConnection, table: str) -> bytes | None:
    found = connection.rows("SELECT body FROM films WHERE table_id = ?", table)
    return bytes(found[0][0]) if found else None


def analysis(connection: DatabaseConnection, table: str) -> bytes | None:
    found = connection.rows("SELECT body FROM analyses WHERE table_id = ?", table)
    return bytes(found[0][0]) if found else None
