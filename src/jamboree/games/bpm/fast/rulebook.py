"""What each action leads to."""

from jamboree.core.kernel.bits import Row, i64, nth_in_word

from . import layout as at
from .combos import ask_gift, score_bonus, score_combo
from .floor import bend, discard, fill, lines_of, place_token, swap
from .hype import choose_card
from .rounds import ask_song, begin_round, check_combos, crowd_bonus, drop, play_songs, welcome
from .songs import action_of, all_sealed, discard_songs, end_song, leave_sealed, seal


def apply(m: Row, s: Row, c: Row, t: Row, actor: int, action: int) -> None:
    phase, first = s[at.PHASE], t[at.SEND_IDS]
    decline = action == first + at.SINGLES * t[at.CELLS] + 1
    if phase == at.SONG_PHASE:
        do_song(m, s, c, t, actor, action)
    elif phase == at.HYPE:
        choose_card(m, s, t, action - t[at.HYPE_IDS])
    elif at.SEALED_PHASES >> phase & 1:
        if decline:
            leave_sealed(s, actor)
        elif phase == at.CUE:
            do_cue(m, s, c, t, actor, action - at.CUES)
        else:
            do_setlist(m, s, c, t, actor, action)
    elif decline:
        do_decline(m, s, c, t, actor)
    else:
        do_with_cell(m, s, c, t, actor, (action - first) % t[at.CELLS])


def do_setlist(m: Row, s: Row, c: Row, t: Row, seat: int, pair: int) -> None:
    """Seal which two of the ten songs go."""
    seal(s, seat, pair)
    if all_sealed(s, t):
        discard_songs(s, t)
        begin_round(m, s, c, t)


def do_cue(m: Row, s: Row, c: Row, t: Row, seat: int, slot: int) -> None:
    """Seal which song is played this round."""
    seal(s, seat, slot)
    if all_sealed(s, t):
        drop(m, s, c, t)


def do_song(m: Row, s: Row, c: Row, t: Row, seat: int, action: int) -> None:
    """Swap dancers, send one on a break, place a token, or leave the rest of a song."""
    place = action - t[at.SEND_IDS] - at.PLACE_BLOCK * t[at.CELLS]
    if place >= t[at.CELLS]:
        end_song(m, s)
        play_songs(m, s, c, t)
        return
    if place >= 0:
        s[at.MOVES] = 0  # no action can follow, since the action comes first
        s[at.PLACES] -= 1
        place_token(m, s, seat, place)
    else:
        s[at.MOVES] -= 1
        if action >= t[at.SEND_IDS]:  # tokens can then go anywhere, on newcomers too
            discard(m, s, t, action - t[at.SEND_IDS])
            fill(m, s, c, t)
        else:
            do_swap(m, s, t, seat, action)
    ask_song(m, s, c, t, seat)


def do_swap(m: Row, s: Row, t: Row, seat: int, action: int) -> None:
    """Move a dancer by swapping it with another; whose tokens they carry does not matter."""
    which = at.SWAP + 6 * action_of(s, t, seat)
    if action >= t[which + 5]:
        which += 3
    one = nth_in_word(t[which + 1], action - t[which + 2])
    swap(m, s, one, one + t[which])
    if bend(s, t, at.ONLY_MOVED):  # if you moved a dancer you cannot place on dancers you didn't move
        both = 1 << one | 1 << (one + t[which])
        m[at.LIMIT] = both if m[at.LIMIT] == t[at.ALL] else m[at.LIMIT] | both


def do_decline(m: Row, s: Row, c: Row, t: Row, seat: int) -> None:
    """Leave what is optional: a fan given up, a token before the songs."""
    if s[at.PHASE] == at.RECOVER:
        ask_song(m, s, c, t, seat)
    else:
        s[at.AT] += 1
        welcome(m, s, c, t)


def do_with_cell(m: Row, s: Row, c: Row, t: Row, seat: int, cell: int) -> None:
    """Give up a fan, place a token outside a song, choose a superfan or the fan that stays."""
    phase = s[at.PHASE]
    if phase == at.RECOVER:  # discard one of your fans to get its token; it is no superfan
        discard(m, s, t, cell)
        fill(m, s, c, t)
        ask_song(m, s, c, t, seat)
    elif phase == at.WELCOME:
        place_token(m, s, seat, cell)
        s[at.AT] += 1
        welcome(m, s, c, t)
    elif phase == at.GIFT:
        place_token(m, s, i64(s[at.ORDER + s[at.AT]]), cell)
        s[at.AT] += 1
        check_combos(m, s, c, t)
    elif phase == at.BONUS:
        score_bonus(m, s, c, t, seat, cell)
        crowd_bonus(m, s, c, t)
    else:
        do_stay(m, s, c, t, seat, cell)


def do_stay(m: Row, s: Row, c: Row, t: Row, seat: int, kept: int) -> None:
    """Pick one fan across all of your combos to remain on the floor."""
    score_combo(m, s, c, t, seat, lines_of(m, s, t, seat) & ~(1 << kept))
    if not ask_gift(m, s, t, seat):
        s[at.AT] += 1
        check_combos(m, s, c, t)
