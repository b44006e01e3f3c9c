"""Detects missing and altered records: a table has a record count, a digest of its bodies and an entry in `table_ids`.

The digest is the sum of one hash for each record, of its number and body, modulo 2**62. A sum can be carried on by the
UPDATE that raises the count, so that an append needs no further statement; the sum of two such numbers fits the 64 bits
that SQLite and PostgreSQL have. It is made for damage and mistakes, not against forgery. Personal data is left out,
since it is erased while the record stays.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from .connection import DatabaseConnection, Row
from .contract import Incomplete

MODULUS = 1 << 62
TABLES_AT_ONCE = 500  # checked in one transaction
MAX_NUMBERS = 3  # of missing records that are listed
HEAD = "SELECT seq, digest, digest_seq FROM tables WHERE id = ?"
RECORDS = "SELECT seq, body, personal FROM records WHERE table_id = ? AND seq > ? ORDER BY seq"
ACCEPTED = "SELECT 1 FROM table_ids WHERE table_id = ? AND loss_accepted = 1"
ACCEPT = """INSERT INTO table_ids (table_id, loss_accepted) VALUES (?, 1)
 ON CONFLICT (table_id) DO UPDATE SET loss_accepted = 1"""
NO_ROW, NO_TRACE = "its row in the table `tables` is missing", "all of it is missing"
ALTERED = "its records do not match their digest"


class Head(NamedTuple):
    """The record count and digest in a table's row."""

    seq: int
    digest: int | None
    digest_seq: int


def digest(records: Iterable[tuple[int, str]]) -> int:
    """The digest of numbered records; digests of disjoint parts add up."""
    return sum(_hash(seq, body) for seq, body in records) % MODULUS


def _hash(seq: int, body: str) -> int:
    return int.from_bytes(blake2b(f"{seq} {body}".encode(), digest_size=8).digest(), "big")


def fill_digests(connection: DatabaseConnection) -> None:
    """Migration: compute the digest of every complete table."""
    for table, seq in connection.rows("SELECT id, seq FROM tables"):
        records = connection.rows(RECORDS, table, 0)
        if not _missing(records, 0, seq):
            value = digest((number, body) for number, body, _ in records)
            connection.change("UPDATE tables SET digest = ?, digest_seq = ? WHERE id = ?", value, seq, table)


def whole_table(connection: DatabaseConnection, table: str) -> list[Row]:
    """Read all records of a table, inside a transaction; raise Incomplete if any is missing or altered."""
    head = connection.rows(HEAD, table)
    if not head:
        check_unknown(connection, table)
        return []
    return records_of(connection, table, Head(*head[0]))


def records_of(connection: DatabaseConnection, table: str, head: Head, after: int = 0) -> list[Row]:
    """Read a table's records after a number, inside the transaction that read its head."""
    records = connection.rows(RECORDS, table, after)
    fault = _missing(records, after, head.seq) or _beyond(head)
    if not fault and after == 0 and head.digest is not None and head.digest_seq == head.seq:
        fault = "" if head.digest == digest((number, body) for number, body, _ in records) else ALTERED
    if fault:
        raise incomplete(connection, table, fault)
    return records


def _beyond(head: Head) -> str:
    """A digest may be missing or behind where an earlier version appended during an update, but never ahead."""
    covered = f"its digest covers {head.digest_seq} records, and its row counts {head.seq}"
    return covered if head.digest_seq > head.seq else ""


def check_unknown(connection: DatabaseConnection, table: str) -> None:
    """Raise Incomplete if a table without a row existed once."""
    if connection.rows("SELECT 1 FROM records WHERE table_id = ? LIMIT 1", table):
        raise incomplete(connection, table, NO_ROW)
    if connection.rows("SELECT 1 FROM table_ids WHERE table_id = ?", table):
        raise incomplete(connection, table, NO_TRACE)


def incomplete(connection: DatabaseConnection, table: str, fault: str) -> Incomplete:
    return Incomplete(table, fault, accepted=bool(connection.rows(ACCEPTED, table)))


def incomplete_tables(
    connection: DatabaseConnection, contents: bool, stopped: Callable[[], bool]
) -> dict[str, str] | None:
    """Check all tables by their numbers of records, and by their digests if asked; None if stopped before the end."""
    found, low, high = dict[str, str](), "", ""
    while True:
        if stopped():
            return None
        with connection.transaction():
            page = connection.rows("SELECT id FROM tables WHERE id > ? ORDER BY id LIMIT ?", low, TABLES_AT_ONCE)
            high = page[-1][0] if len(page) == TABLES_AT_ONCE else ""
            found.update(_incomplete_between(connection, low, high))
        for (table,) in page if contents else ():
            if table not in found:
                if stopped():
                    return None
                found.update(altered(connection, table))
        if not high:
            return dict(sorted(found.items()))
        low = high


def altered(connection: DatabaseConnection, table: str) -> dict[str, str]:
    """A table's fault by its id, unless it is complete or its loss was accepted."""
    try:
        with connection.transaction():
            whole_table(connection, table)
    except Incomplete as error:
        return {} if error.accepted else {table: error.fault}
    return {}


def accept_loss(connection: DatabaseConnection, tables: Iterable[str]) -> None:
    """Stop reporting tables as incomplete; their remaining records stay."""
    for table in tables:
        connection.change(ACCEPT, table)


def _incomplete_between(connection: DatabaseConnection, low: str, high: str) -> dict[str, str]:
    """Compare the tables' rows, their records, and the registry of all tables ever created."""

    def between(statement: str, name: str, after: str = "") -> list[Row]:
        bounds = f"{name} > ? AND {name} <= ?" if high else f"{name} > ?"
        return connection.rows(f"{statement} WHERE {bounds} {after}", low, *([high] if high else []))

    heads = {row[0]: Head(*row[1:]) for row in between("SELECT id, seq, digest, digest_seq FROM tables", "id")}
    spans = {
        table: span
        for table, *span in between(
            "SELECT table_id, COUNT(*), MIN(seq), MAX(seq) FROM records", "table_id", "GROUP BY table_id"
        )
    }
    known = {row[0]: row[1] for row in between("SELECT table_id, loss_accepted FROM table_ids", "table_id")}
    found = {}
    for table in heads.keys() | spans.keys() | known.keys():
        if known.get(table):
            continue
        head = heads.get(table)
        if head is None:
            found[table] = NO_ROW if table in spans else NO_TRACE
        elif spans.get(table, [0, 1, 0]) != [head.seq, 1, head.seq]:
            numbers = connection.rows("SELECT seq FROM records WHERE table_id = ? ORDER BY seq", table)
            found[table] = _missing(numbers, 0, head.seq)
        elif fault := _beyond(head):
            found[table] = fault
    return found


def _missing(records: Sequence[Row], after: int, seq: int) -> str:
    """Describe the records that are missing or were not counted; empty if there are none."""
    if len(records) == seq - after and (not records or (records[0][0], records[-1][0]) == (after + 1, seq)):
        return ""
    there = {number for number, *_ in records}
    missing = [number for number in range(after + 1, seq + 1) if number not in there]
    if not missing:
        return f"its row counts {seq} records, and it had more"
    if len(missing) == seq > 1:
        return "all of its records are missing"
    if len(missing) == 1:
        return f"record {missing[0]} is missing"
    named = ", ".join(map(str, missing[:MAX_NUMBERS]))
    rest = len(missing) - MAX_NUMBERS
    return f"records {named} and {rest} more are missing" if rest > 0 else f"records {named} are missing"
