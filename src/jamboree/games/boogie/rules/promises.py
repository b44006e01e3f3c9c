"""Judging promises: each is kept, broken or void, by what its maker laid."""

from ..box.components import FIGURES, JUMPCARDS, VALUES
from .actions import Term, action_space
from .judging import Reading
from .state import BROKEN, KEPT, NO_TERM, VOID, JumpReport, PromiseRecord

Readings = dict[int, tuple[JumpReport, Reading]]
"""The jury's findings by jump number."""


def judge(seats: int, promises: list[PromiseRecord], jumps: Readings) -> list[tuple[PromiseRecord, int]]:
    return [(made, verdict(seats, made, jumps)) for made in promises]


def verdict(seats: int, made: PromiseRecord, jumps: Readings) -> int:
    """Judge one promise; it is void when its jump never came about, or the other side of an exchange failed."""
    actions = action_space(seats)
    if made.asked != NO_TERM and _judge(actions.terms[made.asked], made.to, seats, jumps) != KEPT:
        return VOID
    return _judge(actions.terms[made.term], made.seat, seats, jumps)


def _judge(term: Term, seat: int, seats: int, jumps: Readings) -> int:
    ruling = jumps.get(action_space(seats).layout.index[term.jump])
    if ruling is None or not came_about(ruling[1]):
        return VOID
    report, reading = ruling
    match term.pledge:
        case "sure":
            kept = bool(reading.sure >> seat & 1)
        case "maybe":
            kept = bool(reading.maybe >> seat & 1)
        case "out":
            kept = not (reading.sure | reading.maybe) >> seat & 1
        case "figures":
            kept = figures_of(report, reading, seat) >= term.worth
        case "harmless":
            kept = not any(code >> 4 == seat and harmful(code & 15) for code in report.cards)
    return KEPT if kept else BROKEN


def came_about(reading: Reading) -> bool:
    """Tell whether anybody was there to jump; a jump that failed because too many wanted to did come about."""
    return bool(reading.sure | reading.maybe)


def figures_of(report: JumpReport, reading: Reading, seat: int) -> int:
    """Add up the figures of a player that counted on a jump."""
    counted = (code for code in report.cards if code >> 4 == seat and code not in reading.refused)
    return sum(VALUES[code & 15] for code in counted if code & 15 < FIGURES)


def harmful(card: int) -> bool:
    """A positive effect makes a jump harder and brings nothing."""
    return FIGURES <= card < len(JUMPCARDS) and VALUES[card] > 0
