"""Set-up, and draws of dancers, songs and cards."""

from jamboree.core.twin.bits import Row, nth_in_word, popc
from jamboree.core.twin.chance import pick

from . import layout as at


def set_up(m: Row, s: Row, c: Row, t: Row) -> None:
    """Set up a table. The first seat is picked at random; quests and songs are dealt from it on."""
    lay_out(m, s, t)
    players, quests = t[at.PLAYERS], (1 << at.QUESTS) - 1
    first = pick(c, players)
    s[at.FIRST] = s[at.TURN_OF] = first
    for cell in range(t[at.CELLS]):
        enter(m, s, cell, draw_dancer(m, c))
    for turn in range(players):
        quest = draw_card(c, quests)
        quests ^= 1 << quest
        s[at.QUEST + (first + turn) % players] = quest
    for turn in range(players):
        seat = (first + turn) % players
        for slot in range(at.HAND_MOST):
            s[at.HAND + at.HAND_MOST * seat + slot] = draw_song(m, c, t)
        s[at.SONGS_HELD + seat] = at.HAND_MOST


def lay_out(m: Row, s: Row, t: Row) -> None:
    """Lay out an empty floor and full supplies, before anything is drawn."""
    for i in range(at.MASKS):
        m[i] = 0
    for i in range(at.SMALLS):
        s[i] = at.NONE
    for i in range(at.DRAWN):
        s[i] = 0
    s[at.CARD] = s[at.BALL] = at.NONE
    for seat in range(at.SEATS):
        s[at.TOKENS + seat] = t[at.TOKENS_EACH] if seat < t[at.PLAYERS] else 0
        s[at.SONGS_HELD + seat] = 0
    m[at.PILE] = m[at.PILE + 1] = (1 << at.KIND_BITS * at.WORD_KINDS) - 1
    whole_deck(m, t)
    forget_choices(s, t)


def forget_choices(s: Row, t: Row) -> None:
    """Clear all sealed choices, so that all players can seal one."""
    for seat in range(at.SEATS):
        s[at.SEALED + seat] = at.NONE
        s[at.CHANGES + seat] = t[at.CHANGES_MOST] if seat < t[at.PLAYERS] else 0
    s[at.OPEN] = (1 << t[at.PLAYERS]) - 1


def enter(m: Row, s: Row, cell: int, dancer: int) -> None:
    s[at.FLOOR + cell] = dancer
    m[at.PRESENT] |= 1 << cell
    m[at.COLOUR + dancer // at.ARROWS] |= 1 << cell


def draw_dancer(m: Row, c: Row) -> int:
    """Draw from the pile; the discard pile is shuffled in only if it is empty. Return NONE if both are."""
    if m[at.PILE] | m[at.PILE + 1] == 0:
        if m[at.GONE] | m[at.GONE + 1] == 0:
            return at.NONE
        m[at.PILE], m[at.PILE + 1] = m[at.GONE], m[at.GONE + 1]
        m[at.GONE] = m[at.GONE + 1] = 0
    low = popc(m[at.PILE])
    index, word = pick(c, low + popc(m[at.PILE + 1])), 0
    if index >= low:
        index, word = index - low, 1
    kind = nth_in_word(m[at.PILE + word], index) // at.KIND_BITS
    dancers = m[at.PILE + word] >> at.KIND_BITS * kind & 31
    m[at.PILE + word] ^= (dancers ^ dancers >> 1) << at.KIND_BITS * kind
    return at.WORD_KINDS * word + kind


def add_dancer(m: Row, where: int, dancer: int) -> None:
    """Count one more dancer of a kind."""
    word, shift = where + dancer // at.WORD_KINDS, at.KIND_BITS * (dancer % at.WORD_KINDS)
    m[word] |= ((m[word] >> shift & 31) + 1) << shift


def whole_deck(m: Row, t: Row) -> None:
    """Put all songs in the deck."""
    for word in range(t[at.DECK_WORDS]):
        left = t[at.SONG_COUNT] - at.WORD * word
        m[at.DECK + word] = (1 << (left if left < at.WORD else at.WORD)) - 1


def draw_song(m: Row, c: Row, t: Row) -> int:
    total, word = 0, 0
    for each in range(t[at.DECK_WORDS]):
        total += popc(m[at.DECK + each])
    index = pick(c, total)
    while word < t[at.DECK_WORDS] - 1 and index >= popc(m[at.DECK + word]):
        index -= popc(m[at.DECK + word])
        word += 1
    place = nth_in_word(m[at.DECK + word], index)
    m[at.DECK + word] ^= 1 << place
    return at.WORD * word + place


def draw_card(c: Row, cards: int) -> int:
    """Pick one of a small set."""
    return nth_in_word(cards, pick(c, popc(cards)))
