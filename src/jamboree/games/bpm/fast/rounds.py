"""The course of a round as a state machine: steps follow each other until a player has to decide.

Each step returns the next one instead of calling it, so that a compiler generates each of them once.
"""

from jamboree.core.twin.bits import Row, ctz, i64

from . import layout as at
from .combos import ask_gift, ball_bonus, bonus_fans
from .endgame import is_decided
from .floor import bend, crowd_surf, fill, free_dancers, leave, lines_of, mosh_pit, move_ball
from .hype import draw_two, reveal
from .setup import add_dancer, draw_card
from .songs import deal_one_each, end_song, find_order, has_choice, reveal_songs, start_song


def go_on(m: Row, s: Row, c: Row, t: Row, step: int) -> None:
    """Run steps until a player has to decide, or the game is over."""
    while step != at.ASKED:
        if step >> at.STEP_BITS:
            take_off(m, s, t, step >> at.STEP_BITS, step & at.ONE_STEP)
            fill(m, s, c, t)
            step &= at.ONE_STEP
        if step == at.IN_SONG:
            step = go_on_with_song(m, s, t)
        elif step == at.NEXT_SONG:
            step = next_song(m, s, c, t)
        elif step == at.NEXT_COMBO:
            step = check_combos(m, s, t)
        elif step == at.NEXT_GIFT:
            step = give_token(m, s, t)
        elif step == at.NEXT_WELCOME:
            step = welcome(m, s, t)
        elif step == at.DROP:
            step = drop(m, s, t)
        elif step == at.NEXT_ROUND:
            step = begin_round(m, s, c, t)
        else:
            step = crowd_bonus(m, s, t, step)


def take_off(m: Row, s: Row, t: Row, cells: int, step: int) -> None:
    """Take fans off the floor: to the discard pile in a song, else as superfans to the player whose turn it is."""
    where = at.GONE if step == at.IN_SONG else at.SUPERFANS + 2 * s[at.ORDER + s[at.AT]]
    while cells:
        add_dancer(m, where, leave(m, s, t, ctz(cells)))
        cells &= cells - 1


def begin_round(m: Row, s: Row, c: Row, t: Row) -> int:
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
    return at.ASKED


def drop(m: Row, s: Row, t: Row) -> int:
    """Reveal the songs, find their order, and let the Hype card move the floor before the first of them."""
    reveal_songs(s, t)
    find_order(s, t)
    shift = bend(s, t, at.SHIFT)
    if shift == at.SURF:
        crowd_surf(m, s, t)
    elif shift == at.MOSH:
        mosh_pit(m, s, t)
    return at.NEXT_WELCOME


def welcome_spots(m: Row, s: Row, t: Row, seat: int) -> int:
    """Return the set of empty dancers of the area, whatever their colour."""
    return free_dancers(m) & bend(s, t, at.WELCOME_AREA) if s[at.TOKENS + seat] > 0 else 0


def welcome(m: Row, s: Row, t: Row) -> int:
    """Ask each player who can place a token before the songs, if the Hype card grants that."""
    while s[at.AT] < t[at.PLAYERS]:
        seat = i64(s[at.ORDER + s[at.AT]])
        if welcome_spots(m, s, t, seat):
            return ask(s, seat, at.WELCOME)
        s[at.AT] += 1
    s[at.AT] = 0
    return at.NEXT_SONG


def ask(s: Row, seat: int, phase: int) -> int:
    s[at.TURN_OF] = seat
    s[at.PHASE] = phase
    return at.ASKED


def next_song(m: Row, s: Row, c: Row, t: Row) -> int:
    """Begin the next song; after the last one, award the bonus of the Beachball."""
    if s[at.AT] < t[at.PLAYERS]:
        start_song(m, s, t, i64(s[at.ORDER + s[at.AT]]))
        return at.ASKED if s[at.PHASE] == at.RECOVER else at.IN_SONG
    s[at.AT] = 0
    ball_bonus(m, s, c, t)
    return at.NEXT_BONUS


def go_on_with_song(m: Row, s: Row, t: Row) -> int:
    """Ask for the next action of a song, or end it if there is none."""
    s[at.PHASE] = at.SONG_PHASE
    if has_choice(m, s, t, i64(s[at.TURN_OF])):
        return at.ASKED
    return end_song(m, s)


def crowd_bonus(m: Row, s: Row, t: Row, step: int) -> int:
    """Turn one fan of each player in the area into a superfan; the floor is filled after each."""
    if step == at.BONUS_DONE:
        s[at.AT] += 1
    while s[at.AT] < t[at.PLAYERS]:
        seat = i64(s[at.ORDER + s[at.AT]])
        fans = bonus_fans(m, s, t, seat)
        if fans & (fans - 1):
            return ask(s, seat, at.BONUS)
        if fans:
            return fans << at.STEP_BITS | at.BONUS_DONE
        s[at.AT] += 1
    s[at.AT] = 0
    return at.NEXT_COMBO


def check_combos(m: Row, s: Row, t: Row) -> int:
    """Award combos in the order songs were played."""
    while s[at.AT] < t[at.PLAYERS]:
        seat = i64(s[at.ORDER + s[at.AT]])
        lines = lines_of(m, s, t, seat)
        if lines and bend(s, t, at.ONE_STAYS):
            return ask(s, seat, at.STAY)
        if lines:
            return lines << at.STEP_BITS | at.NEXT_GIFT
        s[at.AT] += 1
    s[at.AT] = 0
    return end_round(m, s, t)


def give_token(m: Row, s: Row, t: Row) -> int:
    """After a combo, ask the player on the left to place a token, if possible."""
    if ask_gift(m, s, t, i64(s[at.ORDER + s[at.AT]])):
        return at.ASKED
    s[at.AT] += 1
    return at.NEXT_COMBO


def end_round(m: Row, s: Row, t: Row) -> int:
    for seat in range(t[at.PLAYERS]):
        s[at.PLAYING + seat] = at.NONE
    if s[at.ROUND] < t[at.ROUNDS] or not is_decided(m, s, t):
        return at.NEXT_ROUND
    s[at.PHASE] = at.OVER
    return at.ASKED
