"""Deadlines, as one client can check them: arrivals before the end count, later ones do not."""

from typing import Any, NamedTuple

from jamboree.core.game import Nature
from jamboree.server.live.records import Acted

from .chronicle import History
from .rights import Broken

MARGIN = 0.05  # seconds, since shown times are rounded


class SharedView(NamedTuple):
    """A clock that runs for a client's own decision or phase."""

    sent: float
    end: float
    place: int
    kind: str


class Deadlines:
    def __init__(self, history: History) -> None:
        self.history = history
        self._shown: list[SharedView | None] = []

    def show(self, clock: dict[str, Any] | None, seat: int | None, sent: float, place: int) -> None:
        mine = clock is not None and clock["running"] and seat in clock["seats"] and clock["kind"] != "grace"
        self._shown.append(SharedView(sent, sent + clock["left"], place, clock["kind"]) if clock and mine else None)
        del self._shown[:-20]

    def soonest(self, now: float) -> float | None:
        """Return the end of the current countdown, if it is near."""
        shown = self._shown[-1] if self._shown else None
        return shown.end if shown and now < shown.end < now + 20 else None

    def check(self, arrived: float, seat: int, record: int | None, known: int, prompt: bool) -> None:
        """Check the answer to an action: its record, or a refusal after a number of records."""
        before = [each for each in self._shown if each is None or each.sent <= arrived]
        shown = before[-1] if before else None
        if shown is None:
            return
        if record is not None and record <= shown.place:  # it was carried out before, and is acknowledged again
            return
        until = known + 1 if record is None else record
        meanwhile = range(shown.place + 1, until)
        if shown.kind == "decision" and any(self._answers(place, seat) for place in meanwhile):
            return  # it belongs to the next decision, which has a countdown of its own
        over = [place for place in meanwhile if self._ends_time(place, seat)]
        if (
            record is not None
            and not over
            and any(self._phase(place) != self._phase(shown.place) for place in meanwhile)
        ):
            return  # the phase ended early, and this is the next
        if record is not None and arrived > shown.end + MARGIN and not over:
            raise Broken(f"{self.history.code}: time was over at {shown.end:.2f}, {arrived:.2f} was accepted")
        if prompt and arrived < shown.end - MARGIN and over:
            raise Broken(f"{self.history.code}: {arrived:.2f} was before {shown.end:.2f}, and counted after it")

    def _phase(self, place: int) -> int | None:
        state = self.history.states[place]
        timer = None if state is None else self.history.game.timer(state)
        return timer.number if timer else None

    def _answers(self, place: int, seat: int) -> bool:
        record = self.history.records[place]
        return isinstance(record, Acted) and record.actor == seat and record.because is None

    def _ends_time(self, place: int, seat: int) -> bool:
        record = self.history.records[place]
        if not isinstance(record, Acted):
            return False
        return record.actor == Nature.CLOCK or (record.actor == seat and record.because == "time")
