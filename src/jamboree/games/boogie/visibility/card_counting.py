"""Which jumpcards the others may hold, by what was public when the deck was last made.

When the discard pile becomes the deck, everybody knows what is in it, and so what all hands together hold. From then
on a card in a hidden hand is an old one or a fresh one; a card the jury turns may have been either. Histories are
tried out card by card and one is taken by its weight. What could be known from decks before the last is let go.
"""

from jamboree.core.chance import NOBODY, Bag, Chance

from ..box.components import COPIES, JUMPCARDS, ONE, cards_in, count_of, hand_of, size_of
from ..rules.state import State, read_play
from .views import View, counts_of

HISTORIES = 8  # tried out for one that is taken
_RESOLUTION = 1 << 48  # how finely a weight is told apart

Counts = list[int]


class History:
    """One way the cards may have gone: what is left of the old hands' cards and of the deck, and who has how many."""

    def __init__(self, old: Bag, fresh: Bag, slots: dict[int, tuple[int, int]]) -> None:
        self.old, self.fresh, self.slots = old, fresh, dict(slots)
        self.weight = 1.0

    def turn(self, seat: int, card: int, chance: Chance) -> None:
        """Let a card that the jury turned have been an old or a fresh one."""
        old, fresh = self.slots[seat]
        as_old = old * self.old.counts[card] / self.old.total if old else 0.0
        as_fresh = fresh * self.fresh.counts[card] / self.fresh.total if fresh else 0.0
        self.weight *= (as_old + as_fresh) / (old + fresh)
        if not self.weight:
            return
        if chance.index(_RESOLUTION, NOBODY) / _RESOLUTION * (as_old + as_fresh) < as_old:
            self.old.take(card)
            self.slots[seat] = old - 1, fresh
        else:
            self.fresh.take(card)
            self.slots[seat] = old, fresh - 1

    def deal(self, seat: int, chance: Chance) -> Counts:
        """Draw what is hidden of a seat's cards."""
        counts = [0] * len(JUMPCARDS)
        for pile, slots in zip((self.old, self.fresh), self.slots[seat], strict=True):
            for _ in range(slots):
                counts[chance.draw(pile, NOBODY)] += 1
        return counts


def imagine_hidden(state: State, view: View, hidden: list[int], chance: Chance) -> dict[int, Counts]:
    """Deal the hidden jumpcards of each seat, and leave the rest in the deck."""
    old, fresh = piles(state, view)
    seen_by_seat = {seat: slots(view, seat) for seat in hidden}
    history = _sample_history(old, fresh, seen_by_seat, turned_cards(state, hidden, old, fresh), chance)
    dealt = {seat: history.deal(seat, chance) for seat in hidden}
    state.deck = history.fresh
    _guess_era_hands(state, view, hidden, dealt, chance)
    return dealt


def turned_cards(state: State, hidden: list[int], old: Bag, fresh: Bag) -> list[tuple[int, int]]:
    """List the cards of hidden seats that the jury turned since the deck was made; what is certain goes first."""
    turned = [(seat, card) for seat in hidden for card in cards_in(state.shown[seat])]
    return sorted(turned, key=lambda one: bool(old.counts[one[1]]) and bool(fresh.counts[one[1]]))


def piles(state: State, view: View) -> tuple[Bag, Bag]:
    """Give the cards other hands held when the deck was made, and the deck without what the viewer drew."""
    deck = view.memory.deck
    own = view.memory.own or [0] * len(JUMPCARDS)
    old = [copies - inside - mine for copies, inside, mine in zip(COPIES, deck, own, strict=True)]
    fresh = list(deck)
    if isinstance(view.viewer, int):
        drawn = _all_cards_of(state, view.viewer)
        fresh = [inside - count + mine for inside, count, mine in zip(deck, drawn, own, strict=True)]
    return Bag.of(JUMPCARDS, old), Bag.of(JUMPCARDS, fresh)


def _all_cards_of(state: State, seat: int) -> Counts:
    """Count the viewer's own jumpcards since the deck was made: in hand, laid, and turned by the jury."""
    together = state.hands[seat] + state.shown[seat]
    for code in state.plays:
        _, owner, card, _ = read_play(code)
        if owner == seat and card < len(JUMPCARDS):
            together += ONE[card]
    return counts_of(together)


def slots(view: View, seat: int) -> tuple[int, int]:
    """Count a seat's cards since the deck was made: old ones and fresh ones."""
    laid = sum(play.seat == seat and not play.character for play in view.plays)
    old = view.memory.hands[seat]
    return old, view.hands[seat].jumpcards + laid + sum(view.memory.shown[seat]) - old


def _sample_history(
    old: Bag, fresh: Bag, slots: dict[int, tuple[int, int]], turned: list[tuple[int, int]], chance: Chance
) -> History:
    """Try out histories and take one by its weight; without old cards there is only one."""
    tries: list[History] = []
    while not any(history.weight for history in tries):
        tries = [History(old.clone(), fresh.clone(), slots) for _ in range(HISTORIES if old.total else 1)]
        for history in tries:
            for seat, card in turned:
                if history.weight:
                    history.turn(seat, card, chance)
    mark = chance.index(_RESOLUTION, NOBODY) / _RESOLUTION * sum(history.weight for history in tries)
    for history in tries:
        mark -= history.weight
        if mark < 0:
            return history
    return max(tries, key=lambda history: history.weight)


def _guess_era_hands(state: State, view: View, hidden: list[int], dealt: dict[int, Counts], chance: Chance) -> None:
    """Give each hidden hand of that moment as many cards as it had; nobody will ever see which."""
    for seat in hidden:
        bag = Bag.of(JUMPCARDS, [has + count_of(state.shown[seat], card) for card, has in enumerate(dealt[seat])])
        state.era_hands[seat] = sum(ONE[chance.draw(bag, NOBODY)] for _ in range(view.memory.hands[seat]))
        assert size_of(state.era_hands[seat]) == view.memory.hands[seat]


def recall_open(state: State, view: View) -> None:
    """Find the deck where every card is seen: it holds what lies nowhere else. Hands of earlier are split anew."""
    seen_by_seat = [_all_cards_of(state, seat) for seat in range(view.seats)]
    state.deck = Bag.of(JUMPCARDS, [copies - sum(here) for copies, *here in zip(COPIES, *seen_by_seat, strict=True)])
    old = [copies - inside for copies, inside in zip(COPIES, view.memory.deck, strict=True)]
    state.era_hands = [hand_of(hand) for hand in split_old(seen_by_seat, view.memory.hands, old)]


def split_old(seen_by_seat: list[Counts], sizes: list[int], old: Counts) -> list[Counts]:
    """Say which of the cards each seat has had were old ones, so that sizes and kinds come out right."""
    hands, left = [[0] * len(JUMPCARDS) for _ in seen_by_seat], list(old)
    for seat, size in enumerate(sizes):
        for _ in range(size):
            _assign_old_card(seat, seen_by_seat, hands, left)
    return hands


def _assign_old_card(seat: int, seen_by_seat: list[Counts], hands: list[Counts], left: Counts) -> None:
    """Give a seat one more old card; if the kinds it can take are used up, others change one of theirs for it."""
    reached_from: dict[int, tuple[int, int] | None] = {seat: None}  # by seat: who takes which kind from it
    for giver in (reached := [seat]):
        free = [card for card in range(len(left)) if seen_by_seat[giver][card] > hands[giver][card]]
        unused = next((card for card in free if left[card]), None)
        if unused is not None:
            left[unused] -= 1
            _apply_exchanges(giver, unused, reached_from, hands)
            return
        for other in range(len(seen_by_seat)):
            kind = next((card for card in free if hands[other][card]), None)
            if other not in reached_from and kind is not None:
                reached_from[other] = giver, kind
                reached.append(other)
    raise AssertionError("the cards of this view do not add up")


def _apply_exchanges(
    seat: int, card: int, reached_from: dict[int, tuple[int, int] | None], hands: list[Counts]
) -> None:
    hands[seat][card] += 1
    while step := reached_from[seat]:
        taker, kind = step
        hands[seat][kind] -= 1
        hands[taker][kind] += 1
        seat = taker
