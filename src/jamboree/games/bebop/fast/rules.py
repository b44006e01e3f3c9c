"""Claim a seat, book a seat, and the course of a turn."""

from jamboree.core.twin.bits import Row, ctz, i64, popc
from jamboree.core.twin.chance import pick

from . import layout as at
from .hexes import flood
from .legal import count_claims, dice_on_offer, singles
from .setup import draw_and_roll
from .stages import end_game, perform, surrounded


def apply(m: Row, s: Row, c: Row, t: Row, actor: int, action: int) -> None:
    """Apply an action, then the steps after it; each is called in one place, which keeps the compiled code small."""
    hexes, stage = t[at.HEXES], action - at.BLOCKS * t[at.HEXES]
    if stage < 0:
        step = claim_or_book(m, s, t, actor, action // hexes, action % hexes)
        stage = at.NOWHERE
    elif stage < t[at.STAGES]:
        step = at.BOOKED_ONE
    elif action <= singles(t):
        step = take_die(s, c, t, actor, stage - t[at.STAGES])
    else:
        step = do_single(s, c, actor, action - singles(t))
    if step == at.BOOKED_ONE:
        step = score_stages(m, s, t, actor, stage)
    if step == at.CLAIM_DONE:
        step = after_claim(s, actor)
    if step == at.TURN_DONE:
        end_turn(m, s, t, actor)


def claim_or_book(m: Row, s: Row, t: Row, seat: int, block: int, place: int) -> int:
    if block >= at.BOOKING:
        return book(m, s, t, seat, block - at.BOOKING, place)
    down = 1 if block > at.BOOT else 0
    return claim(m, s, t, seat, block - at.FACE_DOWN * down, down, place)


def do_single(s: Row, c: Row, seat: int, action: int) -> int:
    if action == at.PASS:  # which only a player who can neither claim nor book does
        s[at.PASSED] |= 1 << seat
        return at.TURN_DONE
    if action >= at.REROLLING:
        s[at.REROLLS] -= 1
        if action != at.KEEP:  # roll one of your dice again; its colour never changes
            slot = at.HAND + at.HAND_SIZE * seat + action - at.REROLLING
            s[slot] = s[slot] // at.FACES * at.FACES + pick(c, at.FACES)
    return at.CLAIM_DONE


def claim(m: Row, s: Row, t: Row, seat: int, tile: int, down: int, place: int) -> int:
    """Place one of your seats on an empty hex, let a special have its effect, reroll a die if you like."""
    word = 1 if place >= at.WORD else 0
    bit = 1 << (place - at.WORD * word)
    if m[at.OCCUPIED + word] & bit:
        boot(m, s, t, word, bit)
    lay(m, s, seat, tile, down, word, bit)
    s[at.PASSED] = 0
    s[at.REROLLS] += 1
    # order inside a claim: place, then the special's effect to its end, then this claim's optional reroll
    if down == 0 and tile == at.DOUBLE and count_claims(m, s, t, seat) > 0:
        s[at.PHASE] = at.CLAIM_AGAIN
        return at.ASKED
    if down == 0 and tile == at.INSTA and s[at.DICE + seat] > 0:
        s[at.PHASE] = at.BOOK_THIS
        s[at.INSTA_AT] = place
        return at.ASKED
    return at.CLAIM_DONE


def boot(m: Row, s: Row, t: Row, word: int, bit: int) -> None:
    """Return another player's open seat to its owner's supply, with all its powers."""
    tile = 0
    for plane in range(3):
        if m[at.KIND + 2 * plane + word] & bit:
            tile |= 1 << plane
        m[at.KIND + 2 * plane + word] &= ~bit
    m[at.DOWN + word] &= ~bit
    for owner in range(t[at.PLAYERS]):
        if m[at.OPEN + 2 * owner + word] & bit:
            m[at.OPEN + 2 * owner + word] ^= bit
            if tile == at.BASIC:
                s[at.BASICS + owner] += 1
            else:
                s[at.SPECIALS + owner] |= 1 << tile


def lay(m: Row, s: Row, seat: int, tile: int, down: int, word: int, bit: int) -> None:
    if tile == at.BASIC:
        s[at.BASICS + seat] -= 1
    else:
        s[at.SPECIALS + seat] ^= 1 << tile
    m[at.OCCUPIED + word] |= bit
    m[at.OPEN + 2 * seat + word] |= bit
    for plane in range(3):
        if tile >> plane & 1:
            m[at.KIND + 2 * plane + word] |= bit
    if down:
        m[at.DOWN + word] |= bit


def book(m: Row, s: Row, t: Row, seat: int, slot: int, place: int) -> int:
    """Put a die on an open seat, score its family, let the stages it completes perform, take a new die."""
    die = taken_from_hand(s, seat, slot)
    colour, face = die // at.FACES, die % at.FACES
    s[at.PASSED] = 0
    word = 1 if place >= at.WORD else 0
    bit = 1 << (place - at.WORD * word)
    m[at.OPEN + 2 * seat + word] ^= bit
    m[at.BOOKED + word] |= bit
    m[at.OWNED + 2 * seat + word] |= bit
    m[at.COLOUR + 2 * colour + word] |= bit
    m[at.FACE + 2 * face + word] |= bit
    join_family(m, s, t, seat, colour, face, place)
    m[at.COMPLETE] = surrounded(m, t, place)
    return at.BOOKED_ONE


def taken_from_hand(s: Row, seat: int, slot: int) -> int:
    first = at.HAND + at.HAND_SIZE * seat
    die = i64(s[first + slot])
    for later in range(slot, at.HAND_SIZE - 1):
        s[first + later] = s[first + later + 1]
    s[first + at.HAND_SIZE - 1] = at.NO_DIE
    s[at.DICE + seat] -= 1
    return die


def join_family(m: Row, s: Row, t: Row, seat: int, colour: int, face: int, place: int) -> None:
    """Score one point for each die of the family with the same face; the family may get the banner."""
    in_low, in_high = m[at.COLOUR + 2 * colour], m[at.COLOUR + 2 * colour + 1]
    near_low, near_high = t[at.NEAR + 2 * place] & in_low, t[at.NEAR + 2 * place + 1] & in_high
    if near_low | near_high == 0:  # a family is two or more connected dice of one colour
        return
    low, high = flood(t, near_low, near_high, in_low, in_high)
    s[at.FAMILY_POINTS + seat] += popc(low & m[at.FACE + 2 * face]) + popc(high & m[at.FACE + 2 * face + 1])
    size = popc(low) + popc(high)
    if size >= s[at.BANNER_SIZE + colour]:  # now the largest of its colour, or ties: the bannered one always was one
        s[at.BANNER_SIZE + colour] = size
        s[at.BANNER + colour] = place


def score_stages(m: Row, s: Row, t: Row, seat: int, stage: int) -> int:
    """Score completed stages, in the order that the active player picks; then a new die is taken."""
    while stage >= 0 or m[at.COMPLETE]:
        if stage < 0 and m[at.COMPLETE] & (m[at.COMPLETE] - 1):
            s[at.PHASE] = at.PERFORM
            return at.ASKED
        perform(m, s, t, seat, ctz(m[at.COMPLETE]) if stage < 0 else stage)
        stage = at.NOWHERE
    # you must take a new die, unless your supply has no seats left, or there is nothing to take
    if (s[at.BASICS + seat] > 0 or s[at.SPECIALS + seat] > 0) and dice_on_offer(s, t):
        s[at.PHASE] = at.TAKE
        return at.ASKED
    return at.CLAIM_DONE


def take_die(s: Row, c: Row, t: Row, seat: int, place: int) -> int:
    """Take a die of the queue, or one from the bag; the queue is refilled at once, while there are dice."""
    slot, drawn, queued = at.HAND + at.HAND_SIZE * seat + s[at.DICE + seat], at.NO_DIE, place < t[at.QUEUE_SIZE]
    if s[at.BAG_TOTAL] > 0:
        drawn = draw_and_roll(s, c)
    s[slot] = s[at.QUEUE + place] if queued else drawn
    if queued:
        s[at.QUEUE + place] = drawn
    s[at.DICE + seat] += 1
    return at.CLAIM_DONE


def after_claim(s: Row, seat: int) -> int:
    """Continue after a claim's effect: its reroll, then those of the enclosing claims."""
    s[at.INSTA_AT] = at.NOWHERE
    if s[at.REROLLS] > 0 and s[at.DICE + seat] > 0:
        s[at.PHASE] = at.REROLL
        return at.ASKED
    return at.TURN_DONE


def end_turn(m: Row, s: Row, t: Row, seat: int) -> None:
    """Pass the turn to the next player who has not stopped; the game ends when there is none, or all of them passed."""
    s[at.REROLLS] = 0
    s[at.PHASE] = at.TURN
    players = t[at.PLAYERS]
    for step in range(1, players + 1):
        following = (seat + step) % players
        if not (s[at.PASSED] >> following & 1) and not has_finished(m, s, following):
            s[at.TURN_OF] = following
            return
    end_game(m, s, t)


def has_finished(m: Row, s: Row, seat: int) -> bool:
    """Return whether a player has stopped: all seats have been placed and have a die on them."""
    supply = i64(s[at.BASICS + seat]) | s[at.SPECIALS + seat]
    return supply | m[at.OPEN + 2 * seat] | m[at.OPEN + 2 * seat + 1] == 0
