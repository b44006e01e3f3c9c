"""Limits on the number of sockets: by address, by table, by person, and in total."""

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from ..errors import Refused

MAX_SOCKETS = 10_000
MAX_SPECTATORS = 6_000  # the other sockets are reserved for people with a token
SEATED_BY_ADDRESS = 500  # sockets of people with a seat: a school of a hundred, some with two devices
SPECTATORS_BY_ADDRESS = 200
SPECTATORS_BY_TABLE = 4_000
BY_PERSON = 10  # devices and tabs
Key = TypeVar("Key")
Owner = tuple[str, str]  # a table, and a person there


class ConnectionLimits:
    """Counts sockets. One without a token counts as a spectator, so spectators never take the place of a player.

    At an address that is full, a new socket replaces one of the person who has the most there.
    """

    def __init__(self) -> None:
        self.total = self.spectators = 0
        self._seated: dict[str, dict[Owner, list[ConnectionSlot]]] = {}  # by address
        self._spectators_by_address: Counter[str] = Counter()
        self._spectators_by_table: Counter[str] = Counter()
        self._by_person: Counter[Owner] = Counter()

    def add(self, slot: "ConnectionSlot", person: str | None) -> None:
        """Count a socket, or refuse it."""
        is_full = self._is_full_for(slot, person) if person else self._is_full_for_spectator(slot)
        if is_full or self.total >= MAX_SOCKETS:
            raise Refused("crowded", "Too many connections come from there, or are open to this table.")
        if person:
            self._make_room(slot.address)
            self._seated.setdefault(slot.address, {}).setdefault((slot.table, person), []).append(slot)
        self._count(slot, person, 1)

    def remove(self, slot: "ConnectionSlot", person: str | None) -> None:
        if person:
            seated = self._seated[slot.address]
            owner = (slot.table, person)
            seated[owner].remove(slot)
            if not seated[owner]:
                del seated[owner]
            if not seated:
                del self._seated[slot.address]
        self._count(slot, person, -1)

    def _is_full_for_spectator(self, slot: "ConnectionSlot") -> bool:
        return (
            self.spectators >= MAX_SPECTATORS
            or self._spectators_by_table[slot.table] >= SPECTATORS_BY_TABLE
            or self._spectators_by_address[slot.address] >= SPECTATORS_BY_ADDRESS
        )

    def _is_full_for(self, slot: "ConnectionSlot", person: str) -> bool:
        """Whether the address is full and no other person there has two sockets more than this one."""
        owner = (slot.table, person)
        if self._by_person[owner] >= BY_PERSON:
            return True
        counts = {each: len(slots) for each, slots in self._seated.get(slot.address, {}).items()}
        return sum(counts.values()) >= SEATED_BY_ADDRESS and max(counts.values()) < counts.get(owner, 0) + 2

    def _make_room(self, address: str) -> None:
        seated = self._seated.get(address, {})
        if sum(map(len, seated.values())) >= SEATED_BY_ADDRESS:
            largest = max(seated, key=lambda owner: len(seated[owner]))
            seated[largest][-1].evict()

    def _count(self, slot: "ConnectionSlot", person: str | None, change: int) -> None:
        self.total += change
        if person:
            _add(self._by_person, (slot.table, person), change)
        else:
            self.spectators += change
            _add(self._spectators_by_address, slot.address, change)
            _add(self._spectators_by_table, slot.table, change)


class ConnectionSlot:
    """The slot of one socket; without limits it is not counted."""

    def __init__(self, limits: ConnectionLimits | None, address: str, table: str) -> None:
        self.limits = limits
        self.address = address
        self.table = table
        self.person: str | None = None
        self.on_evict: Callable[[], None] = do_nothing  # closes the socket
        self._counted = False

    def assign(self, person: str | None) -> None:
        """Count the socket as this person's, or as a spectator's; or refuse it."""
        if self.limits and not (self._counted and person == self.person):
            self.limits.add(self, person)
            self.release()
            self._counted = True
        self.person = person

    def evict(self) -> None:
        """Give the slot to a person who has fewer."""
        self.release()
        self.on_evict()

    def release(self) -> None:
        if self.limits and self._counted:
            self._counted = False
            self.limits.remove(self, self.person)


def do_nothing() -> None:
    """The `on_evict` of a slot that has no open socket."""


def _add(counter: Counter[Key], key: Key, change: int) -> None:
    counter[key] += change
    if counter[key] <= 0:
        del counter[key]
