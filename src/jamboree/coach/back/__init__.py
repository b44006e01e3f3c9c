"""A finished game looked back on: what each decision cost, who was likely to win when, and what luck did."""

from .analysis import Analysis, Balance, TurningPoint, balance, turning_points
from .looking import LookBack, can_look_back
from .retelling import Told, Word, retell, retell_promises

__all__ = [
    "Analysis",
    "Balance",
    "LookBack",
    "Told",
    "TurningPoint",
    "Word",
    "balance",
    "can_look_back",
    "retell",
    "retell_promises",
    "turning_points",
]
