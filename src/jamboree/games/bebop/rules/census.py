"""Census: counts every component of the box, which no action may change."""

from collections import Counter
from collections.abc import Mapping

from ..box.components import COLOURS
from ..box.dice import STAR, TOKEN_LABELS, colour_of
from .actions import BASIC, TILES
from .state import NO_DIE, State, read_tile


def census(state: State) -> Mapping[str, int]:
    return _dice(state) + _tiles(state) + _tokens(state)


def _dice(state: State) -> Counter[str]:
    """Count dice by colour: in the bag, the queue, hands, and on seats."""
    counted = Counter({f"{colour} dice": n for colour, n in zip(COLOURS, state.bag.counts, strict=True)})
    for die in (*state.queue, *(die for hand in state.hands for die in hand)):
        if die != NO_DIE:
            counted[f"{COLOURS[colour_of(die)]} dice"] += 1
    for colour, mask in zip(COLOURS, state.colours, strict=True):
        counted[f"{colour} dice"] += (mask & ~state.ground.printed).bit_count()
    return counted


def _tiles(state: State) -> Counter[str]:
    """Count each player's seats: in the supply and on the board."""
    counted: Counter[str] = Counter()
    for seat in range(state.seats):
        counted[f"{TILES[BASIC]} seats of {seat}"] += state.basics[seat]
        for tile, name in enumerate(TILES):
            counted[f"{name} seats of {seat}"] += state.specials[seat] >> tile & 1
    for code in state.tiles:
        if code:
            seat, tile, _ = read_tile(code)
            counted[f"{TILES[tile]} seats of {seat}"] += 1
    return counted


def _tokens(state: State) -> Counter[str]:
    """Count tokens on stages, with players and in the box; a star that is held no longer shows its feature."""
    counted: Counter[str] = Counter()
    for token in (token for stage in state.tokens for token in stage):
        counted[_token_name(token)] += 1
    for token, left in enumerate(state.box):
        counted[_token_name(token)] += left
    for held in state.held:
        for token, count in enumerate(held):
            counted[_token_name(token)] += count
    return counted


def _token_name(token: int) -> str:
    return "star tokens" if token >= STAR else f"{TOKEN_LABELS[token]} tokens"
