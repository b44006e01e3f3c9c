"""Who is at a table, one by one: people, bots, those who may not come back; and what every seat looks like."""

from collections.abc import Mapping

import msgspec

from .records import LinkMinted, LinkUsed, Muted, Readied, SignedOut

MOST_TOKENS = 8  # devices of one person
REMEMBERED = 64  # actions of a person that are known again when they are sent again


class Bot(msgspec.Struct, frozen=True):
    level: str
    name: str


class Ban(msgspec.Struct, frozen=True):
    """What is known of somebody who may not come back."""

    name: str
    tokens: list[str]  # hashed


class Person(msgspec.Struct):
    name: str
    seat: int | None
    tokens: list[str]  # hashed
    gone: bool = False
    ready: bool = False
    muted: bool = False
    invited: bool = False  # brought along to a rematch, and not come yet
    link: str = ""  # hashed; works once
    asks_back: str | None = None  # the player they are, on another phone
    done: dict[str, int] = {}  # the last actions by their ids, and the sequence number of each

    @property
    def away_for_good(self) -> bool:
        """Tell who left before the game or after watching; a player who left it can come back."""
        return self.gone and self.seat is None

    def remember(self, done: str, seq: int) -> None:
        """Note an action by its id, and let go of one long ago."""
        self.done[done] = seq
        while len(self.done) > REMEMBERED:
            self.done.pop(next(iter(self.done)))

    def adopt(self, tokens: list[str]) -> None:
        """Go on with another device, too."""
        self.tokens = [*self.tokens, *tokens][-MOST_TOKENS:]

    def fold(self, record: Muted | Readied | LinkMinted | LinkUsed | SignedOut) -> None:
        match record:
            case Muted():
                self.muted = record.muted
            case Readied():
                self.ready = record.ready
            case LinkMinted():
                self.link = record.link
            case LinkUsed():
                self.link = ""
                self.adopt([record.token])  # once the first made room for the ninth
            case SignedOut():
                self.tokens = [record.besides]


def come_back(people: Mapping[str, Person], asker: str, player: str) -> Person:
    """Have a player go on with the phone of somebody who asked; give that one, who is not needed any more."""
    people[player].adopt(people[asker].tokens)
    for other in people.values():
        other.asks_back = None if other.asks_back == player else other.asks_back
    return people[asker]


class Looks(msgspec.Struct):
    """A colour, animal or token for every seat, none twice; whoever takes one leaves their own to its seat."""

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
