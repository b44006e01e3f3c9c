"""Who witnesses what. Everybody counts what they have witnessed themselves: no number tells of anything else."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

from jamboree.core.game import Actor, AnyGame

from .records import StandIn

TOLD = 128  # steps whose events are kept for those who come back
Seen = int | None  # by a seat, or by those who watch


class Told(NamedTuple):
    """The events of one step, who stood in for the actor, and who witnesses nothing of it."""

    seq: int
    events: list[Any]
    actor: Actor
    stand_in: StandIn | None
    asked: frozenset[Actor]  # afterwards
    unseen_by: tuple[Seen, ...] = ()
    alone: bool = False  # nobody else was asked anything when they acted
    is_open: bool = False  # every viewer sees all of it


class Silent(NamedTuple):
    """A record of which some witness nothing."""

    seq: int
    unseen_by: tuple[Seen, ...] | None  # None: nobody witnesses anything


class Recent:
    """The last steps that one viewer has witnessed: all of them after the record `since`."""

    __slots__ = ("since", "steps")

    def __init__(self, since: int) -> None:
        self.steps: list[Told] = []
        self.since = since

    @property
    def last(self) -> int:
        """Give the record that last changed what this viewer sees of the game."""
        return self.steps[-1].seq if self.steps else self.since

    def copy(self) -> "Recent":
        copied = Recent(self.since)
        copied.steps = self.steps[:]
        return copied

    def add(self, told: Told) -> None:
        if len(self.steps) == TOLD:
            self.since = self.steps.pop(0).seq
        self.steps.append(told)


class Witnesses:
    __slots__ = ("_common", "_own", "_unseen", "silent")

    def __init__(self, seq: int) -> None:
        self.silent: list[Silent] = []
        self._unseen: dict[Seen, list[int]] = {}  # the numbers of those records, by who missed them
        self.forget(seq)

    def forget(self, since: int) -> None:
        """Repeat to nobody what happened up to a record."""
        self._common = Recent(since)  # what all have witnessed, until somebody does not witness a step
        self._own: dict[Seen, Recent] = {}  # from then on

    def rest(self) -> None:
        """Let go of what follows from the rest."""
        self._unseen.clear()

    def recent(self, viewer: Seen) -> Recent:
        return self._own.get(viewer, self._common)

    def tell(self, told: Told, seats: int) -> None:
        """Take in a step."""
        if told.unseen_by and not self._own:
            self._own = {viewer: self._common.copy() for viewer in (None, *range(seats))}
        if not self._own:
            self._common.add(told)
        for viewer, recent in self._own.items():
            if viewer not in told.unseen_by:
                recent.add(told)

    def keep_silent(self, silent: Silent) -> None:
        """Count a record for those only who witness something of it."""
        self.silent.append(silent)
        self._unseen.clear()

    def number(self, viewer: Seen, seq: int) -> int:
        """Say how many of the records up to one show a viewer anything."""
        return seq - bisect_right(self._missed_by(viewer), seq)

    def count(self, viewer: Seen, records: Sequence[int]) -> int:
        """Say how many of some records show a viewer anything."""
        missed = self._missed_by(viewer)
        return sum(bisect_left(missed, seq) == bisect_right(missed, seq) for seq in records) if missed else len(records)

    def _missed_by(self, viewer: Seen) -> list[int]:
        if viewer not in self._unseen:
            self._unseen[viewer] = [
                each.seq for each in self.silent if each.unseen_by is None or viewer in each.unseen_by
            ]
        return self._unseen[viewer]


def without_witness(game: AnyGame, seats: int, actor: Actor, events: Sequence[Any]) -> tuple[Seen, ...]:
    """Name the viewers who see nothing of a step; who acts always knows."""
    others: list[Seen] = [viewer for viewer in (None, *range(seats)) if viewer != actor]
    return tuple(viewer for viewer in others if not any(game.witness(event, viewer) is not None for event in events))
