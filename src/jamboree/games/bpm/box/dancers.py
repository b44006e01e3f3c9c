"""Dancers: small numbers in states, structs in views and events."""

import msgspec

from jamboree.core.chance import Bag

from .components import ARROWS, BOX, COLOURS


class Dancer(msgspec.Struct, frozen=True):
    colour: str
    arrow: str


DANCERS = tuple(Dancer(colour, arrow) for colour in COLOURS for arrow in ARROWS)
LABELS = tuple(f"{dancer.colour} {dancer.arrow}" for dancer in DANCERS)
NUMBER = {dancer: number for number, dancer in enumerate(DANCERS)}

COLOUR_OF = tuple(number // len(ARROWS) for number in range(len(DANCERS)))
ARROW_OF = tuple(number % len(ARROWS) for number in range(len(DANCERS)))


def fits(quest: int, dancer: int) -> bool:
    """Return whether a dancer matches a Fan Quest: by its colour or its arrow."""
    if quest < len(COLOURS):
        return COLOUR_OF[dancer] == quest
    return ARROW_OF[dancer] == quest - len(COLOURS)


def all_dancers() -> Bag:
    return Bag.of(LABELS, [BOX.dancers_of_a_kind] * len(DANCERS))


def listed(counts: list[int]) -> list[Dancer]:
    """Expand counts by kind into a list of dancers."""
    return [DANCERS[kind] for kind, count in enumerate(counts) for _ in range(count)]
