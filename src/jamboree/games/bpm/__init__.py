"""BPMs Per Minute: DJs share a stage. Play songs, turn dancers into fans, line them up, make them superfans."""

from .game import game

__all__ = ["game"]
