"""Sequential halving: clearly worse candidates are dropped at once, the worse half after each round."""

import numpy as np

from jamboree.bots.search.sequential_halving import SequentialHalving

RNG = np.random.default_rng(4)


def run(means: list[float], spread: float, lines: int, spent: float) -> SequentialHalving:
    halving = SequentialHalving(np.arange(len(means)) + 10)
    halving.add(np.array(means) + spread * RNG.standard_normal((lines, len(means))), spent)
    return halving


def test_the_first_candidate_leads_before_any_rollout() -> None:
    assert SequentialHalving(np.array([7, 3])).best() == 7


def test_clearly_worse_candidates_are_dropped_early() -> None:
    halving = run([0.5, 0.9, 0.88], 0.05, 16, spent=0.01)
    assert set(halving.candidates) == {11, 12}


def test_statistically_equal_candidates_stay() -> None:
    assert len(run([0.5, 0.52, 0.51, 0.5], 0.3, 16, spent=0.01).candidates) == 4


def test_every_round_drops_the_worse_half() -> None:
    halving = run([0.5, 0.52, 0.51, 0.5], 0.3, 16, spent=0.5)
    assert len(halving.candidates) == 2
    halving.add(np.array([[0.1, 0.1]]), spent=1.0)
    assert halving.is_over


def test_the_highest_mean_wins() -> None:
    halving = SequentialHalving(np.array([4, -1]))
    halving.add(np.array([[0.1, 0.5], [0.9, 0.6]]), spent=0.1)
    assert halving.best() == -1


def test_equal_candidates_are_not_clearly_worse() -> None:
    halving = SequentialHalving(np.array([4, 5]))
    halving.add(np.ones((8, 2)), spent=0.1)
    assert len(halving.candidates) == 2
