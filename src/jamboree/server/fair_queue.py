"""Those who wait for the same thing. Addresses take turns, and at each address the people who ask from there."""

from collections import deque
from copy import copy
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Asker(NamedTuple):
    """Where a request comes from, and who of those there asks, as far as one can tell."""

    address: str
    person: str = ""


class Turns(Generic[T]):
    """One that asks for much has one turn like any other."""

    def __init__(self) -> None:
        self.total = 0
        self._waiting: dict[str, dict[str, deque[T]]] = {}  # by address and person; whose turn is next comes first

    def of(self, address: str) -> list[T]:
        return [each for waiting in self._waiting.get(address, {}).values() for each in waiting]

    def add(self, asker: Asker, it: T) -> None:
        self._waiting.setdefault(asker.address, {}).setdefault(asker.person, deque()).append(it)
        self.total += 1

    def remove(self, asker: Asker, it: T) -> bool:
        """Take out one that no longer waits; tell whether it was waiting."""
        people = self._waiting.get(asker.address, {})
        waiting = people.get(asker.person, deque())
        if it not in waiting:
            return False
        waiting.remove(it)
        self.total -= 1
        if not waiting:
            del people[asker.person]
        if not people:
            del self._waiting[asker.address]
        return True

    def next(self) -> T | None:
        address = next(iter(self._waiting), None)
        if address is None:
            return None
        people = self._waiting.pop(address)
        person = next(iter(people))
        waiting = people.pop(person)
        it = waiting.popleft()
        self.total -= 1
        if waiting:
            people[person] = waiting  # behind all others there
        if people:
            self._waiting[address] = people  # behind all others
        return it

    def last_of_most(self) -> T:
        """Find what came last from the person with most at the address with most."""
        people = max(self._waiting.values(), key=lambda people: sum(map(len, people.values())))
        return max(people.values(), key=len)[-1]

    def in_order(self) -> list[T]:
        """List all that wait, the next one first, should nobody else come."""
        rest, order = Turns[T](), list[T]()
        for address, people in self._waiting.items():
            rest._waiting[address] = {person: copy(waiting) for person, waiting in people.items()}
        while (it := rest.next()) is not None:
            order.append(it)
        return order
