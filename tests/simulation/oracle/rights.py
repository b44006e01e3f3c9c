"""Access rights and consent to undo, implemented independently of the server."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from jamboree.server.live.records import Undone
from jamboree.server.live.roster import Roster


class Broken(AssertionError):
    """A guarantee was violated."""


class Rights(NamedTuple):
    """Who may watch a table after a record."""

    locked: bool = False
    spectators: str = "everybody"
    gathering: bool = True
    host: str = ""
    seated: frozenset[str] = frozenset()
    watching: frozenset[str] = frozenset()  # by name

    @classmethod
    def of(cls, roster: Roster) -> "Rights":
        there = {key: person for key, person in roster.people.items() if not person.away_for_good}
        return cls(
            locked=roster.locked,
            spectators=roster.spectators,
            gathering=roster.status == "gathering",
            host=roster.host,
            seated=frozenset(key for key, person in there.items() if person.seat is not None),
            watching=frozenset(key for key, person in there.items() if person.seat is None),
        )

    def allow(self, person: str | None) -> bool:
        if person in self.seated:
            return True
        if person is not None and person not in self.watching:
            return False
        if person is None and self.locked:
            return False
        if self.gathering or (person is not None and person == self.host):
            return True
        return self.spectators == "everybody" or (self.spectators == "joined" and person is not None)


def check_consent(roster: Roster, record: Undone, course: Sequence[tuple[int, Any]]) -> None:
    """Check that all voters agreed, or that nobody else has moved since."""
    others = {key for key, each in roster.people.items() if each.seat is not None and not each.gone} - {record.person}
    wish = roster.undo_asked
    if wish and wish.person == record.person:
        agreed = len(others & {*wish.agreed})
        enough = agreed == len(others) if roster.consent == "everybody" else 2 * agreed > len(others) or not others
        if not enough:
            raise Broken(f"{record.id} was taken back, and of {len(others)} others {agreed} agreed")
    elif others and any(actor != record.actor for seq, actor in course if seq > record.to):
        raise Broken(f"{record.id} was taken back, and nobody was asked")
