"""How many sockets there may be: by address, by table, by person, and in all."""

from collections import Counter
from typing import TypeVar

from .errors import Refused

MOST_SOCKETS = 10_000
SEATED_BY_ADDRESS = 500  # sockets of people with a seat: a school of a hundred, some on two devices
WATCHING_BY_ADDRESS = 200
WATCHING_A_TABLE = 4_000
BY_PERSON = 10  # devices and tabs
Key = TypeVar("Key")


class Crowd:
    """Counts sockets. Who has shown no token counts as watching; so nobody takes the place of a player by watching."""

    def __init__(self) -> None:
        self.total = 0
        self._seated: Counter[str] = Counter()  # by address
        self._watching: Counter[str] = Counter()  # by address
        self._watching_table: Counter[str] = Counter()
        self._persons: Counter[tuple[str, str]] = Counter()

    def enter(self, address: str, table: str, person: str | None) -> None:
        """Count a socket, or refuse it."""
        if person:
            full = self._seated[address] >= SEATED_BY_ADDRESS or self._persons[table, person] >= BY_PERSON
        else:
            crowded = self._watching_table[table] >= WATCHING_A_TABLE
            full = crowded or self._watching[address] >= WATCHING_BY_ADDRESS
        if full or self.total >= MOST_SOCKETS:
            raise Refused("crowded", "Too many connections come from there, or are open to this table.")
        self._add(address, table, person, 1)

    def leave(self, address: str, table: str, person: str | None) -> None:
        self._add(address, table, person, -1)

    def _add(self, address: str, table: str, person: str | None, much: int) -> None:
        self.total += much
        if person:
            _count(self._seated, address, much)
            _count(self._persons, (table, person), much)
        else:
            _count(self._watching, address, much)
            _count(self._watching_table, table, much)


class Place:
    """One socket in the crowd; without a crowd nobody counts."""

    def __init__(self, crowd: Crowd | None, address: str, table: str) -> None:
        self.crowd, self.address, self.table = crowd, address, table
        self.person: str | None = None
        self._counted = False

    def belongs_to(self, person: str | None) -> None:
        """Count the socket as this person's, or as one that watches; or refuse it."""
        if self.crowd and not (self._counted and person == self.person):
            self.crowd.enter(self.address, self.table, person)
            self.leave()
            self._counted = True
        self.person = person

    def leave(self) -> None:
        if self.crowd and self._counted:
            self._counted = False
            self.crowd.leave(self.address, self.table, self.person)


def _count(counter: Counter[Key], key: Key, much: int) -> None:
    counter[key] += much
    if counter[key] <= 0:
        del counter[key]
