"""The greedy player of Bebop: one-ply evaluation of certain points, then of hexes next to stages. It reads the board
only."""

from jamboree.core.twin.bits import Reals, Row, ctz, i64
from jamboree.core.twin.choosing import nth_legal

from . import layout as at
from .evaluation import (
    JOINED,
    NO_FACE,
    best_points,
    closing,
    family_and_stages,
    family_at,
    join,
    lead,
    matches,
    weigh,
)
from .hexes import only_hex
from .legal import bootable, count_legal, open_seats, singles

BOOK_AT = 3  # points for which a seat is booked rather than another claimed
BOOT_COST = 2.0  # how much better than any empty hex an open seat of a rival must be
DOUBLE_AT = 3.0  # value of the second-best hex for which Double Claim is laid
LATER = 0.5  # of the points a die would score on a hex that is still to be claimed
WORST = -1e9
NOTED = 5  # numbers for each open seat, in scratch


def decide(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals) -> int:
    if count_legal(m, s, t, actor) == 1:
        return nth_legal(m, s, t, actor, 0)
    return choose_greedily(m, s, c, t, actor, scratch)


def choose_greedily(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals) -> int:
    """Return the id of an action if there are several."""
    phase = s[at.PHASE]
    if phase == at.TURN:
        return take_turn(m, s, c, t, actor, scratch)
    if phase == at.TAKE:
        return at.BLOCKS * t[at.HEXES] + t[at.STAGES] + best_die(m, s, t, actor, scratch)
    if phase == at.REROLL:
        return singles(t) + at.REROLLING + best_reroll(m, s, t, actor, scratch)
    if phase == at.CLAIM_AGAIN:
        claimed = best_claim(m, s, c, t, actor, scratch)
        return claimed if claimed >= 0 else singles(t) + at.DECLINE_CLAIM
    if phase == at.BOOK_THIS:
        low, high = only_hex(i64(s[at.INSTA_AT]))
        booking, sure = best_booking(m, s, t, actor, low, high)
        return booking if sure >= BOOK_AT else singles(t) + at.DECLINE_BOOKING
    return at.BLOCKS * t[at.HEXES] + best_stage(m, s, t, actor)


def take_turn(m: Row, s: Row, c: Row, t: Row, seat: int, scratch: Reals) -> int:
    """Book for good points, else claim, else book anyway."""
    booking, sure = best_booking(m, s, t, seat, m[at.OPEN + 2 * seat], m[at.OPEN + 2 * seat + 1])
    if booking >= 0 and sure >= BOOK_AT:
        return booking
    claimed = best_claim(m, s, c, t, seat, scratch)
    if claimed >= 0:
        return claimed
    return booking if booking >= 0 else waste_special(m, s, c, t, seat, scratch)


def best_booking(m: Row, s: Row, t: Row, seat: int, low: int, high: int) -> tuple[int, float]:
    """Return the action of the best die and seat, or -1, and its certain points. Of equals the last die wins."""
    action, value, certain, best_slot = -1, WORST, WORST, -1
    for word in range(2):
        seats = high if word else low
        while seats:
            place = at.WORD * word + ctz(seats)
            seats &= seats - 1
            stages = closing(m, s, t, place)
            keys, brass, drums = matches(m, s, t, place, stages)
            for slot in range(s[at.DICE + seat]):
                die = i64(s[at.HAND + at.HAND_SIZE * seat + slot])
                family_low, family_high = family_at(m, t, die // at.FACES, place)
                sure = family_and_stages(m, s, t, seat, die % at.FACES, stages, family_low, family_high)
                total = sure + (keys if die % at.FACES == 0 else (brass if die % at.FACES == 1 else drums))
                equal = total == value and (sure > certain or (sure == certain and slot >= best_slot))
                if total > value or equal:
                    action, value, certain, best_slot = (at.BOOKING + slot) * t[at.HEXES] + place, total, sure, slot
    return action, certain


def best_claim(m: Row, s: Row, c: Row, t: Row, seat: int, scratch: Reals) -> int:
    """Return the best claim of a hex that tiles of the supply fit; -1 if there is none."""
    if open_seats(m, seat) >= t[at.OPEN_MOST]:
        return -1
    free_low, free_high = ~m[at.OCCUPIED], ~m[at.OCCUPIED + 1]
    low = (t[at.NORMAL] | t[at.VIPS] | m[at.PERFORMED]) & free_low | bootable(m, t, seat, 0)
    high = (t[at.NORMAL + 1] | t[at.VIPS + 1] | m[at.PERFORMED + 1]) & free_high | bootable(m, t, seat, 1)
    weigh(m, s, c, t, seat, low, high, scratch)
    special, value = best_special(m, s, t, seat, scratch)
    place, best, second = best_two(scratch, t[at.NORMAL] & free_low, t[at.NORMAL + 1] & free_high)
    if place >= 0 and best >= value:
        tile = ordinary_tile(m, s, t, seat, place, second)
        return tile * t[at.HEXES] + place if tile >= 0 else special
    return special


def best_special(m: Row, s: Row, t: Row, seat: int, scratch: Reals) -> tuple[int, float]:
    """Return the best claim of a special with hexes of its own, and its value; -1 if there is none."""
    special, value = -1, WORST
    for tile in range(at.VIP, at.BOOT + 1):
        low, high, cost = 0, 0, 0.0
        if tile == at.VIP:
            low, high = t[at.VIPS] & ~m[at.OCCUPIED], t[at.VIPS + 1] & ~m[at.OCCUPIED + 1]
        elif tile == at.BACKSTAGE:
            low, high = m[at.PERFORMED] & ~m[at.OCCUPIED], m[at.PERFORMED + 1] & ~m[at.OCCUPIED + 1]
        elif tile == at.BOOT:
            low, high, cost = bootable(m, t, seat, 0), bootable(m, t, seat, 1), BOOT_COST
        if s[at.SPECIALS + seat] >> tile & 1:
            place, found, _ = best_two(scratch, low, high)
            if place >= 0 and found - cost >= value:
                special, value = tile * t[at.HEXES] + place, found - cost
    return special, value


def best_two(scratch: Reals, low: int, high: int) -> tuple[int, float, float]:
    """Return the best hex of a set (-1 if it is empty), its value and the second-best value. Of equals the last
    wins."""
    best_at, best, second = -1, WORST, WORST
    for word in range(2):
        left = high if word else low
        while left:
            place = at.WORD * word + ctz(left)
            left &= left - 1
            if scratch[place] >= best:
                best_at, best, second = place, scratch[place], best
            elif scratch[place] > second:
                second = scratch[place]
    return best_at, best, second


def ordinary_tile(m: Row, s: Row, t: Row, seat: int, place: int, second: float) -> int:
    """Choose the tile for a normal hex; VIP seat and Backstage Pass are kept for their own hexes."""
    specials = i64(s[at.SPECIALS + seat])
    if specials >> at.INSTA & 1 and best_points(m, s, t, seat, place) >= BOOK_AT:
        return at.INSTA
    if specials >> at.DOUBLE & 1 and open_seats(m, seat) + 2 <= t[at.OPEN_MOST] and second >= DOUBLE_AT:
        return at.DOUBLE
    if s[at.BASICS + seat] > 0:
        return at.BASIC
    if specials >> at.DOUBLE & 1:
        return at.DOUBLE
    if specials >> at.BOOT & 1:
        return at.BOOT
    return at.INSTA if specials >> at.INSTA & 1 else -1


def waste_special(m: Row, s: Row, c: Row, t: Row, seat: int, scratch: Reals) -> int:
    """Lay a special face down on the best hex, when nothing else is possible."""
    low, high = t[at.NORMAL] & ~m[at.OCCUPIED], t[at.NORMAL + 1] & ~m[at.OCCUPIED + 1]
    weigh(m, s, c, t, seat, low, high, scratch)
    tile = at.BACKSTAGE if s[at.SPECIALS + seat] >> at.BACKSTAGE & 1 else at.VIP
    place, _, _ = best_two(scratch, low, high)
    return (at.FACE_DOWN + tile) * t[at.HEXES] + place


def begin_uses(m: Row, s: Row, t: Row, seat: int, scratch: Reals) -> None:
    """Write the open seats of a player into scratch: the hex, the stages it completes, and the matches of the three
    faces."""
    number = 0
    for i in range(t[at.HEXES]):
        scratch[JOINED + i] = 0.0
    for word in range(2):
        seats = m[at.OPEN + 2 * seat + word]
        while seats:
            place = at.WORD * word + ctz(seats)
            seats &= seats - 1
            stages = closing(m, s, t, place)
            keys, brass, drums = matches(m, s, t, place, stages)
            scratch[number], scratch[number + 1] = 1.0 * place, 1.0 * stages
            scratch[number + 2], scratch[number + 3], scratch[number + 4] = keys, brass, drums
            number += NOTED


def weigh_uses(m: Row, s: Row, t: Row, seat: int, colour: int, scratch: Reals) -> tuple[float, float, float]:
    """Evaluate the three faces of a colour by their best use, now or on a seat yet to be claimed."""
    later = most_later(m, t, colour, scratch)
    keys, brass = LATER * (later & 0xFFFF), LATER * (later >> 16 & 0xFFFF)
    drums = LATER * (later >> 32)
    for number in range(0, NOTED * open_seats(m, seat), NOTED):
        stages = i64(scratch[number + 1])
        low, high = family_at(m, t, colour, i64(scratch[number]))
        with_keys = family_and_stages(m, s, t, seat, 0, stages, low, high) + scratch[number + 2]
        with_brass = family_and_stages(m, s, t, seat, 1, stages, low, high) + scratch[number + 3]
        with_drums = family_and_stages(m, s, t, seat, 2, stages, low, high) + scratch[number + 4]
        keys = with_keys if with_keys > keys else keys
        brass = with_brass if with_brass > brass else brass
        drums = with_drums if with_drums > drums else drums
    return keys, brass, drums


def most_later(m: Row, t: Row, colour: int, scratch: Reals) -> int:
    """Return the most points of a die of a colour in a family on an empty normal hex: sixteen bits for each face."""
    low, high = t[at.NORMAL] & ~m[at.OCCUPIED], t[at.NORMAL + 1] & ~m[at.OCCUPIED + 1]
    near_low, near_high = join(m, t, colour, low, high, scratch)
    most = 0
    for word in range(2):
        left = near_high if word else near_low
        while left:
            place = at.WORD * word + ctz(left)
            left &= left - 1
            counts = i64(scratch[JOINED + place])
            scratch[JOINED + place] = 0.0
            for face in range(at.FACES):
                if counts >> 16 * face & 0xFFFF > most >> 16 * face & 0xFFFF:
                    most = (most & ~(0xFFFF << 16 * face)) | (counts & 0xFFFF << 16 * face)
    return most + 0x100010001 if near_low | near_high else 0


def best_die(m: Row, s: Row, t: Row, seat: int, scratch: Reals) -> int:
    """Choose the most useful die of the queue, or the bag (the index after the queue) if its mean is higher."""
    begin_uses(m, s, t, seat, scratch)
    promised, total, best, best_at = 0.0, 0, WORST, -1
    for colour in range(at.COLOURS):
        total += unseen(s, t, seat, colour)
    for colour in range(at.COLOURS):
        uses = weigh_uses(m, s, t, seat, colour, scratch)
        for face in range(at.FACES):
            use = uses[0] if face == 0 else (uses[1] if face == 1 else uses[2])
            if total > 0:
                promised += use * (unseen(s, t, seat, colour) / total / at.FACES)
            for place in range(t[at.QUEUE_SIZE]):
                if s[at.QUEUE + place] == colour * at.FACES + face and (
                    use > best or (use == best and place < best_at)
                ):
                    best, best_at = use, place
    return t[at.QUEUE_SIZE] if s[at.BAG_TOTAL] > 0 and promised > best else best_at


def unseen(s: Row, t: Row, seat: int, colour: int) -> int:
    """Return the number of dice of a colour that may be in the bag, from this player's view."""
    if s[at.BAG_TOTAL] == 0:
        return 0
    count = i64(s[at.BAG + colour])
    if t[at.HIDDEN]:
        for other in range(t[at.PLAYERS]):
            for slot in range(at.HAND_SIZE):
                die = i64(s[at.HAND + at.HAND_SIZE * other + slot])
                if other != seat and die >= 0 and die // at.FACES == colour:
                    count += 1
    return count


def best_reroll(m: Row, s: Row, t: Row, seat: int, scratch: Reals) -> int:
    """Choose the die whose reroll gains most; the index after the hand means to keep all."""
    begin_uses(m, s, t, seat, scratch)
    gain, best_at = 0.0, at.HAND_SIZE
    for slot in range(s[at.DICE + seat]):
        die = i64(s[at.HAND + at.HAND_SIZE * seat + slot])
        keys, brass, drums = weigh_uses(m, s, t, seat, die // at.FACES, scratch)
        use = keys if die % at.FACES == 0 else (brass if die % at.FACES == 1 else drums)
        found = (keys + brass + drums) / at.FACES - use
        if found > gain:
            gain, best_at = found, slot
    return best_at


def best_stage(m: Row, s: Row, t: Row, seat: int) -> int:
    """Choose the stage to score first: the one that gains most while the markers are high."""
    best, best_at, stages = WORST, 0, m[at.COMPLETE]
    while stages:
        stage = ctz(stages)
        stages &= stages - 1
        value = lead(m, s, t, seat, 1 << stage, 0, 0, NO_FACE)
        if value > best:
            best, best_at = value, stage
    return best_at
