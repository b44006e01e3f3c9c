"""PostgreSQL connections, with psycopg."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from .connection import Row
from .contract import DatabaseUnreachable, StoreError

MIGRATION_LOCK = 0x6A616D62  # advisory lock during migrations
SERVER_LOCK = 0x6A616D63  # advisory lock of the server that owns the database
TRANSIENT = (  # errors that pass; a read-only database is a replica after a failover
    psycopg.OperationalError,
    psycopg.errors.IdleInTransactionSessionTimeout,
    psycopg.errors.ReadOnlySqlTransaction,
)
CONNECTION_DEFAULTS = {  # defaults: a writable host, and keepalive
    "target_session_attrs": "read-write",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
SET_IDLE_TIMEOUT = "SET idle_in_transaction_session_timeout = {}"  # milliseconds
LEASE_FRACTION = 0.5  # of the lease, after which a server stopped inside a commit loses its row locks
SETTINGS = """SET synchronous_commit = on; SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '60s';
 SET statement_timeout = 0"""  # a timeout would acknowledge commits that a synchronous replica lacks


class PostgresConnection:
    def __init__(self, address: str, readonly: bool = False) -> None:
        with _as_store_errors():
            self._connection = psycopg.connect(conninfo(address), autocommit=True, connect_timeout=5)
            try:
                self._set_up(readonly)
            except BaseException:
                self._connection.close()
                raise

    def _set_up(self, readonly: bool) -> None:
        self._connection.execute(SETTINGS)
        self._connection.read_only = readonly or None
        if readonly:
            self._connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ

    def rows(self, statement: str, *values: object) -> list[Row]:
        with _as_store_errors():
            return list(self._connection.execute(_in_dialect(statement), values))

    def change(self, statement: str, *values: object) -> int:
        with _as_store_errors():
            return self._connection.execute(_in_dialect(statement), values).rowcount

    def script(self, statements: str) -> None:
        """Run DDL statements under the migration lock."""
        with _as_store_errors():
            self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            self._connection.execute(_in_dialect(statements))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with _as_store_errors(), self._connection.transaction():
            yield

    def hold(self, lease: float = 0.0) -> None:
        """Lock the database for one server, or for a cluster with leases, as long as this connection lasts."""
        lock = b"SELECT pg_advisory_lock_shared(%s)" if lease else b"SELECT pg_advisory_lock(%s)"
        try:
            with _as_store_errors():
                self._connection.execute(lock, (SERVER_LOCK,))
                if lease:
                    self._connection.execute(SET_IDLE_TIMEOUT.format(round(1000 * LEASE_FRACTION * lease)).encode())
        except DatabaseUnreachable as error:
            self.close()
            if isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
                raise DatabaseUnreachable(
                    "Another server uses this database; stop it first, or name another with --db."
                ) from None
            raise

    def check(self) -> None:
        """Nothing to do: a connection stays with its database."""

    def checkpoint(self, idle: bool) -> None:
        """Nothing to do: the database server checkpoints."""

    def end(self) -> None:
        """Nothing to do: the database server recovers by itself."""

    def ping(self) -> None:
        self.rows("SELECT 1")

    def scrub(self) -> bool:
        """Nothing to do: autovacuum removes deleted rows."""
        return True

    def tidy(self) -> None:
        """Rewrite the tables without deleted rows."""
        with _as_store_errors():
            self._connection.execute("VACUUM (FULL) records, talk, snapshots, tables")

    def close(self) -> None:
        self._connection.close()


def conninfo(address: str) -> str:
    """A libpq connection string with our defaults; the URL may name several hosts."""
    parts: dict[str, Any] = {**CONNECTION_DEFAULTS, **conninfo_to_dict(address)}
    return make_conninfo(**parts)


@lru_cache
def _in_dialect(statement: str) -> bytes:
    return statement.replace("?", "%s").replace(" BLOB ", " BYTEA ").encode()


@contextmanager
def _as_store_errors() -> Iterator[None]:
    """Translate errors, and tell transient failures from faulty statements."""
    try:
        yield
    except psycopg.Error as error:
        kind = DatabaseUnreachable if isinstance(error, TRANSIENT) else StoreError
        raise kind(f"The database says: {_first_line(error)}.") from error


def _first_line(error: psycopg.Error) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).removesuffix(".")
