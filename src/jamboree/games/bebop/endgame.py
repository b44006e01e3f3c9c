"""Game end: family majority scoring, and who won."""

from jamboree.core.game import Outcome, Tell, quiet
from jamboree.core.geometry import bits

from .components import COLOURS, FACES
from .dice import STAR
from .events import AnyEvent, GameEnded, MajorityScored
from .stages import most_of
from .state import OVER, State


def end_game(state: State, tell: Tell[AnyEvent]) -> None:
    for colour, place in enumerate(state.banners):
        if place >= 0:
            family = state.family_at(colour, place)
            for feature in range(len(FACES)):
                score_majority(state, colour, family, feature, tell)
    state.phase = OVER
    if tell is not quiet:
        result = outcome(state)
        assert result is not None
        tell(GameEnded(result.winners, result.scores))


def score_majority(state: State, colour: int, family: int, feature: int, tell: Tell[AnyEvent]) -> None:
    """Score own tokens of a feature for the player or players with most of its faces in a bannered family."""
    matching = family & state.faces[feature]
    counts = [(matching & owned).bit_count() for owned in state.owned]
    printed = matching.bit_count() - sum(counts)
    points = [0] * state.seats
    # where the printed dice have strictly most of a face nobody scores it
    winners = most_of(matching, state.owned) if max(counts) >= printed else []
    for seat in winners:
        points[seat] = state.held[seat][feature] + state.held[seat][STAR]  # a star counts as one of each feature
        state.majority_points[seat] += points[seat]
    if tell is not quiet and matching:
        names = [state.ground.names[place] for place in bits(family)]
        tell(MajorityScored(COLOURS[colour], FACES[feature], names, counts, printed, winners, points))


def outcome(state: State) -> Outcome | None:
    """Most points win; then most tokens held, a star being one; then victory is shared."""
    if state.phase != OVER:
        return None
    scores = [state.score(seat) for seat in range(state.seats)]
    ranks = [(score, sum(held)) for score, held in zip(scores, state.held, strict=True)]
    return Outcome([seat for seat, rank in enumerate(ranks) if rank == max(ranks)], scores)
