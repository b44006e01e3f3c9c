"""The course of a round: which step comes next, until a player has something to decide."""

from jamboree.core.kernel.bits import Row, ctz, i64

from . import layout as at
from .combos import ask_gift, ball_bonus, bonus_fans, score_bonus, score_combo
from .endgame import is_decided
from .floor import bend, crowd_surf, free_dancers, lines_of, mosh_pit, move_ball
from .hype import draw_two, reveal
from .songs import deal_one_each, end_song, find_order, has_choice, reveal_songs, start_song
from .supplies import draw_card


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


def end_round(m: Row, s: Row, c: Row, t: Row) -> None:
    for seat in range(t[at.PLAYERS]):
        s[at.PLAYING + seat] = at.NONE
    if s[at.ROUND] >= t[at.ROUNDS] and is_decided(m, s, t):
        s[at.PHASE] = at.OVER
    else:
        begin_round(m, s, c, t)
