"""Bytes that connections make the server hold: bounded over all of them."""

import heapq

from .connections import Visitor


class Ledger:
    """What is held for whom. When it is too much in all, the address with most of it loses its oldest connection."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.total = self.dismissed = 0
        self._held: dict[str, dict[Visitor, int]] = {}  # by address; the oldest first
        self._sizes: dict[str, int] = {}
        self._ranks: list[tuple[int, str]] = []  # a heap, the largest first; what has changed since is skipped

    @property
    def is_crowded(self) -> bool:
        """Tell whether half of the room is taken."""
        return 2 * self.total > self.most

    def held(self, visitor: Visitor) -> int:
        return self._held.get(visitor.address, {}).get(visitor, 0)

    def hold(self, visitor: Visitor, size: int) -> None:
        """Note so many bytes more."""
        theirs = self._held.setdefault(visitor.address, {})
        theirs[visitor] = theirs.get(visitor, 0) + size
        self._change(visitor.address, size)
        while self.total > self.most:
            greediest = self._greediest()
            self.release(greediest)
            self.dismissed += 1
            greediest.dismiss()

    def release(self, visitor: Visitor) -> None:
        """Forget everything that was held for a visitor."""
        theirs = self._held.get(visitor.address, {})
        size = theirs.pop(visitor, 0)
        if size:
            self._change(visitor.address, -size)

    def _change(self, address: str, size: int) -> None:
        self.total += size
        self._sizes[address] = self._sizes.get(address, 0) + size
        if self._sizes[address]:
            heapq.heappush(self._ranks, (-self._sizes[address], address))
        else:
            del self._sizes[address], self._held[address]
        if len(self._ranks) > 4 * len(self._sizes) + 64:
            self._ranks = [(-held, where) for where, held in self._sizes.items()]
            heapq.heapify(self._ranks)

    def _greediest(self) -> Visitor:
        while self._sizes.get(self._ranks[0][1]) != -self._ranks[0][0]:
            heapq.heappop(self._ranks)
        return next(iter(self._held[self._ranks[0][1]]))
