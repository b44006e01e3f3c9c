"""Where tables are kept: SQLite by default, PostgreSQL by address."""

from .contract import (
    Append,
    Conflict,
    Damaged,
    KeepClock,
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
    "KeepClock",
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
