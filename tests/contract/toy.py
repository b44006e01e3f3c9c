"""High Card: a toy game that uses the whole protocol: hidden hands, sealed choices, a clock, chance.

Each player holds two cards. In every round all lay one face down; when the last is in, or when time is up (a player
who has not laid a card then lays the first), all are turned. The single highest card scores its value. Then everybody
draws one card, as long as there are any.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from jamboree.core.chance import Audience, Bag, Chance, only
from jamboree.core.errors import BadOptions, Illegal
from jamboree.core.game import (
    Actor,
    EventListener,
    Eye,
    GameDefaults,
    GameInfo,
    Nature,
    Outcome,
    Preview,
    Timer,
    Viewer,
    ignore_events,
)
from jamboree.core.offers import Caution, Offer, menu_of
from jamboree.core.seats import BySeat, Seat, SeatSet
from jamboree.core.words import Choice, Line, Span, WordsDefaults
from jamboree.core.words import Words as Worded

VALUES = ("one", "two", "three", "four")
COPIES = 3
HAND = 2


class Options(msgspec.Struct, frozen=True):
    timed: bool = False


class Lay(msgspec.Struct, frozen=True, tag=True):
    slot: int


class TimeUp(msgspec.Struct, frozen=True, tag=True):
    pass


class CardLaid(msgspec.Struct, frozen=True, tag=True):
    seat: Seat
    card: str | None


class CardsTurned(msgspec.Struct, frozen=True, tag=True):
    cards: BySeat[str]
    winner: Seat | None
    points: int


class CardDrawn(msgspec.Struct, frozen=True, tag=True):
    seat: Seat
    card: str | None


class HandSeen(msgspec.Struct, frozen=True):
    count: int
    cards: list[str] | None


class View(msgspec.Struct, frozen=True):
    viewer: Seat | str | None
    seats: int
    timed: bool
    first: Seat
    hands: BySeat[HandSeen]
    laid: BySeat[bool]
    mine: int  # the slot this viewer has laid, or -1
    turned: BySeat[list[str]]
    points: BySeat[int]
    bag: int
    to_lay: SeatSet


class State(msgspec.Struct):
    timed: bool
    first: int
    hands: list[tuple[int, ...]]
    laid: list[int]
    points: list[int]
    bag: Bag
    turned: list[tuple[int, ...]]

    def clone(self) -> "State":
        return State(
            self.timed, self.first, self.hands[:], self.laid[:], self.points[:], self.bag.clone(), self.turned[:]
        )


def full_bag() -> Bag:
    return Bag.of(VALUES, [COPIES] * len(VALUES))


class Words(WordsDefaults):
    def draw(self, view: View) -> str:
        return msgspec.json.encode(view).decode()

    def parse(self, text: str) -> View:
        return msgspec.json.decode(text, type=View)

    def paint(self, view: View, names: Sequence[str], lang: str) -> list[Line]:
        return [[Span(self.draw(view))]]

    def question(self, view: View, lang: str) -> str:
        return "Which card?"

    def choice(self, action: Any, view: View, names: Sequence[str], lang: str) -> Choice:
        return Choice("Lay", str(action))

    def sentence(self, event: Any, names: Sequence[str], lang: str, reader: int | None = None) -> str:
        return re.sub(r",? ?\w+=None", "", str(event))

    def reason(self, refusal: Illegal, lang: str) -> str:
        return f"{lang}: {refusal.why}"

    def warning(self, caution: Caution, lang: str) -> str:
        return f"{lang}: {caution.key}"

    def help(self, option: str, lang: str) -> str:
        return f"{lang}: {option}"

    def text(self, key: str, lang: str) -> str | None:
        return None

    def remarks(self, options: Options, lang: str) -> list[str]:
        return []

    def rules(self, lang: str) -> str:
        return __doc__ or ""


AnyWords = Worded[Any, Any, Any]


class HighCard(GameDefaults):
    info = GameInfo(
        key="high-card",
        title="High Card",
        rules_version=1,
        seats=(2, 3),
        minutes=(1, 2),
        options=Options,
        action=Lay | TimeUp,
        event=CardLaid | CardsTurned | CardDrawn,
        view=View,
        samples=(Options(), Options(timed=True)),
    )
    words: AnyWords = Words()

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        if not 2 <= seats <= 3:
            raise BadOptions("two or three play")
        state = State(options.timed, 0, [()] * seats, [-1] * seats, [0] * seats, full_bag(), [()] * seats)
        state.first = chance.roll([f"seat {seat}" for seat in range(seats)])
        for seat in self.in_order(state):
            state.hands[seat] = tuple(self.deal(state, seat, chance) for _ in range(HAND))
        return state

    def in_order(self, state: State) -> list[int]:
        return [(state.first + turn) % len(state.hands) for turn in range(len(state.hands))]

    def seen_by(self, state: State, seat: int) -> Audience:
        return only(seat)

    def deal(self, state: State, seat: int, chance: Chance) -> int:
        return chance.draw(state.bag, self.seen_by(state, seat))

    def to_act(self, state: State) -> frozenset[Actor]:
        seats: set[Actor] = {seat for seat, hand in enumerate(state.hands) if hand and state.laid[seat] < 0}
        return frozenset(seats | {Nature.CLOCK} if seats and state.timed else seats)

    def legal(self, state: State, actor: Actor) -> Sequence[Offer[Any]]:
        if actor not in self.to_act(state):
            return []
        if actor == Nature.CLOCK:
            return menu_of(TimeUp())
        return menu_of(*(Lay(slot) for slot in range(len(state.hands[actor]))))

    def actions(self, state: State) -> Sequence[Any]:
        return [*(Lay(slot) for slot in range(HAND)), TimeUp()]

    def apply(
        self, state: State, actor: Actor, action: Any, chance: Chance, emit: EventListener[Any] = ignore_events
    ) -> None:
        if not any(offer.action == action for offer in self.legal(state, actor)):
            raise Illegal("lay", "not-now", {}, "You can't lay that now.")
        if isinstance(action, Lay) and isinstance(actor, int):
            self.lay(state, actor, action.slot, emit)
        else:
            for seat in self.in_order(state):
                if state.hands[seat] and state.laid[seat] < 0:
                    self.lay(state, seat, 0, emit)
        if all(laid >= 0 for laid in state.laid):
            self.turn_cards(state, chance, emit)

    def lay(self, state: State, seat: int, slot: int, emit: EventListener[Any]) -> None:
        state.laid[seat] = slot
        emit(CardLaid(seat, VALUES[state.hands[seat][slot]]))

    def turn_cards(self, state: State, chance: Chance, emit: EventListener[Any]) -> None:
        cards = [hand[slot] for hand, slot in zip(state.hands, state.laid, strict=True)]
        best = max(cards)
        winner = cards.index(best) if cards.count(best) == 1 else None
        if winner is not None:
            state.points[winner] += best + 1
        emit(CardsTurned([VALUES[card] for card in cards], winner, best + 1 if winner is not None else 0))
        for seat, slot in enumerate(state.laid):
            state.turned[seat] += (cards[seat],)
            state.hands[seat] = state.hands[seat][:slot] + state.hands[seat][slot + 1 :]
        state.laid = [-1] * len(cards)
        self.draw_cards(state, chance, emit)

    def draw_cards(self, state: State, chance: Chance, emit: EventListener[Any]) -> None:
        if state.bag.total < len(state.hands):
            return
        for seat in self.in_order(state):
            card = self.deal(state, seat, chance)
            state.hands[seat] += (card,)
            emit(CardDrawn(seat, VALUES[card]))

    def timer(self, state: State) -> Timer | None:
        return Timer(len(state.turned[0]), 10.0) if state.timed and self.to_act(state) else None

    def view(self, state: State, viewer: Viewer) -> View:
        return View(
            viewer=viewer.value if isinstance(viewer, Eye) else viewer,
            seats=len(state.hands),
            timed=state.timed,
            first=state.first,
            hands=[self.hand_seen(state, seat, viewer) for seat in range(len(state.hands))],
            laid=[slot >= 0 for slot in state.laid],
            mine=state.laid[viewer] if isinstance(viewer, int) else -1,
            turned=[[VALUES[card] for card in cards] for cards in state.turned],
            points=list(state.points),
            bag=state.bag.total,
            to_lay=sorted(actor for actor in self.to_act(state) if isinstance(actor, int)),
        )

    def hand_seen(self, state: State, seat: int, viewer: Viewer) -> HandSeen:
        mine = viewer == seat or viewer is Eye.ALL
        cards = [VALUES[card] for card in state.hands[seat]] if mine else None
        return HandSeen(len(state.hands[seat]), cards)

    def witness(self, event: Any, viewer: Viewer) -> Any:
        if isinstance(event, CardsTurned) or viewer in (event.seat, Eye.ALL):
            return event
        return type(event)(event.seat, None)

    def reveals(self, state: State, event: Any) -> bool:
        return isinstance(event, CardsTurned)

    def preview(self, view: View, action: Any) -> Preview:
        if refusal := self.why_not(view, action):
            raise refusal
        assert isinstance(view.viewer, int)
        cards = view.hands[view.viewer].cards
        assert cards is not None
        return Preview([CardLaid(view.viewer, cards[action.slot])], [0] * view.seats, True)

    def why_not(self, view: View, action: Any) -> Illegal | None:
        refusal = Illegal("lay", "not-now", {}, "You can't lay that now.")
        if not isinstance(view.viewer, int) or not isinstance(action, Lay) or view.laid[view.viewer]:
            return refusal
        return None if 0 <= action.slot < view.hands[view.viewer].count else refusal

    def imagine(self, view: View, chance: Chance) -> State:
        counts = Counter(card for cards in view.turned for card in cards)
        counts.update(card for hand in view.hands for card in hand.cards or [])
        bag = Bag.of(VALUES, [COPIES - counts[value] for value in VALUES])
        state = State(view.timed, view.first, [()] * view.seats, [-1] * view.seats, list(view.points), bag, [])
        state.turned = [tuple(VALUES.index(card) for card in cards) for cards in view.turned]
        for seat, hand in enumerate(view.hands):
            if hand.cards is None:
                state.hands[seat] = tuple(chance.draw(bag) for _ in range(hand.count))
                state.laid[seat] = chance.index(hand.count, 0) if view.laid[seat] else -1
            else:
                state.hands[seat] = tuple(VALUES.index(card) for card in hand.cards)
                state.laid[seat] = view.mine if seat == view.viewer else 0 if view.laid[seat] else -1
        return state

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(state.points)

    def standing(self, view: View) -> Sequence[int]:
        return view.points

    def outcome(self, state: State) -> Outcome | None:
        if self.to_act(state):
            return None
        best = max(state.points)
        return Outcome([seat for seat, points in enumerate(state.points) if points == best], state.points)

    def census(self, state: State) -> Mapping[str, int]:
        where = [card for cards in (*state.turned, *state.hands) for card in cards]
        return {value: state.bag.counts[at] + where.count(at) for at, value in enumerate(VALUES)}

    def bots(self) -> Mapping[str, Callable[[int | None], Any]]:
        return {}


class LaysOpenly(HighCard):
    """High Card with the cards laid face up, and an action that names the card and not where it is held."""

    def legal(self, state: State, actor: Actor) -> Sequence[Offer[Any]]:
        if not isinstance(actor, int) or actor not in self.to_act(state):
            return super().legal(state, actor)
        return menu_of(*(Lay(card) for card in sorted({*state.hands[actor]})))

    def lay(self, state: State, seat: int, card: int, emit: EventListener[Any]) -> None:
        hand = state.hands[seat]
        super().lay(state, seat, hand.index(card) if card in hand else 0, emit)

    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        laid = [[VALUES[hand[at]]] if at >= 0 else [] for hand, at in zip(state.hands, state.laid, strict=True)]
        return msgspec.structs.replace(seen, turned=[a + b for a, b in zip(seen.turned, laid, strict=True)])

    def witness(self, event: Any, viewer: Viewer) -> Any:
        return event if isinstance(event, CardLaid) else super().witness(event, viewer)

    def reveals(self, state: State, event: Any) -> bool:
        return isinstance(event, CardLaid | CardsTurned)


class AtSomebody(HighCard):
    """High Card in which the slot of a card is typed as a player."""

    class Naming(Words):
        def choice(self, action: Any, view: View, names: Sequence[str], lang: str) -> Choice:
            return Choice("Lay at", names[action.slot])

    words: AnyWords = Naming()
