"""The journal on disk: whole after every action, whatever happens to the program; and where games are kept unasked."""

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from itertools import count
from pathlib import Path
from shlex import quote

from jamboree.core.errors import JamboreeError
from jamboree.core.journal import About, Journal, read, write

from ..files import data_folder, read_file

PRIVATE, PUBLIC = 0o600, 0o666
GAMES = "games"  # in the folder of what this program keeps


class Keeper:
    """Writes a journal beside its place and moves it there, so that a reader never finds half a game."""

    def __init__(self, path: Path, force: bool = False, mode: int = PUBLIC) -> None:
        self.shown, self.mode = path, mode
        self.path = Path(os.path.realpath(path))
        self.draft = self.path.with_name(f".{self.path.name}.part")
        self._reserve(force)

    def keep(self, journal: Journal) -> None:
        try:
            with open(self.draft, "w", encoding="utf-8", opener=self._open) as file:
                file.write(write(journal))
                file.flush()
                os.fsync(file.fileno())  # on the disk before it takes its place: a power cut leaves one or the other
            self.draft.replace(self.path)
        except OSError as error:
            raise self._trouble(error) from None
        finally:
            self.draft.unlink(missing_ok=True)

    def _open(self, path: str, flags: int) -> int:
        return os.open(path, flags, self.mode)

    def _reserve(self, force: bool) -> None:
        """Take the place before the game starts, so that no game is played for nothing."""
        if self.path.exists() and not self.path.is_file():
            raise JamboreeError(f"{self.shown} is not an ordinary file, so the journal can't be kept there.")
        try:
            open(self.path, "a" if force else "x", opener=self._open).close()
            self.draft.open("w").close()
            self.draft.unlink()
        except FileExistsError:
            raise JamboreeError(f"{self.shown} already exists; --force overwrites it.") from None
        except OSError as error:
            raise self._trouble(error) from None

    def _trouble(self, error: OSError) -> JamboreeError:
        return JamboreeError(f"The journal can't be kept in {self.shown}: {(error.strerror or str(error)).lower()}.")


def own_place(game: str) -> Keeper:
    """Take a place for a game that nobody named one for, where only this person can read it."""
    folder, today = data_folder(GAMES), date.today().isoformat()
    free = next(path for number in count(1) if not (path := folder / f"{game}-{today}-{number}.json").exists())
    return Keeper(free, mode=PRIVATE)


def latest(game: str | None) -> Path:
    """Find the last game that was kept unasked and is not over."""
    if path := next((path for path, about in _kept(game) if is_to_go_on(about)), None):
        return path
    raise JamboreeError("There is no game to go on with; `jamboree play GAME` begins one.")


def last_played() -> Path:
    """Find the last game that was kept unasked."""
    if path := next((path for path, _ in _kept(None)), None):
        return path
    raise JamboreeError("No game is kept yet; `jamboree play GAME` begins one. A game in a file needs its name.")


def is_to_go_on(about: About) -> bool:
    """Tell whether people sat at a terminal in a game that is not over."""
    return about.result is None and (about.seat is not None or about.people > 0)


def is_shared_and_unfinished(journal: Journal) -> bool:
    """Tell whether people at one terminal still play a game, so that nobody may look at what another has."""
    return journal.about is not None and journal.about.people > 0 and journal.about.result is None


def replay_command(path: Path) -> str:
    """Write the command that shows a game."""
    return "jamboree replay" + ("" if _is_own(path) else f" {quote(str(path))}")


def resume_command(path: Path) -> str:
    """Write the command that goes on with a game."""
    return "jamboree play --resume" + ("" if _is_own(path) else f" --journal {quote(str(path))}")


def _is_own(path: Path) -> bool:
    """Tell whether a game is in the folder where games are kept unasked, and so found without its name."""
    with suppress(JamboreeError):
        return path.parent.resolve() == data_folder(GAMES).resolve()
    return False


def _kept(game: str | None) -> Iterator[tuple[Path, About]]:
    """List the games in the person's folder, the last played first; what can't be read is left out."""
    found = data_folder(GAMES).glob(f"{game or '*'}-*.json")
    for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True):
        with suppress(JamboreeError):
            yield path, read(read_file(path)).about or About()
