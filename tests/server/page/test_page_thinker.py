"""Bots and hints of a page: their searches are plain values, carried out by somebody else."""

import asyncio
import random
from typing import Any

import msgspec
import pytest

from jamboree.bots.search import NativeSearch, SearchRequest, Task, compilation
from jamboree.bots.search.tasks import carried_out
from jamboree.server.live.bots.turns import HINT_EVERY
from jamboree.server.page.disk import MemoryDisk
from jamboree.server.page.server import PageServer

from .client import PageClient, ask, opened
from .test_page_server import AT_ONCE

asked: list[tuple[int, str, str]] = []


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "_elsewhere", set())
    asked.clear()


async def search(worker: int, game: str, task: dict[str, Any]) -> Any:
    """Search as a worker of the page does: it is given plain values, and returns plain values."""
    asked.append((worker, game, task["type"]))
    kind: Any = Task
    read: Task = msgspec.convert(task, type=kind, builtin_types=(bytes,))
    assert isinstance(read.request, SearchRequest)
    return msgspec.to_builtins(carried_out(NativeSearch(read.request), read))


@pytest.mark.parametrize(("game", "seats"), [("bebop", 2), ("bpm", 3), ("boogie", 3)])
async def test_strong_bots_search_elsewhere(game: str, seats: int) -> None:
    async with PageServer(MemoryDisk(), AT_ONCE, search) as server:
        cards = await ask(server, "GET", "games")
        assert all({"sharp", "star"} <= {*card["bots"]} for card in cards)
        bots = {str(seat): "sharp" for seat in range(1, seats)}
        client = await PageClient(server, await opened(server, game, seats, bots=bots)).open()
        await client.play_on(random.Random(2), most=6)
    assert {(1, game, "shortlist"), (1, game, "run")} <= {*asked}


async def test_a_hint_searches_in_a_worker_of_its_own() -> None:
    async with PageServer(MemoryDisk(), AT_ONCE, search) as server:
        client = await PageClient(server, await opened(server, "bpm", 2)).open()
        await client.until(lambda: client.legal)
        hint = await client.ask("hint")
    assert hint["moves"][0]["chance"] is not None and hint["playouts"] > 0
    assert {worker for worker, _, _ in asked} == {0}


async def test_a_search_that_fails_does_not_stop_a_table() -> None:
    async def fail(worker: int, game: str, task: dict[str, Any]) -> Any:
        raise RuntimeError("no such module")

    async with PageServer(MemoryDisk(), AT_ONCE, fail) as server:
        client = await PageClient(server, await opened(server, "bpm", 2, bots={"1": "star"})).open()
        await client.play_on(random.Random(2), most=6)
        await client.until(lambda: client.legal)
        assert (await client.ask("hint"))["code"] == "no-advice"


async def test_a_better_hint_follows_the_first_one() -> None:
    async with PageServer(MemoryDisk(), AT_ONCE, search) as server:
        client = await PageClient(server, await opened(server, "bebop", 2)).open()
        await client.until(lambda: client.legal)
        first = await client.ask("hint")
        await asyncio.sleep(HINT_EVERY)
        second = await client.ask("hint")
    assert (first["soon"], second["soon"]) == (True, False)
    assert second["playouts"] >= first["playouts"] > 0
