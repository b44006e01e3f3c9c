"""The soak test distinguishes a server that leaks memory from one that does not."""

from asyncio.subprocess import Process
from pathlib import Path
from typing import cast

import httpx
import pytest

from . import soak
from .soak import MIB, PROGRAM, Sample, Server, parsed, verdict


def at_rest(memory: float, files: int = 18, opened: int = 0, cached: int = 0) -> Sample:
    return Sample(60.0, int(memory * MIB), 0, files, 0, opened, cached, [], 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("stored", "leaked", "is_flat"),  # KiB of each table, and descriptors of each round
    [(0.0, 0, True), (1.0, 0, True), (10.0, 0, False), (0.0, 2, False)],
)
def test_growth_between_rounds_is_detected(stored: float, leaked: int, is_flat: bool) -> None:
    ends = [at_rest(150 + stored * each * 300 / 1024, 18 + leaked * each, each * 300) for each in range(1, 6)]
    flat, line = verdict(ends)
    assert flat == is_flat, line
    assert line.startswith("FLAT" if is_flat else "NOT FLAT")
    assert f"({stored:+.2f} KiB a table" in line


def test_growth_in_the_first_round_is_tolerated() -> None:
    assert verdict([at_rest(100), at_rest(150), at_rest(151)])[0]
    assert not verdict([at_rest(100), at_rest(150)])[0]
    assert verdict([at_rest(100), at_rest(150, cached=1000), at_rest(160, cached=9000)])[0], "caches are bounded"
    assert "nothing to compare" in verdict([at_rest(100)])[1]


def test_the_default_is_several_rounds_in_half_an_hour() -> None:
    wanted = parsed([])
    assert (wanted.minutes, wanted.rounds, wanted.program) == (30.0, 5, PROGRAM)


async def test_requests_refused_under_load_are_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "AGAIN", 0.0)
    answers = iter([503, 503, 201])
    server = Server(cast(Process, None), 1, Path("log"))
    transport = httpx.MockTransport(lambda request: httpx.Response(next(answers), json={"table": "abcdef"}))
    server.http = httpx.AsyncClient(base_url=server.url, transport=transport)
    async with server.http:
        assert await server.post("/tables", {}) == {"table": "abcdef"}
    assert server.busy == 2
