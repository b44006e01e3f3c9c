"""The layout of a row and of a board's table.

A set of hexes is two words. Families are not stored but searched on demand. What no rule reads is left out:
beliefs about hidden hands, the points that a stage paid, and the space of a stage on which a token lies.
"""

from . import size

WORD = size.WORD
MOST_HEXES, MOST_STAGES = 2 * WORD, 26
SEATS, COLOURS, FACES, HAND_SIZE, QUEUE_MOST = 4, 5, 3, 3, 6

# the row: sets of hexes, by seat, colour or face where there are several; KIND has three planes of the tile's number
OCCUPIED, BOOKED, OPEN, OWNED, COLOUR, FACE, PERFORMED, KIND, DOWN = 0, 2, 4, 12, 20, 30, 36, 38, 44
COMPLETE = 46  # a set of stages
MASKS = 47

# the row: small numbers
TURN_OF, PHASE, REROLLS, INSTA_AT, PASSED, BAG_TOTAL, RATING = 0, 1, 2, 3, 4, 5, 6
BASICS, SPECIALS, DICE, HAND, QUEUE, BAG = 9, 13, 17, 21, 33, 39  # DICE: how many a hand holds
BANNER, BANNER_SIZE, HELD, BOX = 44, 49, 54, 70  # BANNER: a hex of the family; HELD: tokens by seat, stars last
FAMILY_POINTS, STAGE_POINTS, MAJORITY_POINTS = 76, 80, 84
TOKENS = 88  # by stage nine bits, three for each feature: how many, and whether it is a star
SMALLS = TOKENS + MOST_STAGES

# the table: by hex its neighbours, by stage sets of hexes, by hex the sets of stages it rings or lies beside
NEAR = 0
RING = NEAR + 2 * MOST_HEXES
BESIDE, SPACES = RING + 2 * MOST_STAGES, RING + 4 * MOST_STAGES
NORMAL = RING + 6 * MOST_STAGES
VIPS, PRINTED, PRINTED_COLOUR, PRINTED_FACE = NORMAL + 2, NORMAL + 4, NORMAL + 6, NORMAL + 16
RING_OF = NORMAL + 22
BESIDE_OF, SIZE = RING_OF + MOST_HEXES, RING_OF + 2 * MOST_HEXES
PLAYERS = SIZE + MOST_STAGES
HEXES, STAGES, QUEUE_SIZE, DICE_PER_COLOUR = PLAYERS + 1, PLAYERS + 2, PLAYERS + 3, PLAYERS + 4
TOKENS_EACH, STARS_EACH, START_RATING, STAR_ON = PLAYERS + 5, PLAYERS + 6, PLAYERS + 7, PLAYERS + 8
HIDDEN, BASIC_SEATS, OPEN_MOST = PLAYERS + 9, PLAYERS + 10, PLAYERS + 11
WEIGHTS = PLACE_WEIGHT = PLAYERS + 12  # in thousandths: how much greedy players care for a place next to stages
TABLE = PLAYERS + 13
USUAL_WEIGHT = 500

TURN, CLAIM_AGAIN, BOOK_THIS, PERFORM, TAKE, REROLL, OVER = range(7)
ASKED, BOOKED_ONE, CLAIM_DONE, TURN_DONE = range(4)  # what follows an action: somebody is asked, or one of these steps
BASIC, VIP, DOUBLE, BACKSTAGE, INSTA, BOOT = range(6)
UPRIGHT = 1 << BASIC | 1 << DOUBLE | 1 << INSTA | 1 << BOOT  # tiles that lie face up on a normal hex
ALL_SPECIALS = 62
STAR = 3  # where HELD counts stars
NOWHERE, NO_DIE = -1, -1

# action ids, in blocks of one for each hex; then stages, the queue, and single ones
FACE_DOWN, BOOKING, BLOCKS = 5, 11, 14  # a special face down is at FACE_DOWN + its number
DRAW, DECLINE_CLAIM, DECLINE_BOOKING, REROLLING, KEEP, PASS, SINGLES = 0, 1, 2, 3, 6, 7, 8

# what a seat observes: a heading, the seats, the queue, the box, stages, and two numbers for each hex
HEADING, BY_SEAT = 9, 13
SEEN_QUEUE = HEADING + SEATS * BY_SEAT
SEEN_BOX, SEEN_STAGES = SEEN_QUEUE + QUEUE_MOST, SEEN_QUEUE + QUEUE_MOST + 6
SEEN_HEXES = SEEN_STAGES + 2 * MOST_STAGES
OBSERVED = SEEN_HEXES + 2 * MOST_HEXES

GUESS, GUESSES = 12, 4  # guesses: how many, then each as a weight and a known die for each slot of each hand, from here
SCRATCH = 3 * MOST_HEXES  # floats that `decide` uses as working memory
