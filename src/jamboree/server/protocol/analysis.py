"""The analysis of a finished game, as clients see it."""

from typing import Literal

import msgspec

from jamboree.coach.review import Balance, SectionText, TurningPointText
from jamboree.coach.review.analysis import LuckEffect, WinChances


class Swing(msgspec.Struct, frozen=True):
    """What a decision cost, in win probability: the seat's chance in `best` less that in `chosen`."""

    step: int
    seat: int
    loss: float
    best: list[float]  # every seat's chance with the best action found
    chosen: list[float]  # every seat's chance with the chosen action


class AnalysisInfo(msgspec.Struct, frozen=True):
    """The analysis of a finished game, as far as it is done."""

    state: Literal["none", "waiting", "working", "done", "stopped", "interrupted", "crowded", "failed"]
    done: int = 0  # the last analysed step
    steps: int = 0
    before: int = 0  # other games in the queue before it
    left: int | None = None  # estimated seconds left; null: unknown
    playouts: int = 0  # from each position
    moments: list[WinChances] = []
    losses: list[Swing] = []
    luck: list[LuckEffect] = []
    balance: list[Balance] = []  # by seat
    sections: list[SectionText] = []  # the game's own sections, once the analysis is done
    turning_points: list[TurningPointText] = []
