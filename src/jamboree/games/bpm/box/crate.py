"""The song deck: sixty songs of the house, or what a table brings along in its own crate."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from jamboree.core.errors import BadOptions, Flaw
from jamboree.core.words import list_flaws

from .components import ACTIONS, COLOURS, DATA
from .texts import CATALOGUE


class Song(msgspec.Struct, frozen=True):
    number: int  # its place in the crate, from 1
    title: str
    artist: str
    bpm: int | float  # with decimals where a crate has them: the order goes by the exact number
    released: str  # a year, a month or a day: 1987, 1987-05, 1987-05-04
    colour: str
    action: str

    @property
    def day(self) -> str:
        """Give the release as a day; what is left open counts as its first."""
        return self.released + "-01-01"[len(self.released) - 4 :]


class CrateMistake(NamedTuple):
    """What is wrong in a crate, and where; line 0 means the crate as a whole."""

    line: int
    column: str
    key: str
    params: dict[str, object]


class CrateNote(NamedTuple):
    """What was decided about a crate that left something open."""

    key: str
    params: dict[str, object]


class BadCrate(BadOptions):
    """A song deck that can't be played with; `mistakes` lists all that is wrong with it."""

    def __init__(self, mistakes: Sequence[CrateMistake]) -> None:
        super().__init__(say_mistakes(mistakes, "en"))
        self.mistakes = mistakes

    def say(self, lang: str) -> str:
        return say_mistakes(self.mistakes, lang)

    def listed(self, lang: str) -> list[Flaw]:
        return _flaws(self.mistakes, lang)


def say_mistakes(mistakes: Sequence[CrateMistake], lang: str) -> str:
    """Count the mistakes and list the first, each with its line and column."""
    head = CATALOGUE.say(lang, "crate.bad", count=len(mistakes))
    return "\n".join([head, *(flaw.sentence for flaw in _flaws(mistakes, lang))])


def _flaws(mistakes: Sequence[CrateMistake], lang: str) -> list[Flaw]:
    return list_flaws(mistakes, lambda mistake: Flaw(mistake.line, _say(mistake, lang)), lang)


def _say(mistake: CrateMistake, lang: str) -> str:
    place = "crate.place" if mistake.column else "crate.place.line" if mistake.line else "crate.place.whole"
    where = CATALOGUE.say(lang, place, line=mistake.line, column=mistake.column)
    what = CATALOGUE.say(lang, f"crate.{mistake.key}", column=mistake.column, **mistake.params)
    return f"{where}: {what}"


class Crate:
    """A sound song deck. Its source is the text it was read from; songs are numbers from 0 inside the rules."""

    def __init__(self, source: str, songs: tuple[Song, ...], notes: tuple[CrateNote, ...] = ()) -> None:
        self.source, self.songs, self.notes = source, songs, notes
        self.labels = tuple(f"{song.number} {song.title}" for song in songs)
        self.colours = tuple(COLOURS.index(song.colour) for song in songs)
        self.actions = tuple(ACTIONS.index(song.action) for song in songs)
        # lowest BPM first; in case of a tie the earlier release, then the earlier line of the crate
        self.rank = {
            "lowest": _ranks([(song.bpm, song.day, song.number) for song in songs]),
            "highest": _ranks([(-song.bpm, song.day, song.number) for song in songs]),
        }


def _ranks(keys: list[tuple[float, str, int]]) -> tuple[int, ...]:
    place = {key: rank for rank, key in enumerate(sorted(keys))}
    return tuple(place[key] for key in keys)


def house_source() -> str:
    return (DATA / "songs.csv").read_text("utf-8")
