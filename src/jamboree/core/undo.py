"""Whether a step of a game can be taken back: what was shown can't be unseen."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from .chance import Pick
from .game import AnyGame


class Undo(StrEnum):
    FREE = "free"
    CONSENT = "consent"  # something came out that all have seen, so the others have a say
    NEVER = "never"  # something hidden was shown to somebody


def undoable(game: AnyGame, state: Any, seats: int, events: Sequence[Any], picks: Sequence[Pick]) -> Undo:
    """Judge one step by what it told and picked; the state is the one it led to."""
    if not game.info.undo or game.outcome(state):
        return Undo.NEVER
    if not events:  # the others do not know of it
        return Undo.NEVER
    if any(pick.stream == "hidden" for pick in picks) or any(shows(game, state, seats, event) for event in events):
        return Undo.NEVER
    return Undo.CONSENT if picks else Undo.FREE


def shows(game: AnyGame, state: Any, seats: int, event: Any) -> bool:
    """Tell whether an event gave anybody something that another viewer does not know, or did not know before."""
    hidden_from_somebody = any(game.witness(event, viewer) != event for viewer in (None, *range(seats)))
    return hidden_from_somebody or game.reveals(state, event)


def strictest(rules: Sequence[Undo]) -> Undo:
    return max(rules, key=list(Undo).index, default=Undo.FREE)
