"""The Hype cards, from data/hype.toml. A card names the rules it bends; rules read the bend, never the card."""

from typing import Literal

import msgspec

from .components import DATA

Area = Literal["front-row", "back-row", "corners", "centre", "left-wall", "right-wall"]


class Bends(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules that a Hype card can bend; the defaults are the values without a card."""

    ball: bool = False  # the Beachball goes to the front-left corner, and stays in play
    order: Literal["lowest", "highest"] = "lowest"  # the BPM that plays first
    passed_left: int = 0  # seats by which every song passes to the left after the Drop
    shift: Literal["", "surf", "mosh"] = ""  # how the whole floor moves before the songs
    welcome: Area | None = None  # where everybody may put a token before the songs
    moves: int = 1  # swaps a movement song allows
    breaks: int = 1  # dancers a bathroom break removes
    placements: int = 1  # tokens a song places
    any_colour: bool = False  # songs match every colour
    only_moved: bool = True  # after a move, tokens go on moved dancers only
    bonus: Area | None = None  # the area of a Crowd Bonus
    row_line: int = 3  # fans side by side in a row that make a line
    one_stays: bool = True  # of all the fans in combos, one stays on the floor


class HypeCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    icon: Literal["Y", "X", "ball"]
    bends: Bends
    count: int = 1


class Reveal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    icon: Literal["Y", "X", "ball"]
    bonus: bool

    def allows(self, card: HypeCard) -> bool:
        return card.icon == self.icon and (self.bonus or card.bends.bonus is None)


class Hype(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    recipe: tuple[Reveal, ...]
    bonus_from_round: int
    cards: dict[str, HypeCard]


HYPE = msgspec.toml.decode((DATA / "hype.toml").read_bytes(), type=Hype)
CARDS = tuple(HYPE.cards)
CARD_NUMBER = {card: number for number, card in enumerate(CARDS)}
PLAIN = Bends()
BENDS = (*(card.bends for card in HYPE.cards.values()), PLAIN)  # the last one is for no card, numbered -1
BENT = tuple([name for name in Bends.__struct_fields__ if getattr(one, name) != getattr(PLAIN, name)] for one in BENDS)
COUNTS = tuple(card.count for card in HYPE.cards.values())

BALL = next(number for number, bends in enumerate(BENDS) if bends.ball)
BONUSES = tuple(number for number, bends in enumerate(BENDS) if bends.bonus)
BY_ROUND = tuple(
    tuple(number for number, card in enumerate(HYPE.cards.values()) if reveal.allows(card)) for reveal in HYPE.recipe
)
NAMES_BY_ROUND = tuple(tuple(CARDS[number] for number in numbers) for numbers in BY_ROUND)
