"""Where a record of the game leads: worked out while deciding, and taken over when the record is folded."""

from typing import Any, NamedTuple

from jamboree.core.game import Actor
from jamboree.core.undo import Undo

from .pending import Pending
from .witnesses import Told

MOST_PAST = 1024  # actions that are looked back at when somebody takes a move back


class PastAction(NamedTuple):
    """One action that holds, and what speaks against taking it back."""

    seq: int
    actor: Actor
    undo: Undo


class NextPosition(NamedTuple):
    """The position one more record leads to. It spares the rules a second round: folding need not repeat the step."""

    after: int  # the record it follows on
    state: Any
    hash: str
    course: list[PastAction]  # the last actions that hold then
    pending: dict[int, Pending]  # what was asked before
    told: Told | None = None  # of an action
