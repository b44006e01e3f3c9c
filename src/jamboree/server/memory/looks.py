"""What every seat looks like: the colours, animals or tokens that a game has, and who would like to have which."""

import msgspec


class Looks(msgspec.Struct):
    """A look for every seat, none twice. Whoever takes one leaves their own to the seat that had it."""

    worn: list[int] = []  # by seat; those that no seat has stand behind. What was never chosen is as in the box
    asked: dict[str, int] = {}  # by person: a look that somebody else has

    def of(self, seat: int) -> int:
        return self.worn[seat] if seat < len(self.worn) else seat

    def seat_with(self, look: int) -> int:
        """Find which seat has a look; a number behind all seats: none."""
        return self.worn.index(look) if look in self.worn else look

    def take(self, seat: int, look: int) -> None:
        self.exchange(seat, self.seat_with(look))

    def exchange(self, one: int, other: int) -> None:
        self.worn += range(len(self.worn), max(one, other) + 1)
        self.worn[one], self.worn[other] = self.worn[other], self.worn[one]

    def turn(self, by: int, seats: int) -> None:
        """Have the looks go with their people, who move up by some seats."""
        worn = [self.of(seat) for seat in range(max(seats, len(self.worn)))]
        self.worn = [*(worn[(seat - by) % seats] for seat in range(seats)), *worn[seats:]]
