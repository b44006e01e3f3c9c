"""What a player can conclude from a view: whom to trust, who pledged what, and what cards are worth where."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from math import ceil

from ..box.components import BOX, CHARACTERS, FIGURES, NUMBER, VALUES
from ..box.jumps import Jump, layout
from ..box.odds import reaches
from ..rules.actions import PlayCard
from ..visibility.views import Promised, View

TRUSTED = 0.6  # of the promises of a player whose word counts
GOODWILL = 2  # promises everybody is taken to have kept before the first
PER_DIE = 3  # worth of a figure others are expected to lay
UNSAID = 3  # worth of the figures a jumper is expected to lay without saying so
SURE_CARDS = BOX.characters["sure"]


class Situation:
    """A view, read by the player it belongs to."""

    def __init__(self, view: View) -> None:
        assert isinstance(view.viewer, int)
        self.view, self.me = view, view.viewer
        self.hand = view.hands[self.me].cards or []
        self.formations = layout(view.seats).formations
        self.opened = {laid.jump for laid in view.plays if laid.character}
        self.trusted = {seat for seat in range(view.seats) if seat == self.me or self.trusts(seat)}
        self.believed = [made for made in view.promises if made.seat in self.trusted]
        self._pledged: dict[int, set[int]] = {number: set() for number in self.formations}
        for made in self.believed:
            if made.term.pledge == "sure" and made.term.jump.solo is None:
                self._pledged[made.term.jump.number].add(made.seat)

    def is_on(self, jump: Jump) -> bool:
        """Tell whether this player has a character card on a jump."""
        return any(laid.character and laid.seat == self.me and laid.jump == jump for laid in self.view.plays)

    def can_lay(self, play: PlayCard) -> bool:
        return play.card in self.hand and (play.card in CHARACTERS or play.jump in self.opened)

    def trusts(self, seat: int) -> bool:
        """Believe a player who has kept most promises, as far as this viewer saw them judged."""
        record = self.view.honesty[seat]
        return (record.kept + GOODWILL) / (record.kept + record.broken + GOODWILL) >= TRUSTED

    def pledged(self, number: int) -> set[int]:
        """Give the trusted players who said they are in on a formation for sure."""
        return self._pledged[number]

    def pledges(self, seat: int) -> list[int]:
        """List the formations a player said to be in on."""
        return [number for number in self.formations if seat in self.pledged(number)]

    def promised_by_me(self) -> list[Promised]:
        return [made for made in self.view.promises if made.seat == self.me]

    def could_join(self, number: int) -> int:
        """Count the others who have not said what would keep them from joining a formation."""
        return sum(
            seat != self.me
            and seat not in self.view.ready
            and seat not in self.pledged(number)
            and len(self.pledges(seat)) < SURE_CARDS
            for seat in self.trusted
        )

    def figures(self) -> list[str]:
        """List the figures in hand, the highest first."""
        return [card for card in reversed(self.hand) if card not in CHARACTERS and NUMBER[card] < FIGURES]

    def set_aside(self) -> dict[Jump, list[str]]:
        """Pick the figures in hand for each of the own promises, those first that were made first."""
        aside: dict[Jump, list[str]] = {}
        free = self.figures()
        for made in self.promised_by_me():
            if made.term.pledge == "figures":
                cards = least_worth(tuple(free), made.term.worth - self.laid_worth(made.term.jump))
                aside.setdefault(made.term.jump, []).extend(cards)
                free = without(free, cards)
        return aside

    def free_figures(self) -> list[str]:
        """List the figures in hand that no promise speaks of, the highest first."""
        return without(self.figures(), [card for cards in self.set_aside().values() for card in cards])

    def laid_worth(self, jump: Jump) -> int:
        """Add up the figures this player has laid on a jump."""
        own = (laid.card for laid in self.view.plays if laid.seat == self.me and laid.jump == jump)
        return sum(int(card) for card in own if card and NUMBER[card] < FIGURES)

    def from_others(self, number: int) -> tuple[int, int]:
        """Guess the dice and the difficulty that the other jumpers bring to a formation."""
        said = [made for made in self.believed if made.term.pledge == "figures" and made.term.jump == Jump(number)]
        worth = Counter[int]()
        for made in said:
            worth[made.seat] = max(worth[made.seat], made.term.worth)
        worth.pop(self.me, None)
        silent = max(0, number - 1 - len(worth))
        total = worth.total() + (UNSAID * silent if not self.pledged(number) else 0)
        return ceil(total / PER_DIE), total

    def comes_about(self, number: int) -> float:
        """Guess the chance that a formation gets its number of jumpers, me among them."""
        others = len(self.pledged(number) - {self.me})
        if others == number - 1:
            return 0.8
        return 0.25 if others else 0.3


@lru_cache(maxsize=1 << 14)
def least_worth(figures: tuple[str, ...], worth: int) -> tuple[str, ...]:
    """Choose figures worth at least so much, with as little to spare and as few cards as can be; all, if too few."""
    sums: dict[int, tuple[str, ...]] = {0: ()}
    for card in figures:
        for total, cards in list(sums.items()):
            more = (*cards, card)
            if len(more) < len(sums.get(total + int(card), (*more, card))):
                sums[total + int(card)] = more
    return sums[min((total for total in sums if total >= worth), default=max(sums))]


def without(cards: Iterable[str], taken: Iterable[str]) -> list[str]:
    """List the cards that are left when some are taken, in the same order."""
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


def expected(situation: Situation, jump: Jump, own: Iterable[str]) -> float:
    """Give the points to expect from a jump with these cards of one's own on it."""
    dice, difficulty = situation.from_others(jump.number) if jump.solo is None else (0, 0)
    potential = difficulty
    for card in own:
        value = VALUES[NUMBER[card]]
        difficulty += value
        if NUMBER[card] < FIGURES:
            if jump.solo is not None and value > BOX.solo_max:
                continue
            dice, potential = dice + 1, potential + value
    likely = situation.comes_about(jump.number) if jump.solo is None else 1.0
    return likely * potential * reaches(dice, difficulty)


def best_card(situation: Situation, jumps: dict[Jump, list[str]], hand: list[str]) -> tuple[float, str, Jump] | None:
    """Find the card of a hand that adds most to one of the jumps."""
    found = []
    for jump, laid in jumps.items():
        before = expected(situation, jump, laid)
        for card in sorted(set(hand)):
            if jump.solo is None or VALUES[NUMBER[card]] <= BOX.solo_max:
                found.append((expected(situation, jump, [*laid, card]) - before, card, jump))
    return max(found, key=lambda one: (one[0], one[1], one[2].number), default=None)
