"""What a newcomer reads in the courses: not too much at once, and no word before it is introduced."""

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
