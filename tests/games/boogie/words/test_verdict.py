"""What decided a boogie, said at its end."""

import random

import msgspec

from jamboree.core.chance import Seeded
from jamboree.core.game import Eye, Outcome
from jamboree.games import boogie
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.rules.events import Honesty
from jamboree.games.boogie.rules.setup import Options
from jamboree.games.boogie.visibility.views import View

GAME = boogie.game
NAMES = ["Ada", "Bob", "Cleo"]


def ended() -> View:
    """Play a boogie to its end, anyhow."""
    state, chance, rng = GAME.setup(3, Options(), Seeded(3)), Seeded(3), random.Random(3)
    while actors := GAME.to_act(state):
        actor = rng.choice(sorted(actors, key=str))
        GAME.apply(state, actor, rng.choice(GAME.legal(state, actor)).action, chance)
    return GAME.view(state, Eye.ALL)


def said(points: list[list[int]], lang: str = "en", broken: int = 0) -> str:
    view = ended()
    honesty = [Honesty(0, broken, 0), Honesty(0, 0, 0), Honesty(0, 0, 0)]
    jumps = [
        msgspec.structs.replace(view.jury.jumps[0], jump=Jump(number, None), jumpers=jumpers, points=points_each)
        for number, jumpers, points_each in [(2, [0, 1], 9), (3, [0, 2], 8), (4, [1], 12)]
    ]
    view = msgspec.structs.replace(
        view, points=points, honesty=honesty, jury=msgspec.structs.replace(view.jury, jumps=jumps)
    )
    scores = [sum(seat) for seat in zip(*points, strict=True)]
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return GAME.words.decided(view, Outcome(winners, scores), NAMES, lang)


def test_a_jumprun_decides_it() -> None:
    points = [[0, 4, 0], [9, 2, 0], [1, 3, 0], [0, 0, 0]]
    assert said(points) == "Jumprun 2 decided it: it brought Ada 9 points and Bob 2."


def test_of_the_last_jumprun_the_jump_is_named() -> None:
    points = [[0, 4, 0], [1, 2, 0], [1, 3, 0], [10, 0, 0]]
    assert said(points, "nl") == (
        "Jumprun 4 gaf de doorslag: 10 punten voor Ada, 0 voor Bob. Het verschil zat in de 3, goed voor 8 punten."
    )


def test_a_promise_that_was_broken_is_not_forgotten() -> None:
    points = [[9, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert said(points, broken=2).endswith(" Ada broke 2 promises on the way.")


def test_a_shared_win_is_called_level() -> None:
    points = [[9, 9, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert said(points) == "Ada and Bob came down level, with 9 points each."
