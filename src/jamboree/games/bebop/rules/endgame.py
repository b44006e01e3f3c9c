"""Game end: family majority scoring, and who won."""

from jamboree.core.game import Outcome
from jamboree.core.geometry import bits
from jamboree.core.kit.events import EventSink

from ..box.components import COLOURS
from .events import AnyEvent, GameEnded, MajorityScored
from .projection import FamilyLead, bannered, family_leads
from .state import OVER, State


def end_game(state: State, emit: EventSink[AnyEvent]) -> None:
    for colour, family in enumerate(bannered(state)):
        for lead in family_leads(state, family):
            score_majority(state, colour, family, lead, emit)
    state.phase = OVER
    if emit.enabled:
        result = outcome(state)
        assert result is not None
        emit(GameEnded, result.winners, result.scores)


def score_majority(state: State, colour: int, family: int, lead: FamilyLead, emit: EventSink[AnyEvent]) -> None:
    """Score own tokens of a feature for the player or players with most of its faces in a bannered family."""
    for seat, points in enumerate(lead.points):
        state.majority_points[seat] += points
    if emit.enabled:
        names = [state.ground.names[place] for place in bits(family)]
        what = (lead.counts, lead.printed, lead.leaders, lead.points)
        emit(MajorityScored, COLOURS[colour], lead.feature, names, *what)


def scores(state: State) -> tuple[int, ...]:
    return tuple(state.score(seat) for seat in range(state.seats))


def outcome(state: State) -> Outcome | None:
    """Most points win; then most tokens held, a star being one; then victory is shared."""
    if state.phase != OVER:
        return None
    points = list(scores(state))
    ranks = [(score, sum(held)) for score, held in zip(points, state.held, strict=True)]
    return Outcome([seat for seat, rank in enumerate(ranks) if rank == max(ranks)], points)
