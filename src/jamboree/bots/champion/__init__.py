"""A player that has learnt by playing against itself, and searches besides."""

from .champion import Champion
from .network import has_network

__all__ = ["Champion", "has_network"]
