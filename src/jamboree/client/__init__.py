"""A client for live tables: a desk for opening and joining them, a seat for playing and watching."""

from .desk import Desk
from .errors import Declined, Lost
from .player import play
from .position import Seen
from .seat import Seat

__all__ = ["Declined", "Desk", "Lost", "Seat", "Seen", "play"]
