"""Score the stage: when every normal hex around it holds a die, the band performs."""

from jamboree.core.geometry import bits
from jamboree.core.kit.events import EventSink

from ..box.components import FACES
from ..box.dice import STAR, TOKENS
from .events import AnyEvent, FeatureScored, StagePerformed
from .state import State

FEATURE_OF = tuple(FACES.index(token.feature) for token in TOKENS)


def surrounded(state: State, place: int) -> int:
    """Return the mask of stages that a die on this hex completed."""
    ground = state.ground
    empty = ~state.booked
    complete = 0
    for number in ground.ring_of[place]:
        if not ground.stages[number].ring & empty:
            complete |= 1 << number
    return complete


def listening(state: State, number: int) -> int:
    """Return the mask of dice next to the stage, or in a family with a die next to it."""
    beside = state.ground.stages[number].beside
    enabled = 0
    for dice, groups in zip(state.colours, state.families, strict=True):
        if dice & beside:
            for group in groups:
                if group & beside:
                    enabled |= group
    return enabled


def perform(state: State, seat: int, number: int, emit: EventSink[AnyEvent]) -> None:
    """Let a band play: its features are scored in the order keys, brass, percussion, token by token."""
    stage = state.ground.stages[number]
    emit(StagePerformed, seat, stage.letter)
    enabled, before = listening(state, number), state.stage_points[:]
    for token in sorted(state.tokens[number], key=FEATURE_OF.__getitem__):
        score_feature(state, seat, number, token, enabled, emit)
    state.tokens[number] = ()
    state.paid[number] = tuple([now - then for now, then in zip(state.stage_points, before, strict=True)])
    state.complete &= ~(1 << number)
    state.backstage |= stage.mask


def score_feature(state: State, seat: int, number: int, token: int, enabled: int, emit: EventSink[AnyEvent]) -> None:
    """Give the marker's value to the player with most matching dice listening; tied players divide it, rounded down."""
    feature = FEATURE_OF[token]
    matching = enabled & state.faces[feature]
    winners = most_of(matching, state.owned)
    value = state.rating[feature]
    points = 0
    if winners:  # a feature nobody matches gives no points, and its marker stays
        points = value // len(winners)
        for winner in winners:
            state.stage_points[winner] += points
        state.rating[feature] = value - 1 if value else 0  # the marker never goes below zero
    token_to = hand_out(state, seat, token, winners)
    if emit.enabled:
        listeners = [[state.ground.names[at] for at in bits(matching & owned)] for owned in state.owned]
        marker = state.rating[feature]
        letter = state.ground.stages[number].letter
        emit(FeatureScored, letter, TOKENS[token], value, listeners, winners, points, token_to, marker)


def most_of(matching: int, owned: list[int]) -> list[int]:
    """Return the players with the most matching dice, if they have any."""
    most, leaders = 0, list[int]()
    for seat, dice in enumerate(owned):
        count = (matching & dice).bit_count()
        if count > most:
            most, leaders = count, [seat]
        elif count and count == most:
            leaders.append(seat)
    return leaders


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
