"""What is measured of a game that was played: a game's `measure` makes its own facts of it."""

from typing import Any, NamedTuple


class Played(NamedTuple):
    """A game from beginning to end, seen by the all-seeing eye."""

    opening: Any  # the view before the first action
    steps: list[list[Any]]  # the events of each action
    end: Any  # the view after the last
    winners: list[int]
    scores: list[int]

    @property
    def events(self) -> list[Any]:
        return [event for step in self.steps for event in step]


def share_of_win(winners: list[int], seat: int) -> float:
    """Divide a shared win."""
    return 1 / len(winners) if seat in winners else 0.0
