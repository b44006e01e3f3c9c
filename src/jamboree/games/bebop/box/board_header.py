"""The header of a board file, value by value; mistakes are noted in the draft."""

import re
from typing import NamedTuple

from .board_text import HEADERS, Draft

NUMBER = "[1-9][0-9]{0,2}"
PAINT = "[^,#]*[^,# ] *(#[0-9a-fA-F]{6} *)?"


class Paint(NamedTuple):
    name: str
    code: str  # "#rrggbb", or "" where the designer leaves it to the artist


class Header(NamedTuple):
    id: str
    name: str
    tagline: str
    album: str
    rating: tuple[int, int, int]
    normals: tuple[int, int, int]
    palette: tuple[Paint, ...]
    centre: str | None


def read_header(draft: Draft) -> Header:
    """Read the header; its values are only right if the draft has no mistakes."""
    _check_lines(draft)
    return Header(
        id=_match(draft, "id", "[a-z0-9]+(-[a-z0-9]+)*", "small letters, digits and single hyphens"),
        name=_match(draft, "name"),
        tagline=_match(draft, "tagline"),
        album=_match(draft, "album"),
        rating=_three(draft, "rating"),
        normals=_three(draft, "normals"),
        palette=_palette(draft),
        centre=_match(draft, "centre", "[A-Z]", "the capital letter of a stage") or None,
    )


def _check_lines(draft: Draft) -> None:
    for key in HEADERS:
        if key not in draft.header:
            draft.wrong(0, 0, f"the header has no line '{key}:'")
    for key, value in draft.header.items():
        if not value.text:
            draft.wrong(value.row, 0, f"'{key}:' is empty")
        elif not value.text.isprintable():
            draft.wrong(value.row, value.column, f"'{key}:' has a character that cannot be shown")


def _three(draft: Draft, key: str) -> tuple[int, int, int]:
    text = _match(draft, key, f"{NUMBER}( +{NUMBER}){{2}}", "three whole numbers, for 2, 3 and 4 players")
    two, three, four = text.split() if text else "000"
    return int(two), int(three), int(four)


def _palette(draft: Draft) -> tuple[Paint, ...]:
    text = _match(draft, "palette", f"{PAINT}(,{PAINT}){{2}}", "three colours, like 'sea #2b8fa3, sand, coral'")
    return tuple(_paint(colour) for colour in text.split(","))


def _paint(colour: str) -> Paint:
    name, mark, code = colour.partition("#")
    return Paint(name.strip(), mark + code.strip())


def _match(draft: Draft, key: str, pattern: str = ".*", wanted: str = "a line of text") -> str:
    value = draft.header.get(key)
    if not value or not value.text.isprintable():
        return ""
    if value.text and not re.fullmatch(pattern, value.text):
        draft.wrong(value.row, value.column, f"'{key}:' wants {wanted}")
        return ""
    return value.text
