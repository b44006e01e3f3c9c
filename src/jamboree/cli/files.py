"""Files a person names, and the folder for those nobody names: read and write, or say in one sentence why not."""

import os
from pathlib import Path

from jamboree.core.errors import JamboreeError

LARGEST = 64 << 20  # bytes


def read_file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise JamboreeError(f"{path} can't be read: {(error.strerror or str(error)).lower()}.") from None
    if len(data) > LARGEST:
        raise JamboreeError(f"{path} is too large: more than {LARGEST >> 20} MiB.")
    return data


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
