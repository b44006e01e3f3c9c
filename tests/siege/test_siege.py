"""Every attack of `make siege`, in small: the bystander is answered, and memory has a ceiling."""

import asyncio
from pathlib import Path

import pytest

from .attacks import ATTACKS, Attack
from .running import endured

SMALL, SECONDS = 160, 3.0  # more connections than the system would keep waiting by itself
LIMIT = 60.0  # seconds for all of it
GROWTH = 120.0  # MiB that an attack may cost; endless fragments alone took more in a second


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_a_bystander_is_served_during(attack: Attack, tmp_path: Path) -> None:
    size = min(attack.size // 4, SMALL)
    outcome = asyncio.run(asyncio.wait_for(endured(attack, size, SECONDS, tmp_path), LIMIT))
    assert outcome.gets.failed == 0
    assert len(outcome.gets.times) >= 5, "who is shut out asks once, and waits until it is over"
    assert outcome.most - outcome.before < GROWTH
