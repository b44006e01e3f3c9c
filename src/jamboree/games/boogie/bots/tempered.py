"""Players with a temperament: each teases, lies, deserts and falls silent at its own rates and moments."""

from functools import partial

from jamboree.core.geometry import bits
from jamboree.core.play import Answer, Later
from jamboree.core.twin.bits import Reals, Row, popc
from jamboree.core.twin.greedy_player import Decide, GreedyPlayer, Offers

from ..box.components import BOX
from ..fast import layout as at
from ..fast.cards import count_of, pile_of
from ..fast.evaluation import (
    add_card,
    begin_list,
    best_card,
    comes_about,
    pledged,
    pledged_on,
    pledges_of,
    set_aside,
    trusted,
    uniform,
)
from ..fast.greedy import (
    MARGIN,
    NOTHING,
    lied_about,
    next_planned,
    next_promise,
    plan_plays,
    say_promise,
    spite,
    wanted_formation,
)
from ..fast.jury import jump_of, worth_of
from ..rules.actions import AnyAction, SayReady
from ..visibility.views import View
from .adapter import ADAPTER
from .temperaments import Span, Temperament

GLANCE = 6.0  # seconds after which a waiting player checks the table again, at most
SOON = 0.05  # seconds
WORDS, JOINS, ADDS = BOX.limits.promises + 1, 4, 5  # moments in a jumprun for each; further ones share the last
COMPLETE, CROWDED, LACKING = 0.8, 0.3, 0.15  # chances of a formation by the number of players on it


def set_rates(temper: Temperament, table: list[int]) -> None:
    """Write the rates at which a temperament lies, bluffs and spites into a table."""
    table[at.LYING], table[at.BLUFFING] = round(1000 * temper.lies), round(1000 * temper.bluffs)
    table[at.SPITING] = round(1000 * temper.spite)


class TemperedPlayer(GreedyPlayer):
    """Makes promises like the greedy player, keeps them by its temperament, and chooses each jumpcard when it is
    due."""

    def __init__(self, temper: Temperament, seed: int | None = None) -> None:
        super().__init__(ADAPTER, seed, partial(set_rates, temper))
        self.temper = temper
        self._aboard = 0  # the last jumprun for which make_up_its_mind decided
        self._talks = True
        self._tease: int | None = None  # the jump to which it calls others
        self._bait = False
        self._words: list[float] = []  # shares of the plane phase at which it promises
        self._joins: list[float] = []
        self._adds: list[float] = []

    def in_time(self, view: View, offers: Offers, left: float) -> AnyAction | Answer | Later:
        """Choose as without a clock, but at moments of its own, and never as the last player the others wait for."""
        if view.phase not in ("plane", "jump") or view.viewer in view.ready:
            return self.choose(view, offers)
        self.make_up_its_mind(view)
        if left <= 0 and view.phase == "plane":
            return SayReady()
        length = view.plane_seconds if view.phase == "plane" else view.jump_seconds
        until = self.moment(view) * length - (length - left)
        if until < SOON or len(view.ready) == view.seats - 1:
            return self.choose(view, offers)
        return Later(min(until, GLANCE))

    def moment(self, view: View) -> float:
        """Return the share of the phase that has to pass before the next promise or card."""
        assert isinstance(view.viewer, int)
        talk = view.talk[view.viewer]
        if view.phase == "plane":
            return 0.0 if talk is None or talk.draft else self._words[talk.begun]
        own = [laid.character for laid in view.plays if laid.seat == view.viewer]
        if self.has_to_join(view):
            return self._joins[min(own.count(True), JOINS - 1)]
        return self._adds[min(own.count(False), ADDS - 1)]

    def has_to_join(self, view: View) -> bool:
        """Return whether character cards are still to be laid."""
        assert isinstance(view.viewer, int)
        if not self.memory or self.memory[at.PLANNED - at.MEMORY + view.viewer] != view.jumprun:
            return True
        first = at.PLAN - at.MEMORY + at.PLAN_MOST * view.viewer
        return any(self.memory[first : first + at.PLAN_MOST])

    def choose(self, view: View, offers: Offers) -> AnyAction | Answer:
        self.make_up_its_mind(view)
        action: AnyAction | Answer = super().choose(view, offers)
        return action

    def make_up_its_mind(self, view: View) -> None:
        """Decide once in each jumprun whether to promise, whether to tease, and when to act."""
        if self._aboard == view.jumprun:
            return
        self._aboard, self._tease = view.jumprun, None
        self._talks = uniform(self.chance) >= self.temper.falls_silent
        self._bait = uniform(self.chance) < self.temper.teases
        self._words = self.moments(self.temper.talks, WORDS)
        self._joins = self.moments(self.temper.joins, JOINS)
        self._adds = self.moments(self.temper.adds, ADDS)

    def moments(self, span: Span, count: int) -> list[float]:
        first, last = span
        return sorted(first + (last - first) * uniform(self.chance) for _ in range(count))

    def decide(self, by_twin: Decide, m: Row, s: Row, t: Row, seat: int, scratch: Reals) -> int:
        promising = t[at.PROMISING]
        if not self._talks:
            t[at.PROMISING] = 0
        action = (self.talk if s[at.PHASE] == at.PLANE else self.lay)(m, s, t, seat, scratch)
        t[at.PROMISING] = promising
        return action

    def talk(self, m: Row, s: Row, t: Row, me: int, scratch: Reals) -> int:
        """Make promises one by one, the tease first, because others follow an early promise."""
        if not t[at.PROMISING]:
            return at.SAY_READY
        to, asked, term = self.tease(s, t, me) or next_promise(m, s, self.chance, t, me, scratch)
        return at.SAY_READY if self.contradicts(s, t, me, term) else say_promise(s, t, me, to, asked, term)

    def contradicts(self, s: Row, t: Row, me: int, term: int) -> bool:
        """Return whether a player has promised in a deal to stay out of the jump that a term joins."""
        return 0 <= term < t[at.JUMPS_HERE] and term in jumps_out(s, t, me)

    def tease(self, s: Row, t: Row, me: int) -> tuple[int, int, int] | None:
        if self._bait and self._tease is None:
            trust = trusted(s, t, me)
            wanted = wanted_formation(s, self.chance, t, me, 0, trust, pledged(s, t, me, trust))
            self._tease = None if wanted == NOTHING else t[at.PLAYERS] + wanted
        if self._tease is None or any(jump_of(t, term) == self._tease for term in own_terms(s, me)):
            return None
        return at.TO_ALL, at.NO_TERM, self._tease

    def lay(self, m: Row, s: Row, t: Row, me: int, scratch: Reals) -> int:
        """Lay the planned character cards; choose every other card when its time has come."""
        if s[at.PLANNED + me] != s[at.JUMPRUN] + 1:
            s[at.LIES + me] = self.lies(s, t, me)
            plan_plays(m, s, self.chance, t, me, scratch)
            forget_jumpcards(s, me)
            stay_out(s, t, me)
        play = next_planned(m, s, me)
        play = self.next_card(m, s, t, me, scratch) if play == NOTHING else play
        play = self.spoil(m, s, t, me) if play == NOTHING else play
        return spite(m, s, self.chance, t, me) if play == NOTHING else t[at.PLAYS] + play

    def lies(self, s: Row, t: Row, me: int) -> int:
        """Choose the promises to break: the tease, some of the others, and those that too few players have joined."""
        lies = lied_about(s, self.chance, t, me) | (0 if self._tease is None else 1 << self._tease)
        pledges = pledged(s, t, me, trusted(s, t, me))
        for formation in bits(pledges_of(t, pledges, me)):
            jump = t[at.PLAYERS] + formation
            lonely = popc(pledged_on(pledges, formation)) < t[at.NEEDED + jump]
            if lonely and uniform(self.chance) < self.temper.deserts:
                lies |= 1 << jump
        return lies

    def next_card(self, m: Row, s: Row, t: Row, me: int, scratch: Reals) -> int:
        """Keep the promises that are meant, unless they no longer pay; else play the card that adds most."""
        meant = [
            jump
            for jump in bits(s[at.STANDING + me])
            if m[pile_of(t, jump, me)] & (15 << at.NIBBLE * at.SURE | 15 << at.NIBBLE * at.MAYBE)
        ]
        for jump, cards in figures_promised(m, s, t, me, scratch).items():
            if jump in meant and not s[at.LIES + me] >> jump & 1 and cards and not self.is_hopeless(s, t, me, jump):
                return at.CARDS * jump + cards[0]
        scratch[at.ORDER_COUNT] = 0
        trust = trusted(s, t, me)
        pledges = pledged(s, t, me, trust)
        for jump in meant:
            begin_list(s, t, me, trust, pledges, jump, scratch)
            if jump >= t[at.PLAYERS]:
                scratch[at.LIKELY + jump] = chance_of(s, t, me, pledges, jump)
            for card in range(at.JUMPCARDS):
                for _ in range(count_of(m[pile_of(t, jump, me)], card)):
                    add_card(t, jump, card, scratch)
        gain, card, jump = best_card(t, m[at.HAND + me] & at.JUMPCARD_BITS & ~t[at.HARMFUL], scratch)
        margin = MARGIN if s[at.JUMPRUN] < t[at.JUMPRUNS] - 1 else 0.0
        return at.CARDS * jump + card if card >= 0 and gain > margin else NOTHING

    def is_hopeless(self, s: Row, t: Row, me: int, jump: int) -> bool:
        """Return whether a jump has too few or too many players, for one that deserts such jumps."""
        wrong = jump >= t[at.PLAYERS] and popc(standing(s, t, me, jump)) != t[at.NEEDED + jump] - 1
        return wrong and self.temper.deserts > 0

    def spoil(self, m: Row, s: Row, t: Row, me: int) -> int:
        """Lay one ✓ too many on a formation of others that is complete."""
        jumps = range(t[at.PLAYERS], t[at.JUMPS_HERE])
        full = [jump for jump in jumps if popc(standing(s, t, me, jump)) == t[at.NEEDED + jump]]
        free = [jump for jump in full if not s[at.STANDING + me] >> jump & 1]
        if not free or not count_of(m[at.HAND + me], at.SURE) or uniform(self.chance) >= self.temper.spoils:
            return NOTHING
        return at.CARDS * free[0] + at.SURE


def own_terms(s: Row, me: int) -> list[int]:
    """Return the terms that a player has promised in this jumprun."""
    first = at.TERM + at.MOST_PROMISES * me
    return [s[place] for place in range(first, first + s[at.MADE + me])]


def jumps_out(s: Row, t: Row, me: int) -> list[int]:
    """Return the jumps that a player has promised to stay out of."""
    out = [term - 2 * t[at.JUMPS_HERE] for term in own_terms(s, me)]
    return [jump for jump in out if 0 <= jump < t[at.JUMPS_HERE]]


def stay_out(s: Row, t: Row, me: int) -> None:
    """Remove character cards from a plan on jumps that the player has promised to stay out of, unless that is a lie."""
    out = [jump for jump in jumps_out(s, t, me) if not s[at.LIES + me] >> jump & 1]
    for place in range(at.PLAN + at.PLAN_MOST * me, at.PLAN + at.PLAN_MOST * (me + 1)):
        if s[place] and (s[place] - 1) % at.CARDS >= at.SURE and (s[place] - 1) // at.CARDS in out:
            s[place] = 0


def forget_jumpcards(s: Row, me: int) -> None:
    """Remove jumpcards from a plan."""
    for place in range(at.PLAN + at.PLAN_MOST * me, at.PLAN + at.PLAN_MOST * (me + 1)):
        if s[place] and (s[place] - 1) % at.CARDS < at.SURE:
            s[place] = 0


def figures_promised(m: Row, s: Row, t: Row, me: int, scratch: Reals) -> dict[int, list[int]]:
    """Choose figures in hand for each of the player's promises, in the order they were made; the highest first."""
    promised: dict[int, list[int]] = {}
    free = m[at.HAND + me] & at.FIGURE_BITS
    for number, term in enumerate(own_terms(s, me), at.MOST_PROMISES * me):
        if worth_of(t, term) > 0:
            cards = set_aside(m, s, t, me, number, free, scratch)
            free -= cards
            kinds = range(at.FIGURES - 1, -1, -1)
            listed = [card for card in kinds for _ in range(count_of(cards, card))]
            promised.setdefault(jump_of(t, term), []).extend(listed)
    return promised


def standing(s: Row, t: Row, me: int, jump: int) -> int:
    """Return the other players with a character card on a jump, as a mask; its kind is hidden."""
    return sum(1 << seat for seat in range(t[at.PLAYERS]) if seat != me and s[at.STANDING + seat] >> jump & 1)


def chance_of(s: Row, t: Row, me: int, pledges: int, jump: int) -> float:
    """Estimate the chance of a formation during the jump: laid cards count for more than promises."""
    formation, needed, others = jump - t[at.PLAYERS], t[at.NEEDED + jump], standing(s, t, me, jump)
    usual = comes_about(t, me, pledges, formation)
    if not any(s[at.STANDING + seat] for seat in range(t[at.PLAYERS]) if seat != me):
        return usual
    if popc(others) == needed - 1:
        return COMPLETE
    if popc(others) >= needed:
        return CROWDED
    coming = pledged_on(pledges, formation) & ~(others | 1 << me | s[at.READY])
    return usual if popc(coming) == needed - 1 - popc(others) else LACKING
