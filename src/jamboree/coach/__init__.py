"""The coach: recommended moves with reasons during a game, and reviews of finished games."""

from .advice import Advice, RatedMove, advise
from .advice_text import AdviceText, MoveText, render_advice

__all__ = ["Advice", "AdviceText", "MoveText", "RatedMove", "advise", "render_advice"]
