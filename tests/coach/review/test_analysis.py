"""Consistency of the numbers in an analysis."""

from typing import Any

import pytest

from jamboree.coach.review import Analysis, balance, turning_points
from jamboree.coach.review.analysis import DecisionLoss, LuckEffect, WinChances


def found(decisions: list[DecisionLoss], luck: list[LuckEffect], end: list[float]) -> Analysis:
    moments = [WinChances(step, 0 if step else None, [0.5, 0.5]) for step in range(9)]
    return Analysis("bebop", 1, 2, 10, 9, 9, [*moments, WinChances(9, 0, end)], decisions, luck)


def lost(step: int, seat: int, loss: float, better: dict[str, Any] | None = None) -> DecisionLoss:
    """A choice of one of two players, who had an even chance with it."""
    best = [0.5 + loss, 0.5 - loss] if seat == 0 else [0.5 - loss, 0.5 + loss]
    return DecisionLoss(step, seat, loss, better, best, [0.5, 0.5])


def test_luck_choices_and_other_effects_sum_to_the_change() -> None:
    analysis = found([lost(1, 0, 0.2), lost(3, 1, 0.1)], [LuckEffect(2, [0.15, -0.15])], [0.0, 1.0])
    first, second = balance(analysis)
    assert (first.luck, first.choices) == (0.15, -0.2)
    assert first.luck + first.choices + first.others == pytest.approx(-0.5)
    assert second.luck + second.choices + second.others == pytest.approx(0.5)


def test_the_three_largest_changes_of_a_seat_are_its_turning_points_in_order() -> None:
    decisions = [lost(step, 0, loss, {"type": str(step)}) for step, loss in [(1, 0.1), (3, 0.3), (5, 0.05)]]
    analysis = found([*decisions, lost(6, 1, 0.4)], [LuckEffect(2, [-0.2, 0.2]), LuckEffect(8, [0.01, 0])], [1, 0])
    points = turning_points(analysis, 0)
    assert [(point.step, point.kind, point.change) for point in points] == [
        (1, "choice", -0.1),
        (2, "luck", -0.2),
        (3, "choice", -0.3),
    ]
    assert [point.step for point in turning_points(analysis)] == [2, 3, 6], "without a seat, anybody's"
    assert [(point.before, point.after) for point in points] == [(0.6, 0.5), (0.7, 0.5), (0.8, 0.5)]


def test_small_changes_are_not_turning_points() -> None:
    assert turning_points(found([lost(1, 0, 0.029)], [LuckEffect(2, [0.02, -0.02])], [1, 0])) == []


def test_repeatedly_missed_advice_is_one_turning_point() -> None:
    again = [lost(step, 0, loss, {"type": "Pass"}) for step, loss in [(1, 0.1), (3, 0.3), (5, 0.2)]]
    assert [point.step for point in turning_points(found(again, [], [1, 0]), 0)] == [3]
