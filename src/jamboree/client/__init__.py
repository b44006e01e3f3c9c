"""A client for live tables: `Client` opens and joins them over HTTP, `TableConnection` plays or watches over a
WebSocket."""

from .client import Client
from .errors import ConnectionLost, Declined
from .player import play
from .position import DecodedPosition
from .table_connection import TableConnection

__all__ = ["Client", "ConnectionLost", "Declined", "DecodedPosition", "TableConnection", "play"]
