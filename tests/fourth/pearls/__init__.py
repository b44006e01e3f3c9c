"""Pearl Divers: dive once more, or bring up what you have? Only you know which colour your buyer pays double for."""

from .game import game

__all__ = ["game"]
