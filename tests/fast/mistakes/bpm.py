"""Plausible programming errors in BPM's rules."""

import random
from typing import Any

from jamboree.core.chance import Bag, Recorded, Seeded
from jamboree.games import find
from jamboree.games.bpm.box.cards import BY_ROUND
from jamboree.games.bpm.box.components import BOX
from jamboree.games.bpm.box.crate_csv import own_crate
from jamboree.games.bpm.rules import floor
from jamboree.games.bpm.rules.setup import Options

from ..lockstep import Pair, go_on

HEAD, *SONGS = own_crate().splitlines()
LARGE = "\n".join([HEAD, *(song.replace('";"', f' {number}";"', 1) for number in range(4) for song in SONGS)])
MORE = (Options(songs=LARGE, hypemaster=True),)  # its deck takes several words

MISTAKES = (
    ("setup.py", "s[at.QUEST + (first + turn) % players]", "s[at.QUEST + turn]"),  # quests are dealt from seat 0
    ("setup.py", "if m[at.GONE] | m[at.GONE + 1] == 0:", "if m[at.PILE] == 0:"),  # discards never come back
    ("songs.py", "14 if bend(s, t, at.FROM_HIGHEST) else 4", "4"),  # Slow Burn does nothing
    ("songs.py", "(seat + left) % players", "(seat - left) % players"),  # songs pass to the right
    ("songs.py", "if s[at.PLACES] == 0 or s[", "if s["),  # a song places as many tokens as there are
    (
        "songs.py",
        "        if song >= 0:\n            m[",
        "        if song > 999:\n            m[",
    ),  # held and in the deck
    ("songs.py", "& m[at.PRESENT] & m[at.PRESENT] >>", "& m[at.PRESENT] | m[at.PRESENT] & 0 >>"),  # a swap with a gap
    (
        "rules.py",
        "both if m[at.LIMIT] == t[at.ALL] else m[at.LIMIT] | both",
        "both",
    ),  # the first of two steps is forgotten
    ("rules.py", "s[at.MOVES] = 0  #", "s[at.MOVES] -= 0  #"),  # an action after the placement
    ("combos.py", "i64(s[at.BALL])), 1  #", "i64(s[at.BALL])), 0  #"),  # far from the ball all catch it
    ("combos.py", "(owner + 1) % t", "(owner - 1) % t"),  # the gift comes from the right
    ("hype.py", "else t[at.NO_BALL] & ~", "else t[at.NO_BONUS] & ~"),  # no Crowd Bonus with a Hypemaster
    ("rules.py", "(lines_of(m, s, t, seat) & ~bit)", "lines_of(m, s, t, seat)"),  # nobody stays
    ("floor.py", "for line in range(4)", "for line in range(3)"),  # one diagonal does not count
    ("floor.py", "range(t[at.CELLS] - 1, 0, -1)", "range(1, t[at.CELLS])"),  # the pit moshes to the left
    ("floor.py", "- columns] = s[at.FLOOR + cell]", "- columns] *= 1"),  # tokens step forward without their dancers
    ("endgame.py", " + t[at.QUEST_POINTS] * matches", ""),  # quests bring nothing
    ("legal.py", "if 0 < k <= choice", "if 0 < k < choice"),  # what is sealed is offered again
)


def look_closer(twin: Any) -> None:
    """Play from positions that random games do not reach: the floor full of tokens, hardly a dancer left to come in, an
    empty song deck, and the last round to be played, so that ties lead to extra rounds."""
    game = find("bpm")
    for number in range(36):
        rng, seats, chance = random.Random(number), 2 + number % 3, Recorded(Seeded(number))
        options: Any = game.info.samples[number // 3 % len(game.info.samples)]
        state = game.setup(seats, options, chance)
        pair = Pair("bpm", seats, options, chance.take_picks(), state, twin)
        crowd(state, rng)
        if not options.hypemaster:
            wear_out(state, rng)
        pair.lay()
        for _ in go_on(pair, rng, chance, f"edge {number}"):
            pass


def crowd(state: Any, rng: random.Random) -> None:
    """Put tokens on the floor, and take most of the pile away."""
    cells = rng.sample(range(state.room.grid.size), rng.randrange(state.room.grid.size))
    for place, cell in enumerate(cells):
        seat = place // BOX.tokens % state.seats
        if state.tokens[seat]:
            floor.place(state, seat, cell)
    kept = rng.sample(range(len(state.pile.counts)), rng.randrange(4))
    state.pile = Bag.of(state.pile.kinds, [kind in kept for kind in range(len(state.pile.counts))])


def wear_out(state: Any, rng: random.Random) -> None:
    """Skip to the last round with a nearly empty deck of songs."""
    state.round = BOX.rounds - 1
    for cards in BY_ROUND[: state.round]:
        card = rng.choice([card for card in cards if state.hype_box.counts[card]])
        state.hype_box.take(card)
        state.used += (card,)
    for song, count in enumerate(state.deck.counts):
        if count and rng.random() < 0.95:
            state.deck.take(song)
            state.played += (song,)
