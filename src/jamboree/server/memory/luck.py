"""A table's luck: what was committed and added, and how much of it is used up. It follows from the records."""

from functools import lru_cache

import msgspec

from jamboree.core.chance import Chance
from jamboree.core.fair import Fair, key_of

from .records import Acted, AnyRecord, Committed, SeedAdded, Started


class Luck(msgspec.Struct):
    commitment: str = ""
    secret: str = ""  # the server's seed: nobody is shown it before the end
    seeds: list[str] = []  # by seat; empty where none was added
    opened: int = 0  # open picks made, taken back or not: a pick is never given back
    hidden: int = 0

    def fold(self, record: AnyRecord, seats: int) -> None:
        match record:
            case Committed():
                self.commitment, self.secret, self.seeds = record.commitment, record.secret, [""] * seats
            case SeedAdded():
                self.seeds[record.seat] = record.seed
            case Started() | Acted():
                hidden = sum(pick.stream == "hidden" for pick in record.picks)
                self.hidden += hidden
                self.opened += len(record.picks) - hidden

    def chance(self) -> Chance:
        """Give the luck of what comes next; before the server is bound to it there is none."""
        return Fair(_key(self.secret, *self.seeds), self.opened, self.hidden) if self.secret else Chance()


@lru_cache(maxsize=4096)
def _key(secret: str, *seeds: str) -> bytes:
    """Mix the seeds of a game, once for all of its moves."""
    return key_of(secret, seeds)
