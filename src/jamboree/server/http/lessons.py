"""Lessons: what a coach says, and a table of one's own to learn at."""

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from jamboree.core.learning import Course, Lesson, course_of
from jamboree.core.words import Language

from ..errors import Refused
from ..live.commands.base import BODY
from ..live.registry import Registry
from ..protocol.bodies import Entry, Keeping, LearnGame, LessonCard, Lessons, StepCard
from ..protocol.wire import encode
from .auth import check_origin, opening
from .error_responses import Asked, public, refusals
from .people_routes import entered

RegistryDep = NamedDependency[Registry]
Key = FromPath[str]


@get("/games/{key:str}/lessons", tags=["games"], responses=refusals("no-lesson", "unknown-game"))
async def show_lessons(
    key: Key, registry: RegistryDep, request: Asked, language: FromQuery[Language] = "en"
) -> Response[Lessons]:
    """Give what the coach says in every lesson of a game; positions are laid at a table."""
    return public(request, encode(_lessons(_course(key, registry), language)))


@post(
    "/games/{key:str}/lessons",
    tags=["games"],
    responses=refusals(*BODY, "busy", "foreign-origin", "name", "no-lesson", "not-kept", "unknown-game"),
)
async def open_lessons(key: Key, data: JSONBody[LearnGame], request: Asked, registry: RegistryDep) -> Response[Entry]:
    """Open a table for oneself where a game is learnt, lesson by lesson; nobody else can come in."""
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    _course(key, registry)
    with opening(request):
        code, ticket = await registry.learn(key, data.name, data.lesson)
    return entered(request, data.keep, Entry(code, ticket.person, ticket.seat, ticket.token))


def _course(key: str, registry: Registry) -> Course:
    if key not in registry.games:
        raise Refused("unknown-game", f"There is no such game; there are: {', '.join(registry.games)}.")
    course = course_of(registry.games[key])
    if course is None:
        raise Refused("no-lesson", "There are no lessons for this game.")
    return course


def _lessons(course: Course, lang: Language) -> Lessons:
    names = course.common.texts(lang)
    cards = [_card(lesson, lang) for lesson in course.lessons]
    return Lessons(names.coach, names.road, names.end, course.common.seats, cards)


def _card(lesson: Lesson, lang: Language) -> LessonCard:
    said = lesson.texts(lang)
    steps = [
        StepCard(text.text, text.goal, text.wrong, step.spot)
        for step, text in zip(lesson.steps, said.steps, strict=True)
    ]
    return LessonCard(said.name, said.title, said.praise, steps)
