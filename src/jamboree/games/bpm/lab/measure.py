"""What is measured of a game of BPMs Per Minute."""

from typing import NamedTuple

from jamboree.core.kit.reporting import FinishedGame

from ..box.components import BOX
from ..rules import events as e


class Facts(NamedTuple):
    """What is counted of one game."""

    winners: list[int]
    first: int
    extra: int
    decisions: int
    superfans: list[list[int]]  # by round and player
    cards: list[str]  # by round


def measure(played: FinishedGame) -> Facts:
    """Count superfans by round."""
    superfans, cards = list[list[int]](), list[str]()
    for event in played.events:
        match event:
            case e.HypeRevealed():
                cards.append(event.card)
                superfans.append([0] * len(played.scores))
            case e.BallCaught() | e.BonusScored():
                superfans[-1][event.seat] += 1
            case e.ComboScored():
                superfans[-1][event.seat] += len(event.superfans)
    extra = played.end.round - BOX.rounds
    return Facts(played.winners, played.end.first, extra, len(played.steps), superfans, cards)
