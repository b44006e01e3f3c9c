"""Planted faults are found within a few simulations each."""

import pytest

from .planted import PLANTED
from .world import simulate

SEEDS = {
    "believe memory after a failed commit": (5,),
    "let commands go before deadlines": (21,),
    "let deadlines go before commands": (21,),
    "forget to keep an undo": (7,),
    "repeat what was taken back": (4,),
    "say nothing anew to a slow reader": (7,),
    "draw again after a restart": (6,),
    "say what changed since another position": (7,),
    "send nobody away": (9,),
    "let no clock run out": (10,),
    "let the banned in": (26,),
    "take back without asking": (45,),
    "take back when one agrees": (55,),
}
"""Which simulations find a fault, where the first four do not, or late."""


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_detected(name: str) -> None:
    with PLANTED[name]():
        assert any(simulate(seed).problems for seed in SEEDS.get(name, range(4)))
