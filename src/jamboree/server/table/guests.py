"""Guests who look at a table without having joined: everybody sees how many there are."""

from ..minding.inbox import Inbox
from ..watching.audience import Audience

DELAY = 1.0  # seconds until that is told: all who come and go meanwhile are counted at once


class Guests:
    __slots__ = ("_due", "audience", "inbox")

    def __init__(self, inbox: Inbox, audience: Audience) -> None:
        self.inbox, self.audience = inbox, audience
        self._due = False

    def note(self, person: str | None) -> None:
        """Have guests counted in a moment, if it was one who came or went."""
        if person is None and not self._due:
            self._due = True
            self.inbox.set_alarm("guests", self.inbox.now() + DELAY, self._count)

    async def _count(self) -> None:
        self.inbox.clear_alarm("guests")
        self._due = False
        self.audience.show_guests()
