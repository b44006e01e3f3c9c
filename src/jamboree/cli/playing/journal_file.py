"""Atomic writes of a game's journal, and the folder in which games are saved by default."""

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from itertools import count
from pathlib import Path
from shlex import quote

from jamboree.core.errors import JamboreeError
from jamboree.core.game import Eye, Viewer
from jamboree.core.journal import About, Journal, read, write

from ..files import data_folder, read_file
from ..language import CATALOGUE

PRIVATE, PUBLIC = 0o600, 0o666
GAMES = "games"  # a subfolder of the data folder


class JournalFile:
    """Writes a journal to a temporary file, syncs it and renames it, so that the file always holds a whole game."""

    def __init__(self, path: Path, force: bool = False, mode: int = PUBLIC) -> None:
        self.shown, self.mode = path, mode
        self.path = Path(os.path.realpath(path))
        self.draft = self.path.with_name(f".{self.path.name}.part")
        self._reserve(force)

    def save(self, journal: Journal) -> None:
        try:
            with open(self.draft, "w", encoding="utf-8", opener=self._open) as file:
                file.write(write(journal))
                file.flush()
                os.fsync(file.fileno())  # before the rename, so that a power failure leaves the old or the new game
            self.draft.replace(self.path)
        except OSError as error:
            raise self._failure(error) from None
        finally:
            self.draft.unlink(missing_ok=True)

    def _open(self, path: str, flags: int) -> int:
        return os.open(path, flags, self.mode)

    def _reserve(self, force: bool) -> None:
        """Create the file before the game starts, so that no game is played that can't be saved."""
        if self.path.exists() and not self.path.is_file():
            raise JamboreeError(f"{self.shown} is not an ordinary file, so the journal can't be saved there.")
        try:
            open(self.path, "a" if force else "x", opener=self._open).close()
            self.draft.open("w").close()
            self.draft.unlink()
        except FileExistsError:
            raise JamboreeError(f"{self.shown} already exists; --force overwrites it.") from None
        except OSError as error:
            raise self._failure(error) from None

    def _failure(self, error: OSError) -> JamboreeError:
        return JamboreeError(f"The journal can't be saved in {self.shown}: {(error.strerror or str(error)).lower()}.")


def new_journal_file(game: str) -> JournalFile:
    """Create a file for a new game in the data folder, readable by this user only."""
    folder, today = data_folder(GAMES), date.today().isoformat()
    free = next(path for number in count(1) if not (path := folder / f"{game}-{today}-{number}.json").exists())
    return JournalFile(free, mode=PRIVATE)


def latest_unfinished(game: str | None) -> Path:
    if path := next((path for path, about in _saved_games(game) if is_resumable(about)), None):
        return path
    raise JamboreeError("There is no unfinished game to resume; `jamboree play GAME` starts one.")


def last_played() -> Path:
    if path := next((path for path, _ in _saved_games(None)), None):
        return path
    raise JamboreeError("No game is saved yet; `jamboree play GAME` starts one. Name the file of any other game.")


def is_resumable(about: About) -> bool:
    """Whether this is an unfinished game that people played at a terminal."""
    return about.result is None and (about.seat is not None or about.people > 0)


def permitted_view(journal: Journal, over: bool) -> Viewer:
    """Return from whose view a saved game may be shown: all of it only if nobody plays it any more.

    An unfinished game is shown as its only person sees it, or, if several people play, as a spectator does.
    """
    about, seats = journal.about or About(), journal.header.seats
    if over or journal.fairness or len(about.bots) == seats:  # a server publishes its seeds only at the end
        return Eye.ALL
    return about.seat if not about.people and about.seat in range(seats) else None


def check_is_over(journal: Journal, over: bool, path: Path, lang: str) -> None:
    """Refuse to review or branch a game whose hidden information its players may not see yet."""
    if permitted_view(journal, over) is not Eye.ALL:
        resumable = is_resumable(journal.about or About())
        key = "unfinished.resume" if resumable else "unfinished"
        raise JamboreeError(CATALOGUE.say(lang, key, command=resume_command(path)))


def replay_command(path: Path) -> str:
    return "jamboree replay" + ("" if _is_default(path) else f" {quote(str(path))}")


def resume_command(path: Path) -> str:
    return "jamboree play --resume" + ("" if _is_default(path) else f" --journal {quote(str(path))}")


def _is_default(path: Path) -> bool:
    """Whether commands find a game without its path, because it is in the data folder."""
    with suppress(JamboreeError):
        return path.parent.resolve() == data_folder(GAMES).resolve()
    return False


def _saved_games(game: str | None) -> Iterator[tuple[Path, About]]:
    """Yield the readable games in the data folder, the last played first."""
    paths = data_folder(GAMES).glob(f"{game or '*'}-*.json")
    for path in sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True):
        with suppress(JamboreeError):
            yield path, read(read_file(path)).about or About()
