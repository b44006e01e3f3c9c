"""A client for live tables: `Client` for opening and joining them, a seat for playing and watching."""

from .client import Client
from .errors import Declined, Lost
from .player import play
from .position import Seen
from .seat import Seat

__all__ = ["Client", "Declined", "Lost", "Seat", "Seen", "play"]
