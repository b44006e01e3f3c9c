"""Bytes that connections make the server hold: bounded over all of them."""

from .visitors import Visitor


class Ledger:
    """What is held for whom. When it is too much in all, the address with most of it loses its oldest connection."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.total = self.dismissed = 0
        self._held: dict[Visitor, int] = {}
        self._by_address: dict[str, int] = {}

    def hold(self, visitor: Visitor, size: int) -> None:
        """Note so many bytes more."""
        self._held[visitor] = self._held.get(visitor, 0) + size
        self._by_address[visitor.address] = self._by_address.get(visitor.address, 0) + size
        self.total += size
        while self.total > self.most:
            greediest = self._greediest()
            self.release(greediest)
            self.dismissed += 1
            greediest.dismiss()

    def release(self, visitor: Visitor) -> None:
        """Forget everything that was held for a visitor."""
        size = self._held.pop(visitor, 0)
        self.total -= size
        left = self._by_address.get(visitor.address, 0) - size
        if left > 0:
            self._by_address[visitor.address] = left
        else:
            self._by_address.pop(visitor.address, None)

    def _greediest(self) -> Visitor:
        address = max(self._by_address, key=self._by_address.__getitem__)
        return next(visitor for visitor in self._held if visitor.address == address)
