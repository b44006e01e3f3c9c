"""Points gained by breaking a promise, compared with the same jump and roll if it had been kept."""

import random

from jamboree.core.chance import Seeded
from jamboree.core.journal import steps
from jamboree.core.play import Match, play
from jamboree.games import find
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.rules.actions import Term
from jamboree.games.boogie.rules.events import (
    AnyEvent,
    CardsTurned,
    DiceRolled,
    GameEnded,
    JumprunScored,
    PromiseJudged,
    Turned,
)
from jamboree.games.boogie.visibility.review import count_promises

TWO = Jump(2)


def a_jumprun(characters: list[Turned], jumpcards: list[Turned], eyes: list[int], term: Term) -> list[AnyEvent]:
    """A jumprun with a single jump, in which Bob (seat 1) breaks his word."""
    return [
        CardsTurned(TWO, characters, jumpcards),
        *([DiceRolled(TWO, eyes, sum(eyes))] if eyes else []),
        PromiseJudged(1, 0, term, None, "broken"),
        JumprunScored(1, [0, 0, 0], [0, 0, 0]),
    ]


def test_staying_away_from_a_jump_that_succeeded_costs_its_points() -> None:
    """The ✓ of seat 0 alone: half of 5. With both it is 5 each, by the same roll."""
    there = [Turned(0, "sure"), Turned(1, "bluff")]
    events = a_jumprun(there, [Turned(0, "5")], [6], Term("sure", TWO))
    assert count_promises(events, 3) == [(0, 0, 0, 0), (0, 1, 0, -5), (0, 0, 0, 0)]


def test_joining_against_the_own_word_brings_points() -> None:
    events = a_jumprun([Turned(0, "sure"), Turned(1, "sure")], [Turned(0, "5")], [6], Term("out", TWO))
    assert count_promises(events, 3)[1] == (0, 1, 0, 5)


def test_harm_done_to_the_own_jump_is_counted_by_the_same_roll() -> None:
    both, cards = [Turned(0, "sure"), Turned(1, "sure")], [Turned(0, "5"), Turned(1, "+3")]
    assert count_promises(a_jumprun(both, cards, [6], Term("harmless", TWO)), 3)[1] == (0, 1, 0, -5)
    assert count_promises(a_jumprun(both, cards, [4], Term("harmless", TWO)), 3)[1] == (0, 1, 0, 0), (
        "4 is below 5 anyway"
    )


def test_a_roll_that_was_not_made_counts_by_its_odds() -> None:
    """Nobody was sure, so nothing was rolled; one die reaches 4 half of the time, and 4 points are halved for one."""
    events = a_jumprun([Turned(1, "bluff")], [Turned(0, "4")], [], Term("sure", TWO))
    assert count_promises(events, 3)[1] == (0, 1, 0, -1)


def test_counts_are_those_the_game_tells_at_its_end() -> None:
    game = find("boogie")
    match = Match(game, 4, game.info.options(), Seeded(3))
    play(match, [game.bots()["liar"](seat) for seat in range(4)], random.Random(1))
    events = [event for step in steps(match.journal(), game) for event in step.events]
    ended = events[-1]
    assert isinstance(ended, GameEnded)
    counted = count_promises(events, 4)
    assert [each[:3] for each in counted] == [(each.kept, each.broken, each.void) for each in ended.honesty]
    assert any(each[3] for each in counted), "some lies gained or cost points"
