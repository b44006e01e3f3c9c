"""The layout of a row and of a table.

A set of cells is one word, a set of songs several. Dancers off the floor are counted by kind, in two words of eight
kinds: of the five bits of a kind as many are set as there are dancers. What no rule reads is left out: which songs were
played (those that are nowhere else), and in which order Hype cards were used.
"""

WORD = 60  # songs in a word
SEATS, MOST_CELLS, MOST_SONGS, CARDS, KINDS, COLOURS, ARROWS, QUESTS = 4, 20, 999, 19, 16, 4, 4, 8
DECK_MOST = (MOST_SONGS + WORD - 1) // WORD
KIND_BITS, WORD_KINDS, LINE = 5, 8, 3
HAND_MOST, DISCARDED, UNDER_MOST, PAIRS, SETLIST_SIZE = 10, 2, 6, 45, 8

# the row, words: sets of cells (those before LIMIT move with the dancers), dancers by kind, sets of Hype cards, songs
PRESENT, TAKEN, COLOUR, FANS, LIMIT = 0, 1, 2, 6, 10
PILE, GONE, SUPERFANS, USED, HYPE_DECK, DECK = 11, 13, 15, 23, 24, 25
MASKS = DECK + DECK_MOST

# the row, small numbers; OPEN: seats that may seal or replace a choice; DRAWN: the Hypemaster's two cards
PHASE, ROUND, FIRST, TURN_OF, AT, CARD, BALL, MOVES, PLACES, OPEN, DRAWN = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
ORDER, TOKENS, QUEST, PLAYING, SEALED, CHANGES, SONGS_HELD = 12, 16, 20, 24, 28, 32, 36
HAND, ASIDE, UNDER, FLOOR = 40, 80, 88, 94
SMALLS = FLOOR + MOST_CELLS

# the table: single numbers, then lists; a set of cells from which a line, a pair side by side or a swap can start
PLAYERS, COLUMNS, ROWS, CELLS, ALL, HYPEMASTER, SONG_COUNT, DECK_WORDS, TOKENS_EACH = 0, 1, 2, 3, 4, 5, 6, 7, 8
KIND_COUNT, ROUNDS, MOST_ROUNDS, BONUS_ROUND, CHANGES_MOST, SUPERFAN_POINTS, QUEST_POINTS = 9, 10, 11, 12, 13, 14, 15
NO_BALL, NO_BONUS, PAIR_FROM, HYPE_IDS, SEND_IDS = 16, 17, 18, 19, 20
LINE_STEP, LINE_FROM, COLUMN, BY_ROUND, MATCHING, HOPS = 21, 25, 29, 33, 41, 57
SWAP = 137  # for each movement twice: how far, from where, the first id
BENDS = SWAP + 18  # for no card and for each: what it bends
SONG = BENDS + 20 * 13  # for each song its colour (2 bits), action (2), rank from the lowest BPM (10), from the highest
WEIGHTS = SONG + MOST_SONGS  # by seat, in hundredths of a point: what the player there sees in a position
TABLE = WEIGHTS + 15 * SEATS
SUPERFAN, PAIR_OPEN, PAIR_SHUT, SINGLE, BONUS_SIGHT, BALL_SIGHT, RIVALRY, QUEST_TIE = range(8)
BREAK_COST, SAME_COST, COLOUR_USE, CARD_USE, LAST_ROUNDS, WEIGHED = 8, 9, 10, 11, 12, 15

FROM_HIGHEST, PASSED_LEFT, SHIFT, WELCOME_AREA, SWAPS, BREAKS, PLACEMENTS, ANY_COLOUR, ONLY_MOVED = range(9)
BONUS_AREA, ROW_LINE, ONE_STAYS, BRINGS_BALL, FIELDS = 9, 10, 11, 12, 13
SURF, MOSH = 1, 2

SETLIST, HYPE, CUE, WELCOME, RECOVER, SONG_PHASE, BONUS, STAY, GIFT, OVER = range(10)
SEALED_PHASES = 1 << SETLIST | 1 << CUE

# what follows an action: somebody is asked, or a step; the cells above its bits leave the floor before it
ASKED, NEXT_ROUND, DROP, NEXT_WELCOME, NEXT_SONG, IN_SONG, BONUS_DONE, NEXT_BONUS, NEXT_COMBO, NEXT_GIFT = range(10)
STEP_BITS, ONE_STEP = 4, 15
BREAK = 3  # the action of a song that is no movement
NONE, UNSEEN = -1, -2

# action ids: pairs of songs, songs, Hype cards, swaps; then blocks of one for each cell, and two single ones
CUES = PAIRS
PLACE_BLOCK, RECOVER_BLOCK, SUPERFAN_BLOCK, KEEP_BLOCK, SINGLES = 1, 2, 3, 4, 5

# what a seat observes: a heading, cards, dancers, the seats, cells, and the songs played, fifteen in a number
SEEN_PILE, SEEN_DECK, SEEN_USED, SEEN_UNDER, SEEN_GONE, SEEN_SEATS = 16, 17, 18, 37, 43, 59
BY_SEAT = 35
SEEN_CELLS = SEEN_SEATS + SEATS * BY_SEAT
SEEN_PLAYED, SONG_BITS = SEEN_CELLS + 3 * MOST_CELLS, 15
OBSERVED = SEEN_PLAYED + (MOST_SONGS + SONG_BITS - 1) // SONG_BITS

EARLY, SEALED_UNSEEN, RECYCLED = 0, 1, 2  # guesses: seats, seats, songs of the deck that early ones can't be
SCRATCH = SEATS + MOST_CELLS + 1  # floats that `decide` uses as working memory
