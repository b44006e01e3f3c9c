"""A terminal that goes from hand to hand: the screen is wiped before anybody else looks."""

from collections.abc import Callable, Sequence

from rich.console import Console

from jamboree.core.words import clean

from ...language import CATALOGUE
from ...show import say

WIPE = "\x1b[H\x1b[2J\x1b[3J"  # the screen, and what has scrolled out of it
LATEST = 8  # sentences that are told to the next person


class Device:
    """Knows who looks, and what everybody saw since each person last did."""

    def __init__(self, names: Sequence[str], lang: str, out: Console) -> None:
        self.names, self.lang, self.out = names, lang, out
        self.holder: int | None = None
        self._since: dict[int, list[str]] = {}

    def hear(self, sentences: Sequence[str]) -> None:
        """Remember what everybody saw, for those who did not look."""
        for seat in range(len(self.names)):
            if seat != self.holder:
                self._since.setdefault(seat, []).extend(sentences)

    def pass_to(self, seat: int, ask: Callable[[str], str]) -> bool:
        """Wipe the screen and wait until the next person has the device; tell whether it changed hands."""
        if seat == self.holder:
            return False
        self.holder = None
        self.wipe()
        name = clean(self.names[seat])
        say(self.out, CATALOGUE.say(self.lang, "around.pass", name=name), "strong")
        ask(CATALOGUE.say(self.lang, "around.enter", name=name) + " ")
        self.wipe()
        self.holder = seat
        self._tell(self._since.pop(seat, []))
        return True

    def wipe(self) -> None:
        """Take everything off the screen; what is written to a file stays there."""
        if self.out.is_terminal:
            self.out.file.write(WIPE)
            self.out.file.flush()
        else:
            self.out.print()

    def _tell(self, sentences: list[str]) -> None:
        if sentences:
            say(self.out, CATALOGUE.say(self.lang, "around.since"), "dim")
        for sentence in sentences[-LATEST:]:
            say(self.out, f"  {sentence}")
