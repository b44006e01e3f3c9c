"""How many sockets there may be: by address, by table, by person, and in all."""

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from ..errors import Refused

MOST_SOCKETS = 10_000
WATCHING_IN_ALL = 6_000  # the others are kept back for people with a token
SEATED_BY_ADDRESS = 500  # sockets of people with a seat: a school of a hundred, some on two devices
WATCHING_BY_ADDRESS = 200
WATCHING_A_TABLE = 4_000
BY_PERSON = 10  # devices and tabs
Key = TypeVar("Key")
Owner = tuple[str, str]  # a table, and a person there


class Crowd:
    """Counts sockets. One without a token counts as watching, so that nobody takes the place of a player by watching.

    At an address that is full, a newcomer takes a place from the person who has the most there.
    """

    def __init__(self) -> None:
        self.total = self.watching = 0
        self._seated: dict[str, dict[Owner, list[Place]]] = {}  # by address
        self._watching: Counter[str] = Counter()  # by address
        self._watching_table: Counter[str] = Counter()
        self._persons: Counter[Owner] = Counter()

    def enter(self, place: "Place", person: str | None) -> None:
        """Count a socket, or refuse it."""
        enough = self._has_enough_of(place, person) if person else self._has_watchers_enough(place)
        if enough or self.total >= MOST_SOCKETS:
            raise Refused("crowded", "Too many connections come from there, or are open to this table.")
        if person:
            self._make_room(place.address)
            self._seated.setdefault(place.address, {}).setdefault((place.table, person), []).append(place)
        self._add(place, person, 1)

    def leave(self, place: "Place", person: str | None) -> None:
        if person:
            seated, owner = self._seated[place.address], (place.table, person)
            seated[owner].remove(place)
            if not seated[owner]:
                del seated[owner]
            if not seated:
                del self._seated[place.address]
        self._add(place, person, -1)

    def _has_watchers_enough(self, place: "Place") -> bool:
        return (
            self.watching >= WATCHING_IN_ALL
            or self._watching_table[place.table] >= WATCHING_A_TABLE
            or self._watching[place.address] >= WATCHING_BY_ADDRESS
        )

    def _has_enough_of(self, place: "Place", person: str) -> bool:
        """Tell whether there is no place, and nobody at the address has two more than this person."""
        owner, seated = (place.table, person), self._seated.get(place.address, {})
        if self._persons[owner] >= BY_PERSON:
            return True
        there = {each: len(places) for each, places in seated.items()}
        return sum(there.values()) >= SEATED_BY_ADDRESS and max(there.values()) < there.get(owner, 0) + 2

    def _make_room(self, address: str) -> None:
        seated = self._seated.get(address, {})
        if sum(map(len, seated.values())) >= SEATED_BY_ADDRESS:
            greediest = max(seated, key=lambda owner: len(seated[owner]))
            seated[greediest][-1].give_up()

    def _add(self, place: "Place", person: str | None, much: int) -> None:
        self.total += much
        if person:
            _count(self._persons, (place.table, person), much)
        else:
            self.watching += much
            _count(self._watching, place.address, much)
            _count(self._watching_table, place.table, much)


class Place:
    """One socket in the crowd; without a crowd nobody counts."""

    def __init__(self, crowd: Crowd | None, address: str, table: str) -> None:
        self.crowd, self.address, self.table = crowd, address, table
        self.person: str | None = None
        self.dismiss: Callable[[], None] = nobody_there  # sends away whoever has it
        self._counted = False

    def belongs_to(self, person: str | None) -> None:
        """Count the socket as this person's, or as one that watches; or refuse it."""
        if self.crowd and not (self._counted and person == self.person):
            self.crowd.enter(self, person)
            self.leave()
            self._counted = True
        self.person = person

    def give_up(self) -> None:
        """Leave, because somebody who has less needs the place."""
        self.leave()
        self.dismiss()

    def leave(self) -> None:
        if self.crowd and self._counted:
            self._counted = False
            self.crowd.leave(self, self.person)


def nobody_there() -> None:
    """Send nobody away."""


def _count(counter: Counter[Key], key: Key, much: int) -> None:
    counter[key] += much
    if counter[key] <= 0:
        del counter[key]
