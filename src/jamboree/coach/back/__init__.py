"""A finished game looked back on: what each decision cost, who was likely to win when, and what luck did."""

from .analysis import Analysis, Balance, TurningPoint, balance, turning_points
from .looking import LookBack, can_look_back
from .retelling import SectionText, Told, render_sections, retell, signed_points
from .sources import analysis_fingerprint

__all__ = [
    "Analysis",
    "Balance",
    "LookBack",
    "SectionText",
    "Told",
    "TurningPoint",
    "analysis_fingerprint",
    "balance",
    "can_look_back",
    "render_sections",
    "retell",
    "signed_points",
    "turning_points",
]
