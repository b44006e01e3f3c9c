"""What is told of a finished game that was looked back on."""

from typing import Literal

import msgspec

from jamboree.coach.back import Balance, SectionText, Told
from jamboree.coach.back.analysis import Moment


class Swing(msgspec.Struct, frozen=True):
    """What a decision cost: a part of the chance to win."""

    step: int
    seat: int
    loss: float


class AnalysisSeen(msgspec.Struct, frozen=True):
    """A finished game looked back on, as far as it was done."""

    state: Literal["none", "waiting", "working", "done", "stopped", "interrupted", "crowded", "failed"]
    done: int = 0  # the last step that was looked at
    steps: int = 0
    before: int = 0  # other games that go first
    left: int | None = None  # seconds that the rest will take, as fast as it went so far; None: nobody knows yet
    playouts: int = 0  # from each position
    moments: list[Moment] = []
    losses: list[Swing] = []
    balance: list[Balance] = []  # by seat
    sections: list[SectionText] = []  # the game's own sections, once the analysis is done
    turning_points: list[Told] = []
