"""The coach: recommended moves with reasons during a game, and reviews of finished games."""

from .advice import Advice, RatedMove, advise, advising
from .advice_text import AdviceText, MoveText, render_advice

__all__ = ["Advice", "AdviceText", "MoveText", "RatedMove", "advise", "advising", "render_advice"]
