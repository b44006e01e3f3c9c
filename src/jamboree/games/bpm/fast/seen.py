"""Observations of a seat, determinizations (`imagine`), and validation of rows."""

from jamboree.core.twin.bits import Row, i64, popc, within
from jamboree.core.twin.chance import pick

from . import layout as at
from .setup import draw_card, draw_song


def observe(m: Row, s: Row, t: Row, seat: int, out: Row) -> None:
    """Write the observation of a seat: an allow-list of what it may see."""
    for i in range(at.OBSERVED):
        out[i] = 0
    observe_heading(m, s, t, seat, out)
    for card in range(at.CARDS):
        out[at.SEEN_USED + card] = m[at.USED] >> card & 1
    for layer in range(at.UNDER_MOST):
        hidden = s[at.UNDER + layer] != at.NONE and under_by(s, t, layer) != seat
        out[at.SEEN_UNDER + layer] = at.UNSEEN if hidden else s[at.UNDER + layer]
    observe_dancers(m, at.GONE, out, at.SEEN_GONE)
    for player in range(t[at.PLAYERS]):
        observe_player(m, s, t, player, player == seat, out)
    for cell in range(t[at.CELLS]):
        observe_cell(m, s, t, cell, out)
    observe_played(m, s, t, out)


def observe_heading(m: Row, s: Row, t: Row, seat: int, out: Row) -> None:
    """Write phase, round, first, turn, place in the order, card, ball, moves, places, who may seal a choice; the
    Hypemaster's two cards, the order of songs, and how many dancers and songs can still be drawn."""
    for i in range(at.DRAWN):
        out[i] = s[i]
    if s[at.PHASE] == at.OVER or at.SEALED_PHASES >> s[at.PHASE] & 1:
        out[at.TURN_OF] = at.NONE
    for i in range(2):
        hidden = s[at.DRAWN] != at.NONE and s[at.TURN_OF] != seat
        out[at.DRAWN + i] = at.UNSEEN if hidden else s[at.DRAWN + i]
    for i in range(at.SEATS):
        out[at.ORDER + i] = s[at.ORDER + i]
    out[at.SEEN_PILE] = popc(m[at.PILE]) + popc(m[at.PILE + 1])
    for word in range(t[at.DECK_WORDS]):
        out[at.SEEN_DECK] += popc(m[at.DECK + word])


def under_by(s: Row, t: Row, layer: int) -> int:
    """Return the Hypemaster who put a card under the deck."""
    number, first = i64(s[at.ROUND]), 1
    if number > t[at.ROUNDS]:
        first = number
    elif number >= t[at.BONUS_ROUND]:
        first = t[at.BONUS_ROUND]
    return (s[at.FIRST] + first + layer - 1) % t[at.PLAYERS]


def count_of(m: Row, where: int, kind: int) -> int:
    """Return the number of dancers of a kind."""
    return popc(m[where + kind // at.WORD_KINDS] >> at.KIND_BITS * (kind % at.WORD_KINDS) & 31)


def observe_dancers(m: Row, where: int, out: Row, to: int) -> None:
    for kind in range(at.KINDS):
        out[to + kind] = count_of(m, where, kind)


def observe_player(m: Row, s: Row, t: Row, player: int, own: bool, out: Row) -> None:
    """Write tokens, the song played, songs held, whether a choice is sealed; then superfans; then hidden
    information."""
    to = at.SEEN_SEATS + at.BY_SEAT * player
    out[to], out[to + 1], out[to + 2] = s[at.TOKENS + player], s[at.PLAYING + player], s[at.SONGS_HELD + player]
    out[to + 3] = 0 if s[at.SEALED + player] == at.NONE else 1
    observe_dancers(m, at.SUPERFANS + 2 * player, out, to + 4)
    quests_open = s[at.ROUND] > t[at.ROUNDS] or s[at.PHASE] == at.OVER
    out[to + 20] = s[at.QUEST + player] if own or quests_open else at.UNSEEN
    out[to + 21] = s[at.SEALED + player] if own else at.UNSEEN
    out[to + 22] = s[at.CHANGES + player] if own else at.UNSEEN
    for slot in range(at.HAND_MOST):
        out[to + 23 + slot] = s[at.HAND + at.HAND_MOST * player + slot] if own else at.UNSEEN
    for slot in range(at.DISCARDED):
        out[to + 33 + slot] = s[at.ASIDE + at.DISCARDED * player + slot] if own else at.UNSEEN


def observe_cell(m: Row, s: Row, t: Row, cell: int, out: Row) -> None:
    """Write 0 or 1 + the dancer, 0 or 1 + whose fan it is, and whether a token can go there at all."""
    to = at.SEEN_CELLS + 3 * cell
    out[to], out[to + 2] = s[at.FLOOR + cell] + 1, m[at.LIMIT] >> cell & 1
    for player in range(t[at.PLAYERS]):
        if m[at.FANS + player] >> cell & 1:
            out[to + 1] = 1 + player


def observe_played(m: Row, s: Row, t: Row, out: Row) -> None:
    """Return the set of songs that were played: those that are neither in the deck, nor with players, nor put aside."""
    for song in range(t[at.SONG_COUNT]):
        if m[at.DECK + song // at.WORD] >> song % at.WORD & 1 == 0:
            out[at.SEEN_PLAYED + song // at.SONG_BITS] |= 1 << song % at.SONG_BITS
    for i in range(at.PLAYING, at.UNDER):
        song = i64(s[i])
        if song >= 0 and (i < at.SEALED or i >= at.HAND):
            out[at.SEEN_PLAYED + song // at.SONG_BITS] &= ~(1 << song % at.SONG_BITS)


def imagine(m: Row, s: Row, c: Row, t: Row, guesses: Row) -> None:
    """Fill in hidden information consistently with a view. The decks hold every card that the viewer does not see.

    `guesses`: the seats that hold a song from before the last reshuffle, the seats with a hidden sealed choice, and the
    songs of the deck that are known to have gone into that reshuffle.
    """
    imagine_cards(m, s, c, t)
    early, words = guesses[at.EARLY], t[at.DECK_WORDS] if guesses[at.EARLY] else 0
    for word in range(words):  # songs dealt before a reshuffle were not played before it
        m[at.DECK + word] &= ~guesses[at.RECYCLED + word]
    for seat in range(t[at.PLAYERS]):
        if early >> seat & 1:
            imagine_songs(m, s, c, t, seat)
    for word in range(words):
        m[at.DECK + word] |= guesses[at.RECYCLED + word]
    for seat in range(t[at.PLAYERS]):
        if early >> seat & 1 == 0:
            imagine_songs(m, s, c, t, seat)
        if guesses[at.SEALED_UNSEEN] >> seat & 1:
            s[at.SEALED + seat] = pick(c, at.PAIRS if s[at.PHASE] == at.SETLIST else i64(s[at.SONGS_HELD + seat]))


def imagine_cards(m: Row, s: Row, c: Row, t: Row) -> None:
    """Draw hidden quests and Hype cards."""
    quests = (1 << at.QUESTS) - 1
    for seat in range(t[at.PLAYERS]):
        if s[at.QUEST + seat] >= 0:
            quests &= ~(1 << s[at.QUEST + seat])
    for seat in range(t[at.PLAYERS]):
        if s[at.QUEST + seat] == at.UNSEEN:
            s[at.QUEST + seat] = draw_card(c, quests)
            quests ^= 1 << s[at.QUEST + seat]
    for i in range(at.UNDER_MOST + 2):
        place = at.UNDER + i if i < at.UNDER_MOST else at.DRAWN + i - at.UNDER_MOST
        if s[place] == at.UNSEEN:
            s[place] = draw_card(c, m[at.HYPE_DECK])
            m[at.HYPE_DECK] ^= 1 << s[place]


def imagine_songs(m: Row, s: Row, c: Row, t: Row, seat: int) -> None:
    for slot in range(at.HAND_MOST + at.DISCARDED):
        hand, aside = at.HAND + at.HAND_MOST * seat + slot, at.ASIDE + at.DISCARDED * seat + slot - at.HAND_MOST
        place = hand if slot < at.HAND_MOST else aside
        if s[place] == at.UNSEEN:
            s[place] = draw_song(m, c, t)


def sound(m: Row, s: Row, t: Row) -> bool:
    """Tell whether a row is a valid position: count dancers, tokens and songs, and check sets of cells."""
    players, rounds = t[at.PLAYERS], t[at.MOST_ROUNDS]
    if not (0 <= s[at.PHASE] <= at.OVER and 0 <= s[at.ROUND] <= rounds and 0 <= s[at.TURN_OF] < players):
        return False
    if not (at.NONE <= s[at.CARD] < at.CARDS and at.NONE <= s[at.BALL] < t[at.CELLS] and 0 <= s[at.FIRST] < players):
        return False
    if not (0 <= s[at.AT] < players and 0 <= s[at.OPEN] < 1 << players and m[at.LIMIT] & ~t[at.ALL] == 0):
        return False
    if not (within_bounds(s, t) and within(m, at.USED, 2, 0, (1 << at.CARDS) - 1) and sound_order(s, t)):
        return False
    if s[at.PHASE] == at.HYPE and s[at.DRAWN] == at.NONE:
        return False
    return sound_floor(m, s, t) and sound_seats(m, s, t) and sound_songs(m, s, t)


def within_bounds(s: Row, t: Row) -> bool:
    return (
        within(s, at.MOVES, 2, 0, at.MOST_CELLS)
        and within(s, at.DRAWN, 2, at.NONE, at.CARDS - 1)
        and within(s, at.ORDER, at.SEATS, at.NONE, t[at.PLAYERS] - 1)
        and within(s, at.TOKENS, at.SEATS, 0, t[at.TOKENS_EACH])
        and within(s, at.CHANGES, at.SEATS, 0, t[at.CHANGES_MOST])
        and within(s, at.SONGS_HELD, at.SEATS, 0, at.HAND_MOST)
        and within(s, at.UNDER, at.UNDER_MOST, at.NONE, at.CARDS - 1)
        and within(s, at.FLOOR, at.MOST_CELLS, at.NONE, at.KINDS - 1)
    )


def sound_order(s: Row, t: Row) -> bool:
    """Check that every player has a song and a rank in the order once songs are revealed."""
    seen, songs = 0, 0
    for place in range(t[at.PLAYERS]):
        songs += 1 if s[at.PLAYING + place] >= 0 else 0
        if s[at.ORDER + place] >= 0:
            seen |= 1 << s[at.ORDER + place]
    revealed = at.CUE < s[at.PHASE] < at.OVER
    return not revealed or (seen == (1 << t[at.PLAYERS]) - 1 and songs == t[at.PLAYERS])


def sound_floor(m: Row, s: Row, t: Row) -> bool:
    """Check the number of dancers of each kind, and that the sets of cells agree with the floor."""
    for kind in range(at.KINDS):
        count = count_of(m, at.PILE, kind) + count_of(m, at.GONE, kind)
        for seat in range(t[at.PLAYERS]):
            count += count_of(m, at.SUPERFANS + 2 * seat, kind)
        for cell in range(t[at.CELLS]):
            count += 1 if s[at.FLOOR + cell] == kind else 0
        if count != t[at.KIND_COUNT]:
            return False
    wrong = m[at.PRESENT] & ~t[at.ALL]
    for cell in range(t[at.CELLS]):
        dancer, colours = i64(s[at.FLOOR + cell]), 0
        for colour in range(at.COLOURS):
            colours |= (m[at.COLOUR + colour] >> cell & 1) << colour
        wrong |= (m[at.PRESENT] >> cell & 1) ^ (1 if dancer >= 0 else 0)
        wrong |= colours ^ (1 << dancer // at.ARROWS if dancer >= 0 else 0)
    return wrong == 0


def sound_seats(m: Row, s: Row, t: Row) -> bool:
    """Check that every token is at home or on a dancer of its own, and the bounds of quests and choices."""
    taken = 0
    for seat in range(t[at.PLAYERS]):
        fans = m[at.FANS + seat]
        if fans & taken or s[at.TOKENS + seat] + popc(fans) != t[at.TOKENS_EACH]:
            return False
        if not (0 <= s[at.QUEST + seat] < at.QUESTS and 0 <= s[at.CHANGES + seat] <= t[at.CHANGES_MOST]):
            return False
        most = at.PAIRS if s[at.PHASE] == at.SETLIST else i64(s[at.SONGS_HELD + seat])
        if not at.NONE <= s[at.SEALED + seat] < most or not at.NONE <= s[at.ORDER + seat] < t[at.PLAYERS]:
            return False
        taken |= fans
    return taken == m[at.TAKEN] and taken & ~m[at.PRESENT] == 0


def sound_songs(m: Row, s: Row, t: Row) -> bool:
    """Check that no song is in two places, and the sizes of hands."""
    for i in range(at.PLAYING, at.UNDER):
        if i < at.SEALED or i >= at.HAND:
            song = i64(s[i])
            if not at.NONE <= song < t[at.SONG_COUNT]:
                return False
            if song >= 0 and m[at.DECK + song // at.WORD] >> song % at.WORD & 1:
                return False
            for other in range(at.PLAYING, i):
                if song >= 0 and (other < at.SEALED or other >= at.HAND) and s[other] == song:
                    return False
    for seat in range(t[at.PLAYERS]):
        for slot in range(at.HAND_MOST):
            held = 1 if slot < s[at.SONGS_HELD + seat] else 0
            if held != (1 if s[at.HAND + at.HAND_MOST * seat + slot] >= 0 else 0):
                return False
    return True
