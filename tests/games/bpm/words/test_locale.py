"""Text catalogues: complete, without unused keys, and equivalent in all languages."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from jamboree.cli.playing.menu import menu
from jamboree.core.chance import Seeded
from jamboree.core.game import Eye
from jamboree.core.words import LANGUAGES, Catalogue
from jamboree.games import bpm
from jamboree.games.bpm.box.cards import CARDS
from jamboree.games.bpm.box.components import ACTIONS, ARROWS, COLOURS, QUESTS
from jamboree.games.bpm.box.crate import BadCrate, CrateNote, Song
from jamboree.games.bpm.box.crate_csv import read, say_notes
from jamboree.games.bpm.box.dancers import Dancer
from jamboree.games.bpm.box.texts import CATALOGUE
from jamboree.games.bpm.rules import events as e
from jamboree.games.bpm.rules.actions import (
    AnyAction,
    ChooseHype,
    CueSong,
    Decline,
    DiscardSongs,
    FinishSong,
    KeepFan,
    MakeSuperfan,
    PlaceToken,
    RecoverToken,
    SendOnBreak,
    SwapDancers,
)
from jamboree.games.bpm.rules.setup import Options
from jamboree.games.bpm.rules.state import PHASES
from jamboree.games.bpm.visibility.views import Points, View
from jamboree.games.bpm.words.painting import paint, paint_small

from ..refusals import refusals
from ..table import ADA, BPM, position

WEB = (Path(bpm.__file__).parent / "web", Path(__file__).parents[4] / "web" / "src")
in_every_language = pytest.mark.parametrize("lang", LANGUAGES)
NAMES = ["Ada", "Bix"]
SONG = Song(1, "A Song", "A Band", 120, "1987", "red", "hop")
RED = Dancer("red", "left")
NO_LINES = [e.Prospect([], 0, []), e.Prospect([], 0, [])]
LINES = [e.Prospect(["a1", "b1"], 1, [["a1", "b1"]]), e.Prospect(["a2", "b2", "c2"], 2, [["a2", "b2", "c2"]])]

EVENTS: list[e.AnyEvent] = [
    e.SetlistSealed(0, [SONG, SONG], False),
    e.SetlistSealed(0, None, False),
    e.SetlistsPicked(),
    e.RoundBegan(3, False),
    e.RoundBegan(9, True),
    e.SongsReshuffled(44),
    *(e.SongDealt(0, Song(1, "A", "B", 90, "1987", colour, action)) for colour in COLOURS for action in ACTIONS),
    e.SongDealt(0, None),
    e.BallMoved("a1", RED, "a2"),
    e.BallMoved("a1", None, "a1"),
    e.BallPlaced("a1"),
    e.HypeShuffled(12),
    e.HypeDrawn(0, ["slow-burn", "mosh-pit"]),
    e.HypeDrawn(0, None),
    *(e.HypeRevealed(card, None, None) for card in CARDS),
    e.HypeRevealed("slow-burn", 0, None),
    e.HypeRevealed("slow-burn", 0, "mosh-pit"),
    e.SongCued(0, SONG, False),
    e.SongCued(0, None, False),
    e.SongsDropped([SONG, SONG]),
    e.SongsPassed([SONG, SONG]),
    e.OrderFound([1, 0]),
    e.FloorShifted("surf"),
    e.FloorShifted("mosh"),
    e.SongStarted(0, SONG),
    e.TokenRecovered(0, "a1", RED),
    e.DancersSwapped(0, "a1", "b1", LINES, "a1", [e.Opening("b1", 2)]),
    e.DancersSwapped(0, "a1", "b1", NO_LINES, None, []),
    *(e.DancerLeft(0, "a1", Dancer(colour, arrow)) for colour in COLOURS for arrow in ARROWS),
    e.PileReshuffled(1),
    e.PileReshuffled(7),
    e.FloorFilled([e.Newcomer("a4", RED)], [], NO_LINES, None),
    e.FloorFilled([e.Newcomer("a3", RED)], ["a4"], NO_LINES, None),
    e.FloorFilled([], ["a4"], LINES, "a1"),
    e.TokenPlaced(0, 0, "a1", RED, LINES),
    e.TokenPlaced(0, 1, "a1", RED, NO_LINES),
    e.SongFinished(0),
    e.StepDeclined(0, "setlist"),
    e.StepDeclined(0, "cue"),
    e.StepDeclined(0, "welcome"),
    e.StepDeclined(0, "recover"),
    e.BallCaught(0, ["a1", "b2"], RED),
    e.BonusScored(0, "a1", RED),
    e.ComboScored(0, ["a1", "b1"], "a1", [RED]),
    e.ComboScored(0, ["a1", "b1", "c1"], None, [RED, RED, RED]),
    *(e.QuestsRevealed([quest, "red"], [7, 6]) for quest in QUESTS),
    e.TieFound([0, 1], [7, 7]),
    e.GameEnded([0], [7, 6]),
    e.GameEnded([0, 1], [7, 7]),
]

ACTIONS_TO_SAY: list[AnyAction] = [
    DiscardSongs(0, 1),
    CueSong(0),
    ChooseHype(1),
    SwapDancers("a1", "b1"),
    SendOnBreak("a1"),
    PlaceToken("b1"),
    FinishSong(),
    RecoverToken("a1"),
    MakeSuperfan("a1"),
    KeepFan("a1"),
    Decline(),
]

TABLE = """
    round: {round} {phase}
    turn: 1
    hype: mosh-pit
    used: mosh-pit{used}
    options: hypemaster
    drawn: {drawn}
    under: 1 two-step
    seat 1: hand 1 2 3; {ada}
    seat 2: hand 4 5 6; {bix}
    floor:
    r^1 r<  rv1
       o
    y^  b<2 g>1
    yv  b^  --
"""
PLAYING = {"ada": "song red hop", "bix": "song blue hop"}
SEALED = {"ada": "sealed 0", "bix": "changes 3"}


def table(round: int = 2, phase: str = "song", drawn: str = "", **seats: str) -> View:
    used = " two-step stage-dive" if round > 8 else ""
    text = TABLE.format(used=used, round=round, phase=phase, drawn=drawn, **(seats or PLAYING))
    return BPM.view(position(text.replace("turn: 1", "turn: -") if phase in ("cue", "setlist") else text), ADA)


def lined_up(fan: str) -> View:
    """Show a floor where swapping c1 and c2 completes the second row, for the player with fans there."""
    first = "1" if fan == "1" else " "
    return BPM.view(
        position(f"""
            round: 2 song
            turn: 1
            seat 1: song red up-down
            seat 2: song blue hop
            floor:
            r^{first} b<{first} rv{fan}
            y^{fan} b<{fan} g>
            yv  b^  rv
        """),
        ADA,
    )


def views() -> Iterator[View]:
    for phase in PHASES:
        sealed = phase in ("setlist", "cue", "hype")
        ada = "changes 3" if phase == "hype" else "sealed 0 1" if phase == "setlist" else "sealed 0"
        seats = {"ada": ada, "bix": "changes 3"} if sealed else PLAYING
        yield table(2, phase, "stage-dive power-cut" if phase == "hype" else "", **seats)
    for phase in ("setlist", "cue"):
        yield table(0, phase, ada="changes 3", bix="changes 3")
    yield table(9)


def mistakes(lang: str) -> Iterator[str]:
    """Say everything that can be wrong with a crate, and all that is noted about one."""
    rows = ["A,B,C,fast,never,pink,jump", ",B,12,1987-02-30,red,hop", f"{'A' * 121},\x07,90,1987,red,hop", '"A']
    for text in (
        "\n".join(["title,artist,bpm,date,colour,action", *rows]),
        "title,bpm,bpm",
        "",
        "\0",
        "title,artist,bpm,date,year",
        "\n".join(["title,artist,bpm,date", *["A,B,90,1987"] * 1000]),
    ):
        with pytest.raises(BadCrate) as caught:
            read(text)
        yield caught.value.say(lang)
    for key in ("colour-dealt", "action-dealt", "same-release"):
        yield from say_notes([CrateNote(key, {"count": 2})], lang)


def sentences(lang: str) -> Iterator[str]:
    """Say everything there is to say in a language."""
    for option in BPM.info.options.__struct_fields__:
        yield BPM.words.help(option, lang)
    for event in EVENTS:
        yield from (BPM.words.sentence(event, NAMES, lang, reader) for reader in (None, *range(len(NAMES))))
    for view in views():
        yield BPM.words.question(view, lang)
        yield from ("".join(span.text for span in line) for line in BPM.words.paint(view, NAMES, lang))
    yield BPM.words.choice(SwapDancers("c1", "c2"), lined_up("2"), NAMES, lang).target
    for action in ACTIONS_TO_SAY:
        yield BPM.words.choice(action, table(), NAMES, lang).title
    yield BPM.words.choice(Decline(), table(2, "cue", **SEALED), NAMES, lang).title
    picking = table(2, "hype", "stage-dive power-cut", ada="changes 3", bix="changes 3")
    yield BPM.words.choice(ChooseHype(0), picking, NAMES, lang).title
    for _, key in refusals():
        yield CATALOGUE.say(lang, f"illegal.{key}", cell="a1", other="b1", count=8, most=3)
    yield from mistakes(lang)


@in_every_language
def test_everything_can_be_said(lang: str) -> None:
    assert {type(event) for event in EVENTS} == set(get_args(e.AnyEvent))
    assert {type(action) for action in ACTIONS_TO_SAY} == set(get_args(AnyAction))
    for sentence in sentences(lang):
        assert not re.search(r"[{}]|None", sentence), sentence


@in_every_language
def test_events_are_told_in_whole_sentences(lang: str) -> None:
    for event in EVENTS:
        full_sentence = BPM.words.sentence(event, NAMES, lang)
        assert full_sentence[0].isupper() or full_sentence[0].isdigit()
        assert full_sentence[-1] in ".!"


@in_every_language
@pytest.mark.parametrize("event", [event for event in EVENTS if hasattr(event, "seat")], ids=repr)
def test_what_a_player_does_is_told_with_a_verb(event: Any, lang: str) -> None:
    """No colon stands where a verb should."""
    full_sentence = BPM.words.sentence(event, NAMES, lang)
    assert not re.search(r"\b(Ada|Bix)(:| \+| →)", full_sentence), full_sentence


HIT = Song(1, "A Hit", "A Band", 120, "1999-04-01", "red", "hop")
TELLING: list[tuple[e.AnyEvent, str, str]] = [
    (
        e.SetlistSealed(0, [SONG, HIT], False),
        "Ada leaves “A Song” (120, red, hop) and “A Hit” (120, red, hop) at home.",
        "Ada laat “A Song” (120; rood, sprong) en “A Hit” (120; rood, sprong) thuis.",
    ),
    (
        e.SongsDropped([HIT, SONG]),
        "3… 2… 1… Drop! Ada plays “A Hit” by A Band (120 BPM, 1 April 1999; red, hop). "
        "Bix plays “A Song” by A Band (120 BPM, 1987; red, hop).",
        "3… 2… 1… Daar is de Drop! Ada speelt “A Hit” van A Band (120 BPM, 1 april 1999; rood, sprong). "
        "Bix speelt “A Song” van A Band (120 BPM, 1987; rood, sprong).",
    ),
    (
        e.TokenPlaced(0, 1, "a1", RED, NO_LINES),
        "Ada gives Bix a fan: the red dancer on a1 (facing left).",
        "Ada geeft Bix een fan: de rode danser op a1 (kijkt naar links).",
    ),
    (
        e.DancersSwapped(0, "a1", "b1", LINES, "a1", []),
        "Ada swaps a1 and b1. Fans of Ada stand in line on a1 and b1, good for 1 superfan. "
        "Fans of Bix stand in line on a2, b2 and c2, good for 2 superfans. The ball would go to a1.",
        "Ada laat a1 en b1 van plaats wisselen. Fans van Ada staan in lijn op a1 en b1, goed voor 1 superfan. "
        "Fans van Bix staan in lijn op a2, b2 en c2, goed voor 2 superfans. De bal zou naar a1 gaan.",
    ),
    (
        e.QuestsRevealed(["red", "left"], [7, 6]),
        "The Fan Quests come out: Ada wanted red fans and Bix wanted fans facing left. "
        "The score is 7 for Ada and 6 for Bix.",
        "De Fanmissies komen op tafel: Ada wilde rode fans en Bix wilde fans die naar links kijken. "
        "De stand is 7 voor Ada en 6 voor Bix.",
    ),
]


@pytest.mark.parametrize(("event", "english", "dutch"), TELLING)
def test_events_are_told_as_people_would(event: e.AnyEvent, english: str, dutch: str) -> None:
    assert BPM.words.sentence(event, NAMES, "en") == english
    assert BPM.words.sentence(event, NAMES, "nl") == dutch


@in_every_language
def test_no_text_is_unused(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered, say = set[str](), Catalogue.say

    def listen(self: Catalogue, lang: str, key: str, **params: object) -> str:
        rendered.add(key)
        return say(self, lang, key, **params)

    monkeypatch.setattr(Catalogue, "say", listen)
    list(sentences(lang))
    rendered |= {"gains"}  # looked up by the terminal
    rendered |= {f"points.{source}" for source in Points.__struct_fields__}  # looked up for the table of results
    assert {
        key for key in CATALOGUE.texts(lang) if not key.startswith(("web.", "coach.", "decided.", "phrase.", "review."))
    } - rendered == set()


def test_no_text_of_the_table_in_a_browser_is_unused() -> None:
    """A text is named in the client's sources, by its whole key or by what keys that differ at their end begin with."""
    sources = [path for folder in WEB for path in folder.rglob("*") if path.suffix in (".ts", ".svelte")]
    written = "".join(path.read_text("utf-8") for path in sources)
    beginnings = ("web.poster.", "web.option.", *re.findall(r"`(web\.[\w.-]*)\$\{", written))  # the server lists these
    for key in (key for key in CATALOGUE.texts("en") if key.startswith("web.")):
        assert f"'{key}'" in written or key.startswith(beginnings), key


def test_languages_differ_where_they_should() -> None:
    """Catch a text that was never translated."""
    english, dutch = CATALOGUE.texts("en"), CATALOGUE.texts("nl")
    same = {
        "web.poster.title",
        "web.option.hypemaster",
        "web.hype.picking",
        "web.superfans",
        "web.ending.superfans",
        "web.drop",
    }
    assert {key for key in english if english[key] == dutch[key]} == same | {
        "web.mode.superfan",
        "web.bends.bonus",
        "letter.red",
        "letter.green",
        "letter.blue",
    }


@in_every_language
def test_letters_on_the_floor_are_those_of_the_words(lang: str) -> None:
    """Each letter is in its word, and no two colours share one."""
    letters = {colour: CATALOGUE.say(lang, f"letter.{colour}") for colour in COLOURS}
    assert len(set(letters.values())) == len(COLOURS)
    assert all(letter in CATALOGUE.say(lang, f"colour.{colour}") for colour, letter in letters.items())
    for painted_by in (paint, paint_small):
        marks = {span.text for line in painted_by(table(), NAMES, lang) for span in line if span.style in COLOURS}
        assert {f"{letters[spot.dancer.colour]}" for spot in table().floor} <= {mark[0] for mark in marks}


def test_a_list_of_songs_has_each_of_them_and_is_sorted() -> None:
    state = BPM.setup(2, Options(), Seeded(1))
    view = BPM.view(state, 0)
    songs = view.hands[0].songs
    groups = menu(BPM, view, 0, BPM.legal(state, 0), "en", NAMES)
    assert songs
    tempos = [int(re.findall(r"\((\d+), ", group.title)[0]) for group in groups]
    assert tempos == sorted(song.bpm for song in songs)
    assert all(len(group.targets) == len(songs) - 1 for group in groups)
    for group in groups:
        named = [int(re.findall(r"\((\d+), ", target.name)[0]) for target in group.targets]
        assert named == sorted(named)


def test_choices_say_what_they_complete_and_where_the_ball_goes() -> None:
    view = table()
    assert BPM.words.choice(SwapDancers("c1", "c3"), view, NAMES, "en").target == "c1 c3"
    assert BPM.words.choice(PlaceToken("b1"), view, NAMES, "en").target == "b1 (a line: 2 superfans)"
    assert BPM.words.choice(SwapDancers("a1", "b1"), view, NAMES, "en").target == "a1 b1 (ball then goes to b1)"


def test_the_table_is_painted_for_everybody() -> None:
    state = position(TABLE.format(used="", round=2, phase="song", drawn="", **PLAYING))
    for viewer in (ADA, 1, None, Eye.ALL):
        lines = ["".join(span.text for span in line) for line in BPM.words.paint(BPM.view(state, viewer), NAMES, "en")]
        assert max(map(len, lines)) <= 110
        assert any("Round 2 of 8" in line for line in lines)
        assert any("Fan Quest" in line for line in lines) == isinstance(viewer, int)


@pytest.mark.parametrize(("fan", "rendered"), [("1", "a line: 2 superfans"), ("2", "a line for Bix: 2 superfans")])
def test_a_completed_line_is_said_whoever_has_it_and_even_if_another_is_broken(fan: str, rendered: str) -> None:
    assert BPM.words.choice(SwapDancers("c1", "c2"), lined_up(fan), NAMES, "en").target == f"c1 c2 ({rendered})"


def test_a_gift_that_completes_a_line_names_its_owner() -> None:
    view = BPM.view(
        position("""
            round: 2 gift
            turn: 2
            order: 1 2
            seat 1: song red hop
            seat 2: song blue hop
            floor:
            r^1 b<1 rv
            y^  b<  g>
            yv  b^  rv
        """),
        1,
    )
    assert BPM.words.choice(PlaceToken("c1"), view, NAMES, "en").target == "c1 (a line for Ada: 2 superfans)"


@in_every_language
def test_a_long_title_is_cut_and_nothing_else(lang: str) -> None:
    view = table()
    song = Song(1, "The Longest Title That Ever Stood on a Record Sleeve", "A Band", 126, "1987", "yellow", "break")
    view.playing[0] = song
    rendered = CATALOGUE.say(
        lang,
        "song.short",
        title="*",
        bpm=126,
        colour=CATALOGUE.say(lang, "colour.yellow"),
        action=CATALOGUE.say(lang, "action.break"),
    )
    painted = ["".join(span.text for span in line) for line in BPM.words.paint(view, NAMES, lang)]
    (line,) = [line for line in painted if "The Longest" in line]
    assert line.endswith(rendered.replace("“*", "…"))
