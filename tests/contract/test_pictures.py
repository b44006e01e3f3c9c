"""Pictures and worked examples of the rules pages: their rules exist, and their results are as described."""

import re

import msgspec
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import Eye
from jamboree.core.learning import Trial, course_of, pictures_of, quick_reference
from jamboree.core.learning.course import BadLesson
from jamboree.core.learning.pictures import Example, ExampleText
from jamboree.core.words import LANGUAGES
from jamboree.games import all_games

GAMES = all_games()
EXAMPLES = [(key, each.name) for key, game in GAMES.items() for each in pictures_of(game).examples]
ANCHOR = re.compile(r"^#{2,3} .+ \{#([a-z0-9-]+)\}$", re.M)
LONGEST = {"alt": 320, "text": 130, "explanation": 300}  # a caption on a phone
MOST_WORDS = 290  # of a quick reference: one page beside a table


def trial(key: str, name: str) -> Trial:
    example = pictures_of(GAMES[key]).example(name)
    assert example
    return Trial(GAMES[key], example)


def standing(tried: Trial) -> int:
    return tried.game.standing(tried.game.view(tried.state, tried.seat))[tried.seat]


@pytest.mark.parametrize("key", GAMES)
def test_every_picture_belongs_to_a_rule_and_has_a_description(key: str) -> None:
    found, anchors = pictures_of(GAMES[key]), set(ANCHOR.findall(GAMES[key].words.rules("en")))
    assert {*(each.rule for each in found.pieces), *(each.rule for each in found.examples)} <= anchors
    assert len({each.name for each in found.examples}) == len(found.examples)
    for lang in LANGUAGES:
        for pieces in found.pieces:
            assert pieces.text(lang).endswith(".")
            assert all("piece" in each for each in pieces.show)


@pytest.mark.parametrize(("key", "name"), EXAMPLES)
def test_positions_of_examples_are_reachable(key: str, name: str) -> None:
    tried, course = trial(key, name), course_of(GAMES[key])
    assert course
    options = msgspec.convert(course.common.options, tried.game.info.options)
    begun = tried.game.setup(course.common.seats, options, Seeded(0))
    assert tried.game.census(tried.state) == tried.game.census(begun)
    seen = tried.game.view(tried.state, Eye.ALL)
    assert tried.game.words.parse(tried.game.words.draw(seen)) == seen


@pytest.mark.parametrize(("key", "name"), EXAMPLES)
def test_examples_have_the_described_result(key: str, name: str) -> None:
    tried = trial(key, name)
    before = standing(tried)
    while (move := tried.next()) is not None:
        events = tried.act(move)
        assert all(tried.game.words.sentence(event, tried.names, lang) for event in events for lang in LANGUAGES)
    assert standing(tried) - before == tried.example.points
    assert not tried.example.picks or tried.chance.kept_to_script, "what chance was to pick did not come up"
    assert not tried.chance.script


@pytest.mark.parametrize(("key", "name"), EXAMPLES)
def test_a_reader_may_deviate_from_an_example(key: str, name: str) -> None:
    for place in range(0, len(trial(key, name).offers()), 7):
        tried = trial(key, name)
        tried.act(tried.offers()[place].action)


@pytest.mark.parametrize(("key", "name"), EXAMPLES)
def test_captions_are_short_and_complete(key: str, name: str) -> None:
    for lang in LANGUAGES:
        rendered = msgspec.structs.asdict(trial(key, name).example.texts(lang))
        for kind, text in rendered.items():
            assert 0 < len(text) <= LONGEST[kind], (lang, kind, len(text))
            assert text.count("**") % 2 == 0


@pytest.mark.parametrize("key", [key for key in GAMES if quick_reference(GAMES[key], "en")])
def test_a_quick_reference_is_one_page_and_refers_to_existing_rules(key: str) -> None:
    rules = ANCHOR.findall(GAMES[key].words.rules("en"))
    for lang in LANGUAGES:
        page = quick_reference(GAMES[key], lang)
        found = ANCHOR.findall(page)
        assert set(found) <= set(rules)
        assert found == ANCHOR.findall(quick_reference(GAMES[key], "en"))
        assert len(page.split()) <= MOST_WORDS, len(page.split())


def test_the_built_in_games_have_all_pictures() -> None:
    for key in ("bebop", "bpm", "boogie"):
        found = pictures_of(GAMES[key])
        assert len(found.pieces) >= 4
        assert len(found.examples) >= 3
        assert quick_reference(GAMES[key], "nl")


def test_an_example_of_an_unknown_lesson_is_refused() -> None:
    text = ExampleText("", "", "")
    example = Example(name="x", rule="turn", moves=[], points=0, en=text, nl=text, lesson=99)
    with pytest.raises(BadLesson, match="no lesson 99"):
        Trial(GAMES["bebop"], example)
