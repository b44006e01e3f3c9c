"""Who leads each feature of a stage or a family, and what that is worth as things stand: all may see it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from jamboree.core.seats import BySeat, SeatSet

from ..box.components import FACES
from ..box.dice import STAR
from .stages import FEATURE_OF, listening
from .state import OVER, State


class StageLead(msgspec.Struct, frozen=True):
    """One feature of a stage: whose dice listen for it, and what each leader would get if it performed now."""

    feature: str
    counts: BySeat[int]
    leaders: SeatSet
    points: int


class FamilyLead(msgspec.Struct, frozen=True):
    """One feature of a bannered family: who has how many, and what it would give if the game ended now."""

    feature: str
    counts: BySeat[int]
    printed: int
    leaders: SeatSet
    points: BySeat[int]


def stage_leads(state: State, number: int) -> list[StageLead]:
    """Tell who leads each feature on a stage, in the order in which they are scored."""
    tokens = state.tokens[number]
    if not tokens:
        return []
    enabled = listening(state, number)
    return [_stage_lead(state, feature, count, enabled) for feature, count in _features(tokens)]


@lru_cache
def _features(tokens: tuple[int, ...]) -> list[tuple[int, int]]:
    """Count the tokens of each feature."""
    return sorted(Counter(FEATURE_OF[token] for token in tokens).items())


def _stage_lead(state: State, feature: int, tokens: int, enabled: int) -> StageLead:
    matching = enabled & state.faces[feature]
    counts = tuple([(matching & owned).bit_count() for owned in state.owned]) if matching else (0,) * state.seats
    return _lead(feature, counts, state.rating[feature], tokens)


@lru_cache(maxsize=4096)
def _lead(feature: int, counts: tuple[int, ...], value: int, tokens: int) -> StageLead:
    leaders, points = most(counts), 0
    for marker in range(value, max(value - tokens, 0), -1):  # it drops after each token
        points += marker // len(leaders) if leaders else 0
    return StageLead(FACES[feature], list(counts), leaders, points)


def most(counts: Sequence[int]) -> list[int]:
    """Find the players with most dice, at least one."""
    best = max(counts)
    return [seat for seat, count in enumerate(counts) if count == best] if best else []


def family_leads(state: State, family: int) -> list[FamilyLead]:
    """Tell who leads each feature that a bannered family has."""
    return [_family_lead(state, family, feature) for feature in range(len(FACES)) if family & state.faces[feature]]


def _family_lead(state: State, family: int, feature: int) -> FamilyLead:
    """Count a feature's faces: the player or players with most of them score own tokens of it."""
    matching = family & state.faces[feature]
    counts = [(matching & owned).bit_count() for owned in state.owned]
    printed, points = matching.bit_count() - sum(counts), [0] * state.seats
    leaders = most(counts) if max(counts) >= printed else []  # printed dice with strictly most: nobody scores it
    for seat in leaders:
        points[seat] = state.held[seat][feature] + state.held[seat][STAR]  # a star counts as one of each feature
    return FamilyLead(FACES[feature], counts, printed, leaders, points)


def bannered(state: State) -> list[int]:
    """Give each colour the family that has its banner, as a mask; 0 for none."""
    return [state.family_at(colour, place) if place >= 0 else 0 for colour, place in enumerate(state.banners)]


def projected(state: State, leads: Iterable[FamilyLead]) -> list[int]:
    """Give everybody's points if the game ended now."""
    scores = [state.score(seat) for seat in range(state.seats)]
    if state.phase != OVER:  # else they are scored already
        for lead in leads:
            for seat in lead.leaders:
                scores[seat] += lead.points[seat]
    return scores
