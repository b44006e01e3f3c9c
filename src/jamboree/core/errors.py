"""Exceptions whose text is shown to the user."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec


class JamboreeError(Exception):
    """Base class of errors caused by user input; the text is one clear sentence."""


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for JSON that is malformed, of another type, not in UTF-8, or nested too deeply."""


class Illegal(JamboreeError):
    """The rules do not allow an action: the rule, and the reason as a key of the game's catalogue."""

    def __init__(self, rule: str, key: str, params: Mapping[str, object], why: str) -> None:
        super().__init__(why)
        self.rule = rule
        self.key = key
        self.params = dict(params)
        self.why = why


class Flaw(NamedTuple):
    """A problem in an option's value; line 0 means the option as a whole."""

    line: int
    sentence: str


class BadOptions(JamboreeError):
    """The options do not describe a playable game."""

    def say(self, lang: str) -> str:
        """Describe the problem in a language, if the game has a translation."""
        return str(self)

    def listed(self, lang: str) -> list[Flaw]:
        """Return all problems with their line numbers in the text of the option."""
        return [Flaw(0, self.say(lang))]


class BadJournal(JamboreeError):
    """The file is not a valid journal."""


class ChangedJournal(BadJournal):
    """The journal was modified after it was written: its seal does not match."""


class Unfair(JamboreeError):
    """The picks of a journal do not follow from the committed seeds."""


class Stalled(JamboreeError):
    """Deadlock: every player waits and no timer runs."""
