"""Where tables are kept: SQLite by default, PostgreSQL by address."""

from .contract import (
    Append,
    Conflict,
    Damaged,
    Forget,
    Incomplete,
    KeepClock,
    KeepOut,
    Listing,
    Lost,
    Record,
    Snapshot,
    Stored,
    StoreError,
    Unavailable,
    UnknownTable,
)
from .store import Store, open_store

__all__ = [
    "Append",
    "Conflict",
    "Damaged",
    "Forget",
    "Incomplete",
    "KeepClock",
    "KeepOut",
    "Listing",
    "Lost",
    "Record",
    "Snapshot",
    "Store",
    "StoreError",
    "Stored",
    "Unavailable",
    "UnknownTable",
    "open_store",
]
