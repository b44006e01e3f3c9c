"""Shared helpers of undo tests: how to get to a move that can be undone."""

import random
from typing import Any

from jamboree.server.live.registry import Registry

from .local import Client, started

ASK = {"type": "undo", "id": "back"}
LAY = {"type": "Lay", "slot": 0}


def one(client: Client, kind: str) -> dict[str, Any]:
    """Choose the first legal action of a type."""
    return next(action for action in client.legal() if action["type"] == kind)


def turn(clients: list[Client]) -> Client:
    return next(client for client in clients if client.legal())


async def until(clients: list[Client], kind: str, seed: int = 0) -> Client:
    """Play randomly until a client satisfies a condition; return it."""
    rng = random.Random(seed)
    for number in range(1_000):
        for client in clients:
            if any(action["type"] == kind for action in client.legal()):
                return client
        client = turn(clients)
        assert (await client.act(rng.choice(client.legal()), f"until {kind} {number}"))["type"] == "ack"
    raise AssertionError(f"nobody may ever do {kind}")


async def claimed(registry: Any, seats: int = 3) -> tuple[Client, list[Client]]:
    """Let the first player of Bebop claim a basic seat."""
    clients = await started(registry, "bebop", seats)
    mover = turn(clients)
    assert (await mover.act(one(mover, "ClaimSeat"), "claim"))["type"] == "ack"
    return mover, [client for client in clients if client is not mover]


async def asked(registry: Registry) -> tuple[Client, list[Client]]:
    """Let a player request an undo after the next player has moved."""
    clients = await started(registry, "bebop", 3)
    mover = turn(clients)
    await mover.act(one(mover, "ClaimSeat"), "claim")
    await mover.act(one(mover, "KeepDice"), "keep")
    await turn(clients).act(one(turn(clients), "ClaimSeat"), "answer")
    assert mover.undo["rule"] == "consent"
    assert mover.undo == {"rule": "consent", "steps": 3, "later": 1}
    return mover, [client for client in clients if client is not mover]


async def taken_back(mover: Client, clients: list[Client], name: str) -> None:
    """Undo a move; all voters agree."""
    assert (await mover.send(type="undo", id=name))["type"] == "ack"
    for client in clients:
        if client is not mover and client.table["undo_asked"]:
            assert (await client.send(type="answer-undo", id=name, agrees=True))["type"] == "ack"
