"""Durable storage of tables: SQLite by default, PostgreSQL by URL."""

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
    Unavailable,
    UnknownTable,
)
from .store import Store, open_store

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
    "Store",
    "StoreError",
    "Stored",
    "Unavailable",
    "UnknownTable",
    "open_store",
]
