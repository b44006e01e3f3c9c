"""What goes wrong, said to the person who sees it."""

from collections.abc import Mapping
from typing import NamedTuple


class JamboreeError(Exception):
    """Anything a person did that cannot be done; its text is one clear sentence."""


class Illegal(JamboreeError):
    """An action the rules do not allow: which rule, and why, as a key of the game's catalogue."""

    def __init__(self, rule: str, key: str, params: Mapping[str, object], why: str) -> None:
        super().__init__(why)
        self.rule = rule
        self.key = key
        self.params = dict(params)
        self.why = why


class Flaw(NamedTuple):
    """What is wrong with an option; line 0 means the option as a whole."""

    line: int
    sentence: str


class BadOptions(JamboreeError):
    """A game can't be set up this way."""

    def say(self, lang: str) -> str:
        """Tell what is wrong in a language, if the game can."""
        return str(self)

    def listed(self, lang: str) -> list[Flaw]:
        """List everything that is wrong, by the lines of a text that was handed in."""
        return [Flaw(0, self.say(lang))]


class BadJournal(JamboreeError):
    """A file that is not a sound journal."""


class ChangedJournal(BadJournal):
    """A journal that somebody has changed since it was written."""


class Unfair(JamboreeError):
    """A journal whose luck is not the one that was promised."""


class Stalled(JamboreeError):
    """Everybody waits and no clock runs."""
