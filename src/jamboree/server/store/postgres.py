"""PostgreSQL, by psycopg."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import psycopg

from .contract import StoreError
from .database import Row

ONE_AT_A_TIME = 0x6A616D62  # the number of the lock under which a database is brought up to date
SETTINGS = "SET synchronous_commit = on; SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '60s'"


class Postgres:
    """A connection to a server."""

    def __init__(self, address: str, readonly: bool = False) -> None:
        with _in_our_words():
            self._connection = psycopg.connect(address, autocommit=True, connect_timeout=10)
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

    def close(self) -> None:
        self._connection.close()


@lru_cache
def _in_dialect(statement: str) -> bytes:
    return statement.replace("?", "%s").replace(" BLOB ", " BYTEA ").encode()


@contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise StoreError(f"The database says: {_first_line(error)}.") from error


def _first_line(error: psycopg.Error) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).removesuffix(".")
