"""PostgreSQL, by psycopg."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from .connection import Row
from .contract import Lost, StoreError

ONE_AT_A_TIME = 0x6A616D62  # the number of the lock under which a database is brought up to date
ONE_SERVER = 0x6A616D63  # the number of the lock that the server has whose database it is
ON_THE_WAY = (  # what passes by itself; a database that can only be read has another one beside it that can be written
    psycopg.OperationalError,
    psycopg.errors.IdleInTransactionSessionTimeout,
    psycopg.errors.ReadOnlySqlTransaction,
)
LINE = {  # unless the address says otherwise: whoever answers can be written, and one that is gone is found out
    "target_session_attrs": "read-write",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
LET_GO_SOON = "SET idle_in_transaction_session_timeout = {}"  # in milliseconds
LETS_GO = 0.5  # of its lease: after so much of it a server that is stopped in a commit locks its tables no more
SETTINGS = """SET synchronous_commit = on; SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '60s';
 SET statement_timeout = 0"""  # by a timeout, what waits for a replica would count as kept


class Postgres:
    """A connection to a server."""

    def __init__(self, address: str, readonly: bool = False) -> None:
        with _in_our_words():
            self._connection = psycopg.connect(line_to(address), autocommit=True, connect_timeout=5)
            self._connection.execute(SETTINGS)
            self._connection.read_only = readonly or None
            if readonly:
                self._connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ

    def rows(self, statement: str, *values: object) -> list[Row]:
        with _in_our_words():
            return list(self._connection.execute(_in_dialect(statement), values))

    def change(self, statement: str, *values: object) -> int:
        with _in_our_words():
            return self._connection.execute(_in_dialect(statement), values).rowcount

    def script(self, statements: str) -> None:
        """Change the database's shape, while no other server does."""
        with _in_our_words():
            self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (ONE_AT_A_TIME,))
            self._connection.execute(_in_dialect(statements))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with _in_our_words(), self._connection.transaction():
            yield

    def hold(self, lease: float = 0.0) -> None:
        """Have the database for one server, or for several with leases, as long as this connection lasts."""
        lock = b"SELECT pg_advisory_lock_shared(%s)" if lease else b"SELECT pg_advisory_lock(%s)"
        try:
            with _in_our_words():
                self._connection.execute(lock, (ONE_SERVER,))
                if lease:
                    self._connection.execute(LET_GO_SOON.format(round(1000 * LETS_GO * lease)).encode())
        except Lost as error:
            self.close()
            if isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
                raise Lost("Another server uses this database; stop it first, or name another with --db.") from None
            raise

    def check(self) -> None:
        """Nothing to do: a connection that lasts leads to the same database."""

    def checkpoint(self, idle: bool) -> None:
        """Leave it to the server."""

    def end(self) -> None:
        """Nothing to do: the server keeps its own log."""

    def ping(self) -> None:
        self.rows("SELECT 1")

    def scrub(self) -> bool:
        """Leave it to the server's own vacuum."""
        return True

    def tidy(self) -> None:
        """Write the tables anew, without what was ever deleted from them."""
        with _in_our_words():
            self._connection.execute("VACUUM (FULL) records, talk, snapshots, tables")

    def close(self) -> None:
        self._connection.close()


def line_to(address: str) -> str:
    """Say in psycopg's words how to reach a database, which may be at one of several places."""
    parts: dict[str, Any] = {**LINE, **conninfo_to_dict(address)}
    return make_conninfo(**parts)


@lru_cache
def _in_dialect(statement: str) -> bytes:
    return statement.replace("?", "%s").replace(" BLOB ", " BYTEA ").encode()


@contextmanager
def _in_our_words() -> Iterator[None]:
    """Tell what goes wrong on the way to the server, or there and for a while, from what is wrong with a statement."""
    try:
        yield
    except psycopg.Error as error:
        kind = Lost if isinstance(error, ON_THE_WAY) else StoreError
        raise kind(f"The database says: {_first_line(error)}.") from error


def _first_line(error: psycopg.Error) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).removesuffix(".")
