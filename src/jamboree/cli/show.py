"""What styles look like in a terminal, and how lines get there."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from textwrap import wrap
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from jamboree.core.avatars import avatar_of
from jamboree.core.game import AnyGame
from jamboree.core.words import COMMON, PALETTE, Line, Words, clean

from .language import CATALOGUE

LOOKS = {
    "strong": "bold",
    "dim": "dim",
    "label": "not bold",
    "good": "bold green",
    "bad": "bold red",
    **{style: f"bold {colours.ink} on {colours.on}" for style, colours in PALETTE.items()},
}
SEAT = re.compile(r"\bseat(\d)\b")
GAP = 3


def console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def look(names: str) -> Style:
    """Turn the names of a style, one after the other, into what it looks like; a seat has the colour it chose."""
    return _look(SEAT.sub(lambda found: f"seat{avatar_of(int(found[1]))}", names))


@lru_cache
def _look(names: str) -> Style:
    return Style.combine([Style(), *(Style.parse(LOOKS.get(name, "")) for name in names.split())])


def styled(line: Line) -> Text:
    text = Text(no_wrap=True, overflow="ignore")
    for span in line:
        text.append(clean(span.text), look(span.style))
    return text


def show(out: Console, lines: Iterable[Line]) -> None:
    show_lines(out, fitted(out, lines))


def fitted(out: Console, lines: Iterable[Line]) -> list[Text]:
    """Lay painted lines out; what is too long for a window goes on in the next line, at a word."""
    found = list[Text]()
    for line in lines:
        text = styled(line)
        text.rstrip()
        found += folded(out, text)
    return found


def folded(out: Console, text: Text, indent: int = GAP + 1) -> list[Text]:
    """Break a text at words where a window is too narrow for it; a word is never broken."""
    if not out.is_terminal or cell_len(text.plain) <= out.width:
        return [text]
    plain, width = text.plain, out.width
    blanks = [
        at for at, letter in enumerate(plain) if letter == " " and plain[:at].strip() and cell_len(plain[:at]) <= width
    ]
    at = blanks[-1] if blanks else plain.find(" ", len(plain) - len(plain.lstrip()))
    if at < 0:
        return [text]
    first, rest = text.divide([at])
    first.rstrip()
    rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
    return [first, *folded(out, Text(" " * indent).append_text(rest), indent)] if rest.plain else [first]


class Room(NamedTuple):
    """Lines of a window that are wanted beside a board."""

    least: int = 0  # below a small one, which is cut if it leaves less
    below: int = 14  # below a whole one, or it is drawn small
    wished: int = 0  # a board that has as many below it is preferred


USUAL_ROOM = Room()


def board_lines(
    out: Console, game: AnyGame, view: Any, names: Sequence[str], lang: str, room: Room = USUAL_ROOM
) -> list[Text]:
    """Lay the board out, whole or small, as the window has room for it."""
    whole, paint_small = fitted(out, game.words.paint(view, names, lang)), game.words.paint_small
    if not out.is_terminal or paint_small is None:
        return [*whole, Text()]
    small = [_one_line(out, line) for line in paint_small(view, names, lang)]
    if len(whole) + room.below <= out.height:
        all_fits_only_below_a_small_one = len(small) + room.wished <= out.height < len(whole) + room.wished
        if not all_fits_only_below_a_small_one:
            return [*whole, Text()]
    if len(small) + room.least <= out.height:
        return small
    more = Text(CATALOGUE.say(lang, "menu.board"), look("dim"))
    return [*small[: max(0, out.height - room.least - 1)], more]


def show_board(out: Console, game: AnyGame, view: Any, names: Sequence[str], lang: str, room: Room = USUAL_ROOM) -> int:
    """Show the board and give how many lines it took."""
    out.print()
    lines = board_lines(out, game, view, names, lang, room)
    show_lines(out, lines)
    return len(lines)


def _one_line(out: Console, line: Line) -> Text:
    text = styled(line)
    text.rstrip()
    text.truncate(out.width, overflow="ellipsis")
    return text


def show_lines(out: Console, lines: Iterable[Text]) -> None:
    for line in lines:
        out.print(line, crop=False, soft_wrap=True)


def say(out: Console, text: str, style: str = "") -> None:
    """Print a sentence; a person's window wraps it at words, a file gets it in one line."""
    out.print(Text("\n".join(wrapped(out, text)), look(style)), soft_wrap=True)


def lines_of(out: Console, text: str) -> int:
    """Count the lines that a sentence takes."""
    return len(wrapped(out, text))


def gains(words: Words[Any, Any, Any], lang: str) -> re.Pattern[str]:
    """Find what a game counts its gains in: points, unless its texts have other words."""
    units = words.text("gains", lang) or COMMON.say(lang, "gains")
    return re.compile(rf"\b[1-9]\d* (?:{'|'.join(map(re.escape, units.split()))})\b")


def tell(out: Console, text: str, names: Sequence[str], gain: re.Pattern[str]) -> None:
    """Print what happened: players in their colours, gains in bold."""
    told = Text("\n".join(wrapped(out, f"  {text}", "    ")))
    for seat, name in enumerate(names):
        told.highlight_regex(rf"(?<!\w){re.escape(clean(name))}(?!\w)", look(f"seat{seat}"))
    told.highlight_regex(gain, look("good"))
    out.print(told, soft_wrap=True)


def wrapped(out: Console, text: str, indent: str = "") -> list[str]:
    """Wrap at words, but never break one, such as a path; blanks at the end stay."""
    text = clean(text)
    if not out.is_terminal or len(text) < out.width:
        return [text]
    end = text[len(text.rstrip()) :]
    lines = wrap(text, out.width - len(end), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [*lines[:-1], lines[-1] + end]


def in_columns(out: Console, cells: Sequence[Text]) -> list[Text]:
    """Lay cells out in as many columns as fit, read downwards; one that is too long has lines of its own."""
    if not cells:
        return []
    width = max(cell_len(cell.plain) for cell in cells) + GAP
    columns = max(1, (min(out.width, 100) - 2) // width)
    rows, lines = -(-len(cells) // columns), list[Text]()
    for row in range(rows):
        line = Text("  ", no_wrap=True)
        for cell in cells[row::rows]:
            line.append_text(cell)
            line.append(" " * (width - cell_len(cell.plain)))
        line.rstrip()
        lines += folded(out, line, 2 * GAP)
    return lines
