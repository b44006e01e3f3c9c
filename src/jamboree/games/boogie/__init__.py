"""Boogie Beasts: a skydiving meet-up. Plan, promise, bluff, and jump together in exactly the right number."""

from .game import game

__all__ = ["game"]
