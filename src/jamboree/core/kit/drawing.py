"""Parsing of positions drawn as text: named lines, an optional quoted source text, and a picture at the end."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec

from jamboree.core.errors import JamboreeError
from jamboree.core.game import Eye

ALL, SPECTATOR = Eye.ALL.value, "spectator"
NUMBER = re.compile("[0-9]{1,7}")
MANY = 10**6

V = TypeVar("V")


class BadDrawing(JamboreeError):
    """The text is not a valid drawn position."""


def check(valid: bool, why: str) -> None:
    if not valid:
        raise BadDrawing(why)


class Drawing:
    """A parsed drawing. `finish` rejects lines that were never read."""

    def __init__(self, text: str, picture: str = "", of: str = "") -> None:
        """Split a text into named lines; the picture, of a board or a floor, follows the line of that name."""
        head, titled, drawn = f"\n{text}".partition(f"\n{picture}:\n") if picture else (text, "", "")
        check(bool(titled) or not picture, f"there is no line '{picture}:' with the {of} drawn under it")
        self.picture = drawn.split("\n")
        self.lines: dict[str, str] = {}
        self._unread: set[str] = set()
        source = list[str]()
        for line in head.split("\n"):
            if line.startswith("|"):
                source.append(line[2:])
            elif line.strip():
                self._add(line.strip())
        self.source = "\n".join(source)

    def _add(self, line: str) -> None:
        name, colon, value = (part.strip() for part in line.partition(":"))
        check(bool(colon), f"{line!a} is not a line of a drawing")
        check(name not in self.lines, f"{line!a} is here twice")
        self.lines[name] = value
        self._unread.add(name)

    def __getitem__(self, name: str) -> str:
        """Return the value of a required line."""
        check(name in self.lines, f"there is no line {name!a}")
        return self.get(name)

    def get(self, name: str, default: str = "") -> str:
        self._unread.discard(name)
        return self.lines.get(name, default)

    def finish(self) -> None:
        """Reject lines that were never read."""
        check(not self._unread, f"{min(self._unread, default='')!a} is not a line of this drawing")


def json_pair(kind: type[V]) -> tuple[Callable[[V], str], Callable[[str], V]]:
    """Return a draw/parse pair that uses JSON: for a game without a text drawing."""
    return lambda seen: msgspec.json.encode(seen).decode(), lambda text: msgspec.json.decode(text, type=kind)


def one_of(word: str, known: Sequence[str], what: str) -> str:
    if not word or word not in known:
        raise BadDrawing(f"{word!a} is not {what}: there are {', '.join(known)}")
    return word


def numbered(text: str, what: str, allowed: Sequence[int] = range(MANY)) -> int:
    if not NUMBER.fullmatch(text) or int(text) not in allowed:
        raise BadDrawing(f"{what} can't be {text!a}: it is a number from {allowed[0]} to {allowed[-1]}")
    return int(text)


def numbers(words: Sequence[str], count: int, what: str, allowed: Sequence[int] = range(MANY)) -> list[int]:
    if len(words) != count:
        raise BadDrawing(f"{what} wants {count} {'number' if count == 1 else 'numbers'}, not {len(words)}")
    return [numbered(word, what, allowed) for word in words]


def read_seat(text: str, seats: int) -> int:
    return numbered(text, "a seat", range(1, seats + 1)) - 1


def read_viewer(text: str, seats: int) -> int | Eye | None:
    """Parse the viewer of a drawn view."""
    who = one_of(text, (ALL, SPECTATOR, *(str(seat + 1) for seat in range(seats))), "a viewer")
    return None if who == SPECTATOR else Eye.ALL if who == ALL else int(who) - 1


def parts(line: str, separator: str = "; ") -> list[str]:
    """Split a line into its non-empty parts."""
    return [part for part in line.split(separator) if part]


def viewer_mark(viewer: int | str | None) -> str:
    if viewer is None:
        return SPECTATOR
    return viewer if isinstance(viewer, str) else str(viewer + 1)


def head_of(viewer: int | str | None, seats: int, options: Iterable[str]) -> Iterator[str]:
    """Yield the first lines of a drawing: viewer, number of seats, options."""
    yield f"viewer: {viewer_mark(viewer)}"
    yield f"seats: {seats}"
    yield f"options: {' '.join(options)}".rstrip()


def source_of(name: str, text: str) -> Iterator[str]:
    """Yield a quoted source text, such as a custom board, each line prefixed with a bar."""
    yield f"{name}:"
    yield from (f"| {line}" for line in text.split("\n"))


def number_marks(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


def seat_marks(seats: Iterable[int]) -> str:
    return number_marks(seat + 1 for seat in seats)
