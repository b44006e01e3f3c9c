"""Durable storage of tables: its contract. `store.store` keeps them in SQLite or PostgreSQL, a page in IndexedDB."""

from .contract import (
    AddressBan,
    Append,
    Conflict,
    Damaged,
    DatabaseUnreachable,
    ErasePerson,
    Incomplete,
    Listing,
    Record,
    SaveClock,
    Snapshot,
    Stored,
    StoreError,
    TableStore,
    Unavailable,
    UnknownTable,
)

__all__ = [
    "AddressBan",
    "Append",
    "Conflict",
    "Damaged",
    "DatabaseUnreachable",
    "ErasePerson",
    "Incomplete",
    "Listing",
    "Record",
    "SaveClock",
    "Snapshot",
    "StoreError",
    "Stored",
    "TableStore",
    "Unavailable",
    "UnknownTable",
]
