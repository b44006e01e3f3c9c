"""Sequential halving: clearly worse candidates are dropped at once, the worse half after each round."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from jamboree.fast.search import (
    LATEST,
    PRODUCTS,
    TOTAL,
    VISITS,
    add_products,
    count_remaining,
    count_rounds,
    drop_worse,
    is_over,
    leader,
    worlds_of_batch,
)

RNG = np.random.default_rng(4)


class Halving:
    """The state of a search with made-up values."""

    def __init__(self, candidates: int) -> None:
        self.remains, self.progress = [1] * candidates, [0, 0, 0, 0]
        self.values: list[Any] = [[0.0] * (PRODUCTS + candidates) for _ in range(candidates)]

    def add(self, worlds: Any, spent: float, keep: int = 1) -> None:
        """Add a line of values for each world, one for each candidate, then drop some."""
        for line in worlds:
            for k in self.left:
                self.values[k][VISITS] += 1.0
                self.values[k][LATEST] = line[k]
                self.values[k][TOTAL] += line[k]
            add_products(self.remains, self.values)
        drop_worse(self.remains, self.progress, self.values, keep, spent)

    @property
    def left(self) -> set[int]:
        return {k for k, remains in enumerate(self.remains) if remains}


def run(means: Sequence[float], spread: float, worlds: int, spent: float, keep: int = 1) -> Halving:
    halving = Halving(len(means))
    halving.add(np.array(means) + spread * RNG.standard_normal((worlds, len(means))), spent, keep)
    return halving


def test_the_first_candidate_leads_before_any_rollout() -> None:
    halving = Halving(2)
    assert leader(halving.remains, halving.values) == 0


def test_clearly_worse_candidates_are_dropped_early() -> None:
    assert run([0.5, 0.9, 0.88], 0.05, 16, spent=0.01).left == {1, 2}


def test_one_world_shows_nothing_clearly() -> None:
    assert run([0.1, 0.9, 0.5], 0.0, 1, spent=0.01).left == {0, 1, 2}


def test_statistically_equal_candidates_stay() -> None:
    assert len(run([0.5, 0.52, 0.51, 0.5], 0.3, 16, spent=0.01).left) == 4


def test_clearly_worse_is_measured_by_paired_differences() -> None:
    """The luck of the worlds, which all candidates share, does not hide a small difference."""
    luck = RNG.standard_normal((16, 1))
    halving = Halving(2)
    halving.add(luck + np.array([0.5, 0.45]) + 0.01 * RNG.standard_normal((16, 2)), spent=0.01)
    assert halving.left == {0}


def test_every_round_drops_the_worse_half() -> None:
    halving = run([0.5, 0.52, 0.51, 0.5], 0.3, 16, spent=0.5)
    order = np.argsort([-line[TOTAL] for line in halving.values])
    assert halving.left == set(order[:2])
    halving.add([[0.1] * 4], spent=1.0)
    assert halving.left == {order[0]}


def test_an_odd_number_is_rounded_up() -> None:
    assert len(run([0.5, 0.52, 0.51, 0.5, 0.5], 0.3, 16, spent=0.34).left) == 3


def test_a_number_of_the_best_always_stays() -> None:
    assert len(run([0.9, 0.2, 0.1, 0.3], 0.01, 16, spent=0.5, keep=3).left) == 3


def test_the_highest_mean_wins() -> None:
    halving = Halving(2)
    halving.add([[0.1, 0.5], [0.9, 0.6]], spent=0.1)
    assert leader(halving.remains, halving.values) == 1


def test_equal_candidates_are_not_clearly_worse() -> None:
    halving = Halving(2)
    halving.add(np.ones((8, 2)), spent=0.1)
    assert halving.left == {0, 1}


def test_there_are_as_many_rounds_as_halvings_to_one() -> None:
    assert [count_rounds(candidates) for candidates in (1, 2, 3, 4, 5, 8, 9, 60)] == [1, 1, 2, 2, 3, 3, 4, 6]


def test_a_batch_has_four_worlds_or_what_is_left_of_the_budget() -> None:
    assert worlds_of_batch(10, 0, 0) == worlds_of_batch(10, 0, 100) == 4
    assert [worlds_of_batch(10, played, 100) for played in (70, 80, 95)] == [3, 2, 1]


def test_a_search_is_over_when_its_budget_is_spent_or_no_more_are_to_be_dropped() -> None:
    assert is_over(5, 1, 1.0) and is_over(1, 1, 0.0) and is_over(3, 3, 0.0)
    assert not is_over(2, 1, 0.99) and not is_over(1, 0, 0.0)
    assert count_remaining([1, 0, 1]) == 2
