"""Routes about games: the list, rules with worked examples, lessons, and checks of options."""

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from jamboree.core.learning import CourseKind
from jamboree.core.words import Language

from ..live.commands.base import BODY
from ..protocol.bodies import Checked, Credentials, GameCard, Keeping, LearnGame, Lessons
from ..protocol.rules import Examples, Rules, TrialResult, TryExample
from ..protocol.wire import encode
from ..service import games as service
from .auth import check_origin, opening_limits
from .compression import compressed
from .error_responses import accepted_coding, public, refusals, sent
from .parameters import ApiRequest, GameKey, RegistryDep
from .people_routes import credentials_response


@get("/games", tags=["games"], responses=refusals())
async def list_games(registry: RegistryDep, request: ApiRequest) -> Response[list[GameCard]]:
    """All games, in the order in which they are shown.

    `options` is a JSON Schema. By language: `name`, a short description (`line`), one line of `help` for each option,
    the `labels` of options and of their values (as `option.value`), and the avatars that players choose from
    (`avatars`). `seats` and `minutes` are ranges. `undo` says whether moves can be taken back, `lessons` and `strategy`
    how many lessons the two courses have. `begins` is the rulebook's question who begins, by language: empty without
    such a question, null if the first player can't be chosen.
    """
    return public(request, service.game_cards(registry))


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
    return public(request, encode(service.rules(registry, key, language)))


@get("/games/{key:str}/examples", tags=["games"], responses=refusals("busy", "unknown-game"))
async def show_examples(
    key: GameKey, registry: RegistryDep, request: ApiRequest, language: FromQuery[Language] = "en"
) -> Response[Examples]:
    """The worked examples of a game's rules, in their initial positions.

    `seat` is the reader's, and `names` are by seat. Each example has a `name`, the anchor of its `rule`, the
    description of its picture (`alt`), the task (`text`), the `explanation` after its moves, all `actions`,
    and how it `begins`, in the form of the answer to the next request.
    """
    return public(request, await service.examples(registry, key, language))


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
    answer = await service.try_example(registry, key, name, data, language)
    return sent(compressed(answer, accepted_coding(request)))


@post("/games/{key:str}/check", status_code=200, tags=["games"], responses=refusals(*BODY, "busy", "unknown-game"))
async def check_options(
    key: GameKey, data: JSONBody[dict[str, Any]], registry: RegistryDep, language: FromQuery[Language] = "en"
) -> Checked:
    """Validate options of a game; the body is an object of options.

    The answer lists all `problems`; line 0 means the option as a whole. `remarks` are warnings.
    """
    return await service.check_options(registry, key, data, language)


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
    return public(request, encode(service.lessons(registry, key, course, language)))


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
    service.course(registry, key, data.course)
    with opening_limits(request):
        code, ticket = await registry.learn(key, data.name, data.lesson, data.course)
    return credentials_response(request, data.keep, code, ticket)
