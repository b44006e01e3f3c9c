"""The jumps of a table: a solo for each player, and the formations in use."""

from functools import lru_cache

import msgspec

from jamboree.core.seats import Seat

from .components import BOX


class Jump(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A formation, named by the number of jumpers it needs, or the solo of a seat."""

    number: int
    solo: Seat | None = None


class Layout:
    """All jumps of a table, numbered: first the solos by seat, then the formations."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.everyone = (1 << seats) - 1
        self.formations = tuple(number for number in BOX.formations if number < seats)
        solos = [Jump(1, seat) for seat in range(seats)]
        self.jumps = (*solos, *(Jump(number) for number in self.formations))
        self.index = {jump: at for at, jump in enumerate(self.jumps)}
        self.own = tuple(self._own(seat) for seat in range(seats))  # by seat: jumps it can put a character card on

    def _own(self, seat: int) -> int:
        return 1 << seat | sum(1 << at for at in range(self.seats, len(self.jumps)))

    def in_order(self, first: int) -> list[int]:
        """Return the jumps in the jury's order: solos from the jumpmaster leftwards, then formations by number."""
        solos = [(first + turn) % self.seats for turn in range(self.seats)]
        return [*solos, *range(self.seats, len(self.jumps))]


@lru_cache
def layout(seats: int) -> Layout:
    return Layout(seats)
