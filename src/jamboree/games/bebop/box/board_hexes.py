"""The hexes of a board file, from its map, regions and dice; mistakes are noted in the draft."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .board_text import Draft, Piece
from .components import COLOURS, FACES, PLAYER_COUNTS

STAGES = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
DICE = ROWS = tuple("abcdefghijklmnopqrstuvwxyz")
WIDEST = 99  # characters of a row; the boards in the box have 35
NORMAL, VIP = ".", "*"
REGIONS = {str(players): players for players in PLAYER_COUNTS}

Place = tuple[int, int]  # column and row of the text map, from 0
Picture = dict[Place, Piece]
Die = tuple[str, str]  # colour and face


class Hex(NamedTuple):
    name: str
    symbol: str
    region: int  # the smallest number of players that uses it
    x: int
    y: int
    row: int  # line of the file, from 1
    column: int  # character of that line, from 1
    die: Die | None

    @property
    def is_normal(self) -> bool:
        return self.symbol == NORMAL or self.die is not None

    @property
    def is_vip(self) -> bool:
        return self.symbol == VIP

    @property
    def is_stage(self) -> bool:
        return self.symbol in STAGES


class Listed(NamedTuple):
    """A line of the dice list."""

    row: int
    column: int
    die: Die


def read_hexes(draft: Draft) -> tuple[Hex, ...]:
    """Read map, regions and dice; there are no hexes as long as the draft has mistakes."""
    kinds, regions, dice = _picture(draft, "map"), _picture(draft, "regions"), _dice(draft)
    _check_symbols(draft, kinds, (*STAGES, *DICE, NORMAL, VIP))
    _check_symbols(draft, regions, tuple(REGIONS))
    _check_rows(draft)
    _check_stagger(draft, kinds)
    _check_shape(draft, kinds, regions)
    _check_dice(draft, kinds, dice)
    return () if draft.mistakes else tuple(_hexes(kinds, regions, dice))


def _hexes(kinds: Picture, regions: Picture, dice: dict[str, Listed]) -> Iterator[Hex]:
    number = [0] * len(ROWS)
    for (x, y), spot in kinds.items():
        number[y] += 1
        name, region = f"{ROWS[y]}{number[y]}", REGIONS[regions[x, y].text]
        die = dice[spot.text].die if spot.text in dice else None
        yield Hex(name, spot.text, region, x, y, spot.row, spot.column, die)


def _picture(draft: Draft, section: str) -> Picture:
    picture = {
        (x, y): Piece(line.row, x + 1, symbol)
        for y, line in enumerate(draft.sections.get(section, ()))
        for x, symbol in enumerate(line.text)
        if symbol not in " \t"
    }
    if not picture:
        draft.wrong(0, 0, f"there are no hexes under '{section}:'")
    return picture


def _check_symbols(draft: Draft, picture: Picture, known: tuple[str, ...]) -> None:
    for spot in picture.values():
        if spot.text not in known:
            draft.wrong(spot.row, spot.column, f"unknown symbol {spot.text!a}")


def _check_rows(draft: Draft) -> None:
    for line in draft.sections.get("map", [])[len(ROWS) :]:
        draft.wrong(line.row, 0, f"this row is one too many: rows are named a to z, so there are {len(ROWS)}")
    for line in draft.sections.get("map", []):
        if len(line.text) > WIDEST:
            draft.wrong(line.row, WIDEST + 1, f"this row is too wide: a row has at most {WIDEST} characters")


def _check_stagger(draft: Draft, kinds: Picture) -> None:
    """Find, in each row, the first hex that is a character off against most of the map."""
    odd = sum((x + y) % 2 for x, y in kinds)
    stray = 1 if odd * 2 <= len(kinds) else 0
    for spot in _first_of_rows({(x, y): spot for (x, y), spot in kinds.items() if (x + y) % 2 == stray}):
        draft.wrong(spot.row, spot.column, "rows are not staggered: this hex is one character off")


def _check_shape(draft: Draft, kinds: Picture, regions: Picture) -> None:
    """Find, in each row, the first place where only one of the two pictures has something."""
    if not kinds or not regions:
        return
    for spot in _first_of_rows({place: kinds[place] for place in kinds.keys() - regions.keys()}):
        draft.wrong(spot.row, spot.column, "map and regions differ in shape: no digit for this hex")
    for spot in _first_of_rows({place: regions[place] for place in regions.keys() - kinds.keys()}):
        draft.wrong(spot.row, spot.column, "map and regions differ in shape: no hex for this digit")


def _first_of_rows(picture: Picture) -> list[Piece]:
    first: dict[int, Piece] = {}
    for x, y in sorted(picture):
        first.setdefault(y, picture[x, y])
    return list(first.values())


def _dice(draft: Draft) -> dict[str, Listed]:
    dice: dict[str, Listed] = {}
    for line in draft.sections.get("dice", ()):
        words = [Piece(line.row, word.start() + 1, word.group()) for word in re.finditer(r"\S+", line.text)]
        if len(words) != 3:
            draft.wrong(line.row, 0, "a die is a letter, a colour and a face, like 'c aqua keys'")
            continue
        letter, colour, face = words
        if letter.text in dice:
            draft.wrong(letter.row, letter.column, f"die {letter.text!a} is listed twice")
        _check_word(draft, colour, "colour", COLOURS)
        _check_word(draft, face, "face", FACES)
        dice[letter.text] = Listed(letter.row, letter.column, (colour.text, face.text))
    return dice


def _check_word(draft: Draft, word: Piece, what: str, known: tuple[str, ...]) -> None:
    if word.text not in known:
        draft.wrong(word.row, word.column, f"unknown {what} {word.text!a}: known are {', '.join(known)}")


def _check_dice(draft: Draft, kinds: Picture, dice: dict[str, Listed]) -> None:
    """Compare the letters on the map with those listed: each once here and there."""
    drawn: set[str] = set()
    for spot in kinds.values():
        if spot.text in drawn:
            draft.wrong(spot.row, spot.column, f"die '{spot.text}' is on the map twice")
        elif spot.text in DICE:
            drawn.add(spot.text)
            if spot.text not in dice:
                draft.wrong(spot.row, spot.column, f"die '{spot.text}' is not listed under 'dice:'")
    for letter in dice.keys() - drawn:
        draft.wrong(dice[letter].row, dice[letter].column, f"die {letter!a} is not on the map")
