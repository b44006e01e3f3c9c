"""Game reviews: the cost of each decision, chances to win step by step, and the effect of luck in a finished game."""

from .analysis import Analysis, Balance, TurningPoint, balance, turning_points
from .fingerprint import analysis_fingerprint
from .game_review import GameReview, can_review
from .review_text import (
    ReviewText,
    SectionText,
    TurningPointText,
    render_sections,
    render_turning_points,
    signed_points,
)

__all__ = [
    "Analysis",
    "Balance",
    "GameReview",
    "ReviewText",
    "SectionText",
    "TurningPoint",
    "TurningPointText",
    "analysis_fingerprint",
    "balance",
    "can_review",
    "render_sections",
    "render_turning_points",
    "signed_points",
    "turning_points",
]
