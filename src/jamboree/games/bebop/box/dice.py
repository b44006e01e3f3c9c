"""Dice and feature tokens: small numbers in states, structs in views and events."""

import msgspec

from .components import COLOURS, FACES

BLURRED = len(FACES)  # the face of a die that may have been rerolled in secret


class Die(msgspec.Struct, frozen=True):
    colour: str
    face: str


class Token(msgspec.Struct, frozen=True):
    feature: str
    star: bool = False


DICE = tuple(Die(colour, face) for colour in COLOURS for face in FACES)
TOKENS = tuple(Token(feature, star) for star in (False, True) for feature in FACES)
TOKEN_LABELS = tuple(f"star {token.feature}" if token.star else token.feature for token in TOKENS)
STAR = len(FACES)  # where a supply of tokens counts its stars

DIE_NUMBER = {die: number for number, die in enumerate(DICE)}
TOKEN_NUMBER = {token: number for number, token in enumerate(TOKENS)}


def die_of(colour: int, face: int) -> int:
    return colour * len(FACES) + face


def colour_of(die: int) -> int:
    return die // len(FACES)


def face_of(die: int) -> int:
    return die % len(FACES)
