"""Seats at live tables that this person has: remembered, so that coming back takes no token on a command line."""

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from jamboree.core.errors import UNREADABLE, JamboreeError

from ..files import data_folder, read_file
from .keep import PRIVATE

MOST = 50  # places; the oldest are forgotten


class Place(msgspec.Struct, frozen=True):
    url: str
    table: str
    name: str
    token: str


def remembered(url: str, table: str, name: str | None) -> Place | None:
    """Find the seat this person has at a table; somebody who gives another name is somebody else."""
    here = [place for place in _places() if (place.url, place.table) == (url, table)]
    return next((place for place in reversed(here) if name in (None, place.name)), None)


def remember(place: Place) -> bool:
    """Write a place down where only this person can read it; tell whether that went well."""
    others = [each for each in _places() if each.token != place.token]
    return _write([*others, place][-MOST:])


def forget(place: Place) -> None:
    _write([each for each in _places() if each.token != place.token])


def _places() -> list[Place]:
    with suppress(JamboreeError, *UNREADABLE):
        return msgspec.json.decode(read_file(_file()), type=list[Place])
    return []


def _write(places: list[Place]) -> bool:
    with suppress(JamboreeError, OSError):
        path = _file()
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, PRIVATE)) as file:
            file.write(msgspec.json.encode(places))
        draft.replace(path)
        return True
    return False


def _file() -> Path:
    return data_folder() / "places.json"
