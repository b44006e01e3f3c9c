"""The files of an SQLite database: whose they are, who may read them, and which server has them."""

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
BESIDE = (WAL, SHM, "-journal")  # what SQLite may keep beside a database
OWN = 0x4A616D62  # the number by which our files are known
MAGIC, NUMBER = slice(0, 16), slice(68, 72)  # of a file's head
TABLES = {"migrations", "tables", "records"}  # files of former times have these and no number
PRIVATE = 0o600  # it has the seeds of games that are being played
READ_URI = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI

Identity = tuple[tuple[int, int] | None, ...]


class Hold:
    """The lock on a database. Its file also has the number of the last acknowledged commit, for after a crash."""

    def __init__(self, opened: int) -> None:
        self._opened, self._database_id = opened, ""
        self.is_needed = bool(os.fstat(opened).st_size)  # whether the file says something that is not settled yet

    def begin(self, database_id: str, commits: int) -> None:
        """Keep the number from now on; the file stays unless the database is closed cleanly."""
        self._database_id, self.is_needed = database_id, True
        os.ftruncate(self._opened, 0)
        self._write(commits)

    def acknowledge(self, commits: int) -> None:
        with contextlib.suppress(OSError):  # the commit itself is on the disk
            self._write(commits)

    def _write(self, commits: int) -> None:
        os.pwrite(self._opened, f"{self._database_id} {commits:020}\n".encode(), 0)

    def settle(self) -> None:
        """Let the file go: all commits are in the database itself, or it was replaced."""
        self.is_needed = False


@contextlib.contextmanager
def held(path: Path) -> Iterator[Hold]:
    """Have a database for one server, until that ends or dies."""
    lock = Path(f"{path.resolve()}{LOCK}")
    try:
        opened = _locked(lock)
    except BlockingIOError:
        raise StoreError(f"Another server uses {path}; stop it first, or name another file with --db.") from None
    except OSError as error:
        raise unusable(path, error) from None
    hold = Hold(opened)
    try:
        yield hold
    finally:
        if not hold.is_needed:
            lock.unlink(missing_ok=True)
        os.close(opened)


def is_held(path: Path) -> bool:
    """Tell whether a server has a database at the moment."""
    try:
        opened = os.open(f"{path.resolve()}{LOCK}", os.O_RDONLY)
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
    """Read the number of the last acknowledged commit; None if no server left one for this database."""
    try:
        words = Path(f"{path.resolve()}{LOCK}").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return None
    if len(words) != 2 or words[0] != database_id or not words[1].isdigit():
        return None
    return int(words[1])


def _locked(lock: Path) -> int:
    while True:
        opened = os.open(lock, os.O_CREAT | os.O_RDWR, PRIVATE)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException:
            os.close(opened)
            raise
        if _known_as(lock) == _number(os.fstat(opened)):
            return opened
        os.close(opened)  # its last holder took it away in between


@contextlib.contextmanager
def prepared(path: Path) -> Iterator[None]:
    """Have a file that may be written and that nobody else can read; a new one goes away if nothing comes of it."""
    try:
        is_new, real = not path.exists(), path.resolve()
        if is_new:
            os.close(os.open(real, os.O_CREAT | os.O_EXCL, PRIVATE))
        else:
            check_own(path)
            _close_to_others(path)
    except OSError as error:
        raise unusable(path, error) from None
    try:
        yield
    except BaseException:
        for suffix in ("", *BESIDE) if is_new else ():
            Path(f"{real}{suffix}").unlink(missing_ok=True)
        raise


def wal_of(path: Path) -> Path:
    return Path(f"{path.resolve()}{WAL}")


def files(path: Path) -> tuple[Path, ...]:
    """Name what must stay in its place while a database is open; SQLite looks for it beside what a link leads to."""
    real = path.resolve()
    return (path, Path(f"{real}{WAL}"), Path(f"{real}{SHM}"))


def identity(files: tuple[Path, ...]) -> Identity:
    """Tell files from any others that may come to have their names; None for what is not there."""
    return tuple(_known_as(file) for file in files)


def unusable(path: Path, error: OSError) -> StoreError:
    if isinstance(error, FileNotFoundError) and not (folder := path.resolve().parent).exists():
        return StoreError(f"{path} can't be used: there is no folder {folder}.")
    return StoreError(f"{path} can't be used: {(error.strerror or str(error)).lower()}.")


def damaged(path: Path | str, what: object) -> Damaged:
    return Damaged(
        f"{path} is damaged ({what}). Stop the server and put a copy back:"
        f" jamboree restore COPY --db {path} --force. What is whole can still be read."
    )


def _known_as(file: Path) -> tuple[int, int] | None:
    try:
        return _number(file.stat())
    except FileNotFoundError:
        return None


def _number(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _close_to_others(path: Path) -> None:
    for name in (path, *(Path(f"{path.resolve()}{suffix}") for suffix in BESIDE)):
        with contextlib.suppress(FileNotFoundError, PermissionError):  # whoever owns it may have reasons
            name.chmod(name.stat().st_mode & ~0o077)


def check_own(path: Path) -> None:
    """Refuse what another program keeps, before anything is written to it."""
    if path.stat().st_size == 0:
        return
    with path.open("rb") as file:
        head = file.read(100)
    number = int.from_bytes(head[NUMBER], "big")
    if head[MAGIC] != b"SQLite format 3\0":
        raise StoreError(
            f"{path} is no database, so nothing was written to it; name another file with --db. If it was one, put"
            f" a copy back: jamboree restore COPY --db {path} --force."
        )
    if number != OWN and (number or _is_foreign(path)):
        raise StoreError(f"{path} belongs to another program, so nothing was written to it; name another with --db.")


def _is_foreign(path: Path) -> bool:
    """Tell by its tables; they may all be in the file beside it still."""
    for how in ("immutable=1", "mode=ro"):
        try:
            database = apsw.Connection(f"{path.absolute().as_uri()}?{how}", READ_URI)
            names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            database.close()
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise damaged(path, error) from None
        except apsw.Error as error:
            raise StoreError(f"{path} can't be read: {error}.") from None
        if names:
            return not names >= TABLES
    return False
