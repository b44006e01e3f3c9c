"""A terminal that goes from hand to hand: the screen is wiped before anybody else looks."""

from collections.abc import Callable, Sequence

from jamboree.core.words import clean

from ...language import CATALOGUE
from ...screen import WIPE, Screen
from ...show import say

HANDING_OVER = 0.5  # seconds in which a second Enter of the last person shows nothing of the next one's
ROOMY = 36  # lines of a window in which both what happened and the board have room
LATEST = 8  # sentences that are told to the next person


class Device:
    """Knows who looks, and what everybody saw since each person last did."""

    def __init__(self, names: Sequence[str], lang: str, screen: Screen) -> None:
        self.names, self.lang = names, lang
        self.screen, self.out = screen, screen.out
        self.holder: int | None = None
        self._since: dict[int, list[str]] = {}

    def hear(self, sentences: Sequence[str]) -> None:
        """Remember what everybody saw, for those who did not look."""
        for seat in range(len(self.names)):
            if seat != self.holder:
                self._since.setdefault(seat, []).extend(sentences)

    def recall(self, actor: int | None, sentences: Sequence[str]) -> None:
        """Remember a step of an earlier sitting, in which only the person who acted looked."""
        if actor is not None:
            self._since.pop(actor, None)
        self.holder = actor
        self.hear(sentences)
        self.holder = None

    def end(self) -> None:
        """Wipe the screen for everybody, and tell what those who looked longest ago have missed."""
        self.holder = None
        self.wipe()
        self._tell(max(self._since.values(), key=len, default=[]))

    def pass_to(self, seat: int, ask: Callable[[str], str]) -> bool:
        """Wipe the screen and wait until the next person has the device; tell whether it changed hands."""
        if seat == self.holder:
            return False
        self.holder = None
        self.wipe()
        self.screen.forget()
        self.screen.pause_enter(HANDING_OVER)
        name = clean(self.names[seat])
        say(self.out, CATALOGUE.say(self.lang, "around.pass", name=name), "strong")
        ask(CATALOGUE.say(self.lang, "around.enter", name=name) + " ")
        self.wipe()
        self.holder = seat
        if self._tell(self._since.pop(seat, [])) and self.out.is_terminal and self.out.height < ROOMY:
            ask(CATALOGUE.say(self.lang, "around.read") + " ")
        return True

    def wipe(self) -> None:
        """Take everything off the screen; what is written to a file stays there."""
        if self.out.is_terminal:
            self.out.file.write(WIPE)
            self.out.file.flush()
        else:
            self.out.print()

    def _tell(self, sentences: list[str]) -> bool:
        """Print what happened, and say whether anything did."""
        if sentences:
            say(self.out, CATALOGUE.say(self.lang, "around.since"), "dim")
        for sentence in sentences[-LATEST:]:
            say(self.out, f"  {sentence}")
        return bool(sentences)
