"""The input of a game's `measure` function, which extracts statistics from a finished game."""

from typing import Any, NamedTuple


class Played(NamedTuple):
    """A complete game as seen by `Eye.ALL`."""

    opening: Any  # the view before the first action
    steps: list[list[Any]]  # the events of each action
    end: Any  # the view after the last
    winners: list[int]
    scores: list[int]

    @property
    def events(self) -> list[Any]:
        return [event for step in self.steps for event in step]


def share_of_win(winners: list[int], seat: int) -> float:
    """Return a seat's share of the win; a shared win is divided equally."""
    return 1 / len(winners) if seat in winners else 0.0
