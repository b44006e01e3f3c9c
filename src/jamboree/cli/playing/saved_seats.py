"""Tokens of this person's seats at live tables, saved so that coming back needs no token on the command line."""

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from jamboree.core.errors import UNREADABLE, JamboreeError

from ..files import data_folder, read_file
from .journal_file import PRIVATE

MAX_SEATS = 50  # the oldest are deleted


class SavedSeat(msgspec.Struct, frozen=True):
    url: str
    table: str
    name: str
    token: str


def find_seat(url: str, table: str, name: str | None) -> SavedSeat | None:
    """Find this person's latest seat at a table; with a name, the seat under that name."""
    here = [seat for seat in _load() if (seat.url, seat.table) == (url, table)]
    return next((seat for seat in reversed(here) if name in (None, seat.name)), None)


def save_seat(seat: SavedSeat) -> bool:
    """Save a seat in a file that only this user can read; return whether that succeeded."""
    others = [other for other in _load() if other.token != seat.token]
    return _store([*others, seat][-MAX_SEATS:])


def delete_seat(seat: SavedSeat) -> None:
    _store([other for other in _load() if other.token != seat.token])


def _load() -> list[SavedSeat]:
    with suppress(JamboreeError, *UNREADABLE):
        return msgspec.json.decode(read_file(_path()), type=list[SavedSeat])
    return []


def _store(seats: list[SavedSeat]) -> bool:
    with suppress(JamboreeError, OSError):
        path = _path()
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, PRIVATE)) as file:
            file.write(msgspec.json.encode(seats))
        draft.replace(path)
        return True
    return False


def _path() -> Path:
    return data_folder() / "places.json"
