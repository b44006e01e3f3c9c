"""What a newcomer reads in the courses: not too much at once, and no word before it is introduced."""

import re

import pytest

from jamboree.core.learning import LessonText, course_of
from jamboree.core.words import LANGUAGES
from jamboree.games import find

OURS = ("bebop", "bpm", "boogie")
FIRST_TEXT = 320  # characters: about three facts, and what to do


def texts_of(lesson: LessonText) -> list[str]:
    steps = [[step.text, step.goal, *step.wrong.values()] for step in lesson.steps]
    return [lesson.title, lesson.praise, *(text for step in steps for text in step)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", OURS)
def test_a_course_begins_with_few_facts(key: str, lang: str) -> None:
    course = course_of(find(key))
    assert course
    first = course.lessons[0].texts(lang).steps[0].text
    assert len(first) <= FIRST_TEXT, first


INTRODUCED = [  # words of the rules, and the lesson that explains them; None: the course does without
    ("bebop", "en", r"\bmarkers?\b", 7),
    ("bebop", "nl", r"\bmarkers?\b", 7),
    ("bebop", "en", r"\bfeatures?\b", None),
    ("boogie", "en", r"\bflights?\b", None),  # the rules call it a jumprun
    ("boogie", "nl", r"\bvlucht(en)?\b", None),
    ("bpm", "en", r"front left", None),
]
OTHERS = [  # what the rules say and a course once left out
    ("bebop", "en", 7, ["falls no lower than **0**", "If **nobody listens**"]),
    ("bebop", "en", 8, ["were not among the tied"]),
    ("bpm", "en", 5, ["**Leave it at that**"]),
    ("bpm", "en", 11, ["In a **tie**", "over the **edge**"]),
    ("boogie", "en", 2, ["**several ?**"]),
    ("boogie", "en", 3, ["the balloon"]),
    ("boogie", "en", 4, ["dots"]),
]


@pytest.mark.parametrize(("key", "lang", "word", "number"), INTRODUCED)
def test_no_word_is_used_before_it_is_introduced(key: str, lang: str, word: str, number: int | None) -> None:
    course = course_of(find(key))
    assert course
    before = course.lessons[: None if number is None else number - 1]
    assert [text for lesson in before for text in texts_of(lesson.texts(lang)) if re.search(word, text)] == []


@pytest.mark.parametrize(("key", "lang", "number", "facts"), OTHERS)
def test_rules_at_the_edges_are_taught_where_they_are_needed(
    key: str, lang: str, number: int, facts: list[str]
) -> None:
    course = course_of(find(key))
    assert course
    lesson = " ".join(texts_of(course.lessons[number - 1].texts(lang)))
    assert [fact for fact in facts if fact not in lesson] == []
