"""Static evaluation for the greedy player of Bebop: the points of dice on hexes, and the value of hexes.

Scratch holds three numbers for each hex: its value, the number of dice that a die would join, and the most points of a
die in hand.
"""

from jamboree.core.twin.bits import Reals, Row, ctz, i64, popc
from jamboree.core.twin.chance import COUNTER, random_at

from . import layout as at
from .hexes import count_of, flood, listening
from .stages import unfilled

NOISE = 0.3  # points by which equal places may differ
MATCH = 0.5  # of the weight of a place: a face that matches the tokens beside it
RIVAL_SHARE = 0.5  # of what the best rival gets from a stage, taken off the own points
NO_FACE = -1
JOINED, BEST = at.MOST_HEXES, 2 * at.MOST_HEXES  # in scratch
UNIT = 1.0 / (1 << 32)


def place_weight(t: Row) -> float:
    """Return the weight of a hex's value against certain points."""
    return t[at.PLACE_WEIGHT] / 1000


def family_at(m: Row, t: Row, colour: int, place: int) -> tuple[int, int]:
    """Return the set of dice that a die of a colour would join on a hex."""
    in_low, in_high = m[at.COLOUR + 2 * colour], m[at.COLOUR + 2 * colour + 1]
    low, high = t[at.NEAR + 2 * place] & in_low, t[at.NEAR + 2 * place + 1] & in_high
    return flood(t, low, high, in_low, in_high) if low | high else (0, 0)


def with_face(m: Row, low: int, high: int, face: int) -> int:
    return popc(low & m[at.FACE + 2 * face]) + popc(high & m[at.FACE + 2 * face + 1])


def closing(m: Row, s: Row, t: Row, place: int) -> int:
    """Return the set of stages that a die on a hex would complete."""
    found, rings = 0, t[at.RING_OF + place]
    while rings:
        stage = ctz(rings)
        rings &= rings - 1
        if s[at.TOKENS + stage] > 0 and unfilled(m, t, stage) == 1:
            found |= 1 << stage
    return found


def points(m: Row, s: Row, t: Row, seat: int, die: int, place: int) -> float:
    """Return the certain points of a die on a hex: its family, and the stages it completes."""
    low, high = family_at(m, t, die // at.FACES, place)
    return family_and_stages(m, s, t, seat, die % at.FACES, closing(m, s, t, place), low, high)


def family_and_stages(m: Row, s: Row, t: Row, seat: int, face: int, stages: int, low: int, high: int) -> float:
    family = with_face(m, low, high, face) + 1 if low | high else 0
    return family + lead(m, s, t, seat, stages, low, high, face) if stages else 1.0 * family


def best_points(m: Row, s: Row, t: Row, seat: int, place: int) -> float:
    best = points(m, s, t, seat, i64(s[at.HAND + at.HAND_SIZE * seat]), place) if s[at.DICE + seat] > 0 else 0.0
    for slot in range(1, s[at.DICE + seat]):
        found = points(m, s, t, seat, i64(s[at.HAND + at.HAND_SIZE * seat + slot]), place)
        best = found if found > best else best
    return best


def lead(m: Row, s: Row, t: Row, seat: int, stages: int, low: int, high: int, new_face: int) -> float:
    """Return the value of stages with one more die in a family: own points less a share of the best rival's."""
    gains, fallen = 0, 0  # by seat fifteen bits; by feature eight: how far its marker has gone down
    while stages:
        stage = ctz(stages)
        stages &= stages - 1
        heard_low, heard_high = listening(m, t, stage)
        for feature in range(at.FACES):
            with_low = (heard_low | low) & m[at.FACE + 2 * feature]
            with_high = (heard_high | high) & m[at.FACE + 2 * feature + 1]
            for _ in range(s[at.TOKENS + stage] >> 3 * feature & 3):
                value = s[at.RATING + feature] - (fallen >> 8 * feature & 255)
                shared = share_out(m, t, seat, value, 1 if feature == new_face else 0, with_low, with_high)
                if shared >= 0:
                    gains += shared
                    fallen += (1 if value > 0 else 0) << 8 * feature
    best = 0
    for other in range(t[at.PLAYERS]):
        found = gains >> 15 * other & 0x7FFF
        best = found if other != seat and found > best else best
    return (gains >> 15 * seat & 0x7FFF) - RIVAL_SHARE * best


def share_out(m: Row, t: Row, seat: int, value: int, more: int, low: int, high: int) -> int:
    """Return all players' shares of a token, fifteen bits each; -1 if nobody has a matching die."""
    most, winners = 0, 0
    for other in range(t[at.PLAYERS]):
        count = count_of(m, other, low, high) + (more if other == seat else 0)
        if count > most:
            most, winners = count, 0
        if count == most:
            winners |= 1 << 15 * other
    return winners * (value // popc(winners)) if most > 0 else -1


def matches(m: Row, s: Row, t: Row, place: int, closed: int) -> tuple[float, float, float]:
    """Return the value of each face by the tokens it matches on the stages beside a hex, unless these are scored at
    once."""
    keys, brass, drums, stages = 0.0, 0.0, 0.0, t[at.BESIDE_OF + place]
    while stages and not closed:
        stage = ctz(stages)
        stages &= stages - 1
        tokens = i64(s[at.TOKENS + stage])
        if tokens > 0:
            waiting = 1 + unfilled(m, t, stage)
            for _ in range(tokens & 3):
                keys += s[at.RATING] / waiting
            for _ in range(tokens >> 3 & 3):
                brass += s[at.RATING + 1] / waiting
            for _ in range(tokens >> 6 & 3):
                drums += s[at.RATING + 2] / waiting
    weight = place_weight(t) * MATCH
    return weight * keys, weight * brass, weight * drums


def match(m: Row, s: Row, t: Row, place: int, closed: int, face: int) -> float:
    keys, brass, drums = matches(m, s, t, place, closed)
    return keys if face == 0 else (brass if face == 1 else drums)


def weigh(m: Row, s: Row, c: Row, t: Row, seat: int, low: int, high: int, scratch: Reals) -> None:
    """Write the values of the hexes of a set: the points of a die in hand there, and the stages beside it."""
    hexes, weight = t[at.HEXES], place_weight(t)
    for place in range(hexes):
        scratch[place] = scratch[JOINED + place] = scratch[BEST + place] = 0.0
    last_low, last_high = 0, 0  # hexes that are the last to be filled around some stage
    for stage in range(t[at.STAGES]):
        tokens, left = i64(s[at.TOKENS + stage]), 0
        if tokens == 0:
            continue
        missing = unfilled(m, t, stage)
        if missing == 1:
            last_low |= t[at.RING + 2 * stage] & ~m[at.BOOKED]
            last_high |= t[at.RING + 2 * stage + 1] & ~m[at.BOOKED + 1]
        for feature in range(at.FACES):
            left += s[at.RATING + feature] * (tokens >> 3 * feature & 3)
        if left > 0:
            beside_low, beside_high = t[at.BESIDE + 2 * stage] & low, t[at.BESIDE + 2 * stage + 1] & high
            add(scratch, 0, beside_low, beside_high, left / (1 + missing))
    weigh_hand(m, s, t, seat, low, high, scratch)
    for word in range(2):
        left, last = (high, last_high) if word else (low, last_low)
        while left:
            place, closes = at.WORD * word + ctz(left), left & -left & last != 0
            left &= left - 1
            noise = NOISE * (random_at(c, c[COUNTER] + 1 + place) * UNIT)
            sure = best_points(m, s, t, seat, place) if closes else scratch[BEST + place]
            scratch[place] = weight * scratch[place] + noise + sure
    c[COUNTER] += hexes


def weigh_hand(m: Row, s: Row, t: Row, seat: int, low: int, high: int, scratch: Reals) -> None:
    """Write for each hex of a set the most points of a die in hand in a family there."""
    for slot in range(s[at.DICE + seat]):
        die = i64(s[at.HAND + at.HAND_SIZE * seat + slot])
        near_low, near_high = join(m, t, die // at.FACES, low, high, scratch)
        for word in range(2):
            left = near_high if word else near_low
            while left:
                place = at.WORD * word + ctz(left)
                left &= left - 1
                score = (i64(scratch[JOINED + place]) >> 16 * (die % at.FACES) & 0xFFFF) + 1.0
                scratch[BEST + place] = score if score > scratch[BEST + place] else scratch[BEST + place]
                scratch[JOINED + place] = 0.0


def join(m: Row, t: Row, colour: int, low: int, high: int, scratch: Reals) -> tuple[int, int]:
    """Write for each hex of a set the number of dice of a colour that one more would join: sixteen bits for each face.
    Return the set of hexes that have any."""
    in_low, in_high = m[at.COLOUR + 2 * colour], m[at.COLOUR + 2 * colour + 1]
    left_low, left_high, near_low, near_high = in_low, in_high, 0, 0
    while left_low | left_high:
        from_low, from_high = (left_low & -left_low, 0) if left_low else (0, left_high & -left_high)
        group_low, group_high = flood(t, from_low, from_high, in_low, in_high)
        left_low &= ~group_low
        left_high &= ~group_high
        beside_low, beside_high = beside(t, group_low, group_high)
        counts = 0
        for face in range(at.FACES):
            counts |= with_face(m, group_low, group_high, face) << 16 * face
        add(scratch, JOINED, beside_low & low, beside_high & high, 1.0 * counts)
        near_low |= beside_low & low
        near_high |= beside_high & high
    return near_low, near_high


def beside(t: Row, low: int, high: int) -> tuple[int, int]:
    """Return the hexes next to a set and within another."""
    near_low, near_high = 0, 0
    while low | high:
        place = ctz(low) if low else at.WORD + ctz(high)
        if low:
            low &= low - 1
        else:
            high &= high - 1
        near_low |= t[at.NEAR + 2 * place]
        near_high |= t[at.NEAR + 2 * place + 1]
    return near_low, near_high


def add(scratch: Reals, where: int, low: int, high: int, amount: float) -> None:
    for word in range(2):
        left = high if word else low
        while left:
            scratch[where + at.WORD * word + ctz(left)] += amount
            left &= left - 1
