"""Text catalogues: complete, without unused keys, and equivalent in all languages."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import Eye
from jamboree.core.words import LANGUAGES, Catalogue
from jamboree.games.bebop.box.board import festivals, load
from jamboree.games.bebop.box.components import COLOURS, FACES, SPECIALS
from jamboree.games.bebop.box.dice import Die, Token
from jamboree.games.bebop.box.texts import CATALOGUE
from jamboree.games.bebop.rules import events as e
from jamboree.games.bebop.rules.actions import (
    AnyAction,
    BookSeat,
    ClaimSeat,
    DeclineBooking,
    DeclineClaim,
    DrawFromBag,
    KeepDice,
    Pass,
    PerformStage,
    RerollDie,
    TakeFromQueue,
)
from jamboree.games.bebop.rules.setup import Options
from jamboree.games.bebop.rules.state import PHASES
from jamboree.games.bebop.visibility.views import Points, View
from jamboree.games.bebop.words.painting import paint, paint_empty, paint_small
from jamboree.games.bebop.words.phrases import say_tagline

from ..refusals import refusals
from ..table import BEBOP, position

LETTERED_ALIKE = ("green", "aqua", "purple", "red", "vip", "double", "insta")
in_every_language = pytest.mark.parametrize("lang", LANGUAGES)
NAMES = ["Billie", "Louis"]
RED = Die("red", "keys")
WEB = Path(__file__).parents[4] / "src/jamboree/games/bebop/web"
SHELL_TEXTS = (
    "web.panel.",
    "web.option.",
    "web.poster.",
    "web.seat.",
    "web.do.",
    "web.moment.",
    "web.next.",
    "web.party.",
    "web.why.",
)  # looked up by the frame of every table

EVENTS: list[e.AnyEvent] = [
    *(e.SeatClaimed(0, tile, "a1", False) for tile in ("basic", *SPECIALS)),
    e.SeatClaimed(0, "vip", "a1", True),
    e.SeatBooted(0, 1, "basic", "a1"),
    *(e.FollowUpDeclined(0, tile) for tile in ("double", "insta")),
    e.DieRerolled(0, False, RED, RED),
    e.DieRerolled(0, True, None, None),
    e.DiceKept(0),
    *(e.SeatBooked(0, "a1", Die(colour, face)) for colour in COLOURS for face in FACES),
    e.FamilyScored(0, RED, ["a1", "a2"], ["a1"], 1),
    e.FamilyScored(0, RED, ["a1", "a2"], ["a1", "a2"], 2),
    *(e.BannerMoved(colour, ["a1", "a2"]) for colour in COLOURS),
    e.StagePerformed(0, "A"),
    e.FeatureScored("A", Token("keys"), 7, [["a1"], []], [0], 7, 0, 6),
    e.FeatureScored("A", Token("keys"), 1, [["a1"], []], [0], 1, 0, 0),
    e.FeatureScored("A", Token("keys", star=True), 7, [["a1"], ["a2"]], [0, 1], 3, 0, 6),
    e.FeatureScored("A", Token("keys"), 7, [["a1"], ["a2"]], [0, 1], 3, None, 6),
    e.FeatureScored("A", Token("keys"), 7, [[], []], [], 0, None, 7),
    e.DieTaken(0, 1, RED),
    e.QueueRefilled(1, RED),
    e.DieDrawn(0, False, RED),
    e.DieDrawn(0, True, None),
    e.SeatPassed(0),
    e.SeatFinished(0),
    e.MajorityScored("red", "keys", ["a1", "a2"], [2, 0], 0, [0], [5, 0]),
    e.MajorityScored("red", "keys", ["a1", "a2"], [1, 0], 1, [0], [5, 0]),
    e.MajorityScored("red", "keys", ["a1", "a2"], [1, 1], 0, [0, 1], [3, 0]),
    e.MajorityScored("red", "keys", ["a1", "a2"], [1, 0], 2, [], [0, 0]),
    e.GameEnded([0], [7, 6]),
    e.GameEnded([0, 1], [7, 7]),
]

ACTIONS: list[AnyAction] = [
    *(ClaimSeat(tile, "a1") for tile in ("basic", *SPECIALS)),
    ClaimSeat("vip", "a1", True),
    BookSeat(0, "a1"),
    PerformStage("A"),
    TakeFromQueue(0),
    DrawFromBag(),
    RerollDie(0),
    KeepDice(),
    DeclineClaim(),
    DeclineBooking(),
    Pass(),
]

REFUSED_WITH = {"hex": "a1", "tile": "throne", "stage": "A", "phase": "turn"}


def table() -> View:
    state = position("""
        options: star
        turn: 1 book this seat
        pending: 1 rerolls, seat a1, stages -
        seat 1: hand rk
        queue: gk ab pp --
        banners: red a3
        map:
        1i    =gk   2.rk  1.rb  .     AK    Ab
    """)
    return BEBOP.view(state, Eye.ALL)


def sentences(lang: str) -> Iterator[str]:
    """Render every text of a language."""
    for option in BEBOP.info.options.__struct_fields__:
        yield BEBOP.words.help(option, lang)
    for event in EVENTS:
        yield from (BEBOP.words.sentence(event, NAMES, lang, reader) for reader in (None, *range(len(NAMES))))
    for action in ACTIONS:
        yield BEBOP.words.choice(action, table(), (), lang).title
    for phase in (*PHASES, "claim", "book", "pass", "full"):
        yield CATALOGUE.say(lang, f"question.{phase}", hex="a1", stages="A, B")
    for _, key in refusals():
        yield CATALOGUE.say(lang, f"illegal.{key}", **REFUSED_WITH)
    yield from (say_tagline(name, load(name).tagline, lang) for name in festivals())
    for line in (*BEBOP.words.paint(table(), NAMES, lang), *paint_empty(load("point-city").ground(2), lang)):
        yield "".join(span.text for span in line)


@in_every_language
def test_everything_can_be_said(lang: str) -> None:
    assert {type(event) for event in EVENTS} == set(get_args(e.AnyEvent))
    assert {type(action) for action in ACTIONS} == set(get_args(AnyAction))
    for sentence in sentences(lang):
        assert not re.search(r"[{}]|None|\bSeat\w", sentence), sentence


@in_every_language
def test_events_are_told_in_whole_sentences(lang: str) -> None:
    for event in EVENTS:
        full_sentence = BEBOP.words.sentence(event, NAMES, lang)
        assert full_sentence[0].isupper()
        assert full_sentence[-1] in ".!"


TELLING: list[tuple[e.AnyEvent, str, str]] = [
    (
        e.SeatClaimed(0, "vip", "g5", False),
        "Billie claims g5 with a VIP seat.",
        "Billie zet een VIP-stoel op g5.",
    ),
    (
        e.SeatBooted(0, 1, "insta", "g5"),
        "Billie clears g5 with the Boot: an Insta-Book goes back to Louis.",
        "Billie maakt g5 vrij met de Laars: een stoel met Direct Boeken gaat terug naar Louis.",
    ),
    (
        e.SeatBooked(0, "g5", Die("aqua", "keys")),
        "Billie books g5 with an aqua keys die.",
        "Billie boekt g5 met een aqua dobbelsteen met toetsen.",
    ),
    (
        e.MajorityScored("red", "brass", ["a1"], [2, 0], 1, [0], [1, 0]),
        "Billie has the most brass dice in the red family (2 for Billie and 0 for Louis; 1 preprinted) and scores "
        "1 point for brass tokens.",
        "Billie heeft de meeste dobbelstenen met koper in de rode familie (2 voor Billie en 0 voor Louis; "
        "1 voorgedrukt) en scoort 1 punt voor fiches met koper.",
    ),
    (
        e.GameEnded([0, 1], [7, 7]),
        "The festival is over, and Billie and Louis share the victory! "
        "The final score is 7 for Billie and 7 for Louis.",
        "Het festival is voorbij, en Billie en Louis delen de overwinning! "
        "De eindstand is 7 voor Billie en 7 voor Louis.",
    ),
]


@pytest.mark.parametrize(("event", "english", "dutch"), TELLING)
def test_events_are_told_as_people_would(event: e.AnyEvent, english: str, dutch: str) -> None:
    assert BEBOP.words.sentence(event, NAMES, "en") == english
    assert BEBOP.words.sentence(event, NAMES, "nl") == dutch


@in_every_language
@pytest.mark.parametrize("event", [event for event in EVENTS if hasattr(event, "seat")], ids=repr)
def test_what_a_player_does_is_told_with_a_verb(event: Any, lang: str) -> None:
    """No colon replaces a verb."""
    full_sentence = BEBOP.words.sentence(event, NAMES, lang)
    assert not re.search(r"\b(Billie|Louis)(:| \+| →)", full_sentence), full_sentence


@pytest.mark.parametrize("festival", festivals())
def test_a_festival_has_its_line_in_every_language(festival: str) -> None:
    tagline = load(festival).tagline
    assert say_tagline(festival, tagline, "en") == tagline != say_tagline(festival, tagline, "nl")
    assert say_tagline(festival, "My own line", "nl") == "My own line"


@in_every_language
def test_every_question_is_asked(lang: str) -> None:
    assert "a1" in BEBOP.words.question(table(), lang)


@in_every_language
def test_no_text_is_unused(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered, say = set[str](), Catalogue.say

    def listen(self: Catalogue, lang: str, key: str, **params: object) -> str:
        rendered.add(key)
        return say(self, lang, key, **params)

    monkeypatch.setattr(Catalogue, "say", listen)
    list(sentences(lang))
    rendered |= {f"points.{source}" for source in Points.__struct_fields__}  # looked up for the table of results
    rendered.add("begins")  # asked in the lobby
    assert {
        key for key in CATALOGUE.texts(lang) if not key.startswith(("web.", "coach.", "decided.", "phrase.", "review."))
    } - rendered == set()


def test_no_text_of_the_web_client_is_unused() -> None:
    """Look for each key in the client's sources, written out or made of its beginning: `web.power.${tile}`."""
    sources = "".join(path.read_text("utf-8") for path in WEB.rglob("*") if path.suffix in (".ts", ".svelte"))
    quoted = {key for key in re.findall(r"[\"'`](web\.[a-zA-Z.-]+)", sources) if key != "web."}
    begun = (*SHELL_TEXTS, *(key for key in quoted if key.endswith(".")))
    texts = {key for key in CATALOGUE.texts("en") if key.startswith("web.")}
    assert {key for key in texts if key not in quoted and not key.startswith(begun)} == set()
    assert {key for key in quoted if not key.endswith(".")} <= texts


def test_languages_differ_where_they_should() -> None:
    """Untranslated texts are caught."""
    english, dutch = CATALOGUE.texts("en"), CATALOGUE.texts("nl")
    same = {key for key in english if english[key] == dutch[key]}
    alike = {"colour.aqua", "choice.claim", "legend.dice", "points.families", "coloured.aqua"}
    on_the_web = {"web.panel.families", "web.end.families", "web.option.board", "web.hex.booked", "web.lead", "web.bot"}
    on_the_web |= {"web.poster.title", "web.finale.families", "web.picked"}
    assert same <= alike | on_the_web | {f"letter.{kind}" for kind in LETTERED_ALIKE}


@in_every_language
def test_letters_on_the_board_are_those_of_the_words(lang: str) -> None:
    """Each letter is in its word, and no two colours, features or special seats share one."""
    for kind, names in {"colour": COLOURS, "feature": FACES, "tile": SPECIALS}.items():
        letters = {name: CATALOGUE.say(lang, f"letter.{name}") for name in names}
        assert len(set(letters.values())) == len(names)
        for name, letter in letters.items():
            assert letter in CATALOGUE.say(lang, f"{kind}.{name}").lower()


def test_the_board_is_lettered_in_the_language_of_its_legend() -> None:
    for painted_by in (paint, paint_small):
        view = BEBOP.view(BEBOP.setup(3, Options(), Seeded(1)), Eye.ALL)
        painted = "\n".join("".join(span.text for span in line) for line in painted_by(view, [*NAMES, "Ella"], "nl"))
        assert {"ap", "yk", "gb"} & set(painted.split()) == set()
        assert "as et gk ek ak" in painted, "the queue: ap yk gb yb ab"
        assert "vdbil  t0 k0 s0" in painted
        assert "At" in painted or "As" in painted, "a stage and its token"
