"""The way back from a view to a state: as far as the viewer knows it, or with the unknown imagined."""

from itertools import accumulate, product
from math import prod

import msgspec

from jamboree.core.chance import NOBODY, Bag, Chance
from jamboree.core.geometry import mask_of
from jamboree.core.kit.game import Visibility

from ..box.board import Board
from ..box.components import COLOURS, FACES
from ..box.dice import BLURRED, DIE_NUMBER, TOKEN_NUMBER, colour_of, die_of, face_of
from ..rules.actions import BOOT, TILES
from ..rules.beliefs import known_colour, known_die, known_face
from ..rules.events import AnyEvent
from ..rules.setup import bare, draw_and_roll
from ..rules.state import NO_DIE, NOWHERE, PHASES, Belief, State, tile_code
from .views import HandBelief, SeatTile, View, reveals, view, views, witness

_RESOLUTION = 1 << 48  # how finely a weight is told apart


def restore(view: View) -> State:
    """Rebuild the state as this viewer knows it; hidden dice are missing from hands and lie in no bag."""
    state = bare(Board.parse(view.board).ground(view.seats), view.star, view.hidden_hands)
    index = state.ground.index
    state.turn, state.phase, state.rerolls = view.turn, PHASES.index(view.phase), view.rerolls
    state.insta = NOWHERE if view.insta is None else index[view.insta]
    letters = [stage.letter for stage in state.ground.stages]
    state.complete = mask_of(letters.index(letter) for letter in view.complete)
    state.passed = mask_of(view.passed)
    for tile in view.tiles:
        _restore_tile(state, tile)
    _restore_families(state, view)
    _restore_stages(state, view)
    _restore_players(state, view)
    _restore_bag(state, view)
    return state


def _restore_tile(state: State, tile: SeatTile) -> None:
    place, kind = state.ground.index[tile.hex], TILES.index(tile.tile)
    bit = 1 << place
    state.occupied |= bit
    state.tiles[place] = tile_code(tile.seat, kind, tile.face_down)
    if kind == BOOT and not tile.face_down:
        state.boots |= bit
    if tile.die is None:
        state.opened |= bit
        state.open[tile.seat] |= bit
        return
    die = DIE_NUMBER[tile.die]
    state.booked |= bit
    state.owned[tile.seat] |= bit
    state.colours[colour_of(die)] |= bit
    state.faces[face_of(die)] |= bit


def _restore_families(state: State, view: View) -> None:
    state.families = [()] * len(COLOURS)
    for family in view.families:
        colour, group = (
            COLOURS.index(family.colour),
            mask_of(state.ground.index[name] for name in family.hexes),
        )
        state.families[colour] += (group,)
        if family.banner:
            state.banners[colour] = group.bit_length() - 1


def _restore_stages(state: State, view: View) -> None:
    for number, seen in enumerate(view.stages):
        state.tokens[number] = tuple(TOKEN_NUMBER[token] for token in seen.tokens)
        state.paid[number] = tuple(seen.paid)
        if not seen.tokens:
            state.backstage |= state.ground.stages[number].mask
    state.rating, state.box = list(view.rating), list(view.box)
    state.held = [tuple(held) for held in view.tokens]


def _restore_players(state: State, view: View) -> None:
    for seat, (hand, supply, points) in enumerate(zip(view.hands, view.supplies, view.points, strict=True)):
        state.hands[seat] = tuple(DIE_NUMBER[die] for die in hand.dice or ())
        state.beliefs[seat] = tuple(_belief(belief) for belief in hand.beliefs)
        state.basics[seat] = supply.basic
        state.specials[seat] = mask_of(TILES.index(tile) for tile in supply.specials)
        state.family_points[seat] = points.families
        state.stage_points[seat] = points.stages
        state.majority_points[seat] = points.majorities
    state.queue = [NO_DIE if die is None else DIE_NUMBER[die] for die in view.queue]


def _belief(belief: HandBelief) -> Belief:
    known = tuple(
        known_die(COLOURS.index(die.colour), BLURRED if die.face is None else FACES.index(die.face))
        for die in belief.known
    )
    return known, belief.weight


def _restore_bag(state: State, view: View) -> None:
    """Put every die the viewer does not see in the bag, unless the bag is known to be empty."""
    for colour, mask in enumerate(state.colours):
        state.bag.put(colour, -(mask & ~state.ground.printed).bit_count())
    for die in (*state.queue, *(die for hand in state.hands for die in hand)):
        if die != NO_DIE:
            state.bag.take(colour_of(die))
    if not view.bag:
        state.bag = Bag.of(COLOURS, [0] * len(COLOURS))


def imagine(view: View, chance: Chance) -> State:
    """Fill hidden hands with dice that fit all this viewer knows, each filling as often as it is likely."""
    hidden = [seat for seat, hand in enumerate(view.hands) if hand.dice is None]
    state = restore(msgspec.structs.replace(view, bag=1))
    for seat, known in zip(hidden, _likely_beliefs(state, hidden, chance), strict=True):
        state.hands[seat] = tuple(_known_die(state, die, chance) for die in known)
    for seat in hidden:  # only now: what is known of a later hand must not be drawn for an earlier one
        unknown = view.hands[seat].count - len(state.hands[seat])
        state.hands[seat] += tuple(draw_and_roll(state, NOBODY, chance) for _ in range(unknown))
    assert state.bag.total == view.bag
    return state


def _known_die(state: State, known: int, chance: Chance) -> int:
    colour, face = known_colour(known), known_face(known)
    state.bag.take(colour)
    return die_of(colour, chance.roll(FACES, NOBODY) if face == BLURRED else face)


def _likely_beliefs(state: State, hidden: list[int], chance: Chance) -> list[tuple[int, ...]]:
    """Pick one belief for each hidden hand, by their weights and by how likely they make what was drawn."""
    combinations, weights = weighed_beliefs(state, hidden)
    mark = chance.index(_RESOLUTION, NOBODY) / _RESOLUTION * sum(weights)
    chosen = next(at for at, reached in enumerate(accumulate(weights)) if mark < reached)
    return [known for known, _ in combinations[chosen]]


def weighed_beliefs(state: State, hidden: list[int]) -> tuple[list[tuple[Belief, ...]], list[float]]:
    """List all ways the hidden hands can be known together, and how much each weighs."""
    combinations = list(product(*(state.beliefs[seat] for seat in hidden)))
    return combinations, [
        prod(weight for _, weight in beliefs) * _chance_of(state.bag, beliefs) for beliefs in combinations
    ]


def _chance_of(unseen: Bag, beliefs: tuple[Belief, ...]) -> float:
    """Weigh beliefs by the ways to find their known dice among all that are unseen."""
    left, chance = unseen.clone(), 1.0
    for known, _ in beliefs:
        for die in known:
            colour = known_colour(die)
            if not left.counts[colour]:
                return 0.0
            chance *= left.counts[colour] / left.total
            left.take(colour)
    return chance


VISIBILITY: Visibility[State, AnyEvent, View] = Visibility(
    view=view, views=views, witness=witness, reveals=reveals, restore=restore, imagine=imagine
)
