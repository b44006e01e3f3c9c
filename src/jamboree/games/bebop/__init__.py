"""Bebop: a jazz festival on a hex map. Claim seats, book fans, win stages, grow families."""

from .game import game

__all__ = ["game"]
