"""Routes about a game's history: log, seeds, journal, replay and analysis."""

from typing import Any

from litestar import MediaType, Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery
from litestar.response import Stream

from jamboree.core.words import Language

from ..edge.addresses import rate_limit_key
from ..fair_queue import Requester
from ..live.commands.base import PERSON, TABLE
from ..live.replay import unpacked
from ..protocol.analysis import AnalysisInfo
from ..protocol.bodies import FairnessInfo, LogStep
from ..service import history as service
from ..tokens import hashed
from .auth import COOKIE, bearer, known_token, origin_of, person_at
from .compression import VARY, EncodedBody, compressed
from .error_responses import ACCESS, accepted_coding, refusals, sent
from .parameters import ApiRequest, RegistryDep, TableCode

CHANGES = "`[value]`, `[at, gone, new]` or `{name: change}`, as docs/protocol.md explains."
JOURNAL = ResponseSpec(dict[str, Any], generate_examples=False, description="The journal")
VIEWS = ResponseSpec(
    list[Any], generate_examples=False, description=f"One view per step, or what has changed in it: {CHANGES}"
)
PAINTINGS = ResponseSpec(list[dict[str, Any]], generate_examples=False, description="One painting per step")


@get(
    "/tables/{code:str}/log",
    tags=["tables"],
    responses=refusals(*TABLE, *ACCESS, "busy", "foreign-origin", "no-seat", "not-finished", "outdated", "wrong-token"),
)
async def show_log(
    code: TableCode,
    request: ApiRequest,
    registry: RegistryDep,
    language: FromQuery[Language] = "en",
    seat: FromQuery[int | None] = None,
) -> Response[list[LogStep]]:
    """The log of the game as you witnessed it; after the game, `seat` selects another witness.

    Each entry has the `seq` of its record, its `actor`, its `sentences`, the `events` that they render (null for the
    note that a bot chose), whether it was `undone`, and after the game its `step` in the journal.
    """
    table = await registry.table(code)
    token = known_token(request, table)
    log = await service.log(registry, table, table.authenticate(token) if token else None, language, seat)
    coding = accepted_coding(request) if log.is_public else ""
    return sent(await registry.offload.run(compressed, log.content, coding))


@get("/tables/{code:str}/fairness", tags=["afterwards"], responses=refusals(*TABLE))
async def show_fairness(code: TableCode, registry: RegistryDep) -> FairnessInfo:
    """The commitment to the server's seed, and the seeds themselves once the table is finished or closed.

    `seeds` are by seat. Everybody moved up by `turned` seats after adding theirs. fairness.md says how to check them.
    """
    return await service.fairness(await registry.table(code))


@get(
    "/tables/{code:str}/journal",
    tags=["afterwards"],
    responses={200: JOURNAL, **refusals(*TABLE, "busy", "not-finished")},
)
async def show_journal(code: TableCode, request: ApiRequest, registry: RegistryDep) -> Response[Any]:
    """The journal of a finished or abandoned game, for `jamboree replay` and `jamboree verify`."""
    return _deflated(await service.journal(registry, await registry.table(code)), request)


@get(
    "/tables/{code:str}/replay",
    tags=["afterwards"],
    responses={200: VIEWS, **refusals(*TABLE, "busy", "no-seat", "not-finished", "outdated")},
)
async def show_replay(
    code: TableCode,
    request: ApiRequest,
    registry: RegistryDep,
    changes: FromQuery[bool] = False,
    seat: FromQuery[int | None] = None,
) -> Response[Any]:
    """The views after every step of a finished game, the setup first.

    They have all hidden information, or with `seat` what that seat knew at the time. With `changes` only the first
    view is whole, and the others are deltas. The array has one element a line, with its brackets on lines of their
    own, so that it can be read as a stream.
    """
    return _deflated(await service.replay(registry, await registry.table(code), seat, deltas=changes), request)


@get(
    "/tables/{code:str}/paintings",
    tags=["afterwards"],
    responses={200: PAINTINGS, **refusals(*TABLE, "busy", "no-seat", "not-finished", "outdated")},
)
async def show_paintings(
    code: TableCode,
    request: ApiRequest,
    registry: RegistryDep,
    language: FromQuery[Language] = "en",
    seat: FromQuery[int | None] = None,
) -> Response[Any]:
    """Every step of a finished game as text, for clients without a table UI of the game; `seat` selects a viewer."""
    return _deflated(await service.paintings(registry, await registry.table(code), language, seat), request)


@get(
    "/tables/{code:str}/analysis",
    tags=["afterwards"],
    responses=refusals(*TABLE, *ACCESS, "busy", "foreign-origin", "not-finished", "outdated", "wrong-token"),
)
async def show_analysis(
    code: TableCode,
    request: ApiRequest,
    registry: RegistryDep,
    language: FromQuery[Language] = "en",
    seat: FromQuery[int | None] = None,
) -> Response[AnalysisInfo]:
    """The analysis of a finished game, as far as it is done.

    `done` counts `steps`. `before` is the number of games ahead in the queue, and `left` the estimated seconds, or
    null. `moments` hold everybody's chances to win, `losses` what decisions cost, `luck` what draws and rolls changed,
    `balance` a summary by seat, and `sections` those of the game. `turning_points` are three of your seat or of
    `seat`: the `step`, the `kind` and `change` of the chance (`before`, `after`), what was done (`did`, `did_action`)
    and what was `better` (`better_action`), `why`, and what the seat `knew`. Private actions are in words only for
    those who saw them.
    """
    table = await registry.table(code)
    token = known_token(request, table)
    person = table.authenticate(token) if token else None
    analysis = await service.analysis(registry, table, person, language, seat)
    return sent(await registry.offload.run(compressed, analysis, accepted_coding(request)))


@post(
    "/tables/{code:str}/analysis",
    status_code=204,
    tags=["afterwards"],
    responses=refusals(*PERSON, "busy", "no-analysis", "not-finished"),
)
async def begin_analysis(code: TableCode, request: ApiRequest, registry: RegistryDep) -> None:
    """Start or resume the analysis of a finished game in the background; for people of the table.

    One game is analysed at a time. Addresses take turns, and so do the people at each. When sixty games wait, the
    address with the most of them loses one, which is `crowded`. Results are stored until another version of the bots
    or the coach is installed; after a restart of the server, an unfinished analysis is `interrupted`, and one that had
    not begun is `none`.
    """
    table = await registry.table(code)
    await service.check_finished(table)
    person_at(request, table)
    await service.begin_analysis(registry, table, _requester(request))


@post("/tables/{code:str}/analysis/stop", status_code=204, tags=["afterwards"], responses=refusals(*PERSON))
async def stop_analysis(code: TableCode, request: ApiRequest, registry: RegistryDep) -> None:
    """Stop the analysis of a game; finished parts can still be read."""
    person_at(request, await registry.table(code))
    await registry.analyst.stop(code)


def _requester(request: ApiRequest) -> Requester:
    """The requester for fair queueing; a browser is identified by its oldest cookie, which it sends first."""
    oldest = next((value for name, value in request.cookies.items() if name.startswith(COOKIE)), None)
    return Requester(rate_limit_key(origin_of(request).address), hashed(oldest or bearer(request) or ""))


def _deflated(array: bytes, request: ApiRequest) -> Response[Any]:
    """Send stored deflated JSON as it is to clients that accept it; else decompress it in a stream."""
    if accepted_coding(request, "deflate"):
        return sent(EncodedBody(array, "deflate"))
    return Stream(unpacked(array), media_type=MediaType.JSON, headers=VARY)
