"""What the texts of Bebop's lessons say of their positions is so."""

from typing import Any

from jamboree.core.game import Eye
from jamboree.core.learning import Pupil, course_of
from jamboree.games import find

TIE = 7


def test_the_vip_hex_of_the_tie_is_described_by_the_seat_that_covers_it() -> None:
    game = find("bebop")
    course = course_of(game)
    assert course
    pupil = Pupil(game, course, TIE)
    view: Any = game.view(pupil.state, Eye.ALL)
    on_e5 = [seat for seat in view.tiles if seat.hex == "e5"]
    assert [(seat.tile, seat.die) for seat in on_e5] == [("vip", None)]
    assert "starred" not in course.lessons[TIE].en.steps[0].text
    assert "crown" in course.lessons[TIE].en.steps[0].text
