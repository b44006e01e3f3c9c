"""Shows long texts a page at a time."""

import os
from collections.abc import Sequence

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from jamboree.core.game import AnyGame

from ..language import rules_text

MIN_PAGE = 2  # lines


class Pager:
    def __init__(self, out: Console) -> None:
        self.out = out
        self.used = 0  # lines of the window that other text takes
        self.rest: Sequence[Text] = ()

    @property
    def waiting(self) -> int:
        """The number of lines not shown yet."""
        return len(self.rest)

    def begin(self, used: int) -> None:
        """Begin a new page, of which some lines are used already."""
        self.used, self.rest = used, ()

    def show(self, lines: Sequence[Text]) -> None:
        """Print as many lines as fit on the page and keep the rest."""
        count = max(MIN_PAGE, self.out.height - self.used) if self.out.is_terminal else len(lines)
        for line in lines[:count]:
            self.out.print(line, crop=False, soft_wrap=True)
        self.rest, self.used = lines[count:], 2

    def next_page(self) -> None:
        self.show(self.rest)


def page_rules(out: Console, game: AnyGame, lang: str) -> None:
    """Show the rules of a game in the user's pager."""
    os.environ.setdefault("LESS", "-R")
    os.environ.setdefault("LESSCHARSET", "utf-8")  # the encoding of our output, whatever the locale
    with out.pager(styles=True):
        print_rules(out, game, lang)


def print_rules(out: Console, game: AnyGame, lang: str) -> None:
    out.print(Markdown(rules_text(game, lang)))
