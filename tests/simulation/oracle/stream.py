"""The frames of one viewer, compared with the oracle: each event once and in order, and only stored views.

Nothing is taken from the numbers in the messages. A viewer may be at any index of the history that is consistent with
all its frames so far; if none is left, a frame was wrong.
"""

from typing import Any

import msgspec

from .chronicle import Events, History
from .rights import Broken


class PositionFrame(msgspec.Struct):
    view: msgspec.Raw
    legal: msgspec.Raw
    actors: list[Any]
    outcome: Any


class StepFrame(msgspec.Struct):
    events: list[msgspec.Raw]


class Stream:
    def __init__(self, history: History) -> None:
        self.history = history
        self.places: set[int] = set()  # possible indices of this viewer; empty before its first frame

    def welcome(self, seat: int | None, view: bytes, missed: list[StepFrame] | None, least: int, stored: int) -> None:
        """Process a welcome, from a moment with at least `least` and at most `stored` records."""
        fitting = {place for place in range(least, stored + 1) if self._shows(place, seat, view)}
        if missed is not None and self.places:
            steps = [_events(step) for step in missed if step.events]
            fitting = {place for place in fitting if self._is_told(steps, place, seat)}
        self._move(fitting, f"seat {seat} was welcomed with a view or with steps that are not so", stored)

    def update(self, seat: int | None, view: bytes, step: StepFrame, stored: int) -> None:
        events = _events(step)
        fitting = {
            place
            for before in self.places
            for place in self._next(before, seat, events, stored)
            if self._shows(place, seat, view)
        }
        self._move(fitting, f"seat {seat} was shown a step that is not the next one", stored)

    def has_heard_of(self, record: int) -> bool:
        return max(self.places, default=0) >= record

    def unheard(self, seat: int | None, stored: int) -> list[int]:
        """List the steps that were not shown to this viewer."""
        return [place for place in range(max(self.places) + 1, stored + 1) if self.history.witnessed(place, seat)]

    def _move(self, fitting: set[int], problem: str, stored: int) -> None:
        if not fitting:
            raise Broken(f"{self.history.code}: {problem}; it was at {sorted(self.places)}, and {stored} were kept")
        self.places = fitting

    def _shows(self, place: int, seat: int | None, view: bytes) -> bool:
        true = self.history.view(place, seat)
        return true == view or (len(true) == len(view) and msgspec.json.decode(true) == msgspec.json.decode(view))

    def _next(self, before: int, seat: int | None, events: Events, stored: int) -> list[int]:
        """Find the possible next steps: any number of unwitnessed ones, then the first witnessed one."""
        fitting = []
        for place in range(before + 1, stored + 1):
            seen = self.history.witnessed(place, seat)
            if seen == events:
                fitting.append(place)
            if seen:
                break
        return fitting

    def _is_told(self, steps: list[Events], place: int, seat: int | None) -> bool:
        for before in self.places:
            seen = (self.history.witnessed(each, seat) for each in range(before + 1, place + 1))
            if [events for events in seen if events] == steps:
                return True
        return False


def _events(step: StepFrame) -> Events:
    return tuple(bytes(event) for event in step.events)
