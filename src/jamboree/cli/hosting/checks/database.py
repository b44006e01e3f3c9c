"""The database: whether it is there, whole, of the right version, and whose."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from jamboree.core.errors import JamboreeError
from jamboree.server.store import StoreError
from jamboree.server.store.connection import Connection
from jamboree.server.store.health import ADVICE, MAX_NAMED
from jamboree.server.store.integrity import incomplete_tables
from jamboree.server.store.lost_commits import LastRun, advice, opened_readonly, read_last_run
from jamboree.server.store.migrations import newest
from jamboree.server.store.postgres import PostgresConnection
from jamboree.server.store.sqlite_files import check_application_id, is_locked, wal_of

from ..finding import Finding, good, warn, wrong
from ..found import Configuration, hidden

REACHED = "SELECT COALESCE(MAX(number), 0) FROM migrations"
NEWEST = "SELECT COALESCE(MAX(touched), 0) FROM tables"
COUNTED = "SELECT COUNT(*) FROM tables"
LOOKED_THROUGH = 30.0  # seconds
AHEAD = 120.0  # seconds the tables may be ahead of the clock
OTHERS = 0o077
NEEDED = {"fsync": "on", "full_page_writes": "on"}  # of PostgreSQL


def database(found: Configuration) -> Iterator[Finding]:
    where: str = found["db"]
    try:
        yield from _postgres(where) if "://" in where else _sqlite(Path(where))
    except StoreError as error:
        yield wrong(str(error), "Look whether the database runs, and whether its address, user and password are right.")


def _sqlite(path: Path) -> Iterator[Finding]:
    if not path.exists():
        yield good(f"There is no database at {path} yet; the server makes one.")
        return
    try:
        check_application_id(path)
    except (JamboreeError, OSError) as error:
        yield wrong(str(error), "Name another file with --db, or put a copy back with `jamboree restore`.")
        return
    if path.stat().st_mode & OTHERS:
        yield warn(f"Others can read {path}.", f"chmod 600 {path}; a server does so when it starts.")
    lock_database = is_locked(path)
    yield good(f"{path} is a database of ours, and {'a' if lock_database else 'no'} server uses it.")
    has_wal = wal_of(path).exists()
    with opened_readonly(path) as connection:
        yield from _session(path, read_last_run(connection, path, has_wal), lock_database)
        yield from _contents(connection)
        faults = connection.faults(LOOKED_THROUGH, lambda: False)
    if faults is None:
        yield warn(
            f"It is too large to be looked through in {LOOKED_THROUGH:.0f} s.", "A running server does so every hour."
        )
    elif faults:
        yield wrong(
            f"It is damaged: {faults[0]}", "Stop the server and put a copy back: jamboree restore COPY --force."
        )
    else:
        yield good("It was looked through and is whole.")


def _session(path: Path, session: LastRun, lock_database: bool) -> Iterator[Finding]:
    """Judge how the last server left a database; one that is running has it open."""
    if lock_database:
        session = session._replace(was_clean=True, missing=0, is_doubtful=False)
    for fault in session.faults(path):
        yield wrong(fault, advice(path))
    if not session.was_clean and session.is_complete:
        yield warn(
            f"The last server was not stopped cleanly. All commits are here, but some may be in {wal_of(path)} only.",
            "Look into its log for the reason; move or copy the two files together.",
        )


def _postgres(address: str) -> Iterator[Finding]:
    connection = PostgresConnection(address, readonly=True)
    try:
        [(server,)] = connection.rows("SHOW server_version")
        yield good(f"{hidden(address)} answers: PostgreSQL {server}.")
        for name, value in NEEDED.items():
            [(set_to,)] = connection.rows(f"SHOW {name}")
            if set_to != value:
                yield wrong(f"{name} is {set_to} there, so a power cut can lose moves.", f"Set {name} = {value}.")
        [(theirs,)] = connection.rows("SELECT EXTRACT(EPOCH FROM now())::float8")
        if abs(theirs - time.time()) > AHEAD:
            yield wrong(f"Its clock differs from this one by {abs(theirs - time.time()):.0f} s.", "Let NTP set both.")
        if connection.rows("SELECT to_regclass('migrations')") == [(None,)]:
            yield good("It is empty; the server makes its tables.")
        else:
            yield from _contents(connection)
    finally:
        connection.close()


def _contents(connection: Connection) -> Iterator[Finding]:
    [(reached,)], [(latest,)] = connection.rows(REACHED), connection.rows(NEWEST)
    [(count,)] = connection.rows(COUNTED)
    if reached > newest():
        yield wrong(
            f"A newer Jamboree made it: its version is {reached}, not {newest()}.",
            "Install that one, or put a copy back that was made before.",
        )
    elif reached < newest():
        yield good(f"It has {count} tables and is of version {reached}; the server takes it to {newest()}.")
    else:
        yield good(f"It has {count} tables and is of version {reached}.")
        yield from _records(connection)
    if latest > time.time() + AHEAD:
        when = datetime.fromtimestamp(latest, UTC).isoformat(" ", "minutes")
        yield wrong(
            f"A table was last used at {when}, which is yet to come.", "Set the clock; one of the two is wrong."
        )


def _records(connection: Connection) -> Iterator[Finding]:
    end = time.monotonic() + LOOKED_THROUGH
    found = incomplete_tables(connection, True, lambda: time.monotonic() > end)
    for table, fault in list((found or {}).items())[:MAX_NAMED]:
        yield wrong(f"Table {table} is incomplete: {fault}.", ADVICE[:1].upper() + ADVICE[1:] + ".")
    if found is None:
        yield warn(
            f"The records of all tables can't be checked in {LOOKED_THROUGH:.0f} s.",
            "A running server does so every hour.",
        )
    elif len(found) > MAX_NAMED:
        yield wrong(f"{len(found)} tables are incomplete in all.", "jamboree accept-loss lists them.")
    elif not found:
        yield good("No records are missing.")
