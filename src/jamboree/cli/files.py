"""Files a person names: read and write them, or say in one sentence why not."""

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
