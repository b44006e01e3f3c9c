"""Faults that are planted in the server are found by a few simulations each."""

import pytest

from .planted import PLANTED
from .world import simulate

SEEDS = {
    "let wishes go before deadlines": (3,),
    "let deadlines go before wishes": (24,),
    "let a bot stop": (2,),
    "forget to keep an undo": (12,),
    "repeat what was taken back": (12,),
    "say nothing anew to a slow reader": (5,),
}
"""Which simulations find a fault, where the first four do not, or late."""


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name: str) -> None:
    with PLANTED[name]():
        assert any(simulate(seed).problems for seed in SEEDS.get(name, range(4)))
