"""The Hype deck: a card a round, and the option in which the Hypemaster picks it."""

from jamboree.core.chance import EVERYONE, Bag, Chance, Deck, only
from jamboree.core.kit.events import EventSink

from ..box.cards import BALL, BENDS, BONUSES, BY_ROUND, CARDS, HYPE, NAMES_BY_ROUND
from ..box.components import BOX
from ..box.dancers import DANCERS
from ..box.texts import refuse
from .events import AnyEvent, BallMoved, BallPlaced, HypeDrawn, HypeRevealed, HypeShuffled
from .floor import next_corner
from .state import HYPE as HYPE_PHASE
from .state import NONE, State


def move_ball(state: State, emit: EventSink[AnyEvent]) -> None:
    """Move the Beachball in the direction of the arrow on the dancer touching it."""
    before, dancer = state.ball, state.floor[state.ball]
    state.ball = next_corner(state)
    if emit.enabled:
        names = state.room.names
        emit(BallMoved, names[before], None if dancer == NONE else DANCERS[dancer], names[state.ball])


def place_ball(state: State, emit: EventSink[AnyEvent]) -> None:
    """Put the Beachball on the front-left corner."""
    state.ball = state.room.ball_start
    emit(BallPlaced, state.room.names[state.ball])


def reveal_top(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Reveal the top card. Which cards are in the deck is as unknown as their order, so it comes out of the box."""
    if state.is_extra:  # all used Hype cards are shuffled back together
        card = chance.pick(of_cards(state.used), EVERYONE)
    else:
        cards, left = BY_ROUND[state.round - 1], state.hype_box.counts
        pool = Bag.of(NAMES_BY_ROUND[state.round - 1], [left[card] for card in cards])
        card = cards[chance.pick(pool, EVERYONE)]
        state.hype_box.take(card)
    reveal(state, card, None, NONE, emit)


def reveal(state: State, card: int, by: int | None, under: int, emit: EventSink[AnyEvent]) -> None:
    state.card = card
    if not state.is_extra:
        state.used += (card,)
    emit(HypeRevealed, CARDS[card], by, None if under == NONE else CARDS[under])
    if BENDS[card].ball:
        place_ball(state, emit)


def of_cards(cards: tuple[int, ...]) -> Bag:
    return Bag.of(CARDS, [cards.count(card) for card in range(len(CARDS))])


def hypemaster(state: State) -> int:
    """The role passes left, in extra rounds too."""
    return (state.first + state.round - 1) % state.seats


def draw_two(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Let the Hypemaster draw two Hype cards."""
    prepare_deck(state, emit)
    state.turn, state.phase = hypemaster(state), HYPE_PHASE
    state.drawn = tuple(chance.draw(state.hype.top(), only(state.turn)) for _ in range(2))
    if emit.enabled:
        emit(HypeDrawn, state.turn, [CARDS[card] for card in state.drawn])


def prepare_deck(state: State, emit: EventSink[AnyEvent]) -> None:
    """Make up the deck: without Crowd Bonus at first, with it from round 3, of the used cards in extra rounds."""
    if state.is_extra:
        return_to_box(state)
        deck = of_cards(state.used)
    elif state.round == 1:
        deck = take_from_box(state, {BALL, *BONUSES})
    elif state.round == HYPE.bonus_from_round:
        return_to_box(state)
        deck = take_from_box(state, {BALL})
    else:
        return
    state.hype, state.under_by = Deck([deck]), ()
    emit(HypeShuffled, deck.total)


def take_from_box(state: State, left: set[int]) -> Bag:
    """Take all cards but some out of the box."""
    deck = state.hype_box.only(set(range(len(CARDS))) - left)
    for card, count in enumerate(deck.counts):
        state.hype_box.put(card, -count)
    return deck


def return_to_box(state: State) -> None:
    """Put what is left of the deck back in the box; an extra round's deck is of used cards, which stay beside it."""
    if state.round <= BOX.rounds + 1:
        for layer in state.hype.layers:
            for card, count in enumerate(layer.counts):
                state.hype_box.put(card, count)


def choose(state: State, place: int, emit: EventSink[AnyEvent]) -> None:
    """Pick one of two cards; the other, still secret, goes under the deck."""
    if not 0 <= place < len(state.drawn):
        raise refuse("hypemaster", "no-such-card")
    chosen, other = state.drawn[place], state.drawn[1 - place]
    state.drawn = ()
    state.hype.put_under(of_cards((other,)))
    state.under_by += (state.turn,)
    reveal(state, chosen, state.turn, other, emit)
