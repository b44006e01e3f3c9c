"""What a viewer can conclude about hidden hands, found the long way round: every hand that fits, with its chance.

A world is one way the hidden hands and the bag can be. Worlds are drawn from all that the viewer does not see, then
each event, as the viewer witnesses it, weighs, splits or ends them. Players are taken to roll and book blindly.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from jamboree.games.bebop.box.components import COLOURS, FACES, box
from jamboree.games.bebop.box.dice import Die
from jamboree.games.bebop.rules.events import AnyEvent, DieDrawn, DieRerolled, DieTaken, QueueRefilled, SeatBooked
from jamboree.games.bebop.visibility.views import View

Hand = tuple[Die, ...]
Hands = tuple[Hand, ...]
World = tuple[Hands, tuple[int, ...]]  # hands by seat, empty where they are seen; the bag by colour
Worlds = dict[World, float]


def posterior(view: View, events: Iterable[AnyEvent]) -> dict[Hands, float]:
    """Give every way the hidden hands can be its chance, after the events that followed a view."""
    worlds = _dealt(view)
    hidden = {seat for seat, hand in enumerate(view.hands) if hand.dice is None}
    for event in events:
        worlds = _merged(_after(event, world, weight, hidden) for world, weight in worlds.items())
    chances: defaultdict[Hands, float] = defaultdict(float)
    for (hands, _), weight in worlds.items():
        chances[hands] += weight
    total = sum(chances.values())
    return {hands: weight / total for hands, weight in chances.items()}


def _dealt(view: View) -> Worlds:
    """Deal the hidden hands from all the dice that are not seen."""
    seen = Counter(die.colour for die in [*view.queue, *(tile.die for tile in view.tiles)] if die)
    seen.update(die.colour for hand in view.hands for die in hand.dice or ())
    bag = tuple(box(view.seats).dice_per_colour - seen[colour] for colour in COLOURS)
    worlds: Worlds = {(((),) * view.seats, bag): 1.0}
    for seat, hand in enumerate(view.hands):
        for _ in range(hand.count if hand.dice is None else 0):
            worlds = _merged(_drawn(world, weight, seat) for world, weight in worlds.items())
    return worlds


def _drawn(world: World, weight: float, seat: int) -> Iterator[tuple[World, float]]:
    for colour in COLOURS:
        for face in FACES:
            chance, bag = _out_of(world[1], colour)
            yield (_with(world[0], seat, Die(colour, face)), bag), weight * chance / len(FACES)


def _after(event: AnyEvent, world: World, weight: float, hidden: set[int]) -> Iterator[tuple[World, float]]:
    hands, bag = world
    seat = getattr(event, "seat", None)
    if isinstance(event, QueueRefilled) or (isinstance(event, DieDrawn) and event.die):
        assert event.die
        chance, rest = _out_of(bag, event.die.colour)
        yield (hands, rest), weight * chance
    elif seat not in hidden:
        yield world, weight
    elif isinstance(event, DieDrawn):
        yield from _drawn(world, weight, seat)
    elif isinstance(event, DieTaken):
        yield (_with(hands, seat, event.die), bag), weight
    elif isinstance(event, SeatBooked):
        yield from (
            ((_without(hands, seat, at), bag), weight / len(hands[seat]))
            for at, die in enumerate(hands[seat])
            if die == event.die
        )
    elif isinstance(event, DieRerolled):
        for at, die in enumerate(hands[seat]):
            for face in FACES:
                rolled = _with(_without(hands, seat, at), seat, Die(die.colour, face))
                yield (rolled, bag), weight / len(hands[seat]) / len(FACES)
    else:
        yield world, weight


def _out_of(bag: tuple[int, ...], colour: str) -> tuple[float, tuple[int, ...]]:
    """Draw a colour: how likely that is, and what the bag then holds."""
    at = COLOURS.index(colour)
    return bag[at] / sum(bag), (*bag[:at], bag[at] - 1, *bag[at + 1 :])


def _with(hands: Hands, seat: int, die: Die) -> Hands:
    hand = tuple(sorted((*hands[seat], die), key=lambda one: (one.colour, one.face)))
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _without(hands: Hands, seat: int, at: int) -> Hands:
    return (*hands[:seat], hands[seat][:at] + hands[seat][at + 1 :], *hands[seat + 1 :])


def _merged(branches: Iterable[Iterable[tuple[World, float]]]) -> Worlds:
    worlds: Worlds = {}
    for branch in branches:
        for world, weight in branch:
            if weight:
                worlds[world] = worlds.get(world, 0.0) + weight
    return worlds
