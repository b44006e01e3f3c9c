"""How a table is found by those who are not at it."""

import msgspec

from ..protocol.terms import UNDER_WAY, Status
from ..store import Listing
from .memory import Memory


def listing(memory: Memory) -> Listing:
    """Write the card by which a table is found, and when anybody could last see it change; a locked one is not."""
    lobby = memory.lobby
    host = lobby.people.get(lobby.host)
    card = {
        "seats": lobby.seats,
        "free": len(lobby.free_seats()),
        "host": host.name if host else "",
        "winners": winners(memory),
    }
    found = lobby.listed and not (lobby.locked and lobby.status in UNDER_WAY)
    return Listing(lobby.game, lobby.status, memory.touched, msgspec.json.encode(card).decode(), found)


def winners(memory: Memory) -> list[str]:
    """Name who won; nobody before the end, nor when the rules are lost."""
    over = memory.lobby.status == Status.FINISHED and memory.has_rules and memory.state is not None
    outcome = memory.game.outcome(memory.state) if over else None
    if outcome is None:
        return []
    names = memory.lobby.names()
    return [names[seat] for seat in outcome.winners]
