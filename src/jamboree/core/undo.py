"""Undo rules: a step that revealed hidden information to anyone can never be undone."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from .chance import Pick
from .game import Actor, AnyGame
from .journal import Journal, steps


class Undo(StrEnum):
    FREE = "free"
    CONSENT = "consent"  # an open random pick was made, so the other players must agree
    NEVER = "never"  # hidden information was revealed


STRICTEST_FIRST = tuple(Undo)[::-1]


def undoable(game: AnyGame, state: Any, events: Sequence[Any], picks: Sequence[Pick], is_open: bool) -> Undo:
    """Classify one step by its events, their visibility and its picks; `state` is the position after it."""
    if not game.info.undo or game.outcome(state):
        return Undo.NEVER
    if not events:  # the other players do not know about it
        return Undo.NEVER
    if not is_open or any(pick.stream == "hidden" for pick in picks):
        return Undo.NEVER
    if any(game.reveals(state, event) for event in events):
        return Undo.NEVER
    return Undo.CONSENT if picks else Undo.FREE


def open_to_all(game: AnyGame, seats: int, events: Sequence[Any]) -> bool:
    """Return whether every viewer sees the events unredacted."""
    for event in events:
        for viewer in (None, *range(seats)):
            seen = game.witness(event, viewer)
            if seen is not event and seen != event:
                return False
    return True


def strictest(rules: Sequence[Undo]) -> Undo:
    return next((rule for rule in STRICTEST_FIRST if rule in rules), Undo.FREE)


class Past(Protocol):
    """An action that has not been undone."""

    @property
    def actor(self) -> Actor: ...
    @property
    def undo(self) -> Undo: ...
    @property
    def continues(self) -> bool: ...  # the action continues a move that its player has begun


def start_of_move(course: Sequence[Past], seat: int) -> int | None:
    """Return the index of the action with which a seat's last move began; None without an action.

    If a part of the move can never be undone, the index is that of the first action after it.
    """
    start = next((at for at in reversed(range(len(course))) if course[at].actor == seat), None)
    while start and course[start].continues and course[start - 1].undo is not Undo.NEVER:
        start -= 1
    return start


class Holding(NamedTuple):
    step: int
    actor: Actor
    undo: Undo
    continues: bool


def last_move(journal: Journal, game: AnyGame, seat: int) -> tuple[int, Undo] | None:
    """Return the step before a seat's last move and the strictest rule of all steps since; None without a move."""
    course = _course(journal, game)
    own = start_of_move(course, seat)
    if own is None:
        return None
    return course[own - 1].step if own else 0, strictest([past.undo for past in course[own:]])


def _course(journal: Journal, game: AnyGame) -> list[Holding]:
    course: list[Holding] = []
    continues = False
    for step in steps(journal, game):
        if step.entry is not None and step.entry.undo is not None:
            back = step.entry.undo
            course = [past for past in course if past.step <= back]
        elif step.entry is not None:
            is_open = open_to_all(game, journal.header.seats, step.events)
            judged = undoable(game, step.state, step.events, step.entry.picks, is_open)
            course.append(Holding(step.number, step.entry.actor, judged, continues))
        continues = game.in_move(step.state)
    return course
