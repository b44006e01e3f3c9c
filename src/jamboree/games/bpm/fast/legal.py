"""The legal actions of each phase: their number, and the k-th in the order of the reference's menus."""

from jamboree.core.twin.bits import Row, i64, nth_in_word, popc
from jamboree.core.twin.choosing import COUNT, chosen

from . import layout as at
from .combos import bonus_fans
from .floor import free_dancers, lines_of
from .rounds import welcome_spots
from .songs import action_of, song_actions, spots


def actors(m: Row, s: Row, t: Row) -> int:
    phase = s[at.PHASE]
    if at.SEALED_PHASES >> phase & 1:
        return s[at.OPEN]
    return 0 if phase == at.OVER else 1 << s[at.TURN_OF]


def count_actions(t: Row) -> int:
    return finish_id(t) + 2


def finish_id(t: Row) -> int:
    """Return the id of leaving the rest of a song; the one after it is to decline."""
    return t[at.SEND_IDS] + at.SINGLES * t[at.CELLS]


def count_legal(m: Row, s: Row, t: Row, actor: int) -> int:
    return choose(m, s, t, t, actor, COUNT) if actors(m, s, t) >> actor & 1 else 0


def choose(m: Row, s: Row, c: Row, t: Row, seat: int, k: int) -> int:
    """Count the legal actions (k = COUNT), give the k-th, or one at random (k = ANY): what a song does, cells for a
    token or a fan, then what has no cell. All phases come through here, and draw in one place."""
    near, far = song_actions(m, s, t, seat)
    cells, nearby, acting = cells_on_offer(m, s, t, seat), popc(near), popc(near) + popc(far)
    ahead = acting + popc(cells)
    count = ahead + others(s, seat)
    if k == COUNT:
        return count
    k = chosen(c, count, k)
    if k >= ahead:
        return other_id(s, t, seat, k - ahead)
    if k >= acting:
        return t[at.SEND_IDS] + block_of(s) * t[at.CELLS] + nth_in_word(cells, k - acting)
    which = at.SWAP + 6 * action_of(s, t, seat)
    if k >= nearby:
        near, k, which = far, k - nearby, which + 3
    cell = nth_in_word(near, k)
    if action_of(s, t, seat) == at.BREAK:
        return t[at.SEND_IDS] + cell
    return t[which + 2] + popc(t[which + 1] & ((1 << cell) - 1))


def cells_on_offer(m: Row, s: Row, t: Row, seat: int) -> int:
    """Return the cells of the legal actions: where a token can be placed, or a fan taken."""
    phase = s[at.PHASE]
    if phase == at.SONG_PHASE:
        return spots(m, s, t, seat)
    if phase == at.WELCOME:
        return welcome_spots(m, s, t, seat)
    if phase == at.RECOVER:
        return m[at.FANS + seat]
    if phase == at.BONUS:
        return bonus_fans(m, s, t, seat)
    if phase == at.STAY:
        return lines_of(m, s, t, seat)
    return free_dancers(m) if phase == at.GIFT else 0


def block_of(s: Row) -> int:
    """Return which block of ids the cells on offer have."""
    phase = s[at.PHASE]
    if phase == at.RECOVER:
        return at.RECOVER_BLOCK
    if phase == at.BONUS:
        return at.SUPERFAN_BLOCK
    return at.KEEP_BLOCK if phase == at.STAY else at.PLACE_BLOCK


def others(s: Row, seat: int) -> int:
    """Count the choices without a cell: songs, pairs of them, Hype cards; else to leave or decline, where one can."""
    phase = s[at.PHASE]
    if phase == at.SETLIST:
        return at.PAIRS
    if phase == at.CUE:
        return i64(s[at.SONGS_HELD + seat])
    if phase == at.HYPE:
        return 2
    return 1 if phase == at.SONG_PHASE or phase == at.WELCOME or phase == at.RECOVER else 0


def other_id(s: Row, t: Row, seat: int, k: int) -> int:
    """Return the id of a choice without a cell: to keep the sealed choice first, then all others."""
    phase, choice = s[at.PHASE], s[at.SEALED + seat]
    if phase == at.HYPE:
        return t[at.HYPE_IDS] + k
    if phase == at.SONG_PHASE:
        return finish_id(t)
    if not at.SEALED_PHASES >> phase & 1 or (choice >= 0 and k == 0):
        return finish_id(t) + 1
    return (at.CUES if phase == at.CUE else 0) + k - (1 if 0 < k <= choice else 0)
