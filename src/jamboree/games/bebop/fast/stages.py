"""Scoring of stages that are surrounded by dice, and of majorities at the end of the game."""

from jamboree.core.twin.bits import Row, ctz, i64, larger, popc

from . import layout as at
from .hexes import count_of, flood, listening, only_hex


def surrounded(m: Row, t: Row, place: int) -> int:
    """Return the set of stages that a die on this hex completes."""
    complete, rings = 0, t[at.RING_OF + place]
    while rings:
        stage = ctz(rings)
        rings &= rings - 1
        if unfilled(m, t, stage) == 0:
            complete |= 1 << stage
    return complete


def unfilled(m: Row, t: Row, stage: int) -> int:
    """Count the normal hexes around a stage that hold no die."""
    return popc(t[at.RING + 2 * stage] & ~m[at.BOOKED]) + popc(t[at.RING + 2 * stage + 1] & ~m[at.BOOKED + 1])


def perform(m: Row, s: Row, t: Row, seat: int, stage: int) -> None:
    """Score a completed stage: its features in the order keys, brass, percussion, token by token."""
    heard_low, heard_high = listening(m, t, stage)
    tokens = i64(s[at.TOKENS + stage])
    for feature in range(at.FACES):
        low, high = heard_low & m[at.FACE + 2 * feature], heard_high & m[at.FACE + 2 * feature + 1]
        for _ in range(tokens >> 3 * feature & 3):
            score_feature(m, s, t, seat, feature, tokens >> 3 * feature & 4, low, high)
    s[at.TOKENS + stage] = 0
    m[at.COMPLETE] &= ~(1 << stage)
    for word in range(2):
        m[at.PERFORMED + word] |= t[at.SPACES + 2 * stage + word]


def most_of(m: Row, t: Row, low: int, high: int) -> int:
    """Return the players with the most dice in a set, at least one, as a mask."""
    most, leaders = 0, 0
    for seat in range(t[at.PLAYERS]):
        count = count_of(m, seat, low, high)
        if count > most:
            most, leaders = count, 1 << seat
        elif count > 0 and count == most:
            leaders |= 1 << seat
    return leaders


def score_feature(m: Row, s: Row, t: Row, seat: int, feature: int, star: int, low: int, high: int) -> None:
    """Score a feature: the player with most matching dice listening gets the marker's value; tied players divide it,
    rounded down."""
    winners, value = most_of(m, t, low, high), i64(s[at.RATING + feature])
    if winners:  # a feature nobody matches gives no points, and its marker stays
        for winner in range(t[at.PLAYERS]):
            if winners >> winner & 1:
                s[at.STAGE_POINTS + winner] += value // popc(winners)
        s[at.RATING + feature] = larger(value - 1, 0)  # the marker never goes below zero
    # the token goes to the winner; on a tie to the active player if among the tied, else to the box
    kind = at.STAR if star else feature
    if popc(winners) == 1:
        s[at.HELD + 4 * ctz(winners) + kind] += 1
    elif winners >> seat & 1:
        s[at.HELD + 4 * seat + kind] += 1
    else:
        s[at.BOX + (at.FACES + feature if star else feature)] += 1


def end_game(m: Row, s: Row, t: Row) -> None:
    for colour in range(at.COLOURS):
        if s[at.BANNER + colour] >= 0:
            low, high = bannered(m, s, t, colour)
            for feature in range(at.FACES):
                score_majority(m, s, t, feature, low & m[at.FACE + 2 * feature], high & m[at.FACE + 2 * feature + 1])
    s[at.PHASE] = at.OVER


def bannered(m: Row, s: Row, t: Row, colour: int) -> tuple[int, int]:
    """Return the family with a colour's banner, as a set of hexes."""
    low, high = only_hex(i64(s[at.BANNER + colour]))
    return flood(t, low, high, m[at.COLOUR + 2 * colour], m[at.COLOUR + 2 * colour + 1])


def score_majority(m: Row, s: Row, t: Row, feature: int, low: int, high: int) -> None:
    """Score own tokens of a feature for the player or players with most of its faces in a bannered family."""
    leaders, printed = most_of(m, t, low, high), popc(low) + popc(high)
    for seat in range(t[at.PLAYERS]):
        printed -= count_of(m, seat, low, high)
    if leaders == 0 or printed > count_of(m, ctz(leaders), low, high):
        return  # printed dice with strictly most: nobody scores it
    for seat in range(t[at.PLAYERS]):
        if leaders >> seat & 1:  # a star counts as one of each feature
            s[at.MAJORITY_POINTS + seat] += s[at.HELD + 4 * seat + feature] + s[at.HELD + 4 * seat + at.STAR]


def score(m: Row, s: Row, t: Row, seat: int) -> int:
    return i64(s[at.FAMILY_POINTS + seat]) + s[at.STAGE_POINTS + seat] + s[at.MAJORITY_POINTS + seat]


def rank(m: Row, s: Row, t: Row, seat: int) -> int:
    """Most points win; then most tokens held, a star being one; then victory is shared."""
    tokens = 0
    for kind in range(at.STAR + 1):
        tokens += s[at.HELD + 4 * seat + kind]
    return score(m, s, t, seat) * 256 + tokens
