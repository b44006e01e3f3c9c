"""Routes about games: the list, rules with worked examples, lessons, and checks of options."""

import logging
from functools import cache
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody

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
from ..live.commands.base import BODY
from ..live.registry import Registry
from ..protocol.bodies import (
    Checked,
    Credentials,
    GameCard,
    Keeping,
    LearnGame,
    LessonCard,
    Lessons,
    OptionProblem,
    StepCard,
)
from ..protocol.rules import Examples, PiecesCard, Rules, TrialResult, TryExample
from ..protocol.wire import encode
from .auth import check_origin, opening_limits
from .compression import compressed
from .error_responses import accepted_coding, public, refusals, sent
from .examples import list_examples, try_moves
from .parameters import ApiRequest, GameKey, RegistryDep
from .people_routes import credentials_response

log = logging.getLogger(__name__)


@get("/games", tags=["games"], responses=refusals())
async def list_games(registry: RegistryDep, request: ApiRequest) -> Response[list[GameCard]]:
    """All games, in the order in which they are shown.

    `options` is a JSON Schema. By language: `name`, a short description (`line`), one line of `help` for each option,
    the `labels` of options and of their values (as `option.value`), and the avatars that players choose from
    (`avatars`). `seats` and `minutes` are ranges. `undo` says whether moves can be taken back, `lessons` and `strategy`
    how many lessons the two courses have. `begins` is the rulebook's question who begins, by language: empty without
    such a question, null if the first player can't be chosen.
    """
    return public(
        request, encode([shown for game in in_order(registry.games.values()) if (shown := _card_or_none(game))])
    )


@get("/games/{key:str}/rules", tags=["games"], responses=refusals("unknown-game"))
async def show_rules(
    key: GameKey, registry: RegistryDep, request: ApiRequest, language: FromQuery[Language] = "en"
) -> Response[Rules]:
    """A game's rules and rulings.

    `markdown` has an anchor at every heading. `quick` is a reference of one page whose headings have the anchors of
    the rules they are about; it is empty if the game has none. `pieces` are components to draw under a `rule`: each
    entry of `show` has the name of its `piece` in the game's table UI and its properties, and `text` describes the
    picture.
    """
    game = registry.current_rules(key)
    pieces = [PiecesCard(each.rule, each.show, each.text(language)) for each in pictures_of(game).pieces]
    return public(request, encode(Rules(game.words.rules(language), quick_reference(game, language), pieces)))


@get("/games/{key:str}/examples", tags=["games"], responses=refusals("busy", "unknown-game"))
async def show_examples(
    key: GameKey, registry: RegistryDep, request: ApiRequest, language: FromQuery[Language] = "en"
) -> Response[Examples]:
    """The worked examples of a game's rules, in their initial positions.

    `seat` is the reader's, and `names` are by seat. Each example has a `name`, the anchor of its `rule`, the
    description of its picture (`alt`), the task (`text`), the `explanation` after its moves, all `actions`,
    and how it `begins`, in the form of the answer to the next request.
    """
    game = registry.current_rules(key)
    return public(request, await registry.offload.set_up(key, lambda: encode(list_examples(game, language))))


@post(
    "/games/{key:str}/examples/{name:str}",
    status_code=200,
    tags=["games"],
    responses=refusals(*BODY, "busy", "illegal", "no-example", "unknown-game"),
)
async def try_example(
    key: GameKey,
    name: FromPath[str],
    data: JSONBody[TryExample],
    registry: RegistryDep,
    request: ApiRequest,
    language: FromQuery[Language] = "en",
) -> Response[TrialResult]:
    """Try `moves` on a worked example, at most 12 from its beginning; nothing is stored.

    `ask` says what to do with the last move: `play`, `preview` or `why-not`. The answer has the `events` and
    `sentences` of the last move, the `points` gained by seat, `chance_follows`, the `position` (null for a preview),
    and the `next` move of the example (null after the last one, and once the moves do not follow it). An illegal move
    has the reason in `refused`, and the anchor of the `rule` that forbids it.
    """
    game, coding = registry.current_rules(key), accepted_coding(request)
    example = pictures_of(game).example(name)
    if example is None:
        raise Refused("no-example", "There is no such example.")
    answer = await registry.offload.set_up(
        key, lambda: compressed(encode(try_moves(game, example, data, language)), coding)
    )
    return sent(answer)


@post("/games/{key:str}/check", status_code=200, tags=["games"], responses=refusals(*BODY, "busy", "unknown-game"))
async def check_options(
    key: GameKey, data: JSONBody[dict[str, Any]], registry: RegistryDep, language: FromQuery[Language] = "en"
) -> Checked:
    """Validate options of a game; the body is an object of options.

    The answer lists all `problems`; line 0 means the option as a whole. `remarks` are warnings.
    """
    game = registry.current_rules(key)
    return await registry.offload.set_up(key, lambda: _checked(game, data, language))


@get("/games/{key:str}/lessons", tags=["games"], responses=refusals("no-lesson", "unknown-game"))
async def show_lessons(
    key: GameKey,
    registry: RegistryDep,
    request: ApiRequest,
    language: FromQuery[Language] = "en",
    course: FromQuery[CourseKind] = "basics",
) -> Response[Lessons]:
    """The texts of a game's lessons; their positions are set up at a table.

    The `course` on `strategy` follows that on the `basics`; a game may lack it.
    `coach` is the coach's name, `heading` the title of the list, `end` the text after the last lesson, and `seats`
    those of the game that follows. Each of the `lessons` has a `name`, a `title`, the `praise` at its end, and its
    `steps`: a `text`, a `goal`, the texts about mistakes (`wrong`, by the `say` of a frame's `lesson`), and places to
    highlight (`spot`), by their names in the game's table UI. On strategy, `costs` says how many percent of the chance
    to win a mistake costs at least, by the same keys as `wrong`.
    """
    return public(request, encode(_lessons(_course(key, course, registry), language)))


@post(
    "/games/{key:str}/lessons",
    tags=["games"],
    responses=refusals(*BODY, "bad-name", "busy", "foreign-origin", "no-lesson", "not-saved", "unknown-game"),
)
async def open_lessons(
    key: GameKey, data: JSONBody[LearnGame], request: ApiRequest, registry: RegistryDep
) -> Response[Credentials]:
    """Open a private table with the lessons of a game, from `lesson` on; it answers like opening a table."""
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    _course(key, data.course, registry)
    with opening_limits(request):
        code, ticket = await registry.learn(key, data.name, data.lesson, data.course)
    return credentials_response(request, data.keep, code, ticket)


def _course(key: str, kind: CourseKind, registry: Registry) -> Course:
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
