"""Plausible programming errors in the rules of Boogie Beasts."""

import random
from typing import Any

from jamboree.core.chance import Recorded, Seeded
from jamboree.core.geometry import bits
from jamboree.core.kit.events import NO_EVENTS
from jamboree.core.twin.chance import SCRIPT
from jamboree.fast import sources
from jamboree.games import find
from jamboree.games.boogie.box.components import BLUFF, MAYBE, SURE, cards_in
from jamboree.games.boogie.box.jumps import layout
from jamboree.games.boogie.rules import jump, jury
from jamboree.games.boogie.rules.setup import board_plane
from jamboree.games.boogie.rules.state import JUMP, OVER

from ..lockstep import agree, script

MISTAKES = (
    ("setup.py", "(i64(s[at.JUMPMASTER]) + turn) % t[at.PLAYERS]", "turn"),  # deals from seat 0
    ("setup.py", "if in_hand >= t[at.FULL_HAND]", "if in_hand > t[at.FULL_HAND]"),  # six in hand get two more
    ("setup.py", "            m[at.DISCARD] = 0\n", ""),  # the discard pile is in the deck and still there
    ("legal.py", "(k if k < seat else k + 1)", "k"),  # a promise to oneself
    ("legal.py", "asking = terms if to >= 0 and", "asking = terms if draft and"),  # asks something of all
    ("legal.py", "nth_term(t, to, k - promising)", "nth_term(t, seat, k - promising)"),  # asks what only oneself can do
    ("legal.py", "0 if pulled else i64(s[at.STANDING + seat])", "0"),  # warned plays among the others
    ("rules.py", "    s[at.READY] &= ~(1 << seat)\n", ""),  # laying a card does not withdraw "done"
    ("rules.py", "    s[at.DRAFT + seat] = 0\n    if s[at.READY]", "    if s[at.READY]"),  # a draft survives "ready"
    ("rules.py", "s[at.PHASE] == at.JUMP and by_clock", "s[at.PHASE] == at.JUMP"),  # PULL though all are done
    ("rules.py", "if s[at.WITHDRAWN + seat] == t[at.WITHDRAWALS]", "if s[at.WITHDRAWN + seat] == 1"),  # once is enough
    ("jury.py", "if characters == at.ONLY_SURE", "if characters & 15 > 0"),  # two character cards are as good as one
    ("jury.py", "return sure & ~i64(s[at.LATE]), maybe", "return sure, maybe"),  # a late player still jumps
    ("jury.py", "if popc(sure) == required:", "if popc(sure) == required and maybe == 0:"),  # maybes spoil a full jump
    ("jury.py", "return 0 if popc(both) > required else both", "return both"),  # too many maybes jump
    ("jury.py", "potential // 2", "(potential + 1) // 2"),  # rounded up
    ("jury.py", "total < difficulty", "total <= difficulty"),  # as high is not enough
    ("jury.py", "return cards & ~t[at.REFUSED] if jump < t[at.PLAYERS] else cards", "return cards"),  # 6 on a solo
    ("jury.py", "asked) != at.KEPT", "asked) == at.BROKEN"),  # a void return still binds
    ("jury.py", "kept = cards & t[at.HARMFUL] == 0", "kept = turned(m, t, jump) & t[at.HARMFUL] == 0"),  # others' harm
    (
        "jury.py",
        "        if s[at.LATE_PLAY + seat]:\n",
        "        if s[at.LATE_PLAY + seat] and seat < 0:\n",
    ),  # lost card
    ("jury.py", "% players if turn < players else turn", "* 0 + turn"),  # the jury begins at seat 0
)


def look_closer(twin: Any) -> None:
    """Let players lay few cards, and hold the jury in both forms.

    Players who act at random lay so many character cards that nearly all of them come off: formations hardly ever find
    their number.
    """
    game, bridge = find("boogie"), sources.bridge("boogie")
    for number in range(24):
        seats, options = 3 + number % 6, game.info.samples[number % 3]
        rng, chance = random.Random(number), Recorded(Seeded(number))
        state, t = game.setup(seats, options, chance), bridge.table(seats, options)
        while state.phase != OVER:
            board_plane(state, chance, NO_EVENTS)
            lay_some(state, rng)
            m, s = bridge.row_of(state)
            chance.take_picks()
            jury.hold_jury(state, chance, NO_EVENTS)
            (c,) = script(chance.take_picks())
            twin.hold_jury(m, s, c, t)
            agree(f"jury {number}: picks used", len(c), c[SCRIPT])
            agree(f"jury {number}", bridge.row_of(state), (m, s))


def lay_some(state: Any, rng: random.Random) -> None:
    """Lay a character or two of each player, then a jumpcard of each on every jump that was opened."""
    state.phase, jumps = JUMP, layout(state.seats).jumps
    for seat in range(state.seats):
        own = [seat, *range(state.seats, len(jumps))]
        for at, card in zip(rng.sample(own, 2), rng.sample((SURE, SURE, MAYBE, BLUFF), 2), strict=True):
            jump.lay(state, seat, at, card, jumps[at], NO_EVENTS)
    for seat in range(state.seats):
        cards = [card for card in cards_in(state.hands[seat]) if card < SURE]
        for at, card in zip(bits(state.opened), rng.sample(cards, len(cards)), strict=False):
            jump.lay(state, seat, at, card, jumps[at], NO_EVENTS)
