"""Every attack of `make siege` on a small scale: the bystander is served, and memory is bounded."""

import asyncio
from pathlib import Path

import pytest

from . import __main__ as siege
from .attacks import ATTACKS, Attack
from .bystander import Times
from .running import Outcome, endured

SMALL, SECONDS = 160, 3.0  # more connections than the system would keep waiting by itself
LIMIT = 60.0  # seconds for all of it
GROWTH = 120.0  # MiB that an attack may cost; endless fragments alone took more in a second


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_bystanders_are_served_during_an_attack(attack: Attack, tmp_path: Path) -> None:
    size = min(attack.size // 4, SMALL)
    outcome = asyncio.run(asyncio.wait_for(endured(attack, size, SECONDS, tmp_path), LIMIT))
    assert outcome.gets.failed == 0
    assert len(outcome.gets.times) >= 5, "a client that is shut out asks once, and waits until it is over"
    assert outcome.most - outcome.before < GROWTH


@pytest.mark.parametrize(
    ("gets", "most", "complaint"),
    [
        (Times([0.01] * 9 + [9.0], 0), 90.0, "p95 of 9000 ms"),
        (Times([0.01] * 40, 1), 90.0, "1 requests failed"),
        (Times([0.01] * 40, 0), 2000.0, "2000 MiB"),
        (Times([0.01] * 40, 0), 90.0, ""),
    ],
)
def test_a_violated_promise_fails_the_siege(
    monkeypatch: pytest.MonkeyPatch, gets: Times, most: float, complaint: str
) -> None:
    async def suffered(*attack: object) -> Outcome:
        return Outcome(gets, gets, gets, 0.1, 80.0, most, [])

    monkeypatch.setattr(siege, "endured", suffered)
    monkeypatch.setattr("sys.argv", ["siege", "silent"])
    if complaint:
        with pytest.raises(SystemExit, match=complaint):
            siege.main()
    else:
        siege.main()
