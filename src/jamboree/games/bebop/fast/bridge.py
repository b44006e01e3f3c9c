"""Conversion between the reference and its twin: tables, rows from states and back, and guesses from views."""

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from jamboree.core.errors import BadOptions
from jamboree.core.geometry import bits, groups

from ..box.board import Ground
from ..box.components import BASIC_SEATS, COLOURS, FACES, HAND, OPEN_MAX, box
from ..box.dice import BLURRED
from ..rules.actions import BOOT
from ..rules.beliefs import UNKNOWN, known_colour, known_face
from ..rules.setup import Options, bare, playable
from ..rules.state import State, read_tile, tile_code
from ..visibility.restore import restore, weighed_beliefs
from ..visibility.views import View
from . import layout as at

FINE = 1 << 29  # resolution of the weights of guesses
LOW = (1 << at.WORD) - 1

Masks = list[int]
Smalls = list[int]


def table(seats: int, options: Options) -> list[int]:
    """Return the table of a set-up; raise BadOptions if the game does."""
    return [*table_of(playable(options.board).ground(seats), options.star, options.hidden_hands or seats == 2)]


def table_for(state: State) -> tuple[int, ...]:
    """Return the table of a state's set-up."""
    return table_of(state.ground, state.star, state.hidden)


@lru_cache(maxsize=64)
def table_of(ground: Ground, star: bool, hidden: bool) -> tuple[int, ...]:
    if len(ground.names) > at.MOST_HEXES or len(ground.stages) > at.MOST_STAGES or not 0 <= ground.rating < 1000:
        raise BadOptions(f"the fast twin plays on boards of up to {at.MOST_HEXES} hexes; this one is too large")
    assert (len(COLOURS), len(FACES), HAND) == (at.COLOURS, at.FACES, at.HAND_SIZE)
    t = [0] * at.TABLE
    for place, near in enumerate(ground.near):
        _put(t, at.NEAR + 2 * place, near)
        t[at.RING_OF + place] = sum(1 << number for number in ground.ring_of[place])
    for number, stage in enumerate(ground.stages):
        for where, mask in ((at.RING, stage.ring), (at.BESIDE, stage.beside), (at.SPACES, stage.mask)):
            _put(t, where + 2 * number, mask)
        t[at.SIZE + number] = len(stage.spaces)
        for place in range(len(ground.names)):
            t[at.BESIDE_OF + place] |= (stage.beside >> place & 1) << number
    laid = bare(ground, star, hidden)
    _put_all(t, (at.NORMAL, [ground.normal]), (at.VIPS, [ground.vip]), (at.PRINTED, [ground.printed]))
    _put_all(t, (at.PRINTED_COLOUR, laid.colours), (at.PRINTED_FACE, laid.faces))
    parts = box(ground.players)
    counts = (parts.queue, parts.dice_per_colour, parts.tokens_per_feature, parts.stars_per_feature)
    sizes = (ground.players, len(ground.names), len(ground.stages), *counts)
    t[at.PLAYERS :] = *sizes, ground.rating, star, hidden, BASIC_SEATS, OPEN_MAX, at.USUAL_WEIGHT
    return tuple(t)


def row_of(state: State) -> tuple[Masks, Smalls]:
    """Return a state as a row."""
    m, s = [0] * at.MASKS, [0] * at.SMALLS
    _put_all(m, (at.OCCUPIED, [state.occupied]), (at.BOOKED, [state.booked]), (at.PERFORMED, [state.backstage]))
    _put_all(m, (at.OPEN, state.open), (at.OWNED, state.owned), (at.COLOUR, state.colours), (at.FACE, state.faces))
    planes, down = [0, 0, 0], 0
    for place, code in enumerate(state.tiles):
        if code:
            _, tile, face_down = read_tile(code)
            down |= face_down << place
            for plane in bits(tile):
                planes[plane] |= 1 << place
    _put_all(m, (at.KIND, planes), (at.DOWN, [down]))
    m[at.COMPLETE] = state.complete
    s[: at.RATING] = state.turn, state.phase, state.rerolls, state.insta, state.passed, state.bag.total
    hands = [die for hand in state.hands for die in (*hand, *[at.NO_DIE] * (at.HAND_SIZE - len(hand)))]
    for where, size, values in (
        (at.RATING, 3, state.rating),
        (at.BASICS, 4, state.basics),
        (at.SPECIALS, 4, state.specials),
        (at.DICE, 4, [len(hand) for hand in state.hands]),
        (at.BAG, 5, state.bag.counts),
        (at.HELD, 16, [n for held in state.held for n in held]),
        (at.BOX, 6, state.box),
        (at.BANNER, 5, state.banners),
        (at.BANNER_SIZE, 5, [_banner_size(state, colour) for colour in range(at.COLOURS)]),
        (at.FAMILY_POINTS, 4, state.family_points),
        (at.STAGE_POINTS, 4, state.stage_points),
        (at.MAJORITY_POINTS, 4, state.majority_points),
        (at.TOKENS, 26, [_tokens(laid) for laid in state.tokens]),
    ):
        s[where : where + size] = [*values, *[0] * (size - len(values))]
    s[at.HAND : at.QUEUE] = [*hands, *[at.NO_DIE] * (12 - len(hands))]
    s[at.QUEUE : at.BAG] = [*state.queue, *[at.NO_DIE] * (at.QUEUE_MOST - len(state.queue))]
    return m, s


def state_of(m: Masks, s: Smalls, seats: int, options: Options) -> State:
    """Return a row as a state. What rows leave out gets defaults: hidden hands are unknown, tokens lie in the order of
    their features, and the points of stages are missing."""
    ground = playable(options.board).ground(seats)
    state = bare(ground, options.star, options.hidden_hands or seats == 2)
    state.occupied, state.booked, state.backstage = (_get(m, where) for where in (at.OCCUPIED, at.BOOKED, at.PERFORMED))
    for where, masks in (
        (at.OPEN, state.open),
        (at.OWNED, state.owned),
        (at.COLOUR, state.colours),
        (at.FACE, state.faces),
    ):
        masks[:] = [_get(m, where + 2 * number) for number in range(len(masks))]
    for place in range(len(ground.names)):
        for seat in range(seats):
            if (state.open[seat] | state.owned[seat]) >> place & 1:
                tile = sum((_get(m, at.KIND + 2 * plane) >> place & 1) << plane for plane in range(3))
                down = bool(_get(m, at.DOWN) >> place & 1)
                state.tiles[place] = tile_code(seat, tile, down)
                state.boots |= (tile == BOOT and not down) << place
    state.opened = sum(state.open)
    state.complete = m[at.COMPLETE]
    state.turn, state.phase, state.rerolls, state.insta, state.passed, state.bag.total = s[: at.RATING]
    state.rating, state.box, state.banners = (
        s[at.RATING : at.BASICS],
        s[at.BOX : at.BOX + 6],
        s[at.BANNER : at.BANNER_SIZE],
    )
    state.bag.counts = s[at.BAG : at.BANNER]
    state.queue = s[at.QUEUE : at.QUEUE + len(state.queue)]
    for seat in range(seats):
        first = at.HAND + at.HAND_SIZE * seat
        state.hands[seat] = tuple(s[first : first + s[at.DICE + seat]])
        state.held[seat] = tuple(s[at.HELD + 4 * seat : at.HELD + 4 * seat + 4])
        state.beliefs[seat] = UNKNOWN if state.hidden else ()
    for where, values in (
        (at.BASICS, state.basics),
        (at.SPECIALS, state.specials),
        (at.FAMILY_POINTS, state.family_points),
        (at.STAGE_POINTS, state.stage_points),
        (at.MAJORITY_POINTS, state.majority_points),
    ):
        values[:] = s[where : where + seats]
    state.tokens = [_laid(s[at.TOKENS + number]) for number in range(len(ground.stages))]
    state.families = [tuple(groups(mask, ground.near)) for mask in state.colours]
    return state


def unknown(view: View) -> tuple[list[int], Masks, Smalls, list[int]]:
    """Return a view as a table, a row with the viewer's knowledge, and guesses, as `imagine` needs them."""
    state = restore(msgspec.structs.replace(view, bag=1))
    m, s = row_of(state)
    s[at.DICE : at.DICE + view.seats] = [hand.count for hand in view.hands]
    return [*table_for(state)], m, s, _guesses(state, view)


def _guesses(state: State, view: View) -> list[int]:
    """Return all combinations of beliefs about hidden hands with their weights, as the reference computes them."""
    hidden = [seat for seat, hand in enumerate(view.hands) if hand.dice is None]
    together, weights = weighed_beliefs(state, hidden)
    rounded = [round(weight / sum(weights) * FINE) for weight in weights]
    numbers = [sum(rounded)]
    for beliefs, weight in zip(together, rounded, strict=True):
        slots = [0] * (at.SEATS * at.HAND_SIZE)
        for seat, (known, _) in zip(hidden, beliefs, strict=True):
            slots[at.HAND_SIZE * seat : at.HAND_SIZE * seat + len(known)] = map(_known, known)
        numbers += [weight, *slots]
    return numbers


def _known(die: int) -> int:
    colour, face = known_colour(die), known_face(die)
    return 16 + colour if face == BLURRED else 1 + colour * at.FACES + face


def _put(numbers: list[int], where: int, mask: int) -> None:
    numbers[where], numbers[where + 1] = mask & LOW, mask >> at.WORD


def _put_all(numbers: list[int], *groups: tuple[int, Iterable[int]]) -> None:
    for where, masks in groups:
        for number, mask in enumerate(masks):
            _put(numbers, where + 2 * number, mask)


def _get(numbers: list[int], where: int) -> int:
    return numbers[where] | numbers[where + 1] << at.WORD


def _tokens(laid: Iterable[int]) -> int:
    """Pack a stage's tokens: three bits for each feature, the count and whether one is a star."""
    packed = 0
    for token in laid:
        packed += 1 << 3 * (token % at.FACES)
        packed |= (token >= at.FACES) << 3 * (token % at.FACES) + 2
    return packed


def _laid(packed: int) -> tuple[int, ...]:
    each = [(feature, packed >> 3 * feature & 3, packed >> 3 * feature & 4) for feature in range(at.FACES)]
    return tuple(feature + (at.FACES if star else 0) for feature, count, star in each for _ in range(count))


def _banner_size(state: State, colour: int) -> int:
    place = state.banners[colour]
    return state.family_at(colour, place).bit_count() if place >= 0 else 0
