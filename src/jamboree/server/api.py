"""The HTTP API of tables: opening and joining them, who sits where, and what the host may do."""

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from . import hosting
from .afterwards import show_fairness, show_journal, show_log, show_replay
from .answers import BODY, HOST, PERSON, TABLE, Asked, refusals
from .bodies import (
    About,
    Entry,
    ForkTable,
    JoinTable,
    Keeping,
    Link,
    MutePerson,
    NextTable,
    OpenTable,
    PlaceBot,
    RedeemLink,
    SetUpTable,
    TableCard,
    TakeName,
    TakeSeat,
)
from .bot_seats import SeatBot
from .commands import Join, Leave, Move, Start
from .gate import check_origin, cookie, joining, known_token, opening, person_at
from .house import House
from .invite import show_invite, show_qr_code
from .library import check_options, list_games, show_rules
from .lobby import Status
from .table import Table
from .wire import TableLooked

AGAIN = ("bad-options", "not-finished", "unknown-game")  # a game is set up by the rules of today

Theirs = NamedDependency[House]
Code = FromPath[str]


@get("/tables", tags=["tables"], responses=refusals("not-kept"))
async def list_tables(house: Theirs, status: FromQuery[Status] = Status.GATHERING) -> list[TableCard]:
    """List the tables that want to be found, those changed last first."""
    found = await house.store.listed(status)
    cards = [(code, listing, msgspec.json.decode(listing.card)) for code, listing in found]
    return [
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
        if card.get("listed")
    ]


@post(
    "/tables",
    tags=["tables"],
    responses=refusals(
        *BODY, "bad-options", "foreign-origin", "name", "not-kept", "table-stopped", "taken", "unknown-game"
    ),
)
async def open_table(data: JSONBody[OpenTable], request: Asked, house: Theirs) -> Response[Entry]:
    """Open a table; who opens it is its host and has the first seat."""
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    with opening(request):
        code, ticket = await house.open(
            data.game, data.seats, data.options, data.name, data.listed, data.bots, data.seconds
        )
    table = await house.table(code)
    if data.start and not table.memory.lobby.free_seats():
        table.expect(ticket.person)
        await table.ask(Start(ticket.person))
    return _entry(request, data.keep, Entry(code, ticket.person, ticket.seat, ticket.token))


@get("/tables/{code:str}", tags=["tables"], responses=refusals(*TABLE, "foreign-origin", "wrong-token"))
async def show_table(code: Code, request: Asked, house: Theirs) -> TableLooked:
    """Give a table as everybody may see it, whose turn it is or who won, and who is asking."""
    table = await house.table(code)
    token = known_token(request, table)
    return await table.look(table.who(token) if token else None)


@post(
    "/tables/{code:str}/join",
    tags=["tables"],
    responses=refusals(*TABLE, *BODY, "foreign-origin", "full", "name", "started", "taken"),
)
async def join_table(code: Code, data: JSONBody[JoinTable], request: Asked, house: Theirs) -> Response[Entry]:
    """Take a seat, or a place among those who watch."""
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    table = await house.table(code)
    with joining(request, code):
        ticket = await table.ask(Join(data.name, data.seat, data.watch))
    return _entry(request, data.keep, Entry(code, ticket.person, ticket.seat, ticket.token))


@post("/tables/{code:str}/leave", status_code=204, tags=["tables"], responses=refusals(*PERSON, "unknown-person"))
async def leave_table(code: Code, request: Asked, house: Theirs) -> None:
    table, person = await _met(code, request, house)
    await table.ask(Leave(person))


@post(
    "/tables/{code:str}/seat",
    status_code=204,
    tags=["tables"],
    responses=refusals(*HOST, *BODY, "started", "taken", "unknown-person"),
)
async def take_seat(code: Code, data: JSONBody[TakeSeat], request: Asked, house: Theirs) -> None:
    """Change seats before the game. The host may also send others, and swap two who sit."""
    table, person = await _met(code, request, house)
    await table.ask(Move(person, data.person or person, data.seat))


@post(
    "/tables/{code:str}/name",
    status_code=204,
    tags=["people"],
    responses=refusals(*PERSON, *BODY, "muted", "name", "unknown-person"),
)
async def take_name(code: Code, data: JSONBody[TakeName], request: Asked, house: Theirs) -> None:
    """Be called something else at this table."""
    table, person = await _met(code, request, house)
    await table.ask(hosting.Rename(person, data.name))


@post("/tables/{code:str}/bots", status_code=204, tags=["tables"], responses=refusals(*HOST, *BODY, "started", "taken"))
async def place_bot(code: Code, data: JSONBody[PlaceBot], request: Asked, house: Theirs) -> None:
    """Let a bot take a free seat before the game, or send it away; for the host."""
    table, person = await _met(code, request, house)
    await table.ask(SeatBot(person, data.seat, data.level))


@post(
    "/tables/{code:str}/setup",
    status_code=204,
    tags=["tables"],
    responses=refusals(*HOST, *BODY, "bad-options", "forked", "full", "started"),
)
async def set_up_table(code: Code, data: JSONBody[SetUpTable], request: Asked, house: Theirs) -> None:
    """Change seats, options or time before the game; for the host."""
    _, person = await _met(code, request, house)
    named = {name: value for name, value in msgspec.structs.asdict(data).items() if value is not msgspec.UNSET}
    await house.arrange(code, person, named)


@post("/tables/{code:str}/start", status_code=204, tags=["tables"], responses=refusals(*HOST, "not-full", "started"))
async def start_game(code: Code, request: Asked, house: Theirs) -> None:
    table, person = await _met(code, request, house)
    await table.ask(Start(person))


@post("/tables/{code:str}/rematch", tags=["tables"], responses=refusals(*PERSON, *AGAIN))
async def ask_rematch(code: Code, request: Asked, house: Theirs) -> NextTable:
    """Open a table for another game with the same people on the same seats; their tokens are good there too."""
    _, person = await _met(code, request, house)
    with opening(request):
        return NextTable(await house.rematch(code, person))


@post(
    "/tables/{code:str}/fork",
    tags=["tables"],
    responses=refusals(*PERSON, *BODY, *AGAIN, "no-step", "outdated"),
)
async def fork_table(code: Code, data: JSONBody[ForkTable], request: Asked, house: Theirs) -> NextTable:
    """Open a table that takes a finished game up after a step; your token is good there, the other seats are free."""
    _, person = await _met(code, request, house)
    with opening(request):
        return NextTable(await house.fork(code, person, data.step))


@post("/tables/{code:str}/links", tags=["people"], responses=refusals(*PERSON))
async def mint_link(code: Code, request: Asked, house: Theirs) -> Link:
    """Make a link by which one can come back on another device, once."""
    table, person = await _met(code, request, house)
    return Link(await table.ask(hosting.MintLink(person)))


@post(
    "/tables/{code:str}/links/redeem",
    tags=["people"],
    responses=refusals(*TABLE, *BODY, "foreign-origin", "wrong-token"),
)
async def redeem_link(code: Code, data: JSONBody[RedeemLink], request: Asked, house: Theirs) -> Response[Entry]:
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    table = await house.table(code)
    person, token = await table.ask(hosting.UseLink(data.link))
    return _entry(request, data.keep, Entry(code, person, table.memory.lobby.people[person].seat, token))


@post("/tables/{code:str}/host", status_code=204, tags=["people"], responses=refusals(*HOST, *BODY, "unknown-person"))
async def pass_host(code: Code, data: JSONBody[About], request: Asked, house: Theirs) -> None:
    """Make somebody host; a player may take over from a host who has been away for a minute."""
    table, person = await _met(code, request, house)
    await table.ask(hosting.PassHost(person, data.person, table.now() - table.away_since(table.memory.lobby.host)))


@post(
    "/tables/{code:str}/remove",
    status_code=204,
    tags=["people"],
    responses=refusals(*HOST, *BODY, "unknown-person", "yourself"),
)
async def remove_person(code: Code, data: JSONBody[About], request: Asked, house: Theirs) -> None:
    table, person = await _met(code, request, house)
    await table.ask(hosting.Remove(person, data.person))


@post(
    "/tables/{code:str}/refuse-name",
    status_code=204,
    tags=["people"],
    responses=refusals(*HOST, *BODY, "unknown-person"),
)
async def refuse_name(code: Code, data: JSONBody[About], request: Asked, house: Theirs) -> None:
    table, person = await _met(code, request, house)
    await table.ask(hosting.RefuseName(person, data.person))


@post("/tables/{code:str}/mute", status_code=204, tags=["people"], responses=refusals(*HOST, *BODY, "unknown-person"))
async def mute_person(code: Code, data: JSONBody[MutePerson], request: Asked, house: Theirs) -> None:
    table, person = await _met(code, request, house)
    await table.ask(hosting.Mute(person, data.person, data.muted))


async def _met(code: str, request: Asked, house: House) -> tuple[Table, str]:
    table = await house.table(code)
    return table, person_at(request, table)


def _entry(request: Asked, keep: Keeping, entry: Entry) -> Response[Entry]:
    if keep == Keeping.BEARER:
        return Response(entry, status_code=201)
    assert entry.token
    hidden = msgspec.structs.replace(entry, token=None)
    return Response(hidden, status_code=201, cookies=[cookie(request, entry.table, entry.token)])


api = Router(
    "/api/v1",
    response_headers={"cache-control": "no-store"},
    route_handlers=[
        list_games,
        show_rules,
        check_options,
        list_tables,
        open_table,
        show_table,
        join_table,
        leave_table,
        take_seat,
        take_name,
        place_bot,
        set_up_table,
        start_game,
        ask_rematch,
        fork_table,
        mint_link,
        redeem_link,
        pass_host,
        remove_person,
        refuse_name,
        mute_person,
        show_invite,
        show_qr_code,
        show_log,
        show_fairness,
        show_journal,
        show_replay,
    ],
)
