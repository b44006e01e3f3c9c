"""The results of a game review as plain numbers, which can be stored, and their summary.

All chances to win are shares of playouts in which every seat plays on as a greedy bot does. A choice and a stroke of
luck each have a chance before and a chance after; the cost or the effect is their difference, in every output.
"""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from jamboree.core.game import Actor

MIN_CHANGE = 0.03  # of the chance to win
MAX_TURNING_POINTS = 3


class WinChances(msgspec.Struct, frozen=True):
    """Each seat's chance to win after a step; step 0 is the set-up."""

    step: int
    actor: Actor | None
    chances: list[float]


class DecisionLoss(msgspec.Struct, frozen=True):
    """The loss of an action compared with the best one found, given what its player knew.

    The loss is the difference of the seat's chances in `best` and `chosen`, which are empty without a loss.
    """

    step: int
    seat: int
    loss: float  # of the chance to win
    better: dict[str, Any] | None  # the best action; None: waiting, or no better one was found
    best: list[float] = []  # every seat's chance with the best action
    chosen: list[float] = []  # every seat's chance with the action that was chosen


class LuckEffect(msgspec.Struct, frozen=True):
    """The effect of a step's random picks on the chances, compared with the same action and other picks."""

    step: int
    changes: list[float]


class Analysis(msgspec.Struct):
    game: str
    rules: int
    seats: int
    playouts: int  # from each position; decisions have more
    steps: int  # of the whole game
    done: int = -1  # the last analysed step
    moments: list[WinChances] = []
    decisions: list[DecisionLoss] = []
    luck: list[LuckEffect] = []
    sections: dict[str, list[list[int]]] = {}  # by key, the rows of the game's own review sections
    fingerprint: str = ""  # of the code that found this

    @property
    def finished(self) -> bool:
        return self.done >= self.steps


class Balance(msgspec.Struct, frozen=True):
    """The parts of the change from a player's fair share of the win to the actual result."""

    luck: float
    choices: float  # at most 0: compared with the best actions found
    others: float  # the rest: the effect of the other players


class TurningPoint(msgspec.Struct, frozen=True):
    step: int
    seat: int
    kind: Literal["choice", "luck"]
    before: float  # the seat's chance with the best action, or expected before the draw or roll
    after: float  # its chance with the action that was chosen, or after the draw or roll

    @property
    def change(self) -> float:
        return round(self.after - self.before, 4)


def balance(analysis: Analysis) -> list[Balance]:
    """Attribute the change of each seat's chance to luck, its own choices and the other players."""
    fair = 1 / analysis.seats
    luck = [sum(each.changes[seat] for each in analysis.luck) for seat in range(analysis.seats)]
    lost = [sum(each.loss for each in _distinct_losses(analysis, [seat])) for seat in range(analysis.seats)]
    last = analysis.moments[-1].chances if analysis.moments else [fair] * analysis.seats
    return [Balance(luck[seat], -lost[seat], last[seat] - fair - luck[seat] + lost[seat]) for seat in range(len(last))]


def turning_points(analysis: Analysis, seat: int | None = None) -> list[TurningPoint]:
    """Return the steps that changed a seat's chance most, by its choice or by luck; without a seat, those of all."""
    seats = range(analysis.seats) if seat is None else [seat]
    found = [*_choices(analysis, seats), *_strokes_of_luck(analysis, seats)]
    most = sorted(found, key=lambda point: -abs(point.change))
    chosen: dict[int, TurningPoint] = {}
    for point in most:
        if len(chosen) < MAX_TURNING_POINTS and abs(point.change) >= MIN_CHANGE:
            chosen.setdefault(point.step, point)
    return sorted(chosen.values(), key=lambda point: point.step)


def _choices(analysis: Analysis, seats: Sequence[int]) -> list[TurningPoint]:
    return [
        TurningPoint(each.step, each.seat, "choice", each.best[each.seat], each.chosen[each.seat])
        for each in _distinct_losses(analysis, seats)
    ]


def _distinct_losses(analysis: Analysis, seats: Sequence[int]) -> list[DecisionLoss]:
    """Return the decisions with a loss; of those that missed the same action, only the worst."""
    worst: dict[Any, DecisionLoss] = {}
    for each in sorted(analysis.decisions, key=lambda decision: -decision.loss):
        if each.seat in seats and each.loss:
            worst.setdefault((each.seat, msgspec.json.encode(each.better)), each)
    return list(worst.values())


def _strokes_of_luck(analysis: Analysis, seats: Sequence[int]) -> list[TurningPoint]:
    """Return the effect of luck at each step, for the seat that it affected most."""
    chances = {moment.step: moment.chances for moment in analysis.moments}
    points = list[TurningPoint]()
    for effect in analysis.luck:
        seat = max(seats, key=lambda seat: abs(effect.changes[seat]))
        after = chances[effect.step][seat]
        points.append(TurningPoint(effect.step, seat, "luck", round(after - effect.changes[seat], 4), after))
    return points
