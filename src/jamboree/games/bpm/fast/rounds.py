"""The course of a round: which step comes next, until a player has something to decide."""

from jamboree.core.kernel.bits import Row, ctz, i64, nth_in_word, popc

from . import layout as at
from .endgame import is_decided
from .floor import (
    around,
    bend,
    crowd_surf,
    discard,
    fill,
    free_dancers,
    lines_of,
    mosh_pit,
    move_ball,
    place_token,
    swap,
    to_superfan,
)
from .songs import (
    action_of,
    all_sealed,
    deal_one_each,
    discard_songs,
    end_song,
    find_order,
    has_choice,
    leave_sealed,
    reveal_songs,
    seal,
    start_song,
)
from .supplies import add_dancer, draw_card, draw_dancer


def apply(m: Row, s: Row, c: Row, t: Row, actor: int, action: int) -> None:
    phase, cells, sends = s[at.PHASE], t[at.CELLS], t[at.SEND_IDS]
    decline = action == sends + at.SINGLES * cells + 1
    if phase == at.CUE:
        if decline:
            leave_sealed(s, actor)
        else:
            do_cue(m, s, c, t, actor, action - at.CUES)
    elif phase == at.SONG_PHASE:
        do_song(m, s, c, t, actor, action)
    elif phase == at.HYPE:
        choose_card(m, s, t, action - t[at.HYPE_IDS])
    elif phase == at.RECOVER:
        if not decline:  # discard one of your fans to get its token; it is no superfan
            discard(m, s, t, action - sends - at.RECOVER_BLOCK * cells)
            fill(m, s, c, t)
        ask_song(m, s, c, t, actor)
    elif phase == at.WELCOME:
        if not decline:
            place_token(m, s, actor, action - sends - at.PLACE_BLOCK * cells)
        s[at.AT] += 1
        welcome(m, s, c, t)
    elif phase == at.GIFT:
        place_token(m, s, i64(s[at.ORDER + s[at.AT]]), action - sends - at.PLACE_BLOCK * cells)
        s[at.AT] += 1
        check_combos(m, s, c, t)
    elif phase == at.SETLIST:
        if decline:
            leave_sealed(s, actor)
        else:
            do_setlist(m, s, c, t, actor, action)
    elif phase == at.BONUS:
        score_bonus(m, s, c, t, actor, action - sends - at.SUPERFAN_BLOCK * cells)
        crowd_bonus(m, s, c, t)
    else:
        do_stay(m, s, c, t, actor, action - sends - at.KEEP_BLOCK * cells)


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


def begin_round(m: Row, s: Row, c: Row, t: Row) -> None:
    """Move the Beachball, then reveal the Hype card."""
    s[at.ROUND] += 1
    s[at.CARD] = at.NONE
    s[at.AT] = 0
    for place in range(at.SEATS):
        s[at.ORDER + place] = at.NONE
    extra = s[at.ROUND] > t[at.ROUNDS]
    if extra:
        deal_one_each(m, s, c, t)
    if s[at.BALL] >= 0:
        move_ball(s, t)
    elif t[at.HYPEMASTER]:  # the ball is in play from round 1
        s[at.BALL] = 0
    if t[at.HYPEMASTER]:
        draw_two(m, s, c, t)
    else:  # in extra rounds all used Hype cards are shuffled back together
        reveal(m, s, t, draw_card(c, m[at.USED] if extra else t[at.BY_ROUND + s[at.ROUND] - 1] & ~m[at.USED]))


def reveal(m: Row, s: Row, t: Row, card: int) -> None:
    s[at.CARD] = card
    if s[at.ROUND] <= t[at.ROUNDS]:
        m[at.USED] |= 1 << card
    if bend(s, t, at.BRINGS_BALL):
        s[at.BALL] = 0
    s[at.PHASE] = at.CUE


def draw_two(m: Row, s: Row, c: Row, t: Row) -> None:
    """Let the Hypemaster draw two Hype cards; the role passes left, in extra rounds too."""
    number = i64(s[at.ROUND])
    if number > t[at.ROUNDS] or number == 1 or number == t[at.BONUS_ROUND]:
        # without Crowd Bonus at first, with it from round 3, of the used cards in extra rounds
        box = t[at.NO_BONUS] if number == 1 else t[at.NO_BALL] & ~m[at.USED]
        m[at.HYPE_DECK] = m[at.USED] if number > t[at.ROUNDS] else box
        for layer in range(at.UNDER_MOST):
            s[at.UNDER + layer] = at.NONE
    s[at.TURN_OF] = (s[at.FIRST] + number - 1) % t[at.PLAYERS]
    s[at.PHASE] = at.HYPE
    for place in range(2):
        s[at.DRAWN + place] = draw_card(c, m[at.HYPE_DECK])
        m[at.HYPE_DECK] ^= 1 << s[at.DRAWN + place]


def choose_card(m: Row, s: Row, t: Row, place: int) -> None:
    """Pick one of two cards; the other, still secret, goes under the deck."""
    chosen, layer = i64(s[at.DRAWN + place]), 0
    while layer < at.UNDER_MOST - 1 and s[at.UNDER + layer] >= 0:
        layer += 1
    s[at.UNDER + layer] = s[at.DRAWN + 1 - place]
    s[at.DRAWN] = s[at.DRAWN + 1] = at.NONE
    reveal(m, s, t, chosen)


def drop(m: Row, s: Row, c: Row, t: Row) -> None:
    """Reveal the songs, find their order, and let the Hype card move the floor before the first of them."""
    reveal_songs(s, t)
    find_order(s, t)
    shift = bend(s, t, at.SHIFT)
    if shift == at.SURF:
        crowd_surf(m, s, t)
    elif shift == at.MOSH:
        mosh_pit(m, s, t)
    if bend(s, t, at.WELCOME_AREA):
        welcome(m, s, c, t)
    else:
        play_songs(m, s, c, t)


def welcome_spots(m: Row, s: Row, t: Row, seat: int) -> int:
    """Mark the empty dancers of the area, whatever their colour."""
    return free_dancers(m) & bend(s, t, at.WELCOME_AREA) if s[at.TOKENS + seat] > 0 else 0


def welcome(m: Row, s: Row, c: Row, t: Row) -> None:
    """Let each player who can put a token somewhere before the songs."""
    while s[at.AT] < t[at.PLAYERS]:
        seat = i64(s[at.ORDER + s[at.AT]])
        if welcome_spots(m, s, t, seat):
            s[at.TURN_OF] = seat
            s[at.PHASE] = at.WELCOME
            return
        s[at.AT] += 1
    s[at.AT] = 0
    play_songs(m, s, c, t)


def play_songs(m: Row, s: Row, c: Row, t: Row) -> None:
    while s[at.AT] < t[at.PLAYERS]:
        seat = i64(s[at.ORDER + s[at.AT]])
        start_song(m, s, t, seat)
        if s[at.PHASE] == at.RECOVER or has_choice(m, s, t, seat):
            return
        end_song(m, s)
    s[at.AT] = 0
    ball_bonus(m, s, c, t)
    crowd_bonus(m, s, c, t)


def ask_song(m: Row, s: Row, c: Row, t: Row, seat: int) -> None:
    """Ask for the next thing in a song, unless there is nothing more to do."""
    s[at.PHASE] = at.SONG_PHASE
    if not has_choice(m, s, t, seat):
        end_song(m, s)
        play_songs(m, s, c, t)


def ball_bonus(m: Row, s: Row, c: Row, t: Row) -> None:
    """Give the player or players with most fans around the ball the top dancer of the draw pile, in song order."""
    touching, most = around(t, i64(s[at.BALL])), 1  # at least one
    for seat in range(t[at.PLAYERS]):
        count = popc(m[at.FANS + seat] & touching)
        most = count if count > most else most
    for place in range(t[at.PLAYERS]):
        seat = i64(s[at.ORDER + place])
        if popc(m[at.FANS + seat] & touching) == most:
            dancer = draw_dancer(m, c)
            if dancer < 0:  # while there are any
                return
            add_dancer(m, at.SUPERFANS + 2 * seat, dancer)


def bonus_fans(m: Row, s: Row, t: Row, seat: int) -> int:
    """Mark a player's fans in the area of the Crowd Bonus."""
    return m[at.FANS + seat] & bend(s, t, at.BONUS_AREA)


def crowd_bonus(m: Row, s: Row, c: Row, t: Row) -> None:
    """Let each player with fans in the area turn one of them into a superfan."""
    while s[at.AT] < t[at.PLAYERS]:
        seat = i64(s[at.ORDER + s[at.AT]])
        fans = bonus_fans(m, s, t, seat)
        if fans & (fans - 1):
            s[at.TURN_OF] = seat
            s[at.PHASE] = at.BONUS
            return
        if fans:
            score_bonus(m, s, c, t, seat, ctz(fans))
        else:
            s[at.AT] += 1
    s[at.AT] = 0
    check_combos(m, s, c, t)


def score_bonus(m: Row, s: Row, c: Row, t: Row, seat: int, cell: int) -> None:
    """Turn one fan in the area into a superfan; the floor is filled after each player."""
    to_superfan(m, s, t, seat, cell)
    fill(m, s, c, t)
    s[at.AT] += 1


def check_combos(m: Row, s: Row, c: Row, t: Row) -> None:
    """Award combos in the order songs were played."""
    while s[at.AT] < t[at.PLAYERS]:
        seat = i64(s[at.ORDER + s[at.AT]])
        lines = lines_of(m, s, t, seat)
        if lines:
            if bend(s, t, at.ONE_STAYS):
                s[at.TURN_OF] = seat
                s[at.PHASE] = at.STAY
                return
            score_combo(m, s, c, t, seat, lines)
            if ask_gift(m, s, t, seat):
                return
        s[at.AT] += 1
    s[at.AT] = 0
    end_round(m, s, c, t)


def do_stay(m: Row, s: Row, c: Row, t: Row, seat: int, kept: int) -> None:
    """Pick one fan across all of your combos to remain on the floor."""
    score_combo(m, s, c, t, seat, lines_of(m, s, t, seat) & ~(1 << kept))
    if not ask_gift(m, s, t, seat):
        s[at.AT] += 1
        check_combos(m, s, c, t)


def score_combo(m: Row, s: Row, c: Row, t: Row, seat: int, cells: int) -> None:
    """Keep fans as superfans; their tokens come home, and the floor is filled."""
    while cells:
        to_superfan(m, s, t, seat, ctz(cells))
        cells &= cells - 1
    fill(m, s, c, t)


def ask_gift(m: Row, s: Row, t: Row, owner: int) -> bool:
    """Give the player on the left a token to place, where that is possible."""
    if s[at.TOKENS + owner] == 0 or m[at.PRESENT] == m[at.TAKEN]:
        return False
    s[at.TURN_OF] = (owner + 1) % t[at.PLAYERS]
    s[at.PHASE] = at.GIFT
    return True


def end_round(m: Row, s: Row, c: Row, t: Row) -> None:
    for seat in range(t[at.PLAYERS]):
        s[at.PLAYING + seat] = at.NONE
    if s[at.ROUND] >= t[at.ROUNDS] and is_decided(m, s, t):
        s[at.PHASE] = at.OVER
    else:
        begin_round(m, s, c, t)
