"""The laws can fail: every deliberately broken game is caught by the law that it violates."""

import itertools

import msgspec
import pytest

from jamboree.core.errors import Illegal

from .broken import BROKEN, LeaksHandInView
from .laws import LAWS, same_story_same_view
from .record import play_at_random
from .toy import HighCard, LaysOpenly

Failed = (AssertionError, pytest.fail.Exception, Illegal, msgspec.ValidationError)


def setups(game: HighCard) -> "itertools.product[tuple[int, int, object]]":
    return itertools.product(range(4), (2, 3), game.info.samples)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_a_broken_game_is_detected(broken: type[HighCard]) -> None:
    game, law = broken(), broken.caught_by  # type: ignore[attr-defined]
    with pytest.raises(Failed):
        for seed, seats, options in setups(game):
            if law is play_at_random:
                play_at_random(game, seats, options, seed)
            else:
                law(play_at_random(game, seats, options, seed))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_correct_game_satisfies_every_law(law) -> None:  # type: ignore[no-untyped-def]
    """On the same seeds on which the broken games are caught."""
    for seed, seats, options in setups(HighCard()):
        law(play_at_random(HighCard(), seats, options, seed))


def test_declared_reveals_are_allowed() -> None:
    for seed, seats, options in setups(LaysOpenly()):
        same_story_same_view(play_at_random(LaysOpenly(), seats, options, seed))


def test_every_law_detects_a_broken_game() -> None:
    assert {broken.caught_by for broken in BROKEN} == {*LAWS, play_at_random}


def test_a_leak_is_reported_with_its_field() -> None:
    with pytest.raises(AssertionError, match="a hidden pick shows in the view"):
        LeaksHandInView.caught_by(play_at_random(LeaksHandInView(), 2, LeaksHandInView.info.samples[0], 0))
