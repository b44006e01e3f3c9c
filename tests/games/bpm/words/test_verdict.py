"""Sentences on what decided a game of BPMs Per Minute."""

import msgspec

from jamboree.core.chance import Seeded
from jamboree.core.game import Eye, Outcome
from jamboree.games import bpm
from jamboree.games.bpm.box.dancers import DANCERS
from jamboree.games.bpm.rules.setup import Options
from jamboree.games.bpm.visibility.views import Points, View

NAMES = ["Ada", "Bob"]


def verdict_text(points: list[Points], lang: str = "en", rounds: int = 8) -> str:
    start: View = bpm.game.view(bpm.game.setup(2, Options(), Seeded(1)), Eye.ALL)
    superfans = [[DANCERS[0]] * (own.superfans // 2) for own in points]
    view = msgspec.structs.replace(
        start, points=points, superfans=superfans, quests=["red", "left"], round=rounds, rounds=8
    )
    scores = [own.superfans + own.quest for own in points]
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return bpm.game.words.decided(view, Outcome(winners, scores), NAMES, lang)


def test_superfans_are_counted() -> None:
    assert verdict_text([Points(14, 2), Points(8, 3)]) == "Superfans decided it: Ada won 7 of them, Bob 4."


def test_a_quest_is_named() -> None:
    assert verdict_text([Points(8, 1), Points(8, 4)], "nl") == (
        "De Fanmissies gaven de doorslag: 4 punten voor Bob met fans die naar links kijken, 1 voor Ada."
    )


def test_extra_rounds_are_told() -> None:
    assert verdict_text([Points(14, 2), Points(8, 3)], rounds=9).endswith("Bob 4. It took an extra round.")
    assert verdict_text([Points(14, 2), Points(14, 2)], rounds=9).startswith(
        "Ada and Bob came out level, with 16 points each"
    )
