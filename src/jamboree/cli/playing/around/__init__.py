"""Several people at one terminal, who take turns to look."""

from .shared import SharedGame, begin_shared, go_on_shared

__all__ = ["SharedGame", "begin_shared", "go_on_shared"]
