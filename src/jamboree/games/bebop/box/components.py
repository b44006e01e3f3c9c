"""The components in the box, from data/components.toml."""

from pathlib import Path
from typing import NamedTuple

import msgspec

DATA = Path(__file__).parent / "data"


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    dice_per_colour: tuple[int, ...]
    queue: tuple[int, ...]
    tokens_per_feature: tuple[int, ...]
    stars_per_feature: tuple[int, ...]


class Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    player_counts: tuple[int, ...]
    minutes: tuple[int, int]
    colours: tuple[str, ...]
    faces: tuple[str, ...]
    specials: tuple[str, ...]
    seat_colours: tuple[str, ...]
    hand: int
    open_max: int
    basic_seats: int
    counts: Counts


class Box(NamedTuple):
    """The components used with one number of players."""

    dice_per_colour: int
    queue: int
    tokens_per_feature: int
    stars_per_feature: int


def _boxes(components: Components) -> dict[int, Box]:
    counts = components.counts
    columns = zip(
        counts.dice_per_colour, counts.queue, counts.tokens_per_feature, counts.stars_per_feature, strict=True
    )
    return {players: Box(*column) for players, column in zip(components.player_counts, columns, strict=True)}


_COMPONENTS = msgspec.toml.decode((DATA / "components.toml").read_bytes(), type=Components)
_BOXES = _boxes(_COMPONENTS)

PLAYER_COUNTS = _COMPONENTS.player_counts
MINUTES = _COMPONENTS.minutes
COLOURS = _COMPONENTS.colours
FACES = _COMPONENTS.faces
SPECIALS = _COMPONENTS.specials
SEAT_COLOURS = _COMPONENTS.seat_colours
HAND = _COMPONENTS.hand
OPEN_MAX = _COMPONENTS.open_max
BASIC_SEATS = _COMPONENTS.basic_seats


def box(players: int) -> Box:
    return _BOXES[players]
