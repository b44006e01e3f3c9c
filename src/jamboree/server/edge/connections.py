"""Who is connected from where. When there are too many, those who have kept us waiting longest go first."""

from collections.abc import Callable
from typing import Protocol

PER_ADDRESS = 1_000  # connections: a browser has seven, and a school of a hundred has one address


class Visitor(Protocol):
    """A connection."""

    address: str

    def dismiss(self) -> None:
        """End it at once, whatever is on its way; it leaves by itself."""


class Visitors:
    """Connections by address.

    A visitor waits until all of its request has arrived: idle, silent and dribbling ones are alike. Those who wait can
    always be replaced by a newcomer, so that nobody shuts the door by standing in it.
    """

    def __init__(self, most: int, per_address: int = PER_ADDRESS, exempt: Callable[[str], bool] | None = None) -> None:
        self.most, self.per_address = most, per_address
        self.exempt = exempt or (lambda address: False)  # proxies: everybody comes from there
        self.present: dict[str, int] = {}
        self.total = self.refused = self.replaced = 0
        self._waiting: dict[str, dict[Visitor, None]] = {}  # by address, in the order of who waits longest
        self._waiting_in_all: dict[Visitor, None] = {}

    def enter(self, visitor: Visitor) -> bool:
        """Let a newcomer in, perhaps in the place of another."""
        here = self.present.get(visitor.address, 0)
        if here >= self.per_address and not self.exempt(visitor.address):
            crowd: dict[Visitor, None] = self._waiting.get(visitor.address, {})
        elif self.total >= self.most:
            crowd = self._waiting_in_all
        else:
            self._count(visitor)
            return True
        longest = next(iter(crowd), None)
        if longest is None:
            self.refused += 1
            return False
        self.replaced += 1
        longest.dismiss()
        self._count(visitor)
        return True

    def _count(self, visitor: Visitor) -> None:
        self.present[visitor.address] = self.present.get(visitor.address, 0) + 1
        self.total += 1

    def waits(self, visitor: Visitor) -> None:
        """Note that the rest of a request, or the next one, is still to come."""
        if visitor not in self._waiting_in_all:
            self._waiting_in_all[visitor] = None
            self._waiting.setdefault(visitor.address, {})[visitor] = None

    def is_served(self, visitor: Visitor) -> None:
        """Note that the server is at work for a visitor."""
        if visitor in self._waiting_in_all:
            del self._waiting_in_all[visitor]
            theirs = self._waiting[visitor.address]
            del theirs[visitor]
            if not theirs:
                del self._waiting[visitor.address]

    def leave(self, visitor: Visitor) -> None:
        self.is_served(visitor)
        left = self.present.get(visitor.address, 0) - 1
        self.total -= 1
        if left > 0:
            self.present[visitor.address] = left
        else:
            self.present.pop(visitor.address, None)
