"""Dancers: as small numbers inside the rules, as words for everybody else."""

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
    """Tell whether a dancer is one a Fan Quest asks for: of its colour, or with its arrow."""
    if quest < len(COLOURS):
        return COLOUR_OF[dancer] == quest
    return ARROW_OF[dancer] == quest - len(COLOURS)


def all_dancers() -> Bag:
    return Bag.of(LABELS, [BOX.dancers_of_a_kind] * len(DANCERS))


def listed(counts: list[int]) -> list[Dancer]:
    """Write out counted dancers, sorted by kind."""
    return [DANCERS[kind] for kind, count in enumerate(counts) for _ in range(count)]
