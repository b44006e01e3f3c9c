"""What was found out about a game: numbers only, so that it can be kept; and what they add up to."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from jamboree.core.game import Actor

WORTH_TELLING = 0.03  # of the chance to win
TURNING_POINTS = 3


class Moment(msgspec.Struct, frozen=True):
    """Who was how likely to win after a step; 0 is the set-up."""

    step: int
    actor: Actor | None
    chances: list[float]


class Decision(msgspec.Struct, frozen=True):
    """What an action cost its player against the best one found, by what that player knew then."""

    step: int
    seat: int
    loss: float  # of the chance to win
    better: dict[str, Any] | None  # the action; None: to wait, or nothing was better


class Chanced(msgspec.Struct, frozen=True):
    """What the luck of a step did to everybody's chance, against the same action with other draws."""

    step: int
    changes: list[float]


class Analysis(msgspec.Struct):
    game: str
    rules: int
    seats: int
    playouts: int  # for each position; decisions have more
    steps: int  # of the whole game
    done: int = -1  # the last step that was looked at
    moments: list[Moment] = []
    decisions: list[Decision] = []
    luck: list[Chanced] = []
    sections: dict[str, list[list[int]]] = {}  # by key, the rows of the game's own review sections
    fingerprint: str = ""  # of the code that found this

    @property
    def finished(self) -> bool:
        return self.done >= self.steps


class Balance(msgspec.Struct, frozen=True):
    """What moved a player's chance from its fair share to where it ended."""

    luck: float
    choices: float  # never above 0: against the best that was found
    others: float  # what is left: what the others did


class TurningPoint(msgspec.Struct, frozen=True):
    step: int
    seat: int
    kind: Literal["choice", "luck"]
    change: float  # of the seat's chance


def balance(analysis: Analysis) -> list[Balance]:
    """Tell luck, own choices and the doings of others apart, for each seat."""
    fair = 1 / analysis.seats
    luck = [sum(each.changes[seat] for each in analysis.luck) for seat in range(analysis.seats)]
    lost = [sum(each.loss for each in analysis.decisions if each.seat == seat) for seat in range(analysis.seats)]
    last = analysis.moments[-1].chances if analysis.moments else [fair] * analysis.seats
    return [Balance(luck[seat], -lost[seat], last[seat] - fair - luck[seat] + lost[seat]) for seat in range(len(last))]


def turning_points(analysis: Analysis, seat: int | None = None) -> list[TurningPoint]:
    """Name the steps that moved a seat's chance most, by its own choice or by luck; without a seat, anybody's."""
    seats = range(analysis.seats) if seat is None else [seat]
    found = [*_choices(analysis, seats), *_strokes_of_luck(analysis, seats)]
    most = sorted(found, key=lambda point: -abs(point.change))
    kept: dict[int, TurningPoint] = {}
    for point in most:
        if len(kept) < TURNING_POINTS and abs(point.change) >= WORTH_TELLING:
            kept.setdefault(point.step, point)
    return sorted(kept.values(), key=lambda point: point.step)


def _choices(analysis: Analysis, seats: Sequence[int]) -> list[TurningPoint]:
    """Give the decisions that cost something; where the same action was better again and again, the worst of them."""
    worst: dict[Any, Decision] = {}
    for each in sorted(analysis.decisions, key=lambda decision: -decision.loss):
        if each.seat in seats and each.loss:
            worst.setdefault((each.seat, msgspec.json.encode(each.better)), each)
    return [TurningPoint(each.step, each.seat, "choice", -each.loss) for each in worst.values()]


def _strokes_of_luck(analysis: Analysis, seats: Sequence[int]) -> list[TurningPoint]:
    """Give what luck did at each step, to the seat that it did most to."""
    moved = [(each, max(seats, key=lambda seat: abs(each.changes[seat]))) for each in analysis.luck]
    return [TurningPoint(each.step, seat, "luck", each.changes[seat]) for each, seat in moved]
