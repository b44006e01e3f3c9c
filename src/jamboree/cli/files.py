"""Files a person names, and the folder for those nobody names: read and write, or say in one sentence why not."""

import os
from pathlib import Path

from jamboree.core.errors import JamboreeError

LARGEST = 64 << 20  # bytes
OTHERS = 0o077  # permission bits of the group and of everybody else


def read_file(path: Path) -> bytes:
    return read_with_mode(path)[0]


def read_with_mode(path: Path) -> tuple[bytes, int]:
    """Read a file and the permission bits of that very file, whatever takes its name meanwhile."""
    try:
        with path.open("rb") as file:
            mode, data = os.fstat(file.fileno()).st_mode, file.read(LARGEST + 1)
    except OSError as error:
        raise JamboreeError(f"{path} can't be read: {(error.strerror or str(error)).lower()}.") from None
    if len(data) > LARGEST:
        raise JamboreeError(f"{path} is too large: more than {LARGEST >> 20} MiB.")
    return data, mode


def check_private(path: Path, mode: int, secret: str, place: str = "") -> None:
    """Refuse a file with a secret that its group or other users can read."""
    if mode & OTHERS:
        raise JamboreeError(f"{place or path}: others can read this file, so {secret} is no secret; chmod 600 {path}.")


def write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise JamboreeError(f"{path} can't be written: {(error.strerror or str(error)).lower()}.") from None


def data_folder(within: str = "") -> Path:
    """Find the folder for what a person's programs keep, and make ours in it."""
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    ours = (Path(base) if base else Path.home() / ".local" / "share") / "jamboree"
    for folder in (ours, ours / within):
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise JamboreeError(f"{folder} can't be made: {error.strerror}; name another place.") from None
    return ours / within
