"""The layout of a row and of a table.

Cards of a player, of a pile or of the deck are one word, four bits for each kind: six figures, seven effects, three
characters. What no rule reads is left out: the order in which cards were laid, the last jury's report, points by
jumprun, and what was public when the deck was last made. A promise has a recipient, a term asked in exchange, and its
term.
"""

SEATS, JUMPS, CARDS, JUMPCARDS, FIGURES, MOST_PROMISES = 8, 13, 16, 13, 6, 6
NIBBLE = 4
CHARACTER = NIBBLE * JUMPCARDS  # characters lie from this bit on: ✓, ❓, ⊘
JUMPCARD_BITS = (1 << CHARACTER) - 1
FIGURE_BITS = (1 << NIBBLE * FIGURES) - 1
JUMPCARD_KINDS = 0x1111111111111  # the lowest bit of each kind
CHARACTER_KINDS = 0x111 << CHARACTER
SURE, MAYBE, BLUFF = 13, 14, 15
ONLY_SURE, ONLY_MAYBE = 0x1, 0x10  # the characters of a player with a single card on a jump

# the row: words of cards; piles by jump and seat
DECK, DISCARD, HAND, PILE = 0, 1, 2, 10
MASKS = PILE + JUMPS * SEATS

# the row: small numbers
PHASE, JUMPRUN, JUMPMASTER, READY, SPENT, LATE, OPENED, DECK_TOTAL = range(8)
WITHDRAWN, BEGUN, DRAFT, MADE, STANDING, LATE_PLAY, SCORE = 8, 16, 24, 32, 40, 48, 56  # by seat
TOLD_ALL, TOLD_ONE = 64, 72  # by seat, by seat and listener: promises kept, broken, void, five bits each
TERM, DEAL = 136, 184  # by seat and promise: what is promised, to whom and for what
MEMORY = 232  # from here on: what greedy players keep in mind, and no rule reads
PLANNED, LIES, PLAN = MEMORY, MEMORY + 8, MEMORY + 16  # by seat: jumprun of the plan, jumps lied about, plays to come
PLAN_MOST = 16
SMALLS = PLAN + SEATS * PLAN_MOST

# the table
PLAYERS, JUMPS_HERE, FORMATIONS, EVERYONE, TIMED, PROMISING, WITHDRAWALS, PROMISES, WORTH_MOST = range(9)
JUMPRUNS, DICE, FULL_HAND, DEALT, HAND_MOST, SOLO_MOST = 9, 10, 11, 12, 13, 14
COPIES, CHARACTERS, REFUSED, HARMFUL = 15, 16, 17, 18  # words; figures not allowed in a solo, positive effects
ASKING, PROMISING_TERM, PLAYS, LATE_PLAYS, ACTIONS = 19, 20, 21, 22, 23  # the first ids, and how many there are
OWN, NEEDED, VALUE, NAME = 24, 32, 45, 58  # by seat, by jump, by jumpcard; NAME: its place in the order of names
ODDS, MOST_DICE = 72, 42  # ODDS: by dice and difficulty, in units of 2**-62
WEIGHTS = ODDS + 3 * (MOST_DICE + 1) ** 2 - 2 * (MOST_DICE + 1)
LYING, BLUFFING, SPITING = WEIGHTS, WEIGHTS + 1, WEIGHTS + 2  # in thousandths: how often greedy players do that
TABLE = WEIGHTS + 3
USUAL_LYING, USUAL_BLUFFING, USUAL_SPITING = 100, 250, 500

PREPARATION, PLANE, JUMP, PULLED, OVER = range(5)
SAY_READY, WITHDRAW, SAY_DONE, TIME_UP, ADDRESSES = range(5)  # ids; ADDRESSES: the first one
KEPT, BROKEN, VOID = range(3)
TALLY = 5  # bits of a count of promises
TO_ALL, NO_TERM = -1, -1
DEAL_TO = 8  # a deal is (to + 2) << DEAL_TO | asked + 1, so that 0 is none
STANCES = 3  # terms: ✓, ❓, out by jump, then figures by jump and worth, then harmless by jump

# what a seat observes
HEADING, BY_SEAT = 6, 8
SEEN_DISCARD = HEADING + SEATS * BY_SEAT
SEEN_HAND, SEEN_TALK = SEEN_DISCARD + JUMPCARDS, SEEN_DISCARD + JUMPCARDS + CARDS
SEEN_PILES = SEEN_TALK + 2
SEEN_OWN = SEEN_PILES + JUMPS * SEATS
SEEN_PROMISES = SEEN_OWN + JUMPS * CARDS
OBSERVED = SEEN_PROMISES + 2 * SEATS * MOST_PROMISES

# guesses: cards that may be old or fresh, how many of each a seat had, hidden seats, cards the jury turned, piles
OLD, FRESH, OLD_SLOTS, FRESH_SLOTS, HIDDEN, TURNED, LAID = 0, 1, 2, 3, 4, 5, 6
SLOT = 7  # bits of a seat's slots
TURNED_CARDS = LAID + JUMPS * SEATS

# reals a greedy player needs to think: figures by their worth; jumps in the order of the plan; by jump what it gets
SUMS, ORDER, ORDER_COUNT = 0, 64, 79
CHOSEN, CHOSEN_COUNT, ITS_DICE, ITS_DIFFICULTY, ITS_POTENTIAL, LIKELY = 80, 96, 112, 128, 144, 160
SCRATCH = 176
