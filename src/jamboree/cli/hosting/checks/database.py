"""Checks the database: that it exists, is undamaged and complete, and has the right version."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from jamboree.core.errors import JamboreeError
from jamboree.server.store import StoreError
from jamboree.server.store.connection import DatabaseConnection
from jamboree.server.store.health import ADVICE, MAX_NAMED
from jamboree.server.store.integrity import incomplete_tables
from jamboree.server.store.lost_commits import LastRun, advice, has_log, opened_readonly, read_last_run
from jamboree.server.store.migrations import newest
from jamboree.server.store.postgres import PostgresConnection
from jamboree.server.store.sqlite_files import check_database, is_locked, wal_of

from ..configuration import Configuration, hide_password
from .result import CheckResult, good, warn, wrong

SCHEMA_VERSION = "SELECT COALESCE(MAX(number), 0) FROM migrations"
LAST_USED = "SELECT COALESCE(MAX(touched), 0) FROM tables"
TABLE_COUNT = "SELECT COUNT(*) FROM tables"
TIME_LIMIT = 30.0  # seconds for reading the whole database
MAX_CLOCK_DIFFERENCE = 120.0  # seconds
GROUP_AND_OTHERS = 0o077  # permission bits
REQUIRED = {"fsync": "on", "full_page_writes": "on"}  # settings of PostgreSQL


def database(settings: Configuration) -> Iterator[CheckResult]:
    address: str = settings["db"]
    is_postgres = "://" in address
    try:
        yield from _postgres(address) if is_postgres else _sqlite(Path(address))
    except StoreError as error:
        advice = "Check that the database is running, and its address, user and password."
        yield wrong(str(error), advice if is_postgres else "Restore a copy with `jamboree restore`, if there is one.")


def _sqlite(path: Path) -> Iterator[CheckResult]:
    if not path.exists():
        yield good(f"There is no database at {path} yet; the server will create one.")
        return
    if path.is_file() and not path.stat().st_size:
        yield good(f"{path} is empty; the server will create its tables.")
        return
    try:
        check_database(path)
    except (JamboreeError, OSError) as error:
        yield wrong(str(error), "Name another file with --db, or restore a copy with `jamboree restore`.")
        return
    if path.stat().st_mode & GROUP_AND_OTHERS:
        yield warn(f"Other users can read {path}.", f"chmod 600 {path}; a server does so when it starts.")
    held = is_locked(path)
    yield good(f"{path} is a database of Jamboree, and {'a' if held else 'no'} server uses it.")
    had_log = has_log(path)
    with opened_readonly(path) as connection:
        yield from _session(path, read_last_run(connection, path, had_log), held)
        yield from _contents(connection)
        faults = connection.faults(TIME_LIMIT, lambda: False)
    if faults is None:
        yield warn(
            f"It is too large to be checked for damage in {TIME_LIMIT:.0f} s.", "A running server checks it every hour."
        )
    elif faults:
        yield wrong(f"It is damaged: {faults[0]}", "Stop the server and restore a copy: jamboree restore COPY --force.")
    else:
        yield good("It is not damaged.")


def _session(path: Path, session: LastRun, held: bool) -> Iterator[CheckResult]:
    """Check how the last server left the database, unless a server is using it now."""
    if held:
        session = session._replace(was_clean=True, missing=0, is_doubtful=False)
    for fault in session.faults(path):
        yield wrong(fault, advice(path))
    if not session.was_clean and session.is_complete:
        known = f"{session.completeness[0].upper()}{session.completeness[1:]}"
        yield warn(
            f"The last server was not stopped cleanly. {known}; some may be in {wal_of(path)}.",
            "Its log may tell why. Always move or copy all files together whose names begin with that of the database.",
        )


def _postgres(address: str) -> Iterator[CheckResult]:
    connection = PostgresConnection(address, readonly=True)
    try:
        [(server,)] = connection.rows("SHOW server_version")
        yield good(f"{hide_password(address)} answers: PostgreSQL {server}.")
        for name, value in REQUIRED.items():
            [(actual,)] = connection.rows(f"SHOW {name}")
            if actual != value:
                yield wrong(
                    f"{name} is {actual} in PostgreSQL, so a power failure can lose moves.", f"Set {name} = {value}."
                )
        [(database_time,)] = connection.rows("SELECT EXTRACT(EPOCH FROM now())::float8")
        if abs(database_time - time.time()) > MAX_CLOCK_DIFFERENCE:
            difference = abs(database_time - time.time())
            yield wrong(f"Its clock differs from this machine's by {difference:.0f} s.", "Synchronize both with NTP.")
        if connection.rows("SELECT to_regclass('migrations')") == [(None,)]:
            yield good("It is empty; the server will create its tables.")
        else:
            yield from _contents(connection)
    finally:
        connection.close()


def _contents(connection: DatabaseConnection) -> Iterator[CheckResult]:
    [(version,)] = connection.rows(SCHEMA_VERSION)
    [(last_used,)] = connection.rows(LAST_USED)
    [(count,)] = connection.rows(TABLE_COUNT)
    if version > newest():
        yield wrong(
            f"It was written by a newer version of Jamboree: its schema version is {version}, not {newest()}.",
            "Install that version, or restore an older copy.",
        )
    elif version < newest():
        yield good(f"It has {count} tables and schema version {version}; the server will upgrade it to {newest()}.")
    else:
        yield good(f"It has {count} tables and schema version {version}.")
        yield from _records(connection)
    if last_used > time.time() + MAX_CLOCK_DIFFERENCE:
        when = datetime.fromtimestamp(last_used, UTC).isoformat(" ", "minutes")
        yield wrong(
            f"A table was last used at {when}, which is in the future.", "Set the clock: it is wrong now, or was then."
        )


def _records(connection: DatabaseConnection) -> Iterator[CheckResult]:
    deadline = time.monotonic() + TIME_LIMIT
    incomplete = incomplete_tables(connection, True, lambda: time.monotonic() > deadline)
    for table, fault in list((incomplete or {}).items())[:MAX_NAMED]:
        yield wrong(f"Table {table} is incomplete: {fault}.", ADVICE[:1].upper() + ADVICE[1:] + ".")
    if incomplete is None:
        yield warn(
            f"The records of all tables can't be checked in {TIME_LIMIT:.0f} s.",
            "A running server checks them every hour.",
        )
    elif len(incomplete) > MAX_NAMED:
        yield wrong(f"{len(incomplete)} tables are incomplete in total.", "`jamboree accept-loss` lists them.")
    elif not incomplete:
        yield good("No records are missing.")
