"""Bytes that wait for slow readers, over all sockets: the less room is left, the less may wait for each."""

MOST_WAITING = 256 * 1024  # for one reader
MOST_IN_ALL = 64 * 1024 * 1024
SHARE = 16  # one reader may have this part of the room that is left


class Waiting:
    def __init__(self) -> None:
        self.total = 0

    @property
    def room(self) -> int:
        """How much may wait for one reader now."""
        return max(0, min(MOST_WAITING, (MOST_IN_ALL - self.total) // SHARE))
