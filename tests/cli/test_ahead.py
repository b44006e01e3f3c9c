"""A terminal shows all that was heard before it says that a game is over."""

from types import SimpleNamespace
from typing import Any

from rich.console import Console

from jamboree.cli.playing.online import Visit
from jamboree.core.game import Outcome
from jamboree.server.protocol import frames


def update(seq: int) -> frames.Update:
    return frames.Update(seq, [], [], frames.NULL, frames.NULL, "", None, None)


def test_a_seat_that_has_heard_the_end_still_shows_the_step_that_led_to_it() -> None:
    ended: Any = SimpleNamespace(outcome=Outcome([0], [1, 0]))
    seat: Any = SimpleNamespace(table=None, position=ended, seq=5)
    visit = Visit(SimpleNamespace(seat=seat), SimpleNamespace(), Console(), "en", False, list)  # type: ignore[arg-type]
    visit._show(update(4))
    assert not visit.over
    visit._show(update(5))
    assert visit.over
