"""Observations of a seat, and determinizations (`imagine`)."""

from jamboree.core.twin.bits import Row, i64
from jamboree.core.twin.chance import pick

from . import layout as at
from .hexes import has
from .setup import draw_and_roll
from .stages import bannered


def observe(m: Row, s: Row, t: Row, seat: int, out: Row) -> None:
    """Write the observation of a seat: an allow-list of what it may see."""
    for i in range(at.OBSERVED):
        out[i] = 0
    for i in range(at.HEADING):  # turn, phase, rerolls, insta, passed, bag, three markers
        out[i] = s[i]
    for player in range(t[at.PLAYERS]):
        observe_player(s, t, player, player == seat or t[at.HIDDEN] == 0, out)
    for i in range(at.QUEUE_MOST):
        out[at.SEEN_QUEUE + i] = s[at.QUEUE + i]
        out[at.SEEN_BOX + i] = s[at.BOX + i]
    for stage in range(t[at.STAGES]):
        out[at.SEEN_STAGES + 2 * stage] = s[at.TOKENS + stage]
        out[at.SEEN_STAGES + 2 * stage + 1] = m[at.COMPLETE] >> stage & 1
    for place in range(t[at.HEXES]):
        observe_hex(m, t, place, out)
    for colour in range(at.COLOURS):
        if s[at.BANNER + colour] >= 0:
            low, high = bannered(m, s, t, colour)
            for place in range(t[at.HEXES]):
                if (low >> place if place < at.WORD else high >> (place - at.WORD)) & 1:
                    out[at.SEEN_HEXES + 2 * place + 1] += 16


def observe_player(s: Row, t: Row, player: int, open_hand: bool, out: Row) -> None:
    """Write supply, dice in hand, tokens held, points, and the hand where it may be seen."""
    first = at.HEADING + at.BY_SEAT * player
    out[first], out[first + 1], out[first + 2] = s[at.BASICS + player], s[at.SPECIALS + player], s[at.DICE + player]
    for kind in range(at.STAR + 1):
        out[first + 3 + kind] = s[at.HELD + 4 * player + kind]
    out[first + 7], out[first + 8] = s[at.FAMILY_POINTS + player], s[at.STAGE_POINTS + player]
    out[first + 9] = s[at.MAJORITY_POINTS + player]
    for slot in range(at.HAND_SIZE):
        out[first + 10 + slot] = s[at.HAND + at.HAND_SIZE * player + slot] if open_hand else at.NO_DIE


def observe_hex(m: Row, t: Row, place: int, out: Row) -> None:
    """Write 0 or the owner, kind and side of a tile, encoded as by `tile_code`; then 0 or 1 + the die."""
    here = at.SEEN_HEXES + 2 * place
    for player in range(t[at.PLAYERS]):
        if has(m, at.OPEN + 2 * player, place) or has(m, at.OWNED + 2 * player, place):
            tile = 0
            for plane in range(3):
                tile |= i64(has(m, at.KIND + 2 * plane, place)) << plane
            out[here] = 1 + (player * 6 + tile) * 2 + i64(has(m, at.DOWN, place))
    for colour in range(at.COLOURS):
        for face in range(at.FACES):
            if has(m, at.COLOUR + 2 * colour, place) and has(m, at.FACE + 2 * face, place):
                out[here + 1] = 1 + colour * at.FACES + face


def imagine(m: Row, s: Row, c: Row, t: Row, guesses: Row) -> None:
    """Fill hidden hands with dice that are consistent with the view. The bag holds every die that the viewer does not
    see.

    `guesses`: the sum of weights, then all combinations of beliefs about hidden hands, each with its weight and, by
    slot, a known die plus one; a die whose face is unknown is 16 plus its colour.
    """
    mark, guess = pick(c, guesses[0]), 1
    while mark >= guesses[guess]:
        mark -= guesses[guess]
        guess += 1 + at.SEATS * at.HAND_SIZE
    for slot in range(at.SEATS * at.HAND_SIZE):
        known = guesses[guess + 1 + slot]
        if known > 0:
            die = (known - 16) * at.FACES + pick(c, at.FACES) if known >= 16 else known - 1
            s[at.HAND + slot] = die
            s[at.BAG + die // at.FACES] -= 1
            s[at.BAG_TOTAL] -= 1
    for seat in range(t[at.PLAYERS]):  # only now: what is known of a later hand must not be drawn for an earlier one
        for slot in range(s[at.DICE + seat]):
            if s[at.HAND + at.HAND_SIZE * seat + slot] < 0:
                s[at.HAND + at.HAND_SIZE * seat + slot] = draw_and_roll(s, c)
