"""The legal actions of each phase: their number, and the k-th in the order of the reference's menus."""

from jamboree.core.twin.bits import Row, i64, nth_in_word, popc
from jamboree.core.twin.choosing import COUNT, chosen

from . import layout as at
from .hexes import nth_hex


def actors(m: Row, s: Row, t: Row) -> int:
    return 0 if s[at.PHASE] == at.OVER else 1 << s[at.TURN_OF]


def count_actions(t: Row) -> int:
    return singles(t) + at.SINGLES


def singles(t: Row) -> int:
    """Return the first action id that refers to no hex, stage or queue: DRAW."""
    return at.BLOCKS * t[at.HEXES] + t[at.STAGES] + t[at.QUEUE_SIZE]


def open_seats(m: Row, seat: int) -> int:
    return popc(m[at.OPEN + 2 * seat]) + popc(m[at.OPEN + 2 * seat + 1])


def bootable(m: Row, t: Row, seat: int, word: int) -> int:
    """Return the set of open seats of others that the Boot can replace; it depends on hex and side, not on the tile."""
    opened = 0
    for other in range(t[at.PLAYERS]):
        if other != seat:
            opened |= m[at.OPEN + 2 * other + word]
    boots = m[at.KIND + word] & ~m[at.KIND + 2 + word] & m[at.KIND + 4 + word] & ~m[at.DOWN + word]
    return opened & ~boots & t[at.NORMAL + word]


def supply_of(s: Row, seat: int) -> int:
    """Return the tiles that a player can lay, as a mask."""
    return i64(s[at.SPECIALS + seat]) | (1 if s[at.BASICS + seat] > 0 else 0)


def claims(m: Row, s: Row, t: Row, seat: int) -> tuple[int, int, int, int, int]:
    """Return the numbers of claims by block: tiles for a normal hex, free normal hexes, boots, VIP hexes, backstage
    hexes."""
    if open_seats(m, seat) >= t[at.OPEN_MOST]:  # you may only have three open seats at a time
        return 0, 0, 0, 0, 0
    specials, boots, vips, backstage = i64(s[at.SPECIALS + seat]), 0, 0, 0
    free_low, free_high = ~m[at.OCCUPIED], ~m[at.OCCUPIED + 1]
    tiles = popc(supply_of(s, seat) & at.UPRIGHT) + popc(specials)
    normal = popc(t[at.NORMAL] & free_low) + popc(t[at.NORMAL + 1] & free_high)
    if specials >> at.BOOT & 1:
        boots = popc(bootable(m, t, seat, 0)) + popc(bootable(m, t, seat, 1))
    if specials >> at.VIP & 1:
        vips = popc(t[at.VIPS] & free_low) + popc(t[at.VIPS + 1] & free_high)
    if specials >> at.BACKSTAGE & 1:
        backstage = popc(m[at.PERFORMED] & free_low) + popc(m[at.PERFORMED + 1] & free_high)
    return tiles, normal, boots, vips, backstage


def count_claims(m: Row, s: Row, t: Row, seat: int) -> int:
    tiles, normal, boots, vips, backstage = claims(m, s, t, seat)
    return tiles * normal + boots + vips + backstage


def nth_claim(m: Row, s: Row, t: Row, seat: int, k: int, counts: tuple[int, int, int, int, int]) -> int:
    free_low, free_high = ~m[at.OCCUPIED], ~m[at.OCCUPIED + 1]
    tiles, normal, boots, vips, _ = counts
    block, low, high = at.BACKSTAGE, m[at.PERFORMED] & free_low, m[at.PERFORMED + 1] & free_high
    if k < tiles * normal:
        block, k = nth_tile(s, seat, k // normal), k % normal
        low, high = t[at.NORMAL] & free_low, t[at.NORMAL + 1] & free_high
    elif k < tiles * normal + boots:
        block, k = at.BOOT, k - tiles * normal
        low, high = bootable(m, t, seat, 0), bootable(m, t, seat, 1)
    elif k < tiles * normal + boots + vips:
        block, k = at.VIP, k - tiles * normal - boots
        low, high = t[at.VIPS] & free_low, t[at.VIPS + 1] & free_high
    else:
        k -= tiles * normal + boots + vips
    return block * t[at.HEXES] + nth_hex(low, high, k)


def nth_tile(s: Row, seat: int, k: int) -> int:
    """Return the block of the k-th tile for a normal hex: face up, then specials face down."""
    upright = supply_of(s, seat) & at.UPRIGHT
    if k < popc(upright):
        return nth_in_word(upright, k)
    return at.FACE_DOWN + nth_in_word(i64(s[at.SPECIALS + seat]), k - popc(upright))


def dice_on_offer(s: Row, t: Row) -> int:
    """Return the indices of the queue that hold a die, and the index after them if the bag does, as a mask."""
    dice = (1 if s[at.BAG_TOTAL] > 0 else 0) << t[at.QUEUE_SIZE]
    for place in range(t[at.QUEUE_SIZE]):
        if s[at.QUEUE + place] >= 0:
            dice |= 1 << place
    return dice


def count_legal(m: Row, s: Row, t: Row, actor: int) -> int:
    if s[at.PHASE] == at.OVER or actor != s[at.TURN_OF]:
        return 0
    return choose(m, s, t, t, actor, COUNT)


def choose(m: Row, s: Row, c: Row, t: Row, seat: int, k: int) -> int:
    phase, stages, dice = s[at.PHASE], at.BLOCKS * t[at.HEXES], i64(s[at.DICE + seat])
    if phase == at.TURN or phase == at.CLAIM_AGAIN:
        return choose_seat(m, s, c, t, seat, k)
    if phase == at.REROLL:
        k = chosen(c, dice + 1, k)
        return dice + 1 if k == COUNT else singles(t) + (at.REROLLING + k if k < dice else at.KEEP)
    if phase == at.TAKE:
        offered = dice_on_offer(s, t)
        k = chosen(c, popc(offered), k)
        return popc(offered) if k == COUNT else stages + t[at.STAGES] + nth_in_word(offered, k)
    if phase == at.BOOK_THIS:
        k = chosen(c, dice + 1, k)
        if k == COUNT:
            return dice + 1
        return (at.BOOKING + k) * t[at.HEXES] + s[at.INSTA_AT] if k < dice else singles(t) + at.DECLINE_BOOKING
    k = chosen(c, popc(m[at.COMPLETE]), k)
    return popc(m[at.COMPLETE]) if k == COUNT else stages + nth_in_word(m[at.COMPLETE], k)


def choose_seat(m: Row, s: Row, c: Row, t: Row, seat: int, k: int) -> int:
    """Choose a claim or a booking; a player who can do neither passes."""
    counts = claims(m, s, t, seat)
    claiming = counts[0] * counts[1] + counts[2] + counts[3] + counts[4]
    again, seats = s[at.PHASE] == at.CLAIM_AGAIN, open_seats(m, seat)
    count = claiming + (1 if again else seats * s[at.DICE + seat])
    if k == COUNT:
        return count if count > 0 else 1
    if count == 0:
        return singles(t) + at.PASS
    k = chosen(c, count, k)
    if k < claiming:
        return nth_claim(m, s, t, seat, k, counts)
    if again:
        return singles(t) + at.DECLINE_CLAIM
    place = nth_hex(m[at.OPEN + 2 * seat], m[at.OPEN + 2 * seat + 1], (k - claiming) % seats)
    return (at.BOOKING + (k - claiming) // seats) * t[at.HEXES] + place
