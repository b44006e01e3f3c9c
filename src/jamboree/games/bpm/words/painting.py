"""The table as a person looks at it in a terminal: the floor with the stage on top, and who has what."""

from collections.abc import Iterator, Sequence

import msgspec

from jamboree.core.words import Line, Span

from ..box.components import ARROWS, BOX, COLOURS
from ..box.crate import Song
from ..box.crate_csv import read, say_notes
from ..box.dancers import Dancer
from ..box.room import LETTERS
from ..box.texts import CATALOGUE
from ..visibility.views import Spot, View
from .notation import ARROW_MARKS, GAP_MARK
from .phrases import say_bpm, say_card, say_effect
from .sentences import say_song

WIDTH = 7  # characters of a dancer, those between it and the next included
LONGEST_NAME, LONGEST_SONG = 14, 46
BALL = "o"
TITLE = 32  # characters of a song where two stand on a line


def paint(view: View, names: Sequence[str], lang: str) -> list[Line]:
    return [*_head(view, lang), [], *_floor(view, lang), [], *_players(view, names, lang), *_own(view, lang)]


def paint_small(view: View, names: Sequence[str], lang: str) -> list[Line]:
    """Leave out what only helps to find one's way, and put two songs on a line: for a window of 24 lines."""
    floor = [line for line in _floor(view, lang, legend=False) if line]
    return [*_head(view, lang), *floor, *_players(view, names, lang), *_own_small(view, lang)]


def _head(view: View, lang: str) -> Iterator[Line]:
    extra = view.round - BOX.rounds
    if not view.round:
        yield [Span(CATALOGUE.say(lang, "table.setup"), "strong")]
        yield from ([Span(note, "dim")] for note in say_notes(read(view.crate).notes, lang))
    elif extra > 0:
        yield [Span(CATALOGUE.say(lang, "table.extra", round=extra), "strong")]
    else:
        yield [Span(CATALOGUE.say(lang, "table.round", round=view.round, rounds=BOX.rounds), "strong")]
    if view.card is not None:
        name, text = say_card(view.card, lang), say_effect(view.card, lang)
        yield [Span(CATALOGUE.say(lang, "table.hype", name=name, text=text), "gold")]


def _floor(view: View, lang: str, legend: bool = True) -> Iterator[Line]:
    spots = {spot.cell: spot for spot in view.floor}
    in_line = {cell for line in view.lines for cell in line.cells}
    letters = LETTERS[: view.columns]
    yield [Span("   " + CATALOGUE.say(lang, "table.stage").center(WIDTH * view.columns), "dim")]
    yield [Span("   " + "".join(letter.center(WIDTH - 1).ljust(WIDTH) for letter in letters), "dim")]
    for row in range(1, view.rows + 1):
        cells = [f"{letter}{row}" for letter in letters]
        yield [
            Span(f"{row:>2} ", "dim"),
            *(span for cell in cells for span in _cell(spots.get(cell), cell in in_line, lang)),
        ]
        if view.ball in cells:
            yield [Span(" " * (2 + WIDTH * (cells.index(view.ball) + 1))), Span(BALL, "strong")]
        elif row < view.rows:
            yield []
    if view.ball is not None:
        yield [Span(CATALOGUE.say(lang, "table.ball", cell=view.ball, hop=view.hop))]
    if legend:
        yield [Span(CATALOGUE.say(lang, "table.pile", count=view.pile), "dim")]
        colours = "   ".join(f"{_letter(colour, lang)} {CATALOGUE.say(lang, f'colour.{colour}')}" for colour in COLOURS)
        yield [Span(colours, "dim")]
        yield [Span(CATALOGUE.say(lang, "legend.floor"), "dim")]


def _cell(spot: Spot | None, in_line: bool, lang: str) -> Iterator[Span]:
    left, right = ("[", "]") if in_line else (" ", " ")
    if spot is None:
        yield Span(f" {GAP_MARK}".ljust(WIDTH), "dim")
        return
    yield Span(left, "strong")
    yield Span(_dancer(spot.dancer, lang), spot.dancer.colour)
    yield Span(" ") if spot.fan_of is None else Span(f"{spot.fan_of + 1}", f"seat{spot.fan_of}")
    yield Span(right.ljust(WIDTH - 4), "strong")


def _dancer(dancer: Dancer, lang: str) -> str:
    return _letter(dancer.colour, lang) + ARROW_MARKS[ARROWS.index(dancer.arrow)]


def _letter(colour: str, lang: str) -> str:
    return CATALOGUE.say(lang, f"letter.{colour}")


def _players(view: View, names: Sequence[str], lang: str) -> Iterator[Line]:
    width = min(LONGEST_NAME, max(len(name) for name in names))
    yield [Span(CATALOGUE.say(lang, "table.head", gap=" " * width), "dim")]
    for seat, name in enumerate(names):
        points = view.points[seat]
        yield [
            Span("▶ " if seat in view.to_act else "  ", "strong"),
            Span(f" {seat + 1} ", f"seat{seat}"),
            Span(f" {name[:width]:<{width}}", "strong" if seat == view.viewer else ""),
            Span(f"{points.superfans + points.quest:>6}", "strong"),
            Span(f"{len(view.superfans[seat]):>11}{view.tokens[seat]:>8}  "),
            *_song(view, seat, lang),
        ]


def _song(view: View, seat: int, lang: str) -> Iterator[Span]:
    """Show what a player plays, or how far the secret choice is."""
    playing = view.playing[seat]
    if playing is not None:
        yield Span(_short(playing, lang), playing.colour)
    elif view.phase in ("setlist", "cue"):
        yield Span(CATALOGUE.say(lang, "table.sealed" if view.sealed[seat].done else "table.choosing"), "dim")


def _short(song: Song, lang: str) -> str:
    """Say a song in the width there is; only its title may be cut."""
    text = say_song(song, lang, "song.short")
    if (over := len(text) - LONGEST_SONG) <= 0:
        return text
    title = song.title[: max(len(song.title) - over - 1, 0)].rstrip() + "…"
    return say_song(msgspec.structs.replace(song, title=title), lang, "song.short")


def _own(view: View, lang: str) -> Iterator[Line]:
    """Show what the viewer alone knows."""
    yield from _own_secrets(view, lang)
    songs = _songs(view)
    if songs:
        yield [Span(CATALOGUE.say(lang, "table.hand"), "dim")]
    for song in songs:
        text = say_song(song, lang, "song.held")
        yield [Span("  "), *_bpm(song, lang), Span(f" {text}")]


def _own_small(view: View, lang: str) -> Iterator[Line]:
    """Show the same in fewer lines: the songs two by two, by titles alone."""
    yield from _own_secrets(view, lang)
    songs = _songs(view)
    half = -(-len(songs) // 2)
    for at, song in enumerate(songs[:half]):
        beside = songs[half + at : half + at + 1]
        spans = [
            span for each in (song, *beside) for span in (*_bpm(each, lang), Span(f" {_cut(each, lang):<{TITLE}}"))
        ]
        yield [Span(" "), *spans]


def _cut(song: Song, lang: str) -> str:
    colour = CATALOGUE.say(lang, f"colour.{song.colour}")
    title = f"{song.title}, {colour}"
    return title if len(title) <= TITLE else f"{song.title[: TITLE - len(colour) - 3]}…, {colour}"


def _bpm(song: Song, lang: str) -> Iterator[Span]:
    yield Span(f" {say_bpm(song.bpm, lang):>3} ", song.colour)


def _songs(view: View) -> list[Song]:
    songs = view.hands[view.viewer].songs if isinstance(view.viewer, int) else None
    return sorted(songs or [], key=lambda song: (song.bpm, song.day))


def _own_secrets(view: View, lang: str) -> Iterator[Line]:
    """Show the quest and the cards that the viewer alone knows."""
    if not isinstance(view.viewer, int):
        return
    if quest := view.quests[view.viewer]:
        yield [Span(CATALOGUE.say(lang, "table.quest", quest=CATALOGUE.say(lang, f"quest.{quest}")))]
    if view.drawn:
        yield [Span(CATALOGUE.say(lang, "table.drawn", cards=", ".join(say_card(card, lang) for card in view.drawn)))]
    if known := [say_card(under.card, lang) for under in view.under if under.card]:
        yield [Span(CATALOGUE.say(lang, "table.under", cards=", ".join(known)), "dim")]
