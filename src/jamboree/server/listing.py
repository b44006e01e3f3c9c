"""How a table is found by those who are not at it."""

import time

import msgspec

from .lobby import Lobby
from .store import Listing


def listing(lobby: Lobby) -> Listing:
    """Write the card by which a table is found, and when it was last touched."""
    host = lobby.people.get(lobby.host)
    card = {
        "seats": lobby.seats,
        "free": len(lobby.free_seats()),
        "host": host.name if host else "",
        "listed": lobby.listed,
    }
    return Listing(lobby.game, lobby.status, int(time.time()), msgspec.json.encode(card).decode())
