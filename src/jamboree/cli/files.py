"""File access whose errors are sentences for the user, and the data folder."""

import os
from pathlib import Path

from jamboree.core.errors import JamboreeError

MAX_SIZE = 64 << 20  # bytes
GROUP_AND_OTHERS = 0o077  # permission bits


def read_file(path: Path) -> bytes:
    return read_with_mode(path)[0]


def read_with_mode(path: Path, max_size: int = MAX_SIZE) -> tuple[bytes, int]:
    """Read a file and its permission bits through one descriptor, so that both belong to the same file."""
    try:
        with path.open("rb") as file:
            mode, data = os.fstat(file.fileno()).st_mode, file.read(max_size + 1)
    except OSError as error:
        raise JamboreeError(f"{path} can't be read: {(error.strerror or str(error)).lower()}.") from None
    if len(data) > max_size:
        raise JamboreeError(f"{path} is too large: more than {max_size >> 20} MiB.")
    return data, mode


def check_private(path: Path, mode: int, secret: str, location: str = "") -> None:
    """Refuse a file that contains a secret and that other users can read."""
    if mode & GROUP_AND_OTHERS:
        raise JamboreeError(
            f"{location or path}: other users can read this file, so {secret} is exposed; chmod 600 {path}."
        )


def write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise JamboreeError(f"{path} can't be written: {(error.strerror or str(error)).lower()}.") from None


def data_folder(subfolder: str = "") -> Path:
    """Create and return a folder in the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    ours = (Path(base) if base else Path.home() / ".local" / "share") / "jamboree"
    for folder in (ours, ours / subfolder):
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise JamboreeError(f"{folder} can't be created: {error.strerror}; set XDG_DATA_HOME.") from None
    return ours / subfolder
