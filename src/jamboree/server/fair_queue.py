"""Fair queueing: round robin over addresses, and at each address over people."""

from collections import deque
from copy import copy
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Requester(NamedTuple):
    """The address of a request, and the person there, as far as known."""

    address: str
    person: str = ""


class FairQueue(Generic[T]):
    def __init__(self) -> None:
        self.total = 0
        self._waiting: dict[str, dict[str, deque[T]]] = {}  # by address and person, the next one first

    def of(self, address: str) -> list[T]:
        return [each for waiting in self._waiting.get(address, {}).values() for each in waiting]

    def add(self, requester: Requester, item: T) -> None:
        self._waiting.setdefault(requester.address, {}).setdefault(requester.person, deque()).append(item)
        self.total += 1

    def remove(self, requester: Requester, item: T) -> bool:
        """Remove an item; whether it was queued."""
        people = self._waiting.get(requester.address, {})
        waiting = people.get(requester.person, deque())
        if item not in waiting:
            return False
        waiting.remove(item)
        self.total -= 1
        if not waiting:
            del people[requester.person]
        if not people:
            del self._waiting[requester.address]
        return True

    def next(self) -> T | None:
        address = next(iter(self._waiting), None)
        if address is None:
            return None
        people = self._waiting.pop(address)
        person = next(iter(people))
        waiting = people.pop(person)
        item = waiting.popleft()
        self.total -= 1
        if waiting:
            people[person] = waiting  # behind all others of the address
        if people:
            self._waiting[address] = people  # behind all others
        return item

    def last_of_largest(self) -> T:
        """The last item of the person with the most at the address with the most."""
        people = max(self._waiting.values(), key=lambda people: sum(map(len, people.values())))
        return max(people.values(), key=len)[-1]

    def in_order(self) -> list[T]:
        """All items in the order in which they would be served."""
        rest, order = FairQueue[T](), list[T]()
        for address, people in self._waiting.items():
            rest._waiting[address] = {person: copy(waiting) for person, waiting in people.items()}
        while (item := rest.next()) is not None:
            order.append(item)
        return order
