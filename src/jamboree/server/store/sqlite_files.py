"""The files of an SQLite database: application id, permissions, lock, and detection of replaced files."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import apsw

from .contract import Damaged, StoreError

WAL = "-wal"
SHM = "-shm"
LOCK = "-lock"
SIDE_FILES = (WAL, SHM, "-journal")  # suffixes of files that SQLite keeps beside a database
APPLICATION_ID = 0x4A616D62  # SQLite's `application_id` of our files
MAGIC, NUMBER = slice(0, 16), slice(68, 72)  # in a file's header
TABLES = {"migrations", "tables", "records"}  # old files have these and no application id
PRIVATE_MODE = 0o600  # the file contains the seeds of running games
READ_URI = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI

FileIds = tuple[tuple[int, int] | None, ...]


class DatabaseLock:
    """The lock file of a database, which also stores the number of the last acknowledged commit."""

    def __init__(self, opened: int) -> None:
        self._descriptor, self._database_id = opened, ""
        self.is_needed = bool(os.fstat(opened).st_size)  # whether the file stays after the lock is released

    def begin(self, database_id: str, commits: int) -> None:
        """Store commit numbers from now on; the file stays unless the database is closed cleanly."""
        self._database_id, self.is_needed = database_id, True
        os.ftruncate(self._descriptor, 0)
        self._write(commits)

    def acknowledge(self, commits: int) -> None:
        with contextlib.suppress(OSError):  # the commit itself is durable
            self._write(commits)

    def _write(self, commits: int) -> None:
        os.pwrite(self._descriptor, f"{self._database_id} {commits:020}\n".encode(), 0)

    def settle(self) -> None:
        """Remove the file on release: the database has all commits, or was replaced."""
        self.is_needed = False


@contextlib.contextmanager
def lock_database(path: Path) -> Iterator[DatabaseLock]:
    """Lock a database for one process, until the end of the block or its death."""
    lock = lock_of(path)
    try:
        opened = _locked(lock)
    except BlockingIOError:
        raise StoreError(f"Another server uses {path}; stop it first, or name another file with --db.") from None
    except OSError as error:
        raise unusable_error(path, error) from None
    hold = DatabaseLock(opened)
    try:
        yield hold
    finally:
        if not hold.is_needed:
            lock.unlink(missing_ok=True)
        os.close(opened)


def is_locked(path: Path) -> bool:
    """Whether a process has locked a database."""
    try:
        opened = os.open(lock_of(path), os.O_RDONLY)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(opened)
    return False


def last_commit(path: Path, database_id: str) -> int | None:
    """The number of the last acknowledged commit; None if the lock file has none for this database."""
    try:
        words = lock_of(path).read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return None
    if len(words) != 2 or words[0] != database_id or not words[1].isdigit():
        return None
    return int(words[1])


def _locked(lock: Path) -> int:
    while True:
        opened = os.open(lock, os.O_CREAT | os.O_RDWR, PRIVATE_MODE)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException:
            os.close(opened)
            raise
        if _file_id(lock) == _device_and_inode(os.fstat(opened)):
            return opened
        os.close(opened)  # its last holder has just removed it


@contextlib.contextmanager
def private_file(path: Path) -> Iterator[None]:
    """Create the file with private permissions, or check and restrict an existing one; remove a new one on failure."""
    try:
        is_new, real = not path.exists(), path.resolve()
        if is_new:
            os.close(os.open(real, os.O_CREAT | os.O_EXCL, PRIVATE_MODE))
        else:
            check_application_id(path)
            _restrict_permissions(path)
    except OSError as error:
        raise unusable_error(path, error) from None
    try:
        yield
    except BaseException:
        for suffix in ("", *SIDE_FILES) if is_new else ():
            Path(f"{real}{suffix}").unlink(missing_ok=True)
        raise


def wal_of(path: Path) -> Path:
    return Path(f"{path.resolve()}{WAL}")


def lock_of(path: Path) -> Path:
    return Path(f"{path.resolve()}{LOCK}")


def files(path: Path) -> tuple[Path, ...]:
    """The files that must not be replaced while a database is open; SQLite resolves symbolic links."""
    real = path.resolve()
    return (path, Path(f"{real}{WAL}"), Path(f"{real}{SHM}"))


def file_ids(files: tuple[Path, ...]) -> FileIds:
    """Device and inode of each file; None for a missing one."""
    return tuple(_file_id(file) for file in files)


def unusable_error(path: Path, error: OSError) -> StoreError:
    if isinstance(error, FileNotFoundError) and not (folder := path.resolve().parent).exists():
        return StoreError(f"{path} can't be used: there is no folder {folder}.")
    return StoreError(f"{path} can't be used: {(error.strerror or str(error)).lower()}.")


def damaged_error(path: Path | str, what: object) -> Damaged:
    return Damaged(
        f"{path} is damaged ({what}). Stop the server and restore a copy:"
        f" jamboree restore COPY --db {path} --force. What is whole can still be read."
    )


def _file_id(file: Path) -> tuple[int, int] | None:
    try:
        return _device_and_inode(file.stat())
    except FileNotFoundError:
        return None


def _device_and_inode(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _restrict_permissions(path: Path) -> None:
    for name in (path, *(Path(f"{path.resolve()}{suffix}") for suffix in SIDE_FILES)):
        with contextlib.suppress(FileNotFoundError, PermissionError):  # its owner may have reasons
            name.chmod(name.stat().st_mode & ~0o077)


def check_database(path: Path) -> None:
    """Refuse whatever is not a database with our tables, before anything is written."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder, not a database.")
    if not path.is_file():
        raise StoreError(f"There is no database at {path}.")
    check_application_id(path)
    if path.stat().st_size == 0 or not _tables_in(path):
        raise StoreError(f"{path} is an empty database, without tables of Jamboree.")


def check_application_id(path: Path) -> None:
    """Refuse files of other programs, before anything is written; a new database may be empty."""
    if path.stat().st_size == 0:
        return
    with path.open("rb") as file:
        head = file.read(100)
    number = int.from_bytes(head[NUMBER], "big")
    if head[MAGIC] != b"SQLite format 3\0":
        raise StoreError(
            f"{path} is not a database, so nothing was written to it; name another file with --db. If it was one,"
            f" restore a copy: jamboree restore COPY --db {path} --force."
        )
    if number != APPLICATION_ID and (number or _has_other_tables(path)):
        raise StoreError(f"{path} belongs to another program, so nothing was written to it; name another with --db.")


def _has_other_tables(path: Path) -> bool:
    names = _tables_in(path)
    return bool(names) and not names >= TABLES


def _tables_in(path: Path) -> set[str]:
    """The names of the tables; all of them may still be in the write-ahead log."""
    for how in ("immutable=1", "mode=ro") if wal_of(path).exists() else ("immutable=1",):
        try:
            database = apsw.Connection(f"{path.absolute().as_uri()}?{how}", READ_URI)
            names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            database.close()
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise damaged_error(path, error) from None
        except apsw.Error as error:
            raise StoreError(f"{path} can't be read: {error}.") from None
        if names:
            return names
    return set()
