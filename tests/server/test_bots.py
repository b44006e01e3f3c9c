"""Bots at live tables: they sit down, play at their pace in processes of their own, and harm nobody when they break."""

import asyncio
import json
import random
from contextlib import suppress
from typing import Any

import pytest

from jamboree.core.journal import check, read
from jamboree.games import all_games
from jamboree.server import sockets
from jamboree.server.bot_pool import BotPool
from jamboree.server.store import Store

from .online import Online, Player, online

TABLES = "/api/v1/tables"
EVERY = all_games()


async def opened(server: Online, game: str, seats: int, **more: Any) -> dict[str, Any]:
    """Open a table whose other seats have bots, and begin."""
    bots = {str(seat): ("regular", "rookie")[seat % 2] for seat in range(1, seats)}
    body = {"game": game, "seats": seats, "name": "Ada", "bots": bots, "start": True, **more}
    answer = await server.post(TABLES, body)
    assert answer.status == 201, answer
    place: dict[str, Any] = answer.body
    return place


async def play_along(player: Player, rng: random.Random) -> None:
    """Take any action whenever there is one, until the game is over."""
    number = 0
    while not player.position["outcome"]:
        legal = player.legal()
        if legal and rng.random() < 0.8:
            number += 1
            await player.send(type="act", id=f"{number}", action=rng.choice(legal))
            await player.until("ack", "error")
        elif not player.position["outcome"]:
            with suppress(TimeoutError):
                async with asyncio.timeout(0.3):
                    await player.take()


@pytest.mark.parametrize(("game", "seats"), [("bebop", 3), ("bpm", 4), ("boogie", 4)])
async def test_one_person_plays_a_whole_game_with_bots(
    store: Store, game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "MOST_MESSAGES", 100_000)
    pool = BotPool(5.0)
    async with online(store, games=EVERY, thinker=pool) as server:
        place = await opened(server, game, seats)
        async with server.socket(place["table"]) as socket:
            player = Player(socket)
            welcome = await player.hello(place["token"])
            bots = welcome["table"]["bots"]
            assert [(bot["seat"], bot["level"]) for bot in bots] == [
                (seat, ("regular", "rookie")[seat % 2]) for seat in range(1, seats)
            ]
            await play_along(player, random.Random(1))
        journal = read(json.dumps((await server.get(f"{TABLES}/{place['table']}/journal")).body).encode())
        assert journal.header.names == ["Ada", *(bot["name"] for bot in bots)]
        assert check(journal, EVERY[game])
        assert server.house.tally.bot_moves > 10
        assert server.house.tally.fallbacks == 0
