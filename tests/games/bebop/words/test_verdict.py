"""Sentences on what decided a game of Bebop."""

import msgspec
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import Eye, Outcome
from jamboree.games import bebop
from jamboree.games.bebop.rules.setup import Options
from jamboree.games.bebop.visibility.views import Points, View

NAMES = ["Billie", "Louis", "Ella"]


def verdict_text(points: list[Points], winners: list[int], lang: str = "en", **changes: object) -> str:
    start = bebop.game.view(bebop.game.setup(3, Options(), Seeded(1)), Eye.ALL)
    view: View = msgspec.structs.replace(start, points=points, **changes)
    scores = [own.families + own.stages + own.majorities for own in points]
    return bebop.game.words.decided(view, Outcome(winners, scores), NAMES, lang)


def test_the_source_in_which_the_winner_gained_most_decided_it() -> None:
    points = [Points(10, 20, 3), Points(12, 5, 9), Points(1, 1, 1)]
    start = bebop.game.view(bebop.game.setup(3, Options(), Seeded(1)), Eye.ALL)
    paid = [[9, 0, 1], [11, 5, 0]]
    stages = [
        msgspec.structs.replace(stage, paid=paid[at] if at < len(paid) else []) for at, stage in enumerate(start.stages)
    ]
    assert verdict_text(points, [0], stages=stages) == (
        "The stages decided it: they gave Billie 20 points and Louis 5. "
        f"Stage {start.stages[0].stage} made the biggest difference, 9 to 0."
    )


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "The last count decided it: it gave Louis 9 points and Billie 2."),
        ("nl", "De eindtelling gaf de doorslag: 9 punten voor Louis, 2 voor Billie."),
    ],
)
def test_the_last_count_can_decide_it(lang: str, sentence: str) -> None:
    assert verdict_text([Points(10, 5, 2), Points(9, 4, 9), Points(0, 0, 9)], [1], lang) == sentence


def test_a_tie_is_broken_by_tokens() -> None:
    points = [Points(10, 5, 2), Points(10, 4, 3), Points(0, 0, 0)]
    held = [[1, 1, 1, 0], [2, 2, 0, 1], [0, 0, 0, 0]]
    assert verdict_text(points, [1], tokens=held) == (
        "Louis and Billie both came to 17 points; with 5 tokens to 3, Louis won."
    )


def test_a_shared_win_is_called_level() -> None:
    points = [Points(10, 5, 2), Points(10, 5, 2), Points(0, 0, 0)]
    assert verdict_text(points, [0, 1]) == "Billie and Louis came out level: 17 points each, and just as many tokens."
