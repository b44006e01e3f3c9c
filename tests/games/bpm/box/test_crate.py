"""The song deck: the packaged songs and custom crates."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions
from jamboree.core.journal import check, read, write
from jamboree.core.play import Match
from jamboree.core.words import MOST_FLAWS
from jamboree.games.bpm.box.components import ACTIONS, BOX, COLOURS
from jamboree.games.bpm.box.crate import BadCrate, Crate, house_source
from jamboree.games.bpm.box.crate_csv import MOST_SONGS, TALLEST_ROW, own_crate
from jamboree.games.bpm.box.crate_csv import read as read_crate
from jamboree.games.bpm.rules.setup import Options
from jamboree.games.bpm.words.prompts import remarks
from jamboree.games.bpm.words.sentences import say_song

from ..table import BPM

HEAD = "title,artist,bpm,released,colour,action"


def lines(count: int = 44) -> list[str]:
    """Return lines of valid songs."""
    return [f"Song {n},Band {n},{60 + n},19{50 + n % 50},red,hop" for n in range(count)]


def crate(*rows: str, head: str = HEAD, end: str = "\n") -> Crate:
    return read_crate(end.join([head, *rows]) + end)


def mistakes(*rows: str, head: str = HEAD) -> list[tuple[int, str, str]]:
    with pytest.raises(BadCrate) as caught:
        crate(*rows, head=head)
    return [(mistake.line, mistake.column, mistake.key) for mistake in caught.value.mistakes]


def test_sixty_songs_of_the_house() -> None:
    songs = read_crate(house_source()).songs
    assert len(songs) == 60
    kinds = Counter((song.colour, song.action) for song in songs)
    assert kinds == {(colour, action): 3 if action == "break" else 4 for colour in COLOURS for action in ACTIONS}
    assert all(60 <= song.bpm <= 180 for song in songs)
    assert len({(song.bpm, song.released) for song in songs}) == 60
    assert len({song.title for song in songs}) == len({song.artist for song in songs}) == 60
    assert all("1950" < song.released < "2020" and len(song.released) == 10 for song in songs)
    assert read_crate(house_source()).notes == ()


def test_a_good_crate() -> None:
    found = crate(*lines())
    assert len(found.songs) == 44
    assert found.notes == ()
    assert (found.songs[0].title, found.songs[0].bpm, found.songs[0].released) == ("Song 0", 60, "1950")


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("Title,ARTIST, Bpm ,Released,Colour,Action", "A,B,124,1987,red,hop"),
        ("action,colour,released,bpm,artist,title", "hop,red,1987,124,B,A"),
        ("Track Title;Artist;BPM;Date;Color;Action", "A;B;124;1987;red;hop"),
        ("name\tartist\ttempo\tyear\tcolour\taction", "A\tB\t124\t1987\tred\thop"),
        ("#,title,artist,key,bpm,released,colour,action", "1,A,B,8A,124,1987,red,hop"),
        ('"title","artist","bpm","released","colour","action"', '"A","B","124","1987","red","hop"'),
        ("title,artist,bpm,released,colour,action", " A , B ,124.00,1987, RED , Hop "),
        ("title,artist,bpm,released,colour,action", 'A,B,"124,0",1987,red,hop'),
    ],
)
def test_crates_as_programs_write_them(head: str, row: str) -> None:
    first = crate(*[row] * 44, head=head).songs[0]
    assert first == msgspec.structs.replace(first, title="A", artist="B", bpm=124, colour="red", action="hop")
    assert first.released == "1987"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_like_and_a_byte_order_mark_is_fine(end: str) -> None:
    assert crate(*lines(), head="\ufeff" + HEAD, end=end).songs == crate(*lines()).songs


def test_blank_lines_and_quotes() -> None:
    rows = ["", '"Yes, ""that"" one","Simon, Garfunkel & Co",90,1970,red,hop', " , , , , , ", *lines(43)]
    first = crate(*rows).songs[0]
    assert first.title == 'Yes, "that" one'
    assert first.artist == "Simon, Garfunkel & Co"


def test_other_words_for_actions() -> None:
    rows = [
        f"A,B,{90 + n},1970,red,{word}" for n, word in enumerate(("Left/Right", "up/down", "Bathroom Break", "hop"))
    ]
    assert [song.action for song in crate(*rows, *lines(40)).songs[:4]] == ["left-right", "up-down", "break", "hop"]


def test_every_mistake_is_reported_at_once_with_its_line_and_column() -> None:
    rows = [
        ",B,124,1987,red,hop",
        "A,,fast,1987,red,hop",
        "A,B,12,1987,red,hop",
        "A,B,124,04/05/1987,red,hop",
        "A,B,124,1987-02-30,pink,jump",
        "A,B,,,red,hop",
        "A,B,C,124,1987,red,hop",
        f"{'A' * 121},B\x07,124,1987,red,hop",
    ]
    assert mistakes(*rows, *lines()) == [
        (2, "title", "empty"),
        (3, "artist", "empty"),
        (3, "bpm", "no-number"),
        (4, "bpm", "bpm-range"),
        (5, "released", "no-date"),
        (6, "released", "no-day"),
        (6, "colour", "unknown-word"),
        (6, "action", "unknown-word"),
        (7, "bpm", "empty"),
        (7, "released", "empty"),
        (8, "", "too-wide"),
        (8, "bpm", "no-number"),
        (8, "released", "no-date"),
        (8, "colour", "unknown-word"),
        (8, "action", "unknown-word"),
        (9, "title", "too-long"),
        (9, "artist", "unprintable"),
    ]


def test_a_quoted_line_break_keeps_the_line_numbers_right() -> None:
    assert mistakes('"A\nB",C,90,1970,red,hop', "A,B,124,never,red,hop", *lines()) == [(4, "released", "no-date")]


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("title,x,bpm,y,z", [(1, "artist", "no-column"), (1, "released", "no-column")]),
        ("title,artist,bpm,date,year", [(1, "released", "column-twice")]),
    ],
)
def test_columns_that_are_missing_or_there_twice(head: str, found: list[tuple[int, str, str]]) -> None:
    assert mistakes(*["A,B,124,1987,1988"] * 44, head=head) == found


def test_without_a_column_the_others_are_checked_still() -> None:
    assert mistakes("A,fast,1987", "A,90,never", ",90,1987", "A,90,1987,1", head="title,bpm,date") == [
        (1, "artist", "no-column"),
        (2, "bpm", "no-number"),
        (3, "released", "no-date"),
        (4, "title", "empty"),
        (5, "", "too-wide"),
        (0, "", "too-few"),
    ]


def test_too_few_and_too_many() -> None:
    assert mistakes(*lines(43)) == [(0, "", "too-few")]
    assert mistakes(*["A,B,124,1987,red,hop"] * 1000) == [(0, "", "too-many")]


@pytest.mark.parametrize("text", ["", "\ufeff", " \r\n\n"])
def test_an_empty_file(text: str) -> None:
    with pytest.raises(BadCrate, match="the whole file: it is empty"):
        read_crate(text)


def test_a_file_that_is_no_text() -> None:
    with pytest.raises(BadCrate, match="1 mistake:\nthe whole file: this is not a text file"):
        read_crate("\n".join([HEAD, *lines(), "PK\0\0,,,"]))


def test_quotes_that_are_not_closed() -> None:
    rows = ["A,B,124,1987,red,hop", '"A,B,124,1987,red,hop', "A,B,fast,1987,red,hop", *lines()]
    assert mistakes(*rows) == [(3, "", "bad-quotes"), (4, "bpm", "no-number")]


def test_reading_goes_on_after_bad_quotes() -> None:
    rows = ['"A"x,B,124,1987,red,hop', ",B,90,1987,red,hop", '"A" y,B,124,1987,red,hop', "A,B,90,never,red,hop"]
    assert mistakes(*rows) == [
        (2, "", "bad-quotes"),
        (3, "title", "empty"),
        (4, "", "bad-quotes"),
        (5, "released", "no-date"),
    ], "and the number of songs is unknown"


def test_titles_that_cannot_be_read_are_the_only_mistake_then() -> None:
    assert mistakes(*lines(), head='"title"x,artist,bpm,released') == [(1, "", "bad-quotes")]


@pytest.mark.parametrize(("bpm", "date", "key"), [("१२४", "1987", "no-number"), ("124", "१९८७", "no-date")])
def test_digits_are_plain_ones(bpm: str, date: str, key: str) -> None:
    assert [found for _, _, found in mistakes(f"A,B,{bpm},{date},red,hop", *lines())] == [key]


def test_a_bad_value_is_shown_short_and_harmless() -> None:
    with pytest.raises(BadCrate) as caught:
        crate(f"A,B,{'x' * 500},\x1b[31m,red,hop", *lines())
    _, bpm, date = str(caught.value).splitlines()
    assert f": {'x' * 39}… is not a number" in bpm
    assert ": �[31m is not a date" in date


def test_mistakes_are_said_in_every_language() -> None:
    with pytest.raises(BadCrate) as caught:
        crate("A,B,slow,1987,red,hop", *lines())
    assert (
        str(caught.value).splitlines()[1] == "line 2, bpm: slow is not a number of beats per minute, like 124 or 123.97"
    )
    assert caught.value.say("nl").startswith("Met deze nummers kan niet worden gespeeld")


def test_nothing_is_played_with_a_bad_crate() -> None:
    with pytest.raises(BadOptions, match=r"(?s)2 mistakes.*line 2, bpm.*line 3, title"):
        BPM.setup(
            2, Options(songs="\n".join([HEAD, "A,B,slow,1987,red,hop", ",B,90,1987,red,hop", *lines()])), Seeded(1)
        )


def test_who_sets_up_can_say_the_mistakes_in_another_language() -> None:
    with pytest.raises(BadOptions) as caught:
        BPM.setup(2, Options(songs="\n".join([HEAD, "A,B,slow,1987,red,hop", *lines()])), Seeded(1))
    assert isinstance(caught.value, BadCrate)
    assert [mistake.key for mistake in caught.value.mistakes] == ["no-number"]
    assert "regel 2, bpm: slow is geen aantal beats" in caught.value.say("nl")


def test_ruling_dealt_evenly() -> None:
    rows = [line.rsplit(",", 2)[0] for line in lines(60)]
    found = crate(*rows, head="title,artist,bpm,released")
    kinds = Counter((song.colour, song.action) for song in found.songs)
    assert kinds == {(colour, action): 3 if action == "break" else 4 for colour in COLOURS for action in ACTIONS}
    assert [note.key for note in found.notes] == ["colour-dealt", "action-dealt"]
    assert [found.songs[n].colour for n in range(4)] == list(COLOURS), "in the order of the file"
    assert remarks(Options(songs=found.source), "en")[0].startswith("60 songs came without a colour")
    assert len(remarks(Options(songs=found.source), "nl")) == 2


def test_a_single_song_without_a_colour_gets_the_rarest() -> None:
    rows = [line.replace("red", COLOURS[n % 3]) for n, line in enumerate(lines(44))]
    rows[10] = rows[10].replace(COLOURS[1], "")
    found = crate(*rows)
    assert found.songs[10].colour == "blue"
    assert found.songs[10].action == "hop"
    assert [(note.key, note.params["count"]) for note in found.notes] == [("colour-dealt", 1)]


def test_ruling_earlier_line_first() -> None:
    rows = ["A,B,124,1987,red,hop", "C,D,124,1987-01-01,red,hop", *lines(42)]
    found = crate(*rows)
    assert found.rank["lowest"][0] < found.rank["lowest"][1]
    assert found.rank["highest"][0] < found.rank["highest"][1]
    assert [(note.key, note.params["count"]) for note in found.notes] == [("same-release", 2)]


def test_ruling_decimals_count() -> None:
    """120.6 and 121.4 would both be 121: the order goes by the exact number."""
    songs = [f"Song {n},Band,{bpm},2000,red,hop" for n, bpm in enumerate(["121.4", "120.6", "121"])]
    found = crate(*songs, *lines(41))
    assert [song.bpm for song in found.songs[:3]] == [121.4, 120.6, 121]
    assert sorted(range(3), key=lambda song: found.rank["lowest"][song]) == [1, 2, 0]
    assert sorted(range(3), key=lambda song: found.rank["highest"][song]) == [0, 2, 1]
    assert "120.6" in say_song(found.songs[1], "en")
    assert "120,6" in say_song(found.songs[1], "nl")


def test_ruling_year_counts_as_its_first_day() -> None:
    rows = ["A,B,124,1987-01-02,red,hop", "C,D,124,1987,red,hop", "E,F,124,1987-01,red,hop", *lines(41)]
    found = crate(*rows)
    assert [song.day for song in found.songs[:3]] == ["1987-01-02", "1987-01-01", "1987-01-01"]
    assert sorted(range(3), key=lambda song: found.rank["lowest"][song]) == [1, 2, 0]


def test_the_journal_embeds_the_crate() -> None:
    match = Match(BPM, 2, Options(songs=own_crate()), Seeded(3))
    journal = read(write(match.journal()).encode())
    assert journal.header.options["songs"] == own_crate()
    check(journal, BPM)
    default = Match(BPM, 2, Options(), Seeded(3)).journal()
    assert default.header.options["songs"] == house_source(), "the songs of the house too"


def test_the_fewest_songs_are_enough_for_everybody() -> None:
    state = BPM.setup(4, Options(songs=own_crate()), Seeded(1))
    assert state.deck.total == BOX.least_songs - 40


@given(st.text(alphabet='ab1,;\t"\n\r -.é\ufeff', max_size=200), st.booleans())
def test_whatever_the_file_holds_it_is_read_or_refused(text: str, headed: bool) -> None:
    with pytest.raises(BadCrate) as caught:
        read_crate(f"{HEAD}\n{text}" if headed else text)
    assert str(caught.value).count("\n") == min(len(caught.value.mistakes), MOST_FLAWS + 1)


def test_a_line_is_read_a_few_times_however_bad_all_of_them_are(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = 0

    def counted(rows: Iterable[str]) -> Iterator[str]:
        nonlocal drawn
        for row in rows:
            drawn += 1
            yield row

    reader = csv.reader
    monkeypatch.setattr(csv, "reader", lambda rows, **how: reader(counted(rows), **how))
    assert len(mistakes(*['x","'] * 1500)) == 1500
    assert drawn <= TALLEST_ROW * 1502


def test_songs_beyond_the_most_there_can_be_are_counted_and_not_read() -> None:
    found = mistakes(*["A,B,fast,1987,red,hop"] * 5000)
    assert len(found) == MOST_SONGS + 1
    assert found[-1] == (0, "", "too-many")


def test_of_thousands_of_mistakes_the_first_are_listed_and_the_others_counted() -> None:
    with pytest.raises(BadCrate) as caught:
        crate(*["A,B,fast,1987,red,hop"] * 800)
    flaws = caught.value.listed("nl")
    assert len(flaws) == MOST_FLAWS + 1
    assert flaws[-2:] == [
        (51, "regel 51, bpm: fast is geen aantal beats per minuut, zoals 124 of 123.97"),
        (0, "en nog 750 fouten"),
    ]
    assert str(caught.value).endswith("\nand 750 more mistakes")
    assert "800 mistakes" in str(caught.value)
