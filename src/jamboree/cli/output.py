"""Terminal output: styles, wrapping, boards, columns."""

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

RICH_STYLES = {
    "strong": "bold",
    "dim": "dim",
    "label": "not bold",
    "good": "bold green",
    "bad": "bold red",
    **{style: f"bold {colours.ink} on {colours.on}" for style, colours in PALETTE.items()},
}
SEAT_STYLE = re.compile(r"\bseat(\d)\b")
GAP = 3  # columns between cells


def console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def style_of(names: str) -> Style:
    """Combine named styles; a seat has the colour of its avatar."""
    return _style_of(SEAT_STYLE.sub(lambda match: f"seat{avatar_of(int(match[1]))}", names))


@lru_cache
def _style_of(names: str) -> Style:
    return Style.combine([Style(), *(Style.parse(RICH_STYLES.get(name, "")) for name in names.split())])


def styled(line: Line) -> Text:
    text = Text(no_wrap=True, overflow="ignore")
    for span in line:
        text.append(clean(span.text), style_of(span.style))
    return text


def print_painting(out: Console, lines: Iterable[Line]) -> None:
    print_lines(out, layout(out, lines))


def layout(out: Console, lines: Iterable[Line]) -> list[Text]:
    """Style painted lines, and wrap those that are wider than the window."""
    texts = list[Text]()
    for line in lines:
        text = styled(line)
        text.rstrip()
        texts += fold(out, text)
    return texts


def fold(out: Console, text: Text, indent: int = GAP + 1) -> list[Text]:
    """Wrap a styled text at words; a word wider than the window is never broken."""
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
    return [first, *fold(out, Text(" " * indent).append_text(rest), indent)] if rest.plain else [first]


class LineBudget(NamedTuple):
    """How many lines of the window to leave free below a board."""

    required: int = 0  # a small board is truncated if it leaves fewer
    below_whole: int = 14  # the whole board is replaced by a small one if it leaves fewer
    preferred: int = 0  # a small board is preferred if only that leaves as many


DEFAULT_BUDGET = LineBudget()


def board_lines(
    out: Console, game: AnyGame, view: Any, names: Sequence[str], lang: str, budget: LineBudget = DEFAULT_BUDGET
) -> list[Text]:
    """Lay the board out, whole or small, depending on the height of the window."""
    whole, paint_small = layout(out, game.words.paint(view, names, lang)), game.words.paint_small
    if not out.is_terminal or paint_small is None:
        return [*whole, Text()]
    small = [_one_line(out, line) for line in paint_small(view, names, lang)]
    if len(whole) + budget.below_whole <= out.height:
        only_small_leaves_preferred = len(small) + budget.preferred <= out.height < len(whole) + budget.preferred
        if not only_small_leaves_preferred:
            return [*whole, Text()]
    if len(small) + budget.required <= out.height:
        return small
    more = Text(CATALOGUE.say(lang, "menu.board"), style_of("dim"))
    return [*small[: max(0, out.height - budget.required - 1)], more]


def show_board(
    out: Console, game: AnyGame, view: Any, names: Sequence[str], lang: str, budget: LineBudget = DEFAULT_BUDGET
) -> int:
    """Print the board and return the number of its lines."""
    out.print()
    lines = board_lines(out, game, view, names, lang, budget)
    print_lines(out, lines)
    return len(lines)


def _one_line(out: Console, line: Line) -> Text:
    text = styled(line)
    text.rstrip()
    text.truncate(out.width, overflow="ellipsis")
    return text


def print_lines(out: Console, lines: Iterable[Text]) -> None:
    for line in lines:
        out.print(line, crop=False, soft_wrap=True)


def print_text(out: Console, text: str, style: str = "") -> None:
    """Print a text; in a terminal it is wrapped at words."""
    out.print(Text("\n".join(wrapped(out, text)), style_of(style)), soft_wrap=True)


def line_count(out: Console, text: str) -> int:
    """Return the number of lines that a text takes."""
    return len(wrapped(out, text))


def gain_pattern(words: Words[Any, Any, Any], lang: str) -> re.Pattern[str]:
    """Return a pattern for gains such as `3 points`, in the units that the game's texts name."""
    units = words.text("gains", lang) or COMMON.say(lang, "gains")
    return re.compile(rf"\b[1-9]\d* (?:{'|'.join(map(re.escape, units.split()))})\b")


def print_event(out: Console, text: str, names: Sequence[str], gain: re.Pattern[str]) -> None:
    """Print a sentence about an event with players in their colours and gains in bold."""
    sentence = Text("\n".join(wrapped(out, f"  {text}", "    ")))
    for seat, name in enumerate(names):
        sentence.highlight_regex(rf"(?<!\w){re.escape(clean(name))}(?!\w)", style_of(f"seat{seat}"))
    sentence.highlight_regex(gain, style_of("good"))
    out.print(sentence, soft_wrap=True)


def wrapped(out: Console, text: str, indent: str = "") -> list[str]:
    """Wrap a text at words without breaking any, such as a path; trailing blanks stay."""
    text = clean(text)
    if not out.is_terminal or len(text) < out.width:
        return [text]
    end = text[len(text.rstrip()) :]
    lines = wrap(text, out.width - len(end), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [*lines[:-1], lines[-1] + end]


def in_columns(out: Console, cells: Sequence[Text]) -> list[Text]:
    """Lay cells out in as many columns as fit, to be read downwards; a cell that is too wide is wrapped."""
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
        lines += fold(out, line, 2 * GAP)
    return lines
