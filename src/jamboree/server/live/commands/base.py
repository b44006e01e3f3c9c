"""Commands: each decides by the state of the table, and gives records to keep or a refusal that changes nothing."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from jamboree.core.chance import Chance

from ...errors import Refused
from ...protocol.terms import ChatLine
from ..positions import NextPosition
from ..records import AnyRecord
from ..state import Memory


class Decision(NamedTuple):
    """What comes of a command. Nothing has changed yet: that is for folding the records."""

    records: list[AnyRecord]
    answer: Any = None
    talk: Sequence[ChatLine] = ()  # what was said
    then: NextPosition | None = None  # where the game goes by these records
    looks_back: int | None = None  # it can't be decided without the table as it was after this record

    def fold_into(self, memory: Memory) -> None:
        for record in self.records:
            memory.fold(record, self.then)


class Command(Protocol):
    """Decides by what is remembered, and changes none of it."""

    def decide(self, memory: Memory, chance: Chance) -> Decision: ...


def present(memory: Memory, key: str) -> None:
    person = memory.lobby.people.get(key)
    if person is None or person.gone:
        raise Refused("unknown-person", "Nobody with that name is at this table.")


def host_only(memory: Memory, key: str) -> None:
    if key != memory.lobby.host:
        raise Refused("host-only", "Only the host of the table can do this.")


def player(memory: Memory, key: str | None) -> tuple[str, int]:
    person = memory.lobby.people.get(key) if key else None
    if key is None or person is None or person.seat is None:
        raise Refused("only-watching", "Spectators can't do this.")
    if person.gone:
        raise Refused("left", "You have left this table; say hello again to come back.")
    return key, person.seat
