"""Finished games from every seat: what that seat knew; and nothing of a running game."""

import random
from typing import Any

import msgspec
import pytest

from jamboree.core.journal import steps
from jamboree.server.live.replay import journal_of
from jamboree.server.protocol.delta import apply_delta
from jamboree.server.store.store import Store

from ..bench.local import Client, play_on
from ..bench.logs import log_steps
from ..bench.online import Online, online

LEFT = ("log", "replay", "paintings")


async def seated(server: Online, game: str) -> tuple[str, list[Client]]:
    tickets = await server.seated(game, 2)
    clients = [Client(server.registry, ticket["table"], ticket["token"]) for ticket in tickets]
    for client in clients:
        await client.hello()
    return tickets[0]["table"], clients


async def test_a_replay_from_a_seat_has_that_seats_views(store: Store) -> None:
    async with online(store, seed=4) as server:
        code, clients = await seated(server, "high-card")
        await play_on(clients, random.Random(3))
        path, game, history = f"/api/v1/tables/{code}", server.registry.games["high-card"], await store.history(code)
        bodies = [(await server.get(f"{path}/log?seat={seat}")).body for seat in (0, 1)]
        for seat in (0, 1):
            views = (await server.get(f"{path}/replay?seat={seat}")).body
            assert views == [plain(game.view(step.state, seat)) for step in steps(journal_of(history), game)]
            assert unrolled((await server.get(f"{path}/replay?seat={seat}&changes=true")).body) == views
            assert bodies[seat] == [plain(step) for step in log_steps(history, game, seat, "en")]
            assert len((await server.get(f"{path}/paintings?seat={seat}")).body) == len(views)
        assert bodies[0] != bodies[1]
        assert (await server.get(f"{path}/replay?seat=0")).body != (await server.get(f"{path}/replay")).body


@pytest.mark.parametrize("what", LEFT)
async def test_an_unfinished_game_cannot_be_replayed_from_a_seat(store: Store, what: str) -> None:
    async with online(store, seed=4) as server:
        code, clients = await seated(server, "high-card")
        await clients[0].act({"type": "Lay", "slot": 0}, "one")
        answer = await server.get(f"/api/v1/tables/{code}/{what}?seat=0")
        assert (answer.status, answer.body["code"]) == (409, "not-finished")


@pytest.mark.parametrize("what", LEFT)
async def test_an_unknown_seat_is_refused_in_a_sentence(store: Store, what: str) -> None:
    async with online(store, seed=4) as server:
        code, clients = await seated(server, "high-card")
        await play_on(clients, random.Random(3))
        for seat in (2, -1, 1 << 70):
            answer = await server.get(f"/api/v1/tables/{code}/{what}?seat={seat}")
            assert (answer.status, answer.body["code"]) == (422, "no-seat"), answer
            assert answer.body["sentence"] == "This table has seats 0 to 1."


def plain(value: Any) -> Any:
    """Return a value after a JSON round trip."""
    return msgspec.json.decode(msgspec.json.encode(value))


def unrolled(changes: list[Any]) -> list[Any]:
    views = changes[:1]
    for change in changes[1:]:
        views.append(apply_delta(views[-1], change))
    return views
