"""Score the stage: when every normal hex around it holds a die, the band performs."""

from jamboree.core.game import Tell, quiet
from jamboree.core.geometry import bits

from .components import FACES
from .dice import STAR, TOKENS
from .events import AnyEvent, FeatureScored, StagePerformed
from .state import State


def surrounded(state: State, place: int) -> int:
    """Mark the stages that a die on this hex completed."""
    complete = 0
    for number in state.ground.ring_of[place]:
        if not state.ground.stages[number].ring & ~state.booked:
            complete |= 1 << number
    return complete


def listening(state: State, number: int) -> int:
    """Mark the dice next to the stage, or in a family with a die next to it."""
    beside = state.ground.stages[number].beside
    heard = 0
    for groups in state.families:
        for group in groups:
            if group & beside:
                heard |= group
    return heard


def perform(state: State, seat: int, number: int, tell: Tell[AnyEvent]) -> None:
    """Let a band play: its features are scored in the order keys, brass, percussion, token by token."""
    stage = state.ground.stages[number]
    if tell is not quiet:
        tell(StagePerformed(seat, stage.letter))
    heard = listening(state, number)
    for token in sorted(state.tokens[number], key=_in_feature_order):
        score_feature(state, seat, number, token, heard, tell)
    state.tokens[number] = ()
    state.complete &= ~(1 << number)
    state.backstage |= stage.mask


def _in_feature_order(token: int) -> int:
    return token % len(FACES)


def score_feature(state: State, seat: int, number: int, token: int, heard: int, tell: Tell[AnyEvent]) -> None:
    """Give the marker's value to who has most matching dice listening; tied players divide it, rounded down."""
    feature = token % len(FACES)
    matching = heard & state.faces[feature]
    counts = [(matching & owned).bit_count() for owned in state.owned]
    most, value = max(counts), state.rating[feature]
    if most:  # a feature nobody matches gives no points, and its marker stays
        winners = [player for player, count in enumerate(counts) if count == most]
        points = value // len(winners)
        for winner in winners:
            state.stage_points[winner] += points
        state.rating[feature] = max(value - 1, 0)
    else:
        winners, points = [], 0
    token_to = hand_out(state, seat, token, winners)
    if tell is not quiet:
        listeners = [[state.ground.names[at] for at in bits(matching & owned)] for owned in state.owned]
        marker = state.rating[feature]
        letter = state.ground.stages[number].letter
        tell(FeatureScored(letter, TOKENS[token], value, listeners, winners, points, token_to, marker))


def hand_out(state: State, seat: int, token: int, winners: list[int]) -> int | None:
    """Give the token to the winner; on a tie to the active player if among the tied, else it goes to the box."""
    if len(winners) == 1:
        seat = winners[0]
    elif seat not in winners:
        state.box[token] += 1
        return None
    kind = min(token, STAR)
    held = state.held[seat]
    state.held[seat] = (*held[:kind], held[kind] + 1, *held[kind + 1 :])
    return seat
