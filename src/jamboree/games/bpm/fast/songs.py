"""Songs: the setlist and the cue, picked in secret, the Drop, and playing a song; the action comes first."""

from jamboree.core.twin.bits import Row, i64

from . import layout as at
from .floor import bend, free_dancers
from .setup import draw_song, forget_choices, whole_deck


def seal(s: Row, seat: int, choice: int) -> None:
    """Seal a choice, or replace it; the number of changes is limited."""
    changes = s[at.CHANGES + seat] - (1 if s[at.SEALED + seat] >= 0 else 0)
    s[at.CHANGES + seat], s[at.SEALED + seat] = changes, choice
    if changes == 0 or s[at.SONGS_HELD + seat] == 1:
        s[at.OPEN] &= ~(1 << seat)


def leave_sealed(s: Row, seat: int) -> None:
    """Make a sealed choice final."""
    s[at.CHANGES + seat] = 0
    s[at.OPEN] &= ~(1 << seat)


def all_sealed(s: Row, t: Row) -> bool:
    seat = 0
    while seat < t[at.PLAYERS] and s[at.SEALED + seat] != at.NONE:
        seat += 1
    return seat == t[at.PLAYERS]


def take_song(s: Row, seat: int, slot: int) -> int:
    """Take a song out of a hand; those behind it close up."""
    first, last = at.HAND + at.HAND_MOST * seat, s[at.SONGS_HELD + seat] - 1
    song = i64(s[first + slot])
    for later in range(slot, last):
        s[first + later] = s[first + later + 1]
    s[first + last] = at.NONE
    s[at.SONGS_HELD + seat] = last
    return song


def discard_songs(s: Row, t: Row) -> None:
    """Discard two songs of each player, unseen by the others."""
    for seat in range(t[at.PLAYERS]):
        first, second = 0, i64(s[at.SEALED + seat])
        while second >= at.HAND_MOST - 1 - first:
            second -= at.HAND_MOST - 1 - first
            first += 1
        for which in range(1, -1, -1):
            slot = first + which * (1 + second)
            s[at.ASIDE + at.DISCARDED * seat + which] = take_song(s, seat, slot)
    forget_choices(s, t)


def reveal_songs(s: Row, t: Row) -> None:
    """Reveal all cued songs at once; they may pass to the left."""
    players, left = t[at.PLAYERS], bend(s, t, at.PASSED_LEFT)
    for seat in range(players):
        s[at.PLAYING + (seat + left) % players] = take_song(s, seat, i64(s[at.SEALED + seat]))
    forget_choices(s, t)


def rank_of(s: Row, t: Row, seat: int, shift: int) -> int:
    return t[at.SONG + s[at.PLAYING + seat]] >> shift & 1023


def find_order(s: Row, t: Row) -> None:
    """Lowest BPM first, or highest; in case of a tie the earlier release."""
    shift = 14 if bend(s, t, at.FROM_HIGHEST) else 4
    for seat in range(t[at.PLAYERS]):
        place, rank = seat, rank_of(s, t, seat, shift)
        while place > 0 and rank_of(s, t, i64(s[at.ORDER + place - 1]), shift) > rank:
            s[at.ORDER + place] = s[at.ORDER + place - 1]
            place -= 1
        s[at.ORDER + place] = seat


def deal_one_each(m: Row, s: Row, c: Row, t: Row) -> None:
    """Deal all players one song for an extra round."""
    players = t[at.PLAYERS]
    for turn in range(players):
        seat, left = (s[at.FIRST] + turn) % players, 0
        for word in range(t[at.DECK_WORDS]):
            left |= m[at.DECK + word]
        if left == 0:  # also in mid-deal
            reshuffle(m, s, t)
        s[at.HAND + at.HAND_MOST * seat + s[at.SONGS_HELD + seat]] = draw_song(m, c, t)
        s[at.SONGS_HELD + seat] += 1


def reshuffle(m: Row, s: Row, t: Row) -> None:
    """Make a new deck of the played and discarded songs: all but those in hands."""
    whole_deck(m, t)
    for i in range(t[at.PLAYERS] * at.HAND_MOST):
        song = i64(s[at.HAND + i])
        if song >= 0:
            m[at.DECK + song // at.WORD] ^= 1 << song % at.WORD
    for i in range(at.SEATS * at.DISCARDED):
        s[at.ASIDE + i] = at.NONE


def song_of(s: Row, t: Row, seat: int) -> int:
    return t[at.SONG + s[at.PLAYING + seat]]


def action_of(s: Row, t: Row, seat: int) -> int:
    return song_of(s, t, seat) >> 2 & 3


def start_song(m: Row, s: Row, t: Row, seat: int) -> None:
    """Begin a turn; a player without tokens at its start may discard a fan to get one."""
    s[at.TURN_OF] = seat
    s[at.MOVES] = bend(s, t, at.BREAKS if action_of(s, t, seat) == at.BREAK else at.SWAPS)
    s[at.PLACES] = bend(s, t, at.PLACEMENTS)
    m[at.LIMIT] = t[at.ALL]
    s[at.PHASE] = at.SONG_PHASE if s[at.TOKENS + seat] > 0 or m[at.FANS + seat] == 0 else at.RECOVER


def end_song(m: Row, s: Row) -> int:
    s[at.AT] += 1
    s[at.MOVES] = s[at.PLACES] = 0
    m[at.LIMIT] = 0
    return at.NEXT_SONG


def spots(m: Row, s: Row, t: Row, seat: int) -> int:
    """Return the cells where a token can go: empty dancers of the song's colour; after a move, only those that
    moved."""
    if s[at.PLACES] == 0 or s[at.TOKENS + seat] == 0:
        return 0
    return free_dancers(m) & m[at.LIMIT] & matching(m, s, t, seat)


def matching(m: Row, s: Row, t: Row, seat: int) -> int:
    """Return the set of dancers of a song's colour."""
    return m[at.PRESENT] if bend(s, t, at.ANY_COLOUR) else m[at.COLOUR + (song_of(s, t, seat) & 3)]


def swaps(m: Row, t: Row, which: int) -> int:
    """Return the cells from which a dancer can swap: never off the floor, and not with a gap; hopping over one is
    fine."""
    return t[which + 1] & m[at.PRESENT] & m[at.PRESENT] >> t[which]


def movements(m: Row, t: Row, kind: int) -> tuple[int, int]:
    """Return the near and the far swaps of a movement, as sets of their first cells."""
    return swaps(m, t, at.SWAP + 6 * kind), swaps(m, t, at.SWAP + 6 * kind + 3)


def song_actions(m: Row, s: Row, t: Row, seat: int) -> tuple[int, int]:
    """Return the cells of the song's action: swaps or breaks."""
    if s[at.PHASE] != at.SONG_PHASE or s[at.MOVES] == 0:
        return 0, 0
    kind = action_of(s, t, seat)
    return (free_dancers(m), 0) if kind == at.BREAK else movements(m, t, kind)


def has_choice(m: Row, s: Row, t: Row, seat: int) -> bool:
    """Tell whether anything is left to do in this song."""
    near, far = song_actions(m, s, t, seat)
    return near | far | spots(m, s, t, seat) != 0
