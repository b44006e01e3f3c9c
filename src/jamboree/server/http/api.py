"""The HTTP API of tables: opening and joining them, and who sits where."""

from contextlib import suppress

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from ..live.commands.base import BODY, CHANGE, HOST, PERSON, TABLE
from ..live.commands.joining import Join
from ..live.commands.playing import Start
from ..live.registry import NotOwner, Registry
from ..live.table import Table
from ..protocol.bodies import (
    Entry,
    ForkTable,
    JoinTable,
    Keeping,
    NextTable,
    OpenTable,
    SetUpTable,
    TableCard,
)
from ..protocol.parts import TableLooked
from ..protocol.terms import Seating, Status
from ..protocol.wire import encode
from .auth import check_origin, joining, known_token, opening, shown_tokens, tokens_on
from .command_routes import COMMANDS
from .compression import in_form
from .error_responses import DOOR, Asked, coding_for, refusals, sent
from .game_routes import check_options, list_games, show_examples, show_rules, try_example
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
from .lessons import open_lessons, show_lessons
from .party import open_party
from .people_routes import PEOPLE, entered, met

AGAIN = ("bad-options", "busy", "not-finished", "unknown-game")  # a game is set up by the rules of today

RegistryDep = NamedDependency[Registry]
Code = FromPath[str]


@get("/tables", tags=["tables"], responses=refusals("not-kept"))
async def list_tables(
    registry: RegistryDep, request: Asked, status: FromQuery[Status] = Status.GATHERING
) -> Response[list[TableCard]]:
    """List the tables that want to be found, those changed last first."""
    found = await registry.store.listed(status)
    cards = [(code, listing, msgspec.json.decode(listing.card)) for code, listing in found]
    listed = [
        TableCard(
            table=code,
            game=listing.game,
            status=listing.status,
            seats=card["seats"],
            free=card["free"],
            host=card["host"],
            touched=listing.touched,
            winners=card.get("winners", []),
        )
        for code, listing, card in cards
    ]
    return sent(in_form(encode(listed), coding_for(request)))


@post(
    "/tables",
    tags=["tables"],
    responses=refusals(
        *BODY, "bad-options", "busy", "foreign-origin", "name", "not-kept", "table-stopped", "taken", "unknown-game"
    ),
)
async def open_table(data: JSONBody[OpenTable], request: Asked, registry: RegistryDep) -> Response[Entry]:
    """Open a table; whoever opens it is its host and has the first seat."""
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    with opening(request):
        code, ticket = await registry.open(
            *(data.game, data.seats, data.options, data.name, data.listed, data.bots, data.seconds),
            consent=data.consent,
            house=data.house,
            pace=data.pace,
        )
    table = await registry.table(code)
    if data.start:
        await _start_alone(table, ticket.person)
    return entered(request, data.keep, Entry(code, ticket.person, ticket.seat, ticket.token))


async def _start_alone(table: Table, person: str) -> None:
    """Begin at once if bots have every other seat."""
    roster = table.state.roster
    others = [key for key, each in roster.people.items() if key != person and each.seat is not None]
    if roster.status == Status.GATHERING and roster.host == person and not (others or roster.free_seats()):
        table.scheduler.seeds.expected |= {person}
        await table.ask(Start(), person)


@get("/tables/{code:str}", tags=["tables"], responses=refusals(*TABLE, *DOOR, "foreign-origin", "wrong-token"))
async def show_table(code: Code, request: Asked, registry: RegistryDep) -> TableLooked:
    """Give a table to whoever may look in, whose turn it is or who won, and who is asking."""
    table = await registry.table(code)
    token = known_token(request, table)
    looked = await table.look(table.who(token) if token else None)
    return msgspec.structs.replace(looked, device=list(tokens_on(request, table)))


@post(
    "/tables/{code:str}/join",
    tags=["tables"],
    responses=refusals(*CHANGE, *BODY, *DOOR, "foreign-origin", "full", "joined", "name", "started", "taken"),
)
async def join_table(code: Code, data: JSONBody[JoinTable], request: Asked, registry: RegistryDep) -> Response[Entry]:
    """Take a seat, or a place among those who watch."""
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    table = await registry.table(code)
    with joining(request, code):
        ticket = await table.ask(Join(data.name, data.seat, data.watch, shown_tokens(request)))
    entry = Entry(table.code, ticket.person, ticket.seat, ticket.token)
    return entered(request, data.keep, entry, data.beside)


@post(
    "/tables/{code:str}/setup",
    status_code=204,
    tags=["tables"],
    responses=refusals(*HOST, *BODY, "bad-options", "busy", "forked", "full", "started", "taken"),
)
async def set_up_table(code: Code, data: JSONBody[SetUpTable], request: Asked, registry: RegistryDep) -> None:
    """Change seats, options or time before the game; for the host."""
    _, person = await met(code, request, registry)
    named = {name: value for name, value in msgspec.structs.asdict(data).items() if value is not msgspec.UNSET}
    await registry.arrange(code, person, named)


@post("/tables/{code:str}/rematch", tags=["tables"], responses=refusals(*PERSON, *AGAIN))
async def ask_rematch(
    code: Code,
    request: Asked,
    registry: RegistryDep,
    start: FromQuery[bool] = False,
    seating: FromQuery[Seating] = Seating.SAME,
) -> NextTable:
    """Open a table for another game with the same people; their tokens are good there too.

    With `start` it begins at once if bots have every other seat.
    """
    old, person = await met(code, request, registry)
    with opening(request):
        new = await registry.rematch(code, person, seating)
    with suppress(NotOwner):  # it was opened earlier, and may have gone to another server
        table = await registry.table(new)
        me = table.state.roster.who(old.state.roster.people[person].tokens[0])
        if start and me:
            await _start_alone(table, me)
    return NextTable(new)


@post(
    "/tables/{code:str}/fork",
    tags=["tables"],
    responses=refusals(*PERSON, *BODY, *AGAIN, "no-step"),
)
async def fork_table(code: Code, data: JSONBody[ForkTable], request: Asked, registry: RegistryDep) -> NextTable:
    """Open a table that takes a finished game up after a step; your token is good there, the other seats are free."""
    _, person = await met(code, request, registry)
    with opening(request):
        return NextTable(await registry.fork(code, person, data.step))


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
        *PEOPLE,
        open_party,
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
