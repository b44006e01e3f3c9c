"""Reads a crate from CSV as programs for DJs, spreadsheets and people write it, and finds every mistake at once."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from .components import ACTIONS, BOX, COLOURS
from .crate import BadCrate, Crate, Mistake, Note, Song
from .speech import CATALOGUE

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
NUMBER = re.compile(r"\d{1,3}(?:[.,]\d+)?")
RELEASED = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
BPM_RANGE = range(20, 301)
LONGEST = 120
MOST_SONGS = 999
BREAK_WEIGHT = 3 / 4  # bathroom breaks for each of the other actions, as in the deck of the house


class Row:
    """One line of a crate, by columns; its mistakes go to a list that all rows share."""

    def __init__(self, line: int, values: Sequence[str], columns: dict[str, int], mistakes: list[Mistake]) -> None:
        self.line, self.values, self.columns, self.mistakes = line, values, columns, mistakes

    def get(self, column: str) -> str:
        at = self.columns.get(column)
        return " ".join(self.values[at].split()) if at is not None and at < len(self.values) else ""

    def wrong(self, column: str, key: str, **params: object) -> None:
        self.mistakes.append(Mistake(self.line, column, key, params))

    def text(self, column: str) -> str:
        value = self.get(column)
        if not value:
            self.wrong(column, "empty")
        elif len(value) > LONGEST:
            self.wrong(column, "too-long", most=LONGEST)
        elif not value.isprintable():
            self.wrong(column, "unprintable")
        return value

    def bpm(self) -> int:
        value = self.get("bpm")
        if not value:
            self.wrong("bpm", "empty")
        elif not NUMBER.fullmatch(value):
            self.wrong("bpm", "no-number", value=value)
        else:
            bpm = int(float(value.replace(",", ".")) + 0.5)
            if bpm in BPM_RANGE:
                return bpm
            self.wrong("bpm", "bpm-range", value=value, least=BPM_RANGE[0], most=BPM_RANGE[-1])
        return 0

    def released(self) -> str:
        value = self.get("released")
        if not value:
            self.wrong("released", "empty")
        elif not (match := RELEASED.fullmatch(value)):
            self.wrong("released", "no-date", value=value)
        elif not _is_day(*(int(part or 1) for part in match.groups())):
            self.wrong("released", "no-day", value=value)
        return value

    def word(self, column: str, known: Sequence[str]) -> str:
        """Read a colour or an action; nothing there is no mistake, since it will be dealt."""
        value = self.get(column).casefold()
        value = OTHER_WORDS.get(value, value)
        if value and value not in known:
            self.wrong(column, "unknown-word", value=value, known=", ".join(known))
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


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        return bool(date(year, month, day))
    except ValueError:
        return False


@lru_cache(maxsize=16)
def read(source: str) -> Crate:
    """Read a crate; raise BadCrate with every mistake in it."""
    source = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    mistakes: list[Mistake] = []
    rows = list(_rows(source, mistakes))
    columns = _columns(*rows[0], mistakes) if rows else {}
    songs = [_song(line, values, columns, number, len(rows[0][1]), mistakes)
             for number, (line, values) in enumerate(rows[1:], 1)] if columns else []  # fmt: skip
    if (columns or not rows) and not BOX.least_songs <= len(songs) <= MOST_SONGS:
        key = "too-few" if len(songs) < BOX.least_songs else "too-many"
        mistakes.append(Mistake(0, "", key, {"count": len(songs), "least": BOX.least_songs, "most": MOST_SONGS}))
    if mistakes:
        mistakes.sort(key=lambda mistake: mistake.line or 1 << 30)
        raise BadCrate(mistakes, say_mistakes(mistakes, "en"))
    return Crate(source, _dealt(songs), tuple(_notes(songs)))


def _rows(source: str, mistakes: list[Mistake]) -> Iterator[tuple[int, list[str]]]:
    """Give every line that is not blank, with its number; a quoted value may go over several."""
    head = source.lstrip("\n").partition("\n")[0]
    separator = max(SEPARATORS, key=head.count)
    reader = csv.reader(io.StringIO(source), delimiter=separator, strict=True, skipinitialspace=True)
    start = 1
    try:
        for values in reader:
            if any(value.strip() for value in values):
                yield start, values
            start = reader.line_num + 1
    except csv.Error:
        mistakes.append(Mistake(start, "", "bad-quotes", {}))


def _columns(line: int, titles: Sequence[str], mistakes: list[Mistake]) -> dict[str, int]:
    """Find the columns by their titles; none if one that is needed is missing, since no line can be read then."""
    found: dict[str, int] = {}
    for at, title in enumerate(titles):
        named = " ".join(title.casefold().split())
        column = next((column for column, names in COLUMNS.items() if named in names), None)
        if column in found:
            mistakes.append(Mistake(line, column, "column-twice", {}))
        elif column:
            found[column] = at
    missing = [column for column in NEEDED if column not in found]
    mistakes.extend(Mistake(line, column, "no-column", {"names": ", ".join(COLUMNS[column])}) for column in missing)
    return {} if missing else found


def _song(
    line: int, values: Sequence[str], columns: dict[str, int], number: int, width: int, mistakes: list[Mistake]
) -> Song:
    if len(values) > width and any(value.strip() for value in values[width:]):
        mistakes.append(Mistake(line, "", "too-wide", {"count": len(values), "columns": width}))
    return Row(line, values, columns, mistakes).song(number)


def _dealt(songs: list[Song]) -> tuple[Song, ...]:
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


def _notes(songs: list[Song]) -> Iterator[Note]:
    for column, missing in (("colour", sum(not s.colour for s in songs)), ("action", sum(not s.action for s in songs))):
        if missing:
            yield Note(f"{column}-dealt", {"count": missing})
    same = Counter((song.bpm, song.day) for song in songs)
    if ties := sum(count for count in same.values() if count > 1):
        yield Note("same-release", {"count": ties})


def say_mistakes(mistakes: Sequence[Mistake], lang: str) -> str:
    """List the mistakes, each with its line and column."""
    head = CATALOGUE.say(lang, "crate.bad", count=len(mistakes))
    return "\n".join([head, *(_say(mistake, lang) for mistake in mistakes)])


def _say(mistake: Mistake, lang: str) -> str:
    place = "crate.place" if mistake.column else "crate.place.line" if mistake.line else "crate.place.whole"
    where = CATALOGUE.say(lang, place, line=mistake.line, column=mistake.column)
    what = CATALOGUE.say(lang, f"crate.{mistake.key}", column=mistake.column, **mistake.params)
    return f"{where}: {what}"


def say_notes(notes: Sequence[Note], lang: str) -> list[str]:
    return [CATALOGUE.say(lang, f"crate.{note.key}", **note.params) for note in notes]
