"""Boogie Beasts at a live table, advanced to a timed phase."""

from typing import Any

from jamboree.server.live.registry import Registry

from .local import Client, started

SHORT = {"pace": "own", "plane_seconds": 30, "jump_seconds": 20}
READY = {"type": "SayReady"}


async def jumping(registry: Registry, seats: int = 3, **options: Any) -> list[Client]:
    """Bring a table of Boogie to the jump."""
    clients = await started(registry, "boogie", seats, **{**SHORT, **options})
    for phase in range(2):
        for client in clients:
            assert (await client.act(READY, f"ready {phase}"))["type"] == "ack"
    assert clients[0].position["view"]["phase"] == "jump"
    return clients


def cards_of(legal: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Choose a card for each of three jumps, so that none depends on another."""
    offers = [offer for offer in legal if offer["type"] == "PlayCard"]
    found: dict[str, dict[str, Any]] = {}
    for offer in offers:
        taken = [each["jump"] for each in found.values()]
        if offer["card"] in ("sure", "maybe", "bluff") and offer["card"] not in found and offer["jump"] not in taken:
            found[offer["card"]] = offer
    return list(found.values())


def latest(client: Client) -> dict[str, Any]:
    clock: dict[str, Any] = next(each["clock"] for each in reversed(client.received) if "clock" in each)
    return clock
