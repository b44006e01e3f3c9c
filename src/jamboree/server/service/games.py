"""Games: their cards, rules, examples and lessons, and checks of options."""

import logging
from functools import cache
from typing import Any

import msgspec

from jamboree.bots import levels
from jamboree.core.avatars import avatar_names
from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, Flaw
from jamboree.core.game import AnyGame, in_order
from jamboree.core.learning import Course, CourseKind, Lesson, course_of, pictures_of, quick_reference
from jamboree.core.options import choices, fields_of, kind_of
from jamboree.core.table_options import read_options
from jamboree.core.words import LANGUAGES, Language

from ..errors import Refused, trace
from ..live.registry import Registry
from ..protocol.bodies import Checked, GameCard, LessonCard, Lessons, OptionProblem, StepCard
from ..protocol.rules import PiecesCard, Rules, TryExample
from ..protocol.wire import encode
from .examples import list_examples, try_moves

log = logging.getLogger(__name__)


def game_cards(registry: Registry) -> bytes:
    """The cards of all games, in the order in which they are shown."""
    return encode([shown for game in in_order(registry.games.values()) if (shown := _card_or_none(game))])


def rules(registry: Registry, key: str, language: Language) -> Rules:
    game = registry.current_rules(key)
    pieces = [PiecesCard(each.rule, each.show, each.text(language)) for each in pictures_of(game).pieces]
    return Rules(game.words.rules(language), quick_reference(game, language), pieces)


async def examples(registry: Registry, key: str, language: Language) -> bytes:
    game = registry.current_rules(key)
    return await registry.offload.set_up(key, lambda: encode(list_examples(game, language)))


async def try_example(registry: Registry, key: str, name: str, data: TryExample, language: Language) -> bytes:
    game = registry.current_rules(key)
    example = pictures_of(game).example(name)
    if example is None:
        raise Refused("no-example", "There is no such example.")
    return await registry.offload.set_up(key, lambda: encode(try_moves(game, example, data, language)))


async def check_options(registry: Registry, key: str, options: dict[str, Any], language: Language) -> Checked:
    game = registry.current_rules(key)
    return await registry.offload.set_up(key, lambda: _checked(game, options, language))


def lessons(registry: Registry, key: str, kind: CourseKind, language: Language) -> Lessons:
    return _lessons(course(registry, key, kind), language)


def course(registry: Registry, key: str, kind: CourseKind) -> Course:
    course = course_of(registry.current_rules(key), kind)
    if course is None:
        raise Refused("no-lesson", "There are no lessons of this kind for this game.")
    return course


def _lessons(course: Course, lang: Language) -> Lessons:
    names = course.common.texts(lang)
    cards = [_lesson_card(lesson, lang) for lesson in course.lessons]
    return Lessons(names.coach, names.heading, names.end, course.common.seats, cards)


def _lesson_card(lesson: Lesson, lang: Language) -> LessonCard:
    texts = lesson.texts(lang)
    steps = [
        StepCard(text.text, text.goal, text.wrong, step.spot, step.costs)
        for step, text in zip(lesson.steps, texts.steps, strict=True)
    ]
    return LessonCard(texts.name, texts.title, texts.praise, steps)


def _card_or_none(game: AnyGame) -> msgspec.Raw | None:
    """A game's card; a failing game is left out of the list."""
    try:
        return msgspec.Raw(encode(game_card(game)))
    except Exception as error:
        _log_unlisted(game.info.key, trace(error))
        return None


@cache
def _log_unlisted(key: str, why: str) -> None:
    """Log once that a game can't be listed."""
    log.error("the game %s can't be listed: %s", key, why)


def _checked(game: AnyGame, data: dict[str, Any], language: Language) -> Checked:
    try:
        options = read_options(game, data)
        game.setup(game.info.seats[0], options, Seeded(0))
    except BadOptions as error:
        return _invalid(error.listed(language))
    return Checked(True, [], game.words.remarks(options, language))


def _invalid(flaws: list[Flaw]) -> Checked:
    return Checked(False, [OptionProblem(flaw.line, flaw.sentence) for flaw in flaws], [])


def game_card(game: AnyGame) -> GameCard:
    info, options = game.info, fields_of(game.info.options)
    return GameCard(
        key=info.key,
        title=info.title,
        name={lang: game.words.text("web.poster.title", lang) or info.title for lang in LANGUAGES},
        line={lang: game.words.text("web.poster.line", lang) or "" for lang in LANGUAGES},
        rules_version=info.rules_version,
        seats=info.seats,
        minutes=info.minutes,
        options=msgspec.json.schema(info.options),
        help={lang: {option: game.words.help(option, lang) for option in options} for lang in LANGUAGES},
        labels={lang: labels(game, lang) for lang in LANGUAGES},
        bots=list(levels(game)),
        undo=info.undo,
        avatars={lang: avatar_names(game, lang) for lang in LANGUAGES},
        lessons=_lesson_count(game, "basics"),
        strategy=_lesson_count(game, "strategy"),
        begins={lang: game.words.text("begins", lang) or "" for lang in LANGUAGES} if info.begins else None,
    )


def _lesson_count(game: AnyGame, kind: CourseKind) -> int:
    course = course_of(game, kind)
    return len(course.lessons) if course else 0


def labels(game: AnyGame, lang: str) -> dict[str, str]:
    """The names of options and values; those missing in the game's catalogue are derived from the identifier."""
    named = {}
    for name, field in fields_of(game.info.options).items():
        named[name] = game.words.text(f"web.option.{name}", lang) or written_out(name)
        for value in choices(kind_of(field.type)):
            named[f"{name}.{value}"] = game.words.text(f"web.option.{name}.{value}", lang) or written_out(value)
    return named


def written_out(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").capitalize()
