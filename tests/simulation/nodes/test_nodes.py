"""Several simulated servers: no guarantee is broken under any fault."""

from collections.abc import Callable
from typing import Any

import pytest

from .planted import PLANTED
from .story import simulate_nodes

SEEDS, EACH = 10, 5


@pytest.mark.parametrize("first", range(0, SEEDS, EACH))
def test_a_table_has_one_owner_and_loses_nothing(first: int) -> None:
    failed = [report for report in map(simulate_nodes, range(first, first + EACH)) if report.problems]
    assert failed == [], f"python -m tests.simulation --nodes --seed {failed[0].seed} --trace"


def test_equal_seeds_give_equal_runs() -> None:
    assert simulate_nodes(3).digest == simulate_nodes(3).digest != simulate_nodes(9).digest


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_detected(plant: Callable[[], Any]) -> None:
    with plant():
        assert simulate_nodes(PLANTED[plant]).problems
    assert simulate_nodes(PLANTED[plant]).problems == []
