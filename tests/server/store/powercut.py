"""A VFS for SQLite whose state after a power failure can be captured at any moment.

Each write that was not synced is part of the captured state at random.
"""

import random
from collections.abc import Callable
from pathlib import Path

import apsw

NAME = "power cut"


class Disk(apsw.VFS):
    """Counts operations on its files, and takes the snapshot before the requested one."""

    def __init__(self) -> None:
        super().__init__(NAME, "")
        self.files: dict[str, File] = {}
        self.countdown = -1
        self.photo: Callable[[], None] = lambda: None

    def xOpen(self, name: apsw.URIFilename | str | None, flags: list[int]) -> "File":  # noqa: N802
        file = File(self, name, flags)
        if name is not None:
            self.files[name if isinstance(name, str) else name.filename()] = file
        return file

    def tick(self) -> None:
        self.countdown -= 1
        if self.countdown == 0:
            self.photo()

    def cut(self, source: Path, target: Path, rng: random.Random) -> None:
        """Write what would be found at a path after a power cut now."""
        for suffix in ("", "-wal"):
            file, path = self.files.get(f"{source}{suffix}"), Path(f"{source}{suffix}")
            if file and path.exists():
                Path(f"{target}{suffix}").write_bytes(file.after_a_cut(path.read_bytes(), rng))


class File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: apsw.URIFilename | str | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self.disk = disk
        self.unsynced: list[tuple[int, bytes]] = []

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self.disk.tick()
        self.unsynced.append((offset, bytes(data)))

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        size = super().xFileSize()
        synced = super().xRead(min(amount, size - offset), offset) if size > offset else b""
        found = bytearray(synced).ljust(amount, b"\0")
        for start, data in self.unsynced:
            low, high = max(start, offset), min(start + len(data), offset + amount)
            if low < high:
                found[low - offset : high - offset] = data[low - start : high - start]
        return bytes(found[: max(0, min(amount, self.xFileSize() - offset))])

    def xFileSize(self) -> int:  # noqa: N802
        return max([super().xFileSize(), *(start + len(data) for start, data in self.unsynced)])

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.disk.tick()
        self._flush()

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._flush()
        super().xTruncate(size)

    def xClose(self) -> None:  # noqa: N802
        self._flush()
        super().xClose()

    def _flush(self) -> None:
        for start, data in self.unsynced:
            super().xWrite(data, start)
        self.unsynced = []

    def after_a_cut(self, synced: bytes, rng: random.Random) -> bytes:
        left = bytearray(synced)
        for start, data in self.unsynced:
            if rng.random() < 0.5:
                left.extend(bytes(max(0, start + len(data) - len(left))))
                left[start : start + len(data)] = data
        return bytes(left)
