"""Book a seat: place a die, score the symbol in the family, score surrounded stages, take a new die."""

from collections.abc import Sequence

from jamboree.core.chance import EVERYONE, Chance
from jamboree.core.geometry import bits
from jamboree.core.kit.events import EventSink
from jamboree.core.offers import Block, Offer

from ..box.components import COLOURS, FACES
from ..box.dice import DICE, colour_of, face_of
from ..box.texts import refuse
from .actions import AnyAction, BookSeat
from .beliefs import remember, reveal
from .events import AnyEvent, BannerMoved, DieDrawn, DieTaken, FamilyScored, QueueRefilled, SeatBooked
from .setup import draw_and_roll, hand_seen_by
from .stages import surrounded
from .state import BOOK_THIS, NO_DIE, State


def block(state: State, seat: int) -> Block[AnyAction]:
    """Lay out every booking: any die of the hand on any open seat of one's own."""
    seats = 1 << state.insta if state.phase == BOOK_THIS else state.open[seat]
    return state.ground.action_space.book[len(state.hands[seat])], seats


def check(state: State, seat: int, action: BookSeat) -> int:
    """Refuse a booking the rules do not allow; give the hex of one they do."""
    place = state.ground.index.get(action.hex, -1)
    if place < 0:
        raise refuse("regions", "no-such-hex", hex=action.hex)
    if not 0 <= action.die < len(state.hands[seat]):
        raise refuse("book", "no-such-die")
    if not state.open[seat] >> place & 1:
        raise refuse("book", "not-your-open-seat", hex=action.hex)
    if state.phase == BOOK_THIS and place != state.insta:
        raise refuse("special-insta", "insta-this-seat", hex=state.ground.names[state.insta])
    return place


def place_die(state: State, seat: int, action: BookSeat, emit: EventSink[AnyEvent]) -> None:
    """Put a die on an open seat, score its family, and note which stages it completed."""
    place = check(state, seat, action)
    hand, slot = state.hands[seat], action.die
    die = hand[slot]
    if state.hidden:
        reveal(state, seat, die)
    state.hands[seat] = hand[:slot] + hand[slot + 1 :]
    state.passed = 0
    seat_die(state, seat, die, place)
    emit(SeatBooked, seat, action.hex, DICE[die])
    colour = colour_of(die)
    family = join_family(state, colour, place)
    if family != 1 << place:  # a family is two or more connected dice of one colour
        score_family(state, seat, die, family, emit)
        move_banner(state, colour, family, place, emit)
    state.complete = surrounded(state, place)


def seat_die(state: State, seat: int, die: int, place: int) -> None:
    bit, (colour, face) = 1 << place, divmod(die, len(FACES))
    state.open[seat] ^= bit
    state.opened ^= bit
    state.booked |= bit
    state.owned[seat] |= bit
    state.colours[colour] |= bit
    state.faces[face] |= bit


def score_family(state: State, seat: int, die: int, family: int, emit: EventSink[AnyEvent]) -> None:
    """Score one point for each die in the family with the same face, itself included."""
    matching = family & state.faces[face_of(die)]
    points = matching.bit_count()
    state.family_points[seat] += points
    if emit.enabled:
        emit(FamilyScored, seat, DICE[die], names(state, family), names(state, matching), points)


def join_family(state: State, colour: int, place: int) -> int:
    """Merge a new die with the groups of its colour that it touches."""
    near, family, others = state.ground.near[place], 1 << place, list[int]()
    if not state.colours[colour] & near:
        state.families[colour] += (family,)
        return family
    for group in state.families[colour]:
        if group & near:
            family |= group
        else:
            others.append(group)
    state.families[colour] = (*others, family)
    return family


def move_banner(state: State, colour: int, family: int, place: int, emit: EventSink[AnyEvent]) -> None:
    """Give the banner to a family that is now the largest of its colour, or ties for it."""
    size = family.bit_count()
    for group in state.families[colour]:
        if group.bit_count() > size:
            return
    moved = not (state.banners[colour] >= 0 and family >> state.banners[colour] & 1)
    state.banners[colour] = place
    if moved and emit.enabled:
        emit(BannerMoved, COLOURS[colour], names(state, family))


def takes_a_die(state: State, seat: int) -> bool:
    """After booking you must take a new die, unless your supply has no seats left, or there is nothing to take."""
    supply = state.basics[seat] or state.specials[seat]
    return bool(supply and (state.bag.total or any(die != NO_DIE for die in state.queue)))


def new_dice(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    """Offer the dice of the queue, and the bag."""
    actions = state.ground.action_space
    if state.bag.total and NO_DIE not in state.queue:
        return actions.any_die
    offers = [actions.queue[place] for place, die in enumerate(state.queue) if die != NO_DIE]
    if state.bag.total:
        offers.append(actions.draw)
    return offers


def take_from_queue(state: State, seat: int, place: int, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Take a die as it lies; its place is filled from the bag at once, rolled, while there are dice."""
    if not 0 <= place < len(state.queue) or state.queue[place] == NO_DIE:
        raise refuse("take", "queue-empty-place")
    die = state.queue[place]
    state.hands[seat] += (die,)
    if state.hidden:
        remember(state, seat, die)
    emit(DieTaken, seat, place, DICE[die])
    state.queue[place] = NO_DIE
    if state.bag.total:
        state.queue[place] = draw_and_roll(state, EVERYONE, chance)
        emit(QueueRefilled, place, DICE[state.queue[place]])


def draw_from_bag(state: State, seat: int, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    if not state.bag.total:
        raise refuse("take", "bag-empty")
    die = draw_and_roll(state, hand_seen_by(state, seat), chance)
    state.hands[seat] += (die,)
    emit(DieDrawn, seat, state.hidden, DICE[die])


def names(state: State, mask: int) -> list[str]:
    return [state.ground.names[place] for place in bits(mask)]
