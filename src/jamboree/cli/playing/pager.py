"""Lists that are longer than a window: a page at a time, the rest on request."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

SHORTEST = 2  # lines of a page, however little room there is


class Pager:
    def __init__(self, out: Console) -> None:
        self.out = out
        self.taken = 0  # lines that belong on the same screen
        self.rest: Sequence[Text] = ()

    @property
    def waiting(self) -> int:
        """Count the lines that were not shown yet."""
        return len(self.rest)

    def begin(self, taken: int) -> None:
        """Begin another screen, of which so many lines are taken."""
        self.taken, self.rest = taken, ()

    def show(self, lines: Sequence[Text]) -> None:
        """Print as many lines as there is room for; what comes later has the screen to itself."""
        room = max(SHORTEST, self.out.height - self.taken) if self.out.is_terminal else len(lines)
        for line in lines[:room]:
            self.out.print(line, crop=False, soft_wrap=True)
        self.rest, self.taken = lines[room:], 2

    def turn(self) -> None:
        self.show(self.rest)
