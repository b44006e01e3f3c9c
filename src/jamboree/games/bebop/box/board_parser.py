"""Parser of board files: header, map, regions and dice, with every mistake and its position.

data/boards/FORMAT.md explains the format.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from jamboree.core.errors import JamboreeError

from .components import COLOURS, FACES, PLAYER_COUNTS

HEADERS = ("id", "name", "tagline", "album", "rating", "normals", "palette")
OPTIONAL_HEADERS = ("centre",)
SECTIONS = ("map", "regions", "dice")
LONGEST = 20_000  # characters; the largest sensible board has about a thousand


class BoardMistake(NamedTuple):
    row: int  # line of the file, from 1; 0: the file as a whole
    column: int  # character, from 1; 0: the whole line
    text: str

    def __str__(self) -> str:
        if not self.row:
            return self.text
        if not self.column:
            return f"row {self.row}: {self.text}"
        return f"row {self.row}, column {self.column}: {self.text}"


def sorted_mistakes(mistakes: Iterable[BoardMistake]) -> list[BoardMistake]:
    return sorted(mistakes, key=lambda mistake: (mistake.row, mistake.column))


class BadBoard(JamboreeError):
    """A text that cannot be read as a board, with every mistake found in it."""

    def __init__(self, mistakes: list[BoardMistake]) -> None:
        more = len(mistakes) - 1
        super().__init__(str(mistakes[0]) + (f" (and {more} more)" if more else ""))
        self.mistakes = mistakes

    def __reduce__(self) -> tuple[type["BadBoard"], tuple[list[BoardMistake]]]:
        return BadBoard, (self.mistakes,)


class Fragment(NamedTuple):
    """A bit of text and where it stands in the file."""

    row: int
    column: int
    text: str


@dataclass
class BoardDraft:
    header: dict[str, Fragment] = field(default_factory=dict)
    sections: dict[str, list[Fragment]] = field(default_factory=dict)
    mistakes: list[BoardMistake] = field(default_factory=list)

    def note_mistake(self, row: int, column: int, text: str) -> None:
        self.mistakes.append(BoardMistake(row, column, text))

    def take(self, row: int, line: str, section: str | None) -> str | None:
        """Sort one line into its place and return the section that the next line belongs to."""
        if not line:
            return None
        title = line.removesuffix(":")
        if title in SECTIONS and title != line:
            return self._open_section(row, title, section)
        if section:
            self.sections[section].append(Fragment(row, 1, line))
        else:
            self._take_header(row, line)
        return section

    def _open_section(self, row: int, title: str, section: str | None) -> str:
        if section:
            self.note_mistake(row, 0, f"there is no blank line between '{section}:' and '{title}:'")
        if title in self.sections:
            self.note_mistake(row, 0, f"'{title}:' is here a second time")
        self.sections[title] = []
        return title

    def _take_header(self, row: int, line: str) -> None:
        key, colon, value = line.partition(":")
        key = key.strip()
        if not colon:
            self.note_mistake(row, 1, "this is neither a header line ('key: value') nor part of a section")
        elif key not in HEADERS + OPTIONAL_HEADERS:
            self.note_mistake(row, 1, f"there is no header called {_shortened(key)}")
        elif key in self.header:
            self.note_mistake(row, 1, f"'{key}:' is here a second time")
        else:
            self.header[key] = Fragment(row, len(line) - len(value.lstrip()) + 1, value.strip())


def read(text: str) -> BoardDraft:
    """Sort the lines of a board file; comments are dropped, trailing spaces mean nothing."""
    if len(text) > LONGEST:
        raise BadBoard([BoardMistake(0, 0, f"the file is too long for a board: more than {LONGEST} characters")])
    draft, section = BoardDraft(), None
    for row, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not raw.startswith("#"):
            _find_tabs(draft, row, raw)
            section = draft.take(row, raw.rstrip(), section)
    return draft


def decode(data: str | bytes) -> str:
    """Decode a file's contents; BadBoard points at the first byte that is not UTF-8."""
    try:
        return data if isinstance(data, str) else data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        row, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise BadBoard([BoardMistake(row, column, "this is not UTF-8 text")]) from None


def _find_tabs(draft: BoardDraft, row: int, raw: str) -> None:
    for column, character in enumerate(raw, 1):
        if character == "\t":
            draft.note_mistake(row, column, "there is a tab here; use spaces")


def _shortened(text: str) -> str:
    return ascii(text) if len(text) <= 20 else ascii(text[:20]) + "…"


NUMBER = "[1-9][0-9]{0,2}"
PAINT = "[^,#]*[^,# ] *(#[0-9a-fA-F]{6} *)?"


class Paint(NamedTuple):
    name: str
    code: str  # "#rrggbb", or "" where the designer leaves it to the artist


class BoardHeader(NamedTuple):
    id: str
    name: str
    tagline: str
    album: str
    rating: tuple[int, int, int]
    normals: tuple[int, int, int]
    palette: tuple[Paint, ...]
    centre: str | None


def read_header(draft: BoardDraft) -> BoardHeader:
    """Read the header; its values are only right if the draft has no mistakes."""
    _check_lines(draft)
    return BoardHeader(
        id=_match(draft, "id", "[a-z0-9]+(-[a-z0-9]+)*", "small letters, digits and single hyphens"),
        name=_match(draft, "name"),
        tagline=_match(draft, "tagline"),
        album=_match(draft, "album"),
        rating=_three(draft, "rating"),
        normals=_three(draft, "normals"),
        palette=_palette(draft),
        centre=_match(draft, "centre", "[A-Z]", "the capital letter of a stage") or None,
    )


def _check_lines(draft: BoardDraft) -> None:
    for key in HEADERS:
        if key not in draft.header:
            draft.note_mistake(0, 0, f"the header has no line '{key}:'")
    for key, value in draft.header.items():
        if not value.text:
            draft.note_mistake(value.row, 0, f"'{key}:' is empty")
        elif not value.text.isprintable():
            draft.note_mistake(value.row, value.column, f"'{key}:' has a character that cannot be shown")


def _three(draft: BoardDraft, key: str) -> tuple[int, int, int]:
    text = _match(draft, key, f"{NUMBER}( +{NUMBER}){{2}}", "three whole numbers, for 2, 3 and 4 players")
    two, three, four = text.split() if text else "000"
    return int(two), int(three), int(four)


def _palette(draft: BoardDraft) -> tuple[Paint, ...]:
    text = _match(draft, "palette", f"{PAINT}(,{PAINT}){{2}}", "three colours, like 'sea #2b8fa3, sand, coral'")
    return tuple(_paint(colour) for colour in text.split(","))


def _paint(colour: str) -> Paint:
    name, mark, code = colour.partition("#")
    return Paint(name.strip(), mark + code.strip())


def _match(draft: BoardDraft, key: str, pattern: str = ".*", expected: str = "a line of text") -> str:
    value = draft.header.get(key)
    if not value or not value.text.isprintable():
        return ""
    if value.text and not re.fullmatch(pattern, value.text):
        draft.note_mistake(value.row, value.column, f"'{key}:' wants {expected}")
        return ""
    return value.text


STAGES = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
DICE = ROWS = tuple("abcdefghijklmnopqrstuvwxyz")
WIDEST = 99  # characters of a row; the boards in the box have 35
NORMAL, VIP = ".", "*"
REGIONS = {str(players): players for players in PLAYER_COUNTS}

Place = tuple[int, int]  # column and row of the text map, from 0
Picture = dict[Place, Fragment]
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


class DieEntry(NamedTuple):
    """A line of the dice list."""

    row: int
    column: int
    die: Die


def read_hexes(draft: BoardDraft) -> tuple[Hex, ...]:
    """Read map, regions and dice; there are no hexes as long as the draft has mistakes."""
    kinds, regions, dice = _picture(draft, "map"), _picture(draft, "regions"), _dice(draft)
    _check_symbols(draft, kinds, (*STAGES, *DICE, NORMAL, VIP))
    _check_symbols(draft, regions, tuple(REGIONS))
    _check_rows(draft)
    _check_stagger(draft, kinds)
    _check_shape(draft, kinds, regions)
    _check_dice(draft, kinds, dice)
    return () if draft.mistakes else tuple(_hexes(kinds, regions, dice))


def _hexes(kinds: Picture, regions: Picture, dice: dict[str, DieEntry]) -> Iterator[Hex]:
    number = [0] * len(ROWS)
    for (x, y), spot in kinds.items():
        number[y] += 1
        name, region = f"{ROWS[y]}{number[y]}", REGIONS[regions[x, y].text]
        die = dice[spot.text].die if spot.text in dice else None
        yield Hex(name, spot.text, region, x, y, spot.row, spot.column, die)


def _picture(draft: BoardDraft, section: str) -> Picture:
    picture = {
        (x, y): Fragment(line.row, x + 1, symbol)
        for y, line in enumerate(draft.sections.get(section, ()))
        for x, symbol in enumerate(line.text)
        if symbol not in " \t"
    }
    if not picture:
        draft.note_mistake(0, 0, f"there are no hexes under '{section}:'")
    return picture


def _check_symbols(draft: BoardDraft, picture: Picture, known: tuple[str, ...]) -> None:
    for spot in picture.values():
        if spot.text not in known:
            draft.note_mistake(spot.row, spot.column, f"unknown symbol {spot.text!a}")


def _check_rows(draft: BoardDraft) -> None:
    for line in draft.sections.get("map", [])[len(ROWS) :]:
        draft.note_mistake(line.row, 0, f"this row is one too many: rows are named a to z, so there are {len(ROWS)}")
    for line in draft.sections.get("map", []):
        if len(line.text) > WIDEST:
            draft.note_mistake(line.row, WIDEST + 1, f"this row is too wide: a row has at most {WIDEST} characters")


def _check_stagger(draft: BoardDraft, kinds: Picture) -> None:
    """Find, in each row, the first hex that is a character off against most of the map."""
    odd = sum((x + y) % 2 for x, y in kinds)
    stray = 1 if odd * 2 <= len(kinds) else 0
    for spot in _first_of_rows({(x, y): spot for (x, y), spot in kinds.items() if (x + y) % 2 == stray}):
        draft.note_mistake(spot.row, spot.column, "rows are not staggered: this hex is one character off")


def _check_shape(draft: BoardDraft, kinds: Picture, regions: Picture) -> None:
    """Find, in each row, the first place where only one of the two pictures has something."""
    if not kinds or not regions:
        return
    for spot in _first_of_rows({place: kinds[place] for place in kinds.keys() - regions.keys()}):
        draft.note_mistake(spot.row, spot.column, "map and regions differ in shape: no digit for this hex")
    for spot in _first_of_rows({place: regions[place] for place in regions.keys() - kinds.keys()}):
        draft.note_mistake(spot.row, spot.column, "map and regions differ in shape: no hex for this digit")


def _first_of_rows(picture: Picture) -> list[Fragment]:
    first: dict[int, Fragment] = {}
    for x, y in sorted(picture):
        first.setdefault(y, picture[x, y])
    return list(first.values())


def _dice(draft: BoardDraft) -> dict[str, DieEntry]:
    dice: dict[str, DieEntry] = {}
    for line in draft.sections.get("dice", ()):
        words = [Fragment(line.row, word.start() + 1, word.group()) for word in re.finditer(r"\S+", line.text)]
        if len(words) != 3:
            draft.note_mistake(line.row, 0, "a die is a letter, a colour and a face, like 'c aqua keys'")
            continue
        letter, colour, face = words
        if letter.text in dice:
            draft.note_mistake(letter.row, letter.column, f"die {letter.text!a} is listed twice")
        _check_word(draft, colour, "colour", COLOURS)
        _check_word(draft, face, "face", FACES)
        dice[letter.text] = DieEntry(letter.row, letter.column, (colour.text, face.text))
    return dice


def _check_word(draft: BoardDraft, word: Fragment, what: str, known: tuple[str, ...]) -> None:
    if word.text not in known:
        draft.note_mistake(word.row, word.column, f"unknown {what} {word.text!a}: known are {', '.join(known)}")


def _check_dice(draft: BoardDraft, kinds: Picture, dice: dict[str, DieEntry]) -> None:
    """Compare the letters on the map with those listed: each once here and there."""
    drawn: set[str] = set()
    for spot in kinds.values():
        if spot.text in drawn:
            draft.note_mistake(spot.row, spot.column, f"die '{spot.text}' is on the map twice")
        elif spot.text in DICE:
            drawn.add(spot.text)
            if spot.text not in dice:
                draft.note_mistake(spot.row, spot.column, f"die '{spot.text}' is not listed under 'dice:'")
    for letter in dice.keys() - drawn:
        draft.note_mistake(dice[letter].row, dice[letter].column, f"die {letter!a} is not on the map")
