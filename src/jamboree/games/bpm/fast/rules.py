"""The effect of each action, and the step that follows it."""

from jamboree.core.twin.bits import Row, i64, nth_in_word

from . import layout as at
from .floor import bend, lines_of, place_token, swap
from .hype import choose_card
from .rounds import go_on
from .songs import action_of, all_sealed, discard_songs, end_song, leave_sealed, seal


def apply(m: Row, s: Row, c: Row, t: Row, actor: int, action: int) -> None:
    go_on(m, s, c, t, act(m, s, t, actor, action))


def act(m: Row, s: Row, t: Row, actor: int, action: int) -> int:
    phase, first = s[at.PHASE], t[at.SEND_IDS]
    decline = action == first + at.SINGLES * t[at.CELLS] + 1
    if phase == at.SONG_PHASE:
        return do_song(m, s, t, actor, action)
    if phase == at.HYPE:
        return choose_card(m, s, t, action - t[at.HYPE_IDS])
    if decline:
        return do_decline(s, actor)
    if at.SEALED_PHASES >> phase & 1:
        return do_seal(s, t, actor, action - at.CUES if phase == at.CUE else action)
    return do_with_cell(m, s, t, actor, (action - first) % t[at.CELLS])


def do_seal(s: Row, t: Row, seat: int, choice: int) -> int:
    """Seal which two of the ten songs go, or which song is played this round."""
    seal(s, seat, choice)
    if not all_sealed(s, t):
        return at.ASKED
    if s[at.PHASE] == at.CUE:
        return at.DROP
    discard_songs(s, t)
    return at.NEXT_ROUND


def do_song(m: Row, s: Row, t: Row, seat: int, action: int) -> int:
    """Swap dancers, send one on a break, place a token, or leave the rest of a song."""
    place = action - t[at.SEND_IDS] - at.PLACE_BLOCK * t[at.CELLS]
    if place >= t[at.CELLS]:
        return end_song(m, s)
    if place >= 0:
        s[at.MOVES] = 0  # no action can follow, since the action comes first
        s[at.PLACES] -= 1
        place_token(m, s, seat, place)
        return at.IN_SONG
    s[at.MOVES] -= 1
    if action >= t[at.SEND_IDS]:  # tokens can then go anywhere, on newcomers too
        return 1 << at.STEP_BITS + action - t[at.SEND_IDS] | at.IN_SONG
    return do_swap(m, s, t, seat, action)


def do_swap(m: Row, s: Row, t: Row, seat: int, action: int) -> int:
    """Move a dancer by swapping it with another; whose tokens they carry does not matter."""
    which = at.SWAP + 6 * action_of(s, t, seat)
    if action >= t[which + 5]:
        which += 3
    one = nth_in_word(t[which + 1], action - t[which + 2])
    swap(m, s, one, one + t[which])
    if bend(s, t, at.ONLY_MOVED):  # if you moved a dancer you cannot place on dancers you didn't move
        both = 1 << one | 1 << (one + t[which])
        m[at.LIMIT] = both if m[at.LIMIT] == t[at.ALL] else m[at.LIMIT] | both
    return at.IN_SONG


def do_decline(s: Row, seat: int) -> int:
    """Leave what is optional: another choice, a fan given up, a token before the songs."""
    if at.SEALED_PHASES >> s[at.PHASE] & 1:
        leave_sealed(s, seat)
        return at.ASKED
    if s[at.PHASE] == at.RECOVER:
        return at.IN_SONG
    s[at.AT] += 1
    return at.NEXT_WELCOME


def do_with_cell(m: Row, s: Row, t: Row, seat: int, cell: int) -> int:
    """Give up a fan, place a token outside a song, choose a superfan or the fan that stays."""
    phase, bit = s[at.PHASE], 1 << cell
    if phase == at.RECOVER:  # discard one of your fans to get its token; it is no superfan
        return bit << at.STEP_BITS | at.IN_SONG
    if phase == at.STAY:  # pick one fan across all of your combos to remain on the floor
        return (lines_of(m, s, t, seat) & ~bit) << at.STEP_BITS | at.NEXT_GIFT
    if phase == at.BONUS:
        return bit << at.STEP_BITS | at.BONUS_DONE
    place_token(m, s, i64(s[at.ORDER + s[at.AT]]), cell)  # on the left of a combo it is the combo's owner's token
    s[at.AT] += 1
    return at.NEXT_WELCOME if phase == at.WELCOME else at.NEXT_COMBO
