"""Routes about a game's history: log, seeds, journal, replay and analysis."""

import zlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

from litestar import MediaType, Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery
from litestar.response import Stream

from jamboree import __version__
from jamboree.coach.review import can_review
from jamboree.core.errors import BadJournal
from jamboree.core.game import AnyGame, Eye, Viewer
from jamboree.core.journal import About, write
from jamboree.core.words import Language

from ..analysis import current_work, visible_analysis
from ..edge.addresses import rate_limit_key
from ..errors import Refused
from ..fair_queue import Requester
from ..live.commands.base import PERSON, TABLE
from ..live.registry import Registry
from ..live.replay import (
    has_begun,
    has_deltas,
    journal_of,
    log_of,
    paintings_of,
    replay_of,
    unpacked,
    views_of,
    with_deltas,
)
from ..live.state import TableState
from ..live.table import Table
from ..live.visibility import check_view
from ..protocol.analysis import AnalysisInfo
from ..protocol.bodies import FairnessInfo, LogStep
from ..protocol.terms import UNDER_WAY, Status
from ..protocol.wire import encode
from ..store import Record
from ..tokens import hashed
from .auth import COOKIE, bearer, known_token, origin_of, person_at
from .compression import VARY, EncodedBody, compressed
from .error_responses import ACCESS, accepted_coding, refusals, sent
from .parameters import ApiRequest, RegistryDep, TableCode

T = TypeVar("T")
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
    person = table.authenticate(token) if token else None
    game, eyes, is_over = await table.read(lambda state: (_rules(state), _viewing_seat(state, person), _is_over(state)))
    viewer = eyes if seat is None else await _seat(code, seat, registry)
    coding = accepted_coding(request) if is_over or viewer is None else ""  # during a game, a player's log has secrets
    history = await registry.store.history(code)
    return sent(await registry.offload.run(lambda: compressed(log_of(history, game, viewer, language, eyes), coding)))


@get("/tables/{code:str}/fairness", tags=["afterwards"], responses=refusals(*TABLE))
async def show_fairness(code: TableCode, registry: RegistryDep) -> FairnessInfo:
    """The commitment to the server's seed, and the seeds themselves once the table is finished or closed.

    `seeds` are by seat. Everybody moved up by `turned` seats after adding theirs. fairness.md says how to check them.
    """
    return await (await registry.table(code)).read(_fairness)


@get(
    "/tables/{code:str}/journal",
    tags=["afterwards"],
    responses={200: JOURNAL, **refusals(*TABLE, "busy", "not-finished")},
)
async def show_journal(code: TableCode, request: ApiRequest, registry: RegistryDep) -> Response[Any]:
    """The journal of a finished or abandoned game, for `jamboree replay` and `jamboree verify`."""
    about = await (await registry.table(code)).read(_about)
    journal = await registry.offload.run(_journal, await registry.store.history(code), code, about)
    return _deflated(journal, request)


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
    table = await _finished_table(code, registry)
    viewer = Eye.ALL if seat is None else await _seat(code, seat, registry)
    replay = await registry.store.replay(code) if seat is None else None
    if replay is None or not has_deltas(replay):
        replay = await _replayed(code, table, viewer, registry, replay)
    return _deflated(replay if changes else await registry.offload.run(views_of, replay), request)


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
    table = await _finished_table(code, registry)
    viewer = Eye.ALL if seat is None else await _seat(code, seat, registry)
    game, avatars = await table.read(lambda state: (_rules(state), state.roster.avatars.by_seat))
    history = await registry.store.history(code)
    paintings = partial(paintings_of, history, game, avatars, language, viewer)
    return _deflated(await registry.offload.run(_replaying, paintings), request)


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
    table = await _finished_table(code, registry)
    token = known_token(request, table)
    person = table.authenticate(token) if token else None
    game, eyes, roster = await table.read(lambda state: (_rules(state), _viewing_seat(state, person), state.roster))
    work = current_work(await registry.store.analysis(code), registry.analyst.work(code))
    whose = seat if seat is not None and 0 <= seat < roster.seats else eyes
    journal = partial(journal_of, await registry.store.history(code))
    analysis = partial(visible_analysis, work, journal, game, roster.avatars.by_seat, eyes, whose, language)
    coding = accepted_coding(request)
    return sent(await registry.offload.run(lambda: compressed(encode(_replaying(analysis)), coding)))


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
    table = await _finished_table(code, registry)
    person_at(request, table)
    if not can_review(await table.read(_rules)):
        raise Refused("no-analysis", "This game can't be reviewed here.")
    work = current_work(await registry.store.analysis(code), registry.analyst.work(code))
    if work.state != "done":
        history = await registry.store.history(code)
        journal = await registry.offload.run(lambda: encode(journal_of(history)))
        keep = partial(registry.store.save_analysis, code)
        registry.analyst.begin(code, journal, keep, work.found, _requester(request))


@post("/tables/{code:str}/analysis/stop", status_code=204, tags=["afterwards"], responses=refusals(*PERSON))
async def stop_analysis(code: TableCode, request: ApiRequest, registry: RegistryDep) -> None:
    """Stop the analysis of a game; finished parts can still be read."""
    person_at(request, await registry.table(code))
    await registry.analyst.stop(code)


def _requester(request: ApiRequest) -> Requester:
    """The requester for fair queueing; a browser is identified by its oldest cookie, which it sends first."""
    oldest = next((value for name, value in request.cookies.items() if name.startswith(COOKIE)), None)
    return Requester(rate_limit_key(origin_of(request).address), hashed(oldest or bearer(request) or ""))


async def _finished_table(code: str, registry: Registry) -> Table:
    table = await registry.table(code)
    if await table.read(lambda state: state.roster.status) != Status.FINISHED:
        raise _not_finished()
    return table


def _deflated(array: bytes, request: ApiRequest) -> Response[Any]:
    """Send stored deflated JSON as it is to clients that accept it; else decompress it in a stream."""
    if accepted_coding(request, "deflate"):
        return sent(EncodedBody(array, "deflate"))
    return Stream(unpacked(array), media_type=MediaType.JSON, headers=VARY)


async def _seat(code: str, seat: int, registry: Registry) -> int:
    """Validate the requested seat of a finished game."""
    table = await _finished_table(code, registry)
    seats = await table.read(lambda state: state.roster.seats)
    if not 0 <= seat < seats:
        raise Refused("no-seat", f"This table has seats 0 to {seats - 1}.")
    return seat


async def _replayed(code: str, table: Table, viewer: Viewer, registry: Registry, stored: bytes | None) -> bytes:
    """Replay a game; if its rules are outdated, convert an old stored replay, which may lack newer fields."""
    try:
        game, history = await table.read(_rules), await registry.store.history(code)
        return await registry.offload.run(_replaying, partial(replay_of, history, game, viewer))
    except Refused as refusal:
        if stored is None or refusal.code != "outdated":
            raise
        return await registry.offload.run(with_deltas, stored)


def _replaying(work: Callable[[], T]) -> T:
    """Run work that replays a journal; refuse it if the rules lead elsewhere now."""
    try:
        return work()
    except BadJournal as error:
        raise Refused("outdated", str(error)) from None


def _journal(history: Sequence[Record], table: str, about: About) -> bytes:
    if not has_begun(history):
        raise _not_finished()
    return zlib.compress(write(journal_of(history, table, about)).encode())


def _viewing_seat(state: TableState, person: str | None) -> int | None:
    """The seat from which a person may view the table; None for spectators."""
    check_view(state.roster, person)
    return state.roster.seat_of(person)


def _fairness(state: TableState) -> FairnessInfo:
    luck, roster = state.luck, state.roster
    if not luck.secret or roster.status in UNDER_WAY:
        return FairnessInfo(luck.commitment)
    return FairnessInfo(luck.commitment, luck.secret, list(luck.seeds), roster.turned)


def _about(state: TableState) -> About:
    """The journal's metadata: when the game ended, and its outcome if its rules are installed."""
    if not _is_over(state):
        raise _not_finished()
    day = datetime.fromtimestamp(state.touched, UTC).date().isoformat()
    return About(__version__, day, state.outcome)


def _is_over(state: TableState) -> bool:
    """Whether the whole game is public for everyone with the code."""
    return state.roster.status not in UNDER_WAY and not state.roster.learning


def _rules(state: TableState) -> AnyGame:
    state.check_rules()
    return state.game


def _not_finished() -> Refused:
    return Refused("not-finished", "A game can be seen from every seat once it is over.")
