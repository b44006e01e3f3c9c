"""What a good player would say: the best actions for a seat with reasons, and a finished game looked back on."""

from .advice import Advice, Move, advise
from .wording import Advised, Worded, word

__all__ = ["Advice", "Advised", "Move", "Worded", "advise", "word"]
