"""A client for live tables: `Client` opens and joins tables over HTTP, `Seat` plays or watches over a WebSocket."""

from .client import Client
from .errors import ConnectionLost, Declined
from .player import play
from .position import DecodedPosition
from .seat import Seat

__all__ = ["Client", "ConnectionLost", "Declined", "DecodedPosition", "Seat", "play"]
