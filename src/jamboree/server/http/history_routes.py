"""What is told of a game, and what is left of it when it is over: log, seeds, journal and replay."""

import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from jamboree import __version__
from jamboree.coach.back import can_look_back
from jamboree.core.errors import BadJournal
from jamboree.core.game import AnyGame, Eye, Viewer
from jamboree.core.journal import About, write
from jamboree.core.words import Language

from ..edge.addresses import household
from ..errors import Refused
from ..fair_queue import Asker
from ..live.analysis import Work, journal_line, kept_work, told
from ..live.commands.base import PERSON, TABLE
from ..live.registry import Registry
from ..live.replay import has_begun, is_short, journal_of, replay_of, shortened, unpacked, views_of
from ..live.state import TableState
from ..live.table import Table
from ..live.viewers.frame_builder import seat_of
from ..live.viewers.history import log_of
from ..live.viewers.painting import paintings_of
from ..live.visibility import check_view
from ..protocol.analysis import AnalysisSeen
from ..protocol.bodies import FairnessSeen, LogStep
from ..protocol.terms import UNDER_WAY, Status
from ..protocol.wire import encode
from ..store import Record
from ..tokens import hashed
from .auth import COOKIE, bearer, known_token, origin_of, person_at
from .compression import VARY, Form, in_form
from .error_responses import DOOR, Asked, coding_for, refusals, sent

RegistryDep = NamedDependency[Registry]
Code = FromPath[str]
CHANGES = "`[value]`, `[at, gone, new]` or `{name: change}`, as docs/protocol.md explains."
JOURNAL = ResponseSpec(dict[str, Any], generate_examples=False, description="The journal")
VIEWS = ResponseSpec(
    list[Any], generate_examples=False, description=f"One view per step, or what has changed in it: {CHANGES}"
)
PAINTINGS = ResponseSpec(list[dict[str, Any]], generate_examples=False, description="One painting per step")


@get(
    "/tables/{code:str}/log",
    tags=["tables"],
    responses=refusals(*TABLE, *DOOR, "busy", "foreign-origin", "no-seat", "not-finished", "outdated", "wrong-token"),
)
async def show_log(
    code: Code,
    request: Asked,
    registry: RegistryDep,
    language: FromQuery[Language] = "en",
    seat: FromQuery[int | None] = None,
) -> Response[list[LogStep]]:
    """Tell the whole game so far, as who asks has witnessed it; once it is over, as any `seat` has."""
    table = await registry.table(code)
    token = known_token(request, table)
    person = table.who(token) if token else None
    game, eyes, is_over = await table.read(lambda state: (_rules(state), _eyes(state, person), _is_over(state)))
    viewer = eyes if seat is None else await _seat(code, seat, registry)
    coding = coding_for(request) if is_over or viewer is None else ""  # a player has secrets as long as it lasts
    history = await registry.store.history(code)
    return sent(await registry.offload.run(lambda: in_form(log_of(history, game, viewer, language, eyes), coding)))


@get("/tables/{code:str}/fairness", tags=["afterwards"], responses=refusals(*TABLE))
async def show_fairness(code: Code, registry: RegistryDep) -> FairnessSeen:
    """Give what binds the server to its seed, and the seeds themselves once the table is finished or closed."""
    return await (await registry.table(code)).read(_fairness)


@get(
    "/tables/{code:str}/journal",
    tags=["afterwards"],
    responses={200: JOURNAL, **refusals(*TABLE, "busy", "not-finished")},
)
async def show_journal(code: Code, request: Asked, registry: RegistryDep) -> Response[Any]:
    """Give the journal of a finished or abandoned game, as `jamboree replay` and `jamboree verify` read it."""
    about = await (await registry.table(code)).read(_about)
    journal = await registry.offload.run(_journal, await registry.store.history(code), code, about)
    return _packed(journal, request)


@get(
    "/tables/{code:str}/replay",
    tags=["afterwards"],
    responses={200: VIEWS, **refusals(*TABLE, "busy", "no-seat", "not-finished", "outdated")},
)
async def show_replay(
    code: Code,
    request: Asked,
    registry: RegistryDep,
    changes: FromQuery[bool] = False,
    seat: FromQuery[int | None] = None,
) -> Response[Any]:
    """Give the view after every step of a finished game, the set-up first; or only what has changed.

    It is the view of the all-seeing eye, or of a `seat`.
    """
    table = await _finished(code, registry)
    if seat is not None:
        return _packed(await _replay_of_seat(code, await _seat(code, seat, registry), changes, registry), request)
    replay = await registry.store.replay(code)
    if replay is None or not is_short(replay):  # what was kept in former times may lack what is shown by now
        replay = await _replayed_now(code, table, registry, replay)
    if is_short(replay) != changes:
        replay = await registry.offload.run(shortened if changes else views_of, replay)
    return _packed(replay, request)


@get(
    "/tables/{code:str}/paintings",
    tags=["afterwards"],
    responses={200: PAINTINGS, **refusals(*TABLE, "busy", "no-seat", "not-finished", "outdated")},
)
async def show_paintings(
    code: Code,
    request: Asked,
    registry: RegistryDep,
    language: FromQuery[Language] = "en",
    seat: FromQuery[int | None] = None,
) -> Response[Any]:
    """Give every step of a finished game painted, for clients that can't draw its replay."""
    table = await _finished(code, registry)
    viewer = Eye.ALL if seat is None else await _seat(code, seat, registry)
    game, looks = await table.read(lambda state: (_rules(state), state.roster.looks.worn))
    history = await registry.store.history(code)
    return _packed(await registry.offload.run(_paintings, history, game, looks, language, viewer), request)


@get(
    "/tables/{code:str}/analysis",
    tags=["afterwards"],
    responses=refusals(*TABLE, *DOOR, "busy", "foreign-origin", "not-finished", "outdated", "wrong-token"),
)
async def show_analysis(
    code: Code,
    request: Asked,
    registry: RegistryDep,
    language: FromQuery[Language] = "en",
    seat: FromQuery[int | None] = None,
) -> Response[AnalysisSeen]:
    """Give what was found out about a finished game, as far as it is done; `seat` says whose turning points."""
    table = await _finished(code, registry)
    token = known_token(request, table)
    person = table.who(token) if token else None
    game, eyes, roster = await table.read(lambda state: (_rules(state), _eyes(state, person), state.roster))
    work = kept_work(await registry.store.analysis(code), registry.analyst.work(code))
    whose = seat if seat is not None and 0 <= seat < roster.seats else eyes
    history = await registry.store.history(code)
    answer = partial(_analysis, work, history, game, roster.looks.worn, eyes, whose, language)
    coding = coding_for(request)
    return sent(await registry.offload.run(lambda: in_form(encode(answer()), coding)))


@post(
    "/tables/{code:str}/analysis",
    status_code=204,
    tags=["afterwards"],
    responses=refusals(*PERSON, "busy", "no-analysis", "not-finished"),
)
async def begin_analysis(code: Code, request: Asked, registry: RegistryDep) -> None:
    """Have a finished game looked back on, in the background, from where it was stopped; what is done is kept."""
    table = await _finished(code, registry)
    person_at(request, table)
    if not can_look_back(await table.read(_rules)):
        raise Refused("no-analysis", "This game can't be looked back on here.")
    work = kept_work(await registry.store.analysis(code), registry.analyst.work(code))
    if work.state != "done":
        journal = await registry.offload.run(journal_line, await registry.store.history(code))
        keep = partial(registry.store.keep_analysis, code)
        registry.analyst.begin(code, journal, keep, work.found, _asker(request))


@post("/tables/{code:str}/analysis/stop", status_code=204, tags=["afterwards"], responses=refusals(*PERSON))
async def stop_analysis(code: Code, request: Asked, registry: RegistryDep) -> None:
    """Stop looking back at a game; what is done so far can still be read."""
    person_at(request, await registry.table(code))
    await registry.analyst.stop(code)


def _asker(request: Asked) -> Asker:
    """Tell who asks, for those who take turns: a browser by its oldest cookie, which it sends first."""
    oldest = next((value for name, value in request.cookies.items() if name.startswith(COOKIE)), None)
    return Asker(household(origin_of(request).address), hashed(oldest or bearer(request) or ""))


async def _finished(code: str, registry: Registry) -> Table:
    table = await registry.table(code)
    if await table.status() != Status.FINISHED:
        raise _not_finished()
    return table


def _packed(array: bytes, request: Asked) -> Response[Any]:
    """Send what is left of a game as it is packed if that is welcome, as with a browser: it may have megabytes."""
    if coding_for(request, "deflate"):
        return sent(Form(array, "deflate"))
    return Stream(unpacked(array), media_type=MediaType.JSON, headers=VARY)


async def _replayed_now(code: str, table: Table, registry: Registry, kept: bytes | None) -> bytes:
    """Play a game again; one by rules of former times stays as it was kept then."""
    try:
        game = await table.read(_rules)
        return await registry.offload.run(_replayed, await registry.store.history(code), game)
    except Refused as refusal:
        if kept is None or refusal.code != "outdated":
            raise
        return kept


async def _seat(code: str, seat: int, registry: Registry) -> int:
    """Check by whose eyes a game that is over is to be seen."""
    table = await _finished(code, registry)
    seats = await table.read(lambda state: state.roster.seats)
    if not 0 <= seat < seats:
        raise Refused("no-seat", f"This table has seats 0 to {seats - 1}.")
    return seat


async def _replay_of_seat(code: str, seat: int, changes: bool, registry: Registry) -> bytes:
    table = await registry.table(code)
    game, history = await table.read(_rules), await registry.store.history(code)
    replay = await registry.offload.run(_replayed, history, game, seat)
    return replay if changes else await registry.offload.run(views_of, replay)


def _replayed(history: Sequence[Record], game: AnyGame, viewer: Viewer = Eye.ALL) -> bytes:
    try:
        return replay_of(history, game, viewer)
    except BadJournal as error:
        raise Refused("outdated", str(error)) from None


def _paintings(
    history: Sequence[Record], game: AnyGame, looks: Sequence[int], language: Language, viewer: Viewer
) -> bytes:
    try:
        return paintings_of(history, game, looks, language, viewer)
    except BadJournal as error:
        raise Refused("outdated", str(error)) from None


def _analysis(
    work: Work, history: Sequence[Record], game: AnyGame, looks: Sequence[int], viewer: int | None, seat: int | None,
    language: Language,
) -> AnalysisSeen:  # fmt: skip
    try:
        return told(work, history, game, looks, viewer, seat, language)
    except BadJournal as error:
        raise Refused("outdated", str(error)) from None


def _journal(history: Sequence[Record], table: str, about: About) -> bytes:
    if not has_begun(history):
        raise _not_finished()
    return zlib.compress(write(journal_of(history, table, about)).encode())


def _eyes(state: TableState, person: str | None) -> int | None:
    """Tell by whose eyes somebody may look."""
    check_view(state.roster, person)
    return seat_of(state, person)


def _fairness(state: TableState) -> FairnessSeen:
    luck, roster = state.luck, state.roster
    if not luck.secret or roster.status in UNDER_WAY:
        return FairnessSeen(luck.commitment)
    return FairnessSeen(luck.commitment, luck.secret, list(luck.seeds), roster.turned)


def _about(state: TableState) -> About:
    """Say of a game that is over when it ended, and how; without its rules nobody knows how."""
    if not _is_over(state):
        raise _not_finished()
    known = state.position is not None and not state.outdated
    day = datetime.fromtimestamp(state.touched, UTC).date().isoformat()
    return About(__version__, day, state.game.outcome(state.position) if known else None)


def _is_over(state: TableState) -> bool:
    """Tell whether everybody may read all of a game: its journal is open to whoever has the code."""
    return state.roster.status not in UNDER_WAY and not state.roster.learning


def _rules(state: TableState) -> AnyGame:
    state.check_rules()
    return state.game


def _not_finished() -> Refused:
    return Refused("not-finished", "A game can be seen from every seat once it is over.")
