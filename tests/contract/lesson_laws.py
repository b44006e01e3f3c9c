"""The laws that every lesson keeps: a reachable position, moves that lead on, and complete texts."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from jamboree.core.chance import Seeded
from jamboree.core.errors import Illegal, JamboreeError
from jamboree.core.game import AnyGame, Eye
from jamboree.core.journal import state_hash
from jamboree.core.learning import COURSES, Course, CourseKind, Guided, LessonStage, Pupil, course_of, judged
from jamboree.core.words import LANGUAGES

MOST_TRIED = 24  # wrong moves of a step: a claim has hundreds
LONGEST = {"name": 24, "title": 60, "text": 420, "goal": 70, "praise": 300, "wrong": 260}  # a bubble on a phone
ONE_CLIENT_ONLY = {  # what is done in a browser is not done in a terminal, where the same texts are read
    "en": re.compile(
        r"\b(press|tap|click|drag|swipe|scroll|button|mouse|screen)(s|ed|ing|ging|ping)?\b", re.IGNORECASE
    ),
    "nl": re.compile(r"\b(druk|klik|tik|sleep|scroll|knop|muis|scherm)(t|pen|ken|men)?\b", re.IGNORECASE),
}
PLAYED_ON = 60  # steps after a lesson, at random


class Broken(AssertionError):
    """A lesson that can't be played."""


def check_lesson(game: AnyGame, course: Course, number: int) -> None:
    """Play a lesson to its end, with right and with wrong moves."""
    for lang in LANGUAGES:
        _check_texts(course, number, lang)
    try:
        pupil = Pupil(game, course, number)
    except JamboreeError as error:
        raise Broken(f"the position can't come about: {error}") from error
    _check_position(game, course, pupil)
    while pupil.at.stage != LessonStage.RIGHT:
        if pupil.at.stage == LessonStage.WATCHING:
            _check_reply(pupil)
        else:
            _check_step(pupil)
    _play_on(game, pupil.state)


def _check_texts(course: Course, number: int, lang: str) -> None:
    rendered = course.lessons[number].texts(lang)
    texts = [("name", rendered.name), ("title", rendered.title), ("praise", rendered.praise)]
    for step in rendered.steps:
        texts += [("text", step.text), ("goal", step.goal), *(("wrong", each) for each in step.wrong.values())]
    for kind, text in texts:
        if not text.strip() or len(text) > LONGEST[kind] or text.count("**") % 2:
            raise Broken(f"a {kind} in {lang!r} is empty, too long ({len(text)}) or half bold: {text!r}")
        if found := ONE_CLIENT_ONLY[lang].search(text):
            raise Broken(f"a {kind} in {lang!r} can't be done in every client: {found[0]!r} in {text!r}")


def _check_position(game: AnyGame, course: Course, pupil: Pupil) -> None:
    options = msgspec.convert(course.common.options, game.info.options)
    if game.census(pupil.state) != game.census(game.setup(course.common.seats, options, Seeded(0))):
        raise Broken("the position can't come about: it has other components than a game of so many players")
    seen = game.view(pupil.state, Eye.ALL)
    if game.words.parse(game.words.draw(seen)) != seen:
        raise Broken("the position can't be drawn as it is")


def _check_reply(pupil: Pupil) -> None:
    try:
        pupil.reply()
    except JamboreeError as error:
        raise Broken(f"what the others do is not allowed: {error}") from error


def _check_step(pupil: Pupil) -> None:
    step, offers = pupil.lesson.steps[pupil.at.step], [each.action for each in _offers(pupil)]
    by_text: dict[str, list[Any]] = {}
    for action in offers:
        by_text.setdefault(judged(pupil.lesson, pupil.at, action).say, []).append(action)
    if not by_text.get(""):
        raise Broken("nothing that counts as right can be done")
    for mistake in step.wrong:
        if mistake.say not in by_text:
            raise Broken(f"nobody can make the mistake {mistake.say!r}")
    wrong = [action for say, actions in by_text.items() if say for action in _sampled(actions)]
    _check_script(pupil, step.picks, [*by_text.get("", ()), *wrong])
    for action in wrong:
        _check_taken_back(pupil, lambda action=action: pupil.act(action), LessonStage.WRONG)
    _check_taken_back(pupil, pupil.show, LessonStage.SHOWN)
    _check_refusal(pupil, offers)
    pupil.act(step.move(_offers(pupil)))


def _offers(pupil: Pupil) -> Any:
    if pupil.seat not in pupil.game.to_act(pupil.state):
        raise Broken("it is not the learner's turn")
    return pupil.game.legal(pupil.state, pupil.seat)


def _sampled(actions: list[Any]) -> list[Any]:
    return actions[:: max(1, len(actions) // MOST_TRIED)]


def _check_taken_back(pupil: Pupil, do: Any, stage: LessonStage) -> None:
    before = state_hash(pupil.state)
    try:
        do()
    except JamboreeError as error:
        raise Broken(f"a move that was offered can't be made: {error}") from error
    assert pupil.at.stage == stage
    pupil.take_back()
    assert (state_hash(pupil.state), pupil.at.stage) == (before, LessonStage.ASKING), "a move was not taken back whole"


def _check_script(pupil: Pupil, picks: list[str], actions: list[Any]) -> None:
    """Find a move that consumes the scripted picks."""
    for action in actions if picks else ():
        chance = Guided(picks)
        pupil.game.apply(pupil.state.clone(), pupil.seat, action, chance)
        if chance.kept_to_script and not chance.script:
            return
    if picks:
        raise Broken(f"no move of this step leads to these picks: {picks}")


def _check_refusal(pupil: Pupil, offers: list[Any]) -> None:
    """Illegal moves are explained in every language and change nothing."""
    game = pupil.game
    before = state_hash(pupil.state)
    seen = pupil.game.view(pupil.state, pupil.seat)
    for action in _sampled(_forbidden(pupil, offers)):
        refusal = game.why_not(seen, action)
        assert refusal, "what is not offered is not allowed"
        for lang in LANGUAGES:
            assert game.words.reason(refusal, lang)
        try:
            pupil.act(action)
        except Illegal:
            pass
        else:
            raise Broken("a move that is not allowed was made")
        assert (state_hash(pupil.state), pupil.at.stage) == (before, LessonStage.ASKING)


def _forbidden(pupil: Pupil, offers: list[Any]) -> list[Any]:
    mine = set(offers)
    return [action for action in pupil.game.actions(pupil.state) if action not in mine and not _is_late(action)]


def _is_late(action: Any) -> bool:
    """Return whether an action belongs to the clock, or is possible only after PULL."""
    return type(action).__name__ == "TimeUp" or getattr(action, "after_pull", False)


def _play_on(game: AnyGame, state: Any) -> None:
    """Play on from the end of a lesson: its position must not break the rules later."""
    for step in range(PLAYED_ON):
        actors = sorted(game.to_act(state), key=str)
        if not actors:
            return
        actor = actors[step % len(actors)]
        offers = game.legal(state, actor)
        if offers:
            game.apply(state, actor, offers[(step * 7) % len(offers)].action, Seeded(step))


def check_view(game: AnyGame, course: Course, number: int) -> None:
    """A position of a strategy course shows what its learner sees, and nothing else."""
    pupil = Pupil(game, course, number)
    drawn = game.words.parse(pupil.lesson.position)
    if drawn.viewer != pupil.seat or drawn != game.view(pupil.state, pupil.seat):
        raise Broken("the position is not drawn as its learner sees it")


def lessons_of(games: Mapping[str, AnyGame]) -> Iterator[tuple[str, CourseKind, int]]:
    for key, game in games.items():
        for kind in COURSES:
            course = course_of(game, kind)
            for number in range(len(course.lessons) if course else 0):
                yield key, kind, number
