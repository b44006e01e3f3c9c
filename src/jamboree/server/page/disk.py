"""The disk of a page: rows by key, written in transactions. In a browser it is IndexedDB."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple


class Guard(NamedTuple):
    """A row on which a transaction depends, as its writer knows it; None: there is no such row."""

    key: str
    value: bytes | None


class GuardFailed(Exception):
    """The guarded row has changed, so nothing was written."""


class DiskFailed(Exception):
    """Nothing was written, and it is unknown for how long nothing can be."""


class Disk(ABC):
    @abstractmethod
    async def read(self, beginning: str) -> dict[str, bytes]:
        """All rows whose keys begin so, in the order of their keys."""

    @abstractmethod
    async def write(self, rows: Mapping[str, bytes | None], guard: Guard | None = None) -> None:
        """Write rows, and delete those that are None, in one transaction that is on disk when this returns."""


class MemoryDisk(Disk):
    """Rows in memory, for tests and for a page that may not store anything."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}

    async def read(self, beginning: str) -> dict[str, bytes]:
        return {key: self.rows[key] for key in sorted(self.rows) if key.startswith(beginning)}

    async def write(self, rows: Mapping[str, bytes | None], guard: Guard | None = None) -> None:
        if guard and self.rows.get(guard.key) != guard.value:
            raise GuardFailed
        for key, value in rows.items():
            if value is None:
                self.rows.pop(key, None)
            else:
                self.rows[key] = value
