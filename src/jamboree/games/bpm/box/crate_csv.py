"""Parser of song crates in CSV, as written by DJ software, spreadsheets and people; every mistake is reported."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from .components import ACTIONS, BOX, COLOURS
from .crate import BadCrate, Crate, CrateMistake, CrateNote, Song, house_source
from .texts import CATALOGUE

COLUMNS = {
    "title": ("title", "track", "track title", "track name", "song", "name"),
    "artist": ("artist", "artists", "artist name", "artist name(s)"),
    "bpm": ("bpm", "tempo"),
    "released": ("released", "release", "release date", "date", "year"),
    "colour": ("colour", "color"),
    "action": ("action",),
}
NEEDED = ("title", "artist", "bpm", "released")
OTHER_WORDS = {"left/right": "left-right", "up/down": "up-down", "bathroom break": "break", "bathroom": "break"}
SEPARATORS = ",;\t"
NUMBER = re.compile(r"[0-9]{1,3}(?:[.,][0-9]+)?")
RELEASED = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
BPM_RANGE = range(20, 301)
LONGEST = 120
LONGEST_SHOWN = 40
MOST_SONGS = 999
TALLEST_ROW = 8  # lines a quoted value may go over; so a line is read again at most so often, however bad they all are
BREAK_WEIGHT = 3 / 4  # bathroom breaks for each of the other actions, as in the deck of the house


class Row:
    """One line of a crate, by columns; its mistakes go to a list that all rows share."""

    def __init__(self, line: int, values: Sequence[str], columns: dict[str, int], mistakes: list[CrateMistake]) -> None:
        self.line, self.values, self.columns, self.mistakes = line, values, columns, mistakes

    def get(self, column: str) -> str:
        at = self.columns.get(column)
        return " ".join(self.values[at].split()) if at is not None and at < len(self.values) else ""

    def note_mistake(self, column: str, key: str, **params: object) -> None:
        """Note a mistake; nothing is wrong with a value whose column is missing, since that is said once."""
        if column in self.columns:
            self.mistakes.append(CrateMistake(self.line, column, key, params))

    def text(self, column: str) -> str:
        value = self.get(column)
        if not value:
            self.note_mistake(column, "empty")
        elif len(value) > LONGEST:
            self.note_mistake(column, "too-long", most=LONGEST)
        elif not value.isprintable():
            self.note_mistake(column, "unprintable")
        return value

    def bpm(self) -> int | float:
        value = self.get("bpm")
        if not value:
            self.note_mistake("bpm", "empty")
        elif not NUMBER.fullmatch(value):
            self.note_mistake("bpm", "no-number", value=_printable(value))
        else:
            bpm = float(value.replace(",", "."))
            if BPM_RANGE[0] <= bpm <= BPM_RANGE[-1]:
                return int(bpm) if bpm.is_integer() else bpm
            self.note_mistake("bpm", "bpm-range", value=_printable(value), least=BPM_RANGE[0], most=BPM_RANGE[-1])
        return 0

    def released(self) -> str:
        value = self.get("released")
        if not value:
            self.note_mistake("released", "empty")
        elif not (match := RELEASED.fullmatch(value)):
            self.note_mistake("released", "no-date", value=_printable(value))
        elif not _is_day(*(int(part or 1) for part in match.groups())):
            self.note_mistake("released", "no-day", value=_printable(value))
        return value

    def word(self, column: str, known: Sequence[str]) -> str:
        """Read a colour or an action; nothing there is no mistake, since it will be dealt."""
        value = self.get(column).casefold()
        value = OTHER_WORDS.get(value, value)
        if value and value not in known:
            self.note_mistake(column, "unknown-word", value=_printable(value), known=", ".join(known))
        return value

    def song(self, number: int) -> Song:
        return Song(
            number,
            self.text("title"),
            self.text("artist"),
            self.bpm(),
            self.released(),
            self.word("colour", COLOURS),
            self.word("action", ACTIONS),
        )


def _printable(value: str) -> str:
    """Give a value as a message shows it: not too long, and nothing in it that a terminal would obey."""
    cut = value if len(value) <= LONGEST_SHOWN else value[: LONGEST_SHOWN - 1] + "…"
    return "".join(letter if letter.isprintable() else "�" for letter in cut)


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        return bool(date(year, month, day))
    except ValueError:
        return False


@lru_cache(maxsize=16)
def read(source: str) -> Crate:
    """Read a crate; raise BadCrate with every mistake in it."""
    source = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in source or not source.strip():
        raise BadCrate([CrateMistake(0, "", "no-text" if "\0" in source else "empty-file", {})])
    mistakes: list[CrateMistake] = []
    rows = list(_rows(source, mistakes))
    unread = len(mistakes)
    rows = [] if unread and rows and mistakes[0].line < rows[0][0] else rows  # nobody knows the columns
    songs, count = _songs(rows, mistakes), max(0, len(rows) - 1)
    least = 0 if unread else BOX.least_songs  # what could not be read may hold any number of songs
    if not least <= count <= MOST_SONGS:
        key = "too-few" if count < least else "too-many"
        mistakes.append(CrateMistake(0, "", key, {"count": count, "least": least, "most": MOST_SONGS}))
    if mistakes:
        raise BadCrate(sorted(mistakes, key=lambda mistake: mistake.line or 1 << 30))
    return Crate(source, _deal_attributes(songs), tuple(_notes(songs)))


def _rows(source: str, mistakes: list[CrateMistake]) -> Iterator[tuple[int, list[str]]]:
    """Give every line that is not blank, with its number; a quoted value may go over several."""
    head = source.lstrip("\n").partition("\n")[0]
    separator = max(SEPARATORS, key=head.count)
    lines, at = [f"{line}\n" for line in source.split("\n")], 0
    while at < len(lines):
        tallest = lines[at : at + TALLEST_ROW]
        reader = csv.reader(tallest, delimiter=separator, strict=True, skipinitialspace=True)
        try:
            values = next(reader)
        except csv.Error:  # where the value should have ended is anybody's guess; go on with the next line
            mistakes.append(CrateMistake(at + 1, "", "bad-quotes", {}))
            at += 1
            continue
        if any(value.strip() for value in values):
            yield at + 1, values
        at += reader.line_num


def _songs(rows: Sequence[tuple[int, list[str]]], mistakes: list[CrateMistake]) -> list[Song]:
    """Read the songs, as many as there may be."""
    if not rows:
        return []
    (line, titles), *rest = rows[: MOST_SONGS + 1]
    columns = _columns(line, titles, mistakes)
    return [
        _song(line, values, columns, number, len(titles), mistakes) for number, (line, values) in enumerate(rest, 1)
    ]


def _columns(line: int, titles: Sequence[str], mistakes: list[CrateMistake]) -> dict[str, int]:
    """Find the columns by their titles."""
    indexes: dict[str, int] = {}
    for at, title in enumerate(titles):
        named = " ".join(title.casefold().split())
        column = next((column for column, names in COLUMNS.items() if named in names), None)
        if column in indexes:
            mistakes.append(CrateMistake(line, column, "column-twice", {}))
        elif column:
            indexes[column] = at
    missing = [column for column in NEEDED if column not in indexes]
    mistakes.extend(
        CrateMistake(line, column, "no-column", {"names": ", ".join(COLUMNS[column])}) for column in missing
    )
    return indexes


def _song(
    line: int, values: Sequence[str], columns: dict[str, int], number: int, width: int, mistakes: list[CrateMistake]
) -> Song:
    if columns and len(values) > width and any(value.strip() for value in values[width:]):
        mistakes.append(CrateMistake(line, "", "too-wide", {"count": len(values), "columns": width}))
    return Row(line, values, columns, mistakes).song(number)


def _deal_attributes(songs: list[Song]) -> tuple[Song, ...]:
    """Deal colours and actions to songs without: always the rarest so far, of a colour's actions too."""
    colours = Counter(song.colour for song in songs)
    actions = Counter((song.colour, song.action) for song in songs if song.colour)
    dealt = []
    for song in songs:
        colour = song.colour or min(COLOURS, key=lambda colour: colours[colour])
        colours[colour] += not song.colour
        if song.action and not song.colour:
            actions[colour, song.action] += 1
        action = song.action or min(ACTIONS, key=lambda action: _share(actions[colour, action], action))
        actions[colour, action] += not song.action
        dealt.append(Song(song.number, song.title, song.artist, song.bpm, song.released, colour, action))
    return tuple(dealt)


def _share(count: int, action: str) -> float:
    return (count + 1) / BREAK_WEIGHT if action == "break" else count + 1.0


def _notes(songs: list[Song]) -> Iterator[CrateNote]:
    for column, missing in (("colour", sum(not s.colour for s in songs)), ("action", sum(not s.action for s in songs))):
        if missing:
            yield CrateNote(f"{column}-dealt", {"count": missing})
    same = Counter((song.bpm, song.day) for song in songs)
    if ties := sum(count for count in same.values() if count > 1):
        yield CrateNote("same-release", {"count": ties})


def say_notes(notes: Sequence[CrateNote], lang: str) -> list[str]:
    return [CATALOGUE.say(lang, f"crate.{note.key}", **note.params) for note in notes]


def own_crate() -> str:
    """Write the fewest songs a table can bring, without colours and actions."""
    songs = read(house_source()).songs[: BOX.least_songs]
    lines = [f'"{song.title}";"{song.artist}";{song.bpm}.00;{song.released[:4]}' for song in songs]
    return "\n".join(["Track Title;Artist;BPM;Date", *lines]) + "\n"
