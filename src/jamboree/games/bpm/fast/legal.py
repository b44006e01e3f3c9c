"""What can be done in which phase: how many actions there are, and the k-th, in the order of the reference's menus."""

from jamboree.core.kernel.bits import Row, i64, nth_in_word, popc
from jamboree.core.kernel.choosing import COUNT, chosen

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
    """Give the id of leaving the rest of a song; the one after it is to decline."""
    return t[at.SEND_IDS] + at.SINGLES * t[at.CELLS]


def count_legal(m: Row, s: Row, t: Row, actor: int) -> int:
    return choose(m, s, t, t, actor, COUNT) if actors(m, s, t) >> actor & 1 else 0


def choose(m: Row, s: Row, c: Row, t: Row, seat: int, k: int) -> int:
    phase = s[at.PHASE]
    if phase == at.SETLIST:
        return choose_sealed(s, c, t, seat, k, 0, at.PAIRS)
    if phase == at.CUE:
        return choose_sealed(s, c, t, seat, k, at.CUES, i64(s[at.SONGS_HELD + seat]))
    if phase == at.SONG_PHASE:
        return choose_in_song(m, s, c, t, seat, k)
    if phase == at.HYPE:
        return 2 if k == COUNT else t[at.HYPE_IDS] + chosen(c, 2, k)
    if phase == at.WELCOME:
        return choose_cell(c, t, k, at.PLACE_BLOCK, welcome_spots(m, s, t, seat), 1)
    if phase == at.RECOVER:
        return choose_cell(c, t, k, at.RECOVER_BLOCK, m[at.FANS + seat], 1)
    if phase == at.BONUS:
        return choose_cell(c, t, k, at.SUPERFAN_BLOCK, bonus_fans(m, s, t, seat), 0)
    if phase == at.STAY:
        return choose_cell(c, t, k, at.KEEP_BLOCK, lines_of(m, s, t, seat), 0)
    return choose_cell(c, t, k, at.PLACE_BLOCK, free_dancers(m), 0)


def choose_sealed(s: Row, c: Row, t: Row, seat: int, k: int, first: int, ways: int) -> int:
    """Offer every choice but the one that is sealed, and before them to let that stand."""
    if k == COUNT:
        return ways
    k, choice = chosen(c, ways, k), s[at.SEALED + seat]
    if choice < 0:
        return first + k
    return first + k - (1 if k <= choice else 0) if k else finish_id(t) + 1


def choose_cell(c: Row, t: Row, k: int, block: int, cells: int, optional: int) -> int:
    """Offer some cells, and to decline where that can be done."""
    count = popc(cells)
    if k == COUNT:
        return count + optional
    k = chosen(c, count + optional, k)
    return t[at.SEND_IDS] + block * t[at.CELLS] + nth_in_word(cells, k) if k < count else finish_id(t) + 1


def choose_in_song(m: Row, s: Row, c: Row, t: Row, seat: int, k: int) -> int:
    """Offer the song's action, places for a token, and to leave the rest."""
    near, far = song_actions(m, s, t, seat)
    free, sends = spots(m, s, t, seat), t[at.SEND_IDS]
    nearby, all_actions = popc(near), popc(near) + popc(far)
    count = all_actions + popc(free) + 1
    if k == COUNT:
        return count
    k = chosen(c, count, k)
    if k < all_actions:
        kind = action_of(s, t, seat)
        if kind == at.BREAK:
            return sends + nth_in_word(near, k)
        which = at.SWAP + 6 * kind + (0 if k < nearby else 3)
        cell = nth_in_word(near, k) if k < nearby else nth_in_word(far, k - nearby)
        return t[which + 2] + popc(t[which + 1] & ((1 << cell) - 1))
    k -= all_actions
    return sends + at.PLACE_BLOCK * t[at.CELLS] + nth_in_word(free, k) if k < popc(free) else finish_id(t)
