"""What is told of a game, and what is left of it when it is over: log, seeds, journal and replay."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from jamboree import __version__
from jamboree.core.errors import BadJournal
from jamboree.core.game import AnyGame
from jamboree.core.journal import About, write
from jamboree.core.words import Language

from ..commands.access import check_view
from ..errors import Refused
from ..memory.finished.replay import has_begun, journal_of, replay_of, unpacked
from ..memory.memory import Memory
from ..protocol.bodies import FairnessSeen, LogStep
from ..protocol.terms import UNDER_WAY, Status
from ..store import Record
from ..table.registry import Registry
from ..table.table import Table
from ..watching.history import log_of
from ..watching.painting import paintings_of
from ..watching.showing import seat_of
from .answers import DOOR, TABLE, Asked, refusals
from .gate import known_token
from .packing import VARY, codings

Theirs = NamedDependency[Registry]
Code = FromPath[str]
JOURNAL = ResponseSpec(dict[str, Any], generate_examples=False, description="The journal")
VIEWS = ResponseSpec(list[dict[str, Any]], generate_examples=False, description="One view per step")
PAINTINGS = ResponseSpec(list[dict[str, Any]], generate_examples=False, description="One painting per step")


@get(
    "/tables/{code:str}/log",
    tags=["tables"],
    responses=refusals(*TABLE, *DOOR, "busy", "foreign-origin", "outdated", "wrong-token"),
)
async def show_log(
    code: Code, request: Asked, registry: Theirs, language: FromQuery[Language] = "en"
) -> Response[list[LogStep]]:
    """Tell the whole game so far, as who asks has witnessed it."""
    table = await registry.table(code)
    token = known_token(request, table)
    person = table.who(token) if token else None
    game, seat = await table.read(lambda memory: (_rules(memory), _eyes(memory, person)))
    log: Any = await registry.offload.run(log_of, await registry.store.history(code), game, seat, language)
    return Response(log, media_type=MediaType.JSON)


@get("/tables/{code:str}/fairness", tags=["afterwards"], responses=refusals(*TABLE))
async def show_fairness(code: Code, registry: Theirs) -> FairnessSeen:
    """Give what binds the server to its seed, and the seeds themselves once the table is finished or closed."""
    return await (await registry.table(code)).read(_fairness)


@get(
    "/tables/{code:str}/journal",
    tags=["afterwards"],
    responses={200: JOURNAL, **refusals(*TABLE, "busy", "not-finished")},
)
async def show_journal(code: Code, registry: Theirs) -> Response[bytes]:
    """Give the journal of a finished or abandoned game, as `jamboree replay` and `jamboree verify` read it."""
    about = await (await registry.table(code)).read(_about)
    journal = await registry.offload.run(_journal, await registry.store.history(code), code, about)
    return Response(journal, media_type=MediaType.JSON)


@get(
    "/tables/{code:str}/replay",
    tags=["afterwards"],
    responses={200: VIEWS, **refusals(*TABLE, "busy", "not-finished", "outdated")},
)
async def show_replay(code: Code, request: Asked, registry: Theirs) -> Response[Any]:
    """Give the all-seeing view after every step of a finished game, the set-up first."""
    table = await _finished(code, registry)
    replay = await registry.store.replay(code)
    if replay is None:
        game = await table.read(_rules)
        replay = await registry.offload.run(_replayed, await registry.store.history(code), game)
    return _packed(replay, request)


@get(
    "/tables/{code:str}/paintings",
    tags=["afterwards"],
    responses={200: PAINTINGS, **refusals(*TABLE, "busy", "not-finished", "outdated")},
)
async def show_paintings(
    code: Code, request: Asked, registry: Theirs, language: FromQuery[Language] = "en"
) -> Response[Any]:
    """Give every step of a finished game painted, for clients that can't draw its replay."""
    table = await _finished(code, registry)
    game, looks = await table.read(lambda memory: (_rules(memory), memory.lobby.looks.worn))
    history = await registry.store.history(code)
    return _packed(await registry.offload.run(_paintings, history, game, looks, language), request)


async def _finished(code: str, registry: Registry) -> Table:
    table = await registry.table(code)
    if await table.status() != Status.FINISHED:
        raise _not_finished()
    return table


def _packed(array: bytes, request: Asked) -> Response[Any]:
    """Send an array as it is packed if that is welcome, as with a browser: of a long game it has megabytes."""
    if "deflate" in codings(request.headers.get("accept-encoding", "")):
        return Response(array, media_type=MediaType.JSON, headers={"content-encoding": "deflate", **VARY})
    return Stream(unpacked(array), media_type=MediaType.JSON, headers=VARY)


def _replayed(history: Sequence[Record], game: AnyGame) -> bytes:
    try:
        return replay_of(history, game)
    except BadJournal as error:
        raise Refused("outdated", str(error)) from None


def _paintings(history: Sequence[Record], game: AnyGame, looks: Sequence[int], language: Language) -> bytes:
    try:
        return paintings_of(history, game, looks, language)
    except BadJournal as error:
        raise Refused("outdated", str(error)) from None


def _journal(history: Sequence[Record], table: str, about: About) -> bytes:
    if not has_begun(history):
        raise _not_finished()
    return write(journal_of(history, table, about)).encode()


def _eyes(memory: Memory, person: str | None) -> int | None:
    """Tell by whose eyes somebody may look."""
    check_view(memory.lobby, person)
    return seat_of(memory, person)


def _fairness(memory: Memory) -> FairnessSeen:
    luck, lobby = memory.luck, memory.lobby
    if not luck.secret or lobby.status in UNDER_WAY:
        return FairnessSeen(luck.commitment)
    return FairnessSeen(luck.commitment, luck.secret, list(luck.seeds), lobby.turned)


def _about(memory: Memory) -> About:
    """Say of a game that is over when it ended, and how; without its rules nobody knows how."""
    if memory.lobby.status in UNDER_WAY or memory.lobby.learning:
        raise _not_finished()
    known = memory.state is not None and not memory.outdated
    day = datetime.fromtimestamp(memory.touched, UTC).date().isoformat()
    return About(__version__, day, memory.game.outcome(memory.state) if known else None)


def _rules(memory: Memory) -> AnyGame:
    memory.check_rules()
    return memory.game


def _not_finished() -> Refused:
    return Refused("not-finished", "A game can be seen from every seat once it is over.")
