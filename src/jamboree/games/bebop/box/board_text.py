"""A board file as text: header lines, sections and mistakes. data/boards/FORMAT.md explains the format."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from jamboree.core.errors import JamboreeError

HEADERS = ("id", "name", "tagline", "album", "rating", "normals", "palette")
OPTIONAL_HEADERS = ("centre",)
SECTIONS = ("map", "regions", "dice")
LONGEST = 20_000  # characters; the largest sensible board has about a thousand


class Mistake(NamedTuple):
    row: int  # line of the file, from 1; 0: the file as a whole
    column: int  # character, from 1; 0: the whole line
    text: str

    def __str__(self) -> str:
        if not self.row:
            return self.text
        if not self.column:
            return f"row {self.row}: {self.text}"
        return f"row {self.row}, column {self.column}: {self.text}"


def in_order(mistakes: Iterable[Mistake]) -> list[Mistake]:
    return sorted(mistakes, key=lambda mistake: (mistake.row, mistake.column))


class BadBoard(JamboreeError):
    """A text that cannot be read as a board, with every mistake found in it."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        more = len(mistakes) - 1
        super().__init__(str(mistakes[0]) + (f" (and {more} more)" if more else ""))
        self.mistakes = mistakes

    def __reduce__(self) -> tuple[type["BadBoard"], tuple[list[Mistake]]]:
        return BadBoard, (self.mistakes,)


class Piece(NamedTuple):
    """A bit of text and where it stands in the file."""

    row: int
    column: int
    text: str


@dataclass
class Draft:
    header: dict[str, Piece] = field(default_factory=dict)
    sections: dict[str, list[Piece]] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)

    def wrong(self, row: int, column: int, text: str) -> None:
        self.mistakes.append(Mistake(row, column, text))

    def take(self, row: int, line: str, section: str | None) -> str | None:
        """Sort one line into its place and return the section that the next line belongs to."""
        if not line:
            return None
        title = line.removesuffix(":")
        if title in SECTIONS and title != line:
            return self._open(row, title, section)
        if section:
            self.sections[section].append(Piece(row, 1, line))
        else:
            self._take_header(row, line)
        return section

    def _open(self, row: int, title: str, section: str | None) -> str:
        if section:
            self.wrong(row, 0, f"there is no blank line between '{section}:' and '{title}:'")
        if title in self.sections:
            self.wrong(row, 0, f"'{title}:' is here a second time")
        self.sections[title] = []
        return title

    def _take_header(self, row: int, line: str) -> None:
        key, colon, value = line.partition(":")
        key = key.strip()
        if not colon:
            self.wrong(row, 1, "this is neither a header line ('key: value') nor part of a section")
        elif key not in HEADERS + OPTIONAL_HEADERS:
            self.wrong(row, 1, f"there is no header called {_quoted(key)}")
        elif key in self.header:
            self.wrong(row, 1, f"'{key}:' is here a second time")
        else:
            self.header[key] = Piece(row, len(line) - len(value.lstrip()) + 1, value.strip())


def read(text: str) -> Draft:
    """Sort the lines of a board file; comments are dropped, trailing spaces mean nothing."""
    if len(text) > LONGEST:
        raise BadBoard([Mistake(0, 0, f"the file is too long for a board: more than {LONGEST} characters")])
    draft, section = Draft(), None
    for row, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not raw.startswith("#"):
            _find_tabs(draft, row, raw)
            section = draft.take(row, raw.rstrip(), section)
    return draft


def decoded(data: str | bytes) -> str:
    """Decode a file's contents; BadBoard points at the first byte that is not UTF-8."""
    try:
        return data if isinstance(data, str) else data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        row, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise BadBoard([Mistake(row, column, "this is not UTF-8 text")]) from None


def _find_tabs(draft: Draft, row: int, raw: str) -> None:
    for column, character in enumerate(raw, 1):
        if character == "\t":
            draft.wrong(row, column, "there is a tab here; use spaces")


def _quoted(text: str) -> str:
    return ascii(text) if len(text) <= 20 else ascii(text[:20]) + "…"
