"""The journal on disk: whole after every action, whatever happens to the program."""

import os
from pathlib import Path

from jamboree.core.errors import JamboreeError
from jamboree.core.journal import Journal, write


class Keeper:
    """Writes a journal beside its place and moves it there, so that a reader never finds half a game."""

    def __init__(self, path: Path, force: bool = False) -> None:
        self.shown = path
        self.path = Path(os.path.realpath(path))
        self.draft = self.path.with_name(f".{self.path.name}.part")
        self._reserve(force)

    def keep(self, journal: Journal) -> None:
        try:
            with self.draft.open("w", encoding="utf-8") as file:
                file.write(write(journal))
                file.flush()
                os.fsync(file.fileno())  # on the disk before it takes its place: a power cut leaves one or the other
            self.draft.replace(self.path)
        except OSError as error:
            raise self._trouble(error) from None
        finally:
            self.draft.unlink(missing_ok=True)

    def _reserve(self, force: bool) -> None:
        """Take the place before the game starts, so that no game is played for nothing."""
        if self.path.exists() and not self.path.is_file():
            raise JamboreeError(f"{self.shown} is not an ordinary file, so the journal can't be kept there.")
        try:
            self.path.open("a" if force else "x").close()
            self.draft.open("w").close()
            self.draft.unlink()
        except FileExistsError:
            raise JamboreeError(f"{self.shown} already exists; --force overwrites it.") from None
        except OSError as error:
            raise self._trouble(error) from None

    def _trouble(self, error: OSError) -> JamboreeError:
        return JamboreeError(f"The journal can't be kept in {self.shown}: {(error.strerror or str(error)).lower()}.")
