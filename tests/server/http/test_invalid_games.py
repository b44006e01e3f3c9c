"""A game that starts to fail while the server is up is left out of the list; the others stay."""

import logging
from dataclasses import replace
from typing import Any

import pytest

from jamboree.games import find
from jamboree.server.store.store import Store

from ..bench.online import online


class Silent:
    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError


async def test_an_invalid_card_does_not_affect_other_games(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    games: Any = {"bpm": find("bpm"), "bebop": replace(find("bebop"), words=Silent())}  # type: ignore[type-var]
    async with online(store, games=games) as server:
        with caplog.at_level(logging.ERROR):
            for _ in range(2):
                listed = await server.get("/api/v1/games")
                assert [card["key"] for card in listed.body] == ["bpm"]
    assert len([line for line in caplog.messages if "the game bebop can't be listed: ZeroDivisionError" in line]) == 1
