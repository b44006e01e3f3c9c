"""Routes that open, list, join and set up tables; and the router of the whole API."""

import msgspec
from litestar import Response, Router, get, post
from litestar.params import FromQuery, JSONBody

from ..live.commands.base import BODY, CHANGE, HOST, PERSON, TABLE
from ..live.commands.joining import Join
from ..protocol.bodies import (
    Credentials,
    ForkTable,
    JoinTable,
    Keeping,
    NextTable,
    OpenNextGame,
    OpenParty,
    OpenTable,
    SetUpTable,
    TableCard,
)
from ..protocol.parts import TableDetails
from ..protocol.terms import Seating, Status
from ..protocol.wire import encode
from ..service import tables as service
from .auth import (
    check_origin,
    device_tokens,
    joining_limits,
    known_token,
    opening_limits,
    party_limits,
    presented_token_hashes,
)
from .command_routes import COMMANDS
from .compression import compressed
from .error_responses import ACCESS, accepted_coding, refusals, sent
from .game_routes import check_options, list_games, open_lessons, show_examples, show_lessons, show_rules, try_example
from .history_routes import (
    begin_analysis,
    show_analysis,
    show_fairness,
    show_journal,
    show_log,
    show_paintings,
    show_replay,
    stop_analysis,
)
from .invite_routes import show_invite, show_qr_code
from .journal_routes import watch_journal
from .parameters import ApiRequest, RegistryDep, TableCode
from .people_routes import PEOPLE_ROUTES, credentials_response, table_and_person

NEW_GAME = ("bad-options", "busy", "not-finished", "unknown-game")  # a new game uses the current rules


@get("/tables", tags=["tables"], responses=refusals("not-saved"))
async def list_tables(
    registry: RegistryDep, request: ApiRequest, status: FromQuery[Status] = Status.GATHERING
) -> Response[list[TableCard]]:
    """The public, unlocked tables with a status, the last changed first.

    `status` is one of `gathering`, `seeding`, `playing`, `finished` and `closed`. `free` are the free seats, `host` a
    name, `touched` the time of the last change that everybody may see (of moves, to the minute), and `winners` the
    names after the end, when `players` and `scores` are those of every seat.
    """
    return sent(compressed(encode(await service.listed(registry, status)), accepted_coding(request)))


@post(
    "/tables",
    tags=["tables"],
    responses=refusals(
        *BODY,
        "bad-name",
        "bad-options",
        "busy",
        "foreign-origin",
        "not-saved",
        "table-stopped",
        "taken",
        "unknown-game",
    ),
)
async def open_table(data: JSONBody[OpenTable], request: ApiRequest, registry: RegistryDep) -> Response[Credentials]:
    """Open a table; its opener becomes the host, with the first seat.

    In `options` a text that comes with the game, such as a board, is given by its name (`longchain`) or in full. `bots`
    are levels (`rookie`, `regular`, `sharp`, `star`) by seat; a level that the game lacks is replaced by the best below
    it. `seconds` are those for each decision, 5 to 3600. `consent` says who must agree to an undo, `everybody` or the
    `majority`. With `start` the game begins at once if bots have all other seats. The `token` is null if `keep` is
    `cookie`.
    """
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    with opening_limits(request):
        code, ticket = await registry.open(data)
    if data.start:
        await service.start_alone(await registry.table(code), ticket.person)
    return credentials_response(request, data.keep, code, ticket)


@get("/tables/{code:str}", tags=["tables"], responses=refusals(*TABLE, *ACCESS, "foreign-origin", "wrong-token"))
async def show_table(code: TableCode, request: ApiRequest, registry: RegistryDep) -> TableDetails:
    """A table's public state, as in a `welcome`, for everyone who may watch it.

    `you` is who the request comes from, and `device` lists everyone who plays on the same device. `actors` are to
    move; after the game, `outcome` says who won.
    """
    table = await registry.table(code)
    token = known_token(request, table)
    seen = await table.inspect(table.authenticate(token) if token else None)
    return msgspec.structs.replace(seen, device=list(device_tokens(request, table)))


@post(
    "/tables/{code:str}/join",
    tags=["tables"],
    responses=refusals(
        *CHANGE, *BODY, *ACCESS, "already-joined", "bad-name", "foreign-origin", "full", "started", "taken"
    ),
)
async def join_table(
    code: TableCode, data: JSONBody[JoinTable], request: ApiRequest, registry: RegistryDep
) -> Response[Credentials]:
    """Join a table as a player, in a `seat` or any free one, or `watch` it; the answer is that of opening a table.

    With `beside`, the cookies of other people on the same device are kept.
    """
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    table = await registry.table(code)
    with joining_limits(request, code):
        ticket = await table.ask(Join(data.name, data.seat, data.watch, presented_token_hashes(request)))
    return credentials_response(request, data.keep, table.code, ticket, data.beside)


@post(
    "/tables/{code:str}/setup",
    status_code=204,
    tags=["tables"],
    responses=refusals(*HOST, *BODY, "bad-options", "busy", "forked", "full", "started", "taken"),
)
async def set_up_table(code: TableCode, data: JSONBody[SetUpTable], request: ApiRequest, registry: RegistryDep) -> None:
    """Change a table's settings before the game; for the host.

    Missing fields stay unchanged. With fewer seats, bots leave and people move up. `first` is the seat that begins;
    null means any.
    """
    await service.set_up(registry, *await table_and_person(code, request, registry), data)


@post("/tables/{code:str}/rematch", tags=["tables"], responses=refusals(*HOST, *NEW_GAME, "left"))
async def ask_rematch(
    code: TableCode,
    request: ApiRequest,
    registry: RegistryDep,
    start: FromQuery[bool] = False,
    seating: FromQuery[Seating] = Seating.SAME,
) -> NextTable:
    """Open a table for another game with the same people, whose tokens are valid there too.

    `seating` is `same`, `rotated` (everybody moves up by one) or `shuffled`. With `start` the game begins at once if
    bots have all other seats. At a party this is for the host, and everybody comes along as to the next game.
    """
    old, person = await table_and_person(code, request, registry)
    with opening_limits(request):
        new = await registry.rematch(code, person, seating)
    if start:
        await service.start_rematch(registry, old, person, new)
    return NextTable(new)


@post(
    "/tables/{code:str}/fork",
    tags=["tables"],
    responses=refusals(*PERSON, *BODY, *NEW_GAME, "no-step"),
)
async def fork_table(
    code: TableCode, data: JSONBody[ForkTable], request: ApiRequest, registry: RegistryDep
) -> NextTable:
    """Fork a finished game into a new table, after a `step` of its journal; 0 is the setup.

    You are the host there, on your old seat and with your token; the other seats are free.
    """
    _, person = await table_and_person(code, request, registry)
    with opening_limits(request):
        return NextTable(await registry.fork(code, person, data.step))


@post(
    "/parties",
    tags=["parties"],
    responses=refusals(*BODY, "bad-options", "busy", "foreign-origin", "not-saved", "unknown-game"),
)
async def open_party(data: JSONBody[OpenParty], request: ApiRequest, registry: RegistryDep) -> NextTable:
    """Open a table for a big screen, without players; the first to join becomes the host.

    Without `seats` it has as many as the game allows.
    """
    check_origin(request, needed=False)
    with party_limits(request):
        return NextTable(await registry.open_party(data.game, data.seats, data.options))


@post(
    "/tables/{code:str}/next-game",
    tags=["parties"],
    responses=refusals(*HOST, *BODY, *NEW_GAME, "left", "no-party"),
)
async def open_next_game(
    code: TableCode, data: JSONBody[OpenNextGame], request: ApiRequest, registry: RegistryDep
) -> NextTable:
    """Open a table for the next game of a party, the same one or another `game`, for its host.

    Everybody comes along. Whoever watched is first in line for a seat, then the players, then bots; those in `watching`
    get none. The score of the evening goes on. Before a game begins, this changes the game.
    """
    _, person = await table_and_person(code, request, registry)
    with opening_limits(request):
        return NextTable(await registry.next_game(code, person, data.game, data.watching))


api = Router(
    "/api/v1",
    response_headers={"cache-control": "no-store"},
    route_handlers=[
        list_games,
        show_rules,
        show_examples,
        try_example,
        check_options,
        show_lessons,
        open_lessons,
        list_tables,
        open_table,
        show_table,
        join_table,
        set_up_table,
        ask_rematch,
        fork_table,
        *PEOPLE_ROUTES,
        open_party,
        open_next_game,
        COMMANDS,
        show_invite,
        show_qr_code,
        show_log,
        show_fairness,
        show_journal,
        show_replay,
        show_paintings,
        show_analysis,
        begin_analysis,
        stop_analysis,
        watch_journal,
    ],
)
