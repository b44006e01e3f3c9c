"""A player that gathers others by open promises and lays what adds most."""

import random
from collections.abc import Sequence

from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Answer

from ..box.components import BOX, CHARACTERS, NUMBER
from ..box.jumps import Jump
from ..rules.actions import AnyAction, AskInExchange, PlayCard, Promise, PromiseTo, SayDone, SayReady, Term
from ..rules.promises import harmful
from ..visibility.views import View
from .evaluation import SURE_CARDS, Situation, best_card, without

LIES = 0.1  # of its promises a bot does not mean
ALONE = 0.7  # how often a bot that heard nothing tries a formation with each of its ✓ cards
BLUFFS = 0.25  # how often it lays a ⊘ besides
EMPTY_SOLO = 0.1  # how often it goes solo with nothing to show
SPITE = 0.5  # how often a harmful card goes on another's jump
MARGIN = 0.4  # points a card has to add, or it is kept for later
NOISE = 0.1
FIGURES_EACH = 3  # laid on a formation by promise, at most

Said = AnyAction | Answer


class GreedyBot:
    """Gathers jumpers by open promises, lays what adds most, lies at a stated rate and trusts who kept their word."""

    def __init__(self, seed: int | None = None, lies: float = LIES, talks: bool = True) -> None:
        self.lies, self.talks, self.bluffs, self.spites = lies, talks, BLUFFS, SPITE
        self._random = random.Random(seed)
        self._jumprun = 0
        self._plan: list[PlayCard] = []
        self._lies: set[Jump] = set()  # jumps about which it did not mean what it promised

    def choose(self, view: View, offers: Sequence[Offer[AnyAction]]) -> Said:
        assert isinstance(view.viewer, int)
        if view.phase == "pulled" or view.viewer in view.ready:
            return WAIT
        if view.phase == "preparation":
            return SayReady()
        return self.talk(Situation(view)) if view.phase == "plane" else self.lay(Situation(view))

    def talk(self, situation: Situation) -> AnyAction:
        """Promise one thing after the other; be ready when there is nothing left to say."""
        own = situation.view.talk[situation.me]
        if not situation.view.promising or not self.talks or own is None:
            return SayReady()
        to, asked, term = self.next_promise(situation)
        if term is None:
            return SayReady()
        if own.draft is None or own.draft.to != to:
            return PromiseTo(to) if own.begun < BOX.limits.promises else SayReady()
        return AskInExchange(asked) if asked and own.draft.asked is None else Promise(term)

    def next_promise(self, situation: Situation) -> tuple[int | None, Term | None, Term | None]:
        """Decide what to say: to whom, in exchange for what, what. Nothing left: no term."""
        said = {made.term for made in situation.promised_by_me()}
        mine = situation.pledges(situation.me)
        for number in mine:
            if not any(term.pledge == "figures" and term.jump == Jump(number) for term in said):
                worth = min(BOX.limits.worth_max, sum(map(int, self.share(situation, len(mine)))))
                if worth:
                    return None, None, Term("figures", Jump(number), worth)
        if len(mine) < SURE_CARDS and (wanted := self.formation(situation, mine)):
            return None, None, Term("sure", Jump(wanted))
        return self.last_jumper(situation, mine, said)

    def share(self, situation: Situation, formations: int) -> list[str]:
        """Choose among the figures not promised yet, and leave every other one for a formation still to come."""
        step = SURE_CARDS if formations < SURE_CARDS else 1
        return situation.free_figures()[::step][:FIGURES_EACH]

    def formation(self, situation: Situation, mine: list[int]) -> int | None:
        """Choose a formation that still lacks jumpers and can find them; the one that lacks fewest first."""
        open_ones = []
        for number in situation.formations:
            pledged = len(situation.pledged(number))
            if number not in mine and pledged < number <= pledged + 1 + situation.could_join(number):
                wish = (pledged + 1) / number * number**0.5 + NOISE * self._random.random()
                open_ones.append((wish, number))
        return max(open_ones)[1] if open_ones else None

    def last_jumper(
        self, situation: Situation, mine: list[int], said: set[Term]
    ) -> tuple[int | None, Term | None, Term | None]:
        """Offer peace to one player in exchange for the last place on a formation."""
        for number in mine:
            pledged = situation.pledged(number)
            if number - len(pledged) != 1:
                continue
            for seat in sorted(situation.trusted - pledged - set(situation.view.ready)):
                peace = Term("harmless", Jump(1, seat))
                if peace not in said and len(situation.pledges(seat)) < SURE_CARDS:
                    return seat, Term("sure", Jump(number)), peace
        return None, None, None

    def lay(self, situation: Situation) -> AnyAction:
        """Lay the planned cards, then perhaps spite somebody, then be done."""
        if self._jumprun != situation.view.jumprun:
            self._jumprun, self._plan = situation.view.jumprun, self.plan(situation)
        while self._plan:
            play = self._plan.pop(0)
            if situation.can_lay(play):
                return play
        return self.spite(situation) or SayDone()

    def plan(self, situation: Situation) -> list[PlayCard]:
        """Decide what was a lie, then on character cards by what was said in the plane, then on jumpcards."""
        self._lies = self.lied_about(situation)
        characters = self.characters(situation)
        inside = {jump: list[str]() for jump, card in characters.items() if card != "bluff"}
        hand = [card for card in situation.hand if card not in CHARACTERS and not harmful(NUMBER[card])]
        hand = self.keep_word(situation, inside, hand)
        margin = MARGIN if situation.view.jumprun < BOX.jumpruns else 0.0
        while (found := best_card(situation, inside, hand)) and found[0] > margin:
            _, card, jump = found
            inside[jump].append(card)
            hand.remove(card)
        solo = Jump(1, situation.me)
        if not inside.get(solo) and self._random.random() >= EMPTY_SOLO:
            characters.pop(solo, None)
        plays = [PlayCard(card, jump) for jump, card in characters.items()]
        return plays + [PlayCard(card, jump) for jump, cards in inside.items() for card in cards]

    def characters(self, situation: Situation) -> dict[Jump, str]:
        """Go where one said to go, mostly; without a word try formations at random. The ? goes on the solo."""
        promised = situation.pledges(situation.me)
        chosen = {Jump(number): "bluff" if Jump(number) in self._lies else "sure" for number in promised}
        if not situation.view.promising or not self.talks:
            tried = self._random.sample(situation.formations, min(SURE_CARDS, len(situation.formations)))
            chosen.update({Jump(number): "sure" for number in tried if self._random.random() < ALONE})
        elif len(promised) < SURE_CARDS:
            lacking = [
                number for number in situation.formations if 0 < number - len(situation.pledged(number)) < number
            ]
            chosen.update({Jump(number): "maybe" for number in lacking[:1] if number not in promised})
        if "maybe" not in chosen.values():
            chosen[Jump(1, situation.me)] = "maybe"
        elif list(chosen.values()).count("sure") < SURE_CARDS:
            chosen[Jump(1, situation.me)] = "sure"
        free = [number for number in situation.formations if Jump(number) not in chosen]
        if free and self._random.random() < self.bluffs:
            chosen[Jump(self._random.choice(free))] = "bluff"
        return {jump: card for jump, card in chosen.items() if not situation.is_on(jump)}

    def lied_about(self, situation: Situation) -> set[Jump]:
        """Choose the jumps about which nothing that was promised is meant."""
        jumps = dict.fromkeys(made.term.jump for made in situation.promised_by_me())
        return {jump for jump in jumps if self._random.random() < self.lies}

    def keep_word(self, situation: Situation, inside: dict[Jump, list[str]], hand: list[str]) -> list[str]:
        """Lay the figures that were promised, unless that was a lie; give the rest of the hand."""
        for jump, cards in situation.set_aside().items():
            if jump not in self._lies:
                inside.setdefault(jump, []).extend(cards)
                hand = without(hand, cards)
        return hand

    def spite(self, situation: Situation) -> PlayCard | None:
        """Make a rival's jump harder, but for those it promised, and meant, to leave alone."""
        harm = [card for card in situation.hand if card not in CHARACTERS and harmful(NUMBER[card])]
        if not harm or self._random.random() >= self.spites:
            return None
        spared = {made.term.jump for made in situation.promised_by_me() if made.term.pledge == "harmless"}
        others = {jump for jump in situation.opened if not situation.is_on(jump)}
        open_to_harm = sorted(others - (spared - self._lies), key=lambda jump: (jump.number, jump.solo or 0))
        if not open_to_harm:
            return None
        return PlayCard(self._random.choice(harm), self._random.choice(open_to_harm))
