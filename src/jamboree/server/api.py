"""The HTTP API: games, tables, who sits where, and what is left of finished games."""

import asyncio
from typing import Any

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Response as Plain

from jamboree.core.journal import write
from jamboree.core.words import Language

from . import hosting
from .bodies import (
    About,
    Entry,
    FairnessSeen,
    ForkTable,
    JoinTable,
    Keeping,
    Link,
    LogStep,
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
from .errors import Refused
from .film import filmed, has_begun, journal_of, shown
from .gate import check_origin, cookie, known_token, person_at
from .house import House
from .invite import show_invite, show_qr_code
from .library import check_options, list_games, show_rules
from .lobby import UNDER_WAY, Status
from .showing import seat_of
from .story import story
from .table import Table
from .wire import TableLooked

Asked = Request[Any, Any, State]
Theirs = NamedDependency[House]
Code = FromPath[str]


@get("/tables", tags=["tables"])
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


@post("/tables", tags=["tables"], opens=True)
async def open_table(data: JSONBody[OpenTable], request: Asked, house: Theirs) -> Response[Entry]:
    """Open a table; who opens it is its host and has the first seat."""
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    code, ticket = await house.open(
        data.game, data.seats, data.options, data.name, data.listed, data.bots, data.seconds
    )
    table = await house.table(code)
    if data.start and not table.memory.lobby.free_seats():
        table.expect(ticket.person)
        await table.ask(Start(ticket.person))
    return _entry(request, data.keep, Entry(code, ticket.person, ticket.seat, ticket.token))


@get("/tables/{code:str}", tags=["tables"])
async def show_table(code: Code, request: Asked, house: Theirs) -> TableLooked:
    """Give a table as everybody may see it, whose turn it is or who won, and who is asking."""
    table = await house.table(code)
    token = known_token(request, table)
    return await table.look(table.who(token) if token else None)


@post("/tables/{code:str}/join", tags=["tables"])
async def join_table(code: Code, data: JSONBody[JoinTable], request: Asked, house: Theirs) -> Response[Entry]:
    """Take a seat, or a place among those who watch."""
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    ticket = await (await house.table(code)).ask(Join(data.name, data.seat, data.watch))
    return _entry(request, data.keep, Entry(code, ticket.person, ticket.seat, ticket.token))


@post("/tables/{code:str}/leave", status_code=204, tags=["tables"])
async def leave_table(code: Code, request: Asked, house: Theirs) -> None:
    table, person = await _met(code, request, house)
    await table.ask(Leave(person))


@post("/tables/{code:str}/seat", status_code=204, tags=["tables"])
async def take_seat(code: Code, data: JSONBody[TakeSeat], request: Asked, house: Theirs) -> None:
    """Change seats before the game. The host may also send others, and swap two who sit."""
    table, person = await _met(code, request, house)
    await table.ask(Move(person, data.person or person, data.seat))


@post("/tables/{code:str}/name", status_code=204, tags=["people"])
async def take_name(code: Code, data: JSONBody[TakeName], request: Asked, house: Theirs) -> None:
    """Be called something else at this table."""
    table, person = await _met(code, request, house)
    await table.ask(hosting.Rename(person, data.name))


@post("/tables/{code:str}/bots", status_code=204, tags=["tables"])
async def place_bot(code: Code, data: JSONBody[PlaceBot], request: Asked, house: Theirs) -> None:
    """Let a bot take a free seat before the game, or send it away; for the host."""
    table, person = await _met(code, request, house)
    await table.ask(SeatBot(person, data.seat, data.level))


@post("/tables/{code:str}/setup", status_code=204, tags=["tables"])
async def set_up_table(code: Code, data: JSONBody[SetUpTable], request: Asked, house: Theirs) -> None:
    """Change seats, options or time before the game; for the host."""
    _, person = await _met(code, request, house)
    named = {name: value for name, value in msgspec.structs.asdict(data).items() if value is not msgspec.UNSET}
    await house.arrange(code, person, named)


@post("/tables/{code:str}/start", status_code=204, tags=["tables"])
async def start_game(code: Code, request: Asked, house: Theirs) -> None:
    table, person = await _met(code, request, house)
    await table.ask(Start(person))


@post("/tables/{code:str}/rematch", tags=["tables"], opens=True)
async def ask_rematch(code: Code, request: Asked, house: Theirs) -> NextTable:
    """Open a table for another game with the same people on the same seats; their tokens are good there too."""
    _, person = await _met(code, request, house)
    return NextTable(await house.rematch(code, person))


@post("/tables/{code:str}/fork", tags=["tables"], opens=True)
async def fork_table(code: Code, data: JSONBody[ForkTable], request: Asked, house: Theirs) -> NextTable:
    """Open a table that takes a finished game up after a step; your token is good there, the other seats are free."""
    _, person = await _met(code, request, house)
    return NextTable(await house.fork(code, person, data.step))


@post("/tables/{code:str}/links", tags=["people"])
async def mint_link(code: Code, request: Asked, house: Theirs) -> Link:
    """Make a link by which one can come back on another device, once."""
    table, person = await _met(code, request, house)
    return Link(await table.ask(hosting.MintLink(person)))


@post("/tables/{code:str}/links/redeem", tags=["people"])
async def redeem_link(code: Code, data: JSONBody[RedeemLink], request: Asked, house: Theirs) -> Response[Entry]:
    check_origin(request, needed=data.keep == Keeping.COOKIE)
    table = await house.table(code)
    person, token = await table.ask(hosting.UseLink(data.link))
    return _entry(request, data.keep, Entry(code, person, table.memory.lobby.people[person].seat, token))


@post("/tables/{code:str}/host", status_code=204, tags=["people"])
async def pass_host(code: Code, data: JSONBody[About], request: Asked, house: Theirs) -> None:
    """Make somebody host; a player may take over from a host who has been away for a minute."""
    table, person = await _met(code, request, house)
    await table.ask(hosting.PassHost(person, data.person, table.now() - table.away_since(table.memory.lobby.host)))


@post("/tables/{code:str}/remove", status_code=204, tags=["people"])
async def remove_person(code: Code, data: JSONBody[About], request: Asked, house: Theirs) -> None:
    table, person = await _met(code, request, house)
    await table.ask(hosting.Remove(person, data.person))


@post("/tables/{code:str}/refuse-name", status_code=204, tags=["people"])
async def refuse_name(code: Code, data: JSONBody[About], request: Asked, house: Theirs) -> None:
    table, person = await _met(code, request, house)
    await table.ask(hosting.RefuseName(person, data.person))


@post("/tables/{code:str}/mute", status_code=204, tags=["people"])
async def mute_person(code: Code, data: JSONBody[MutePerson], request: Asked, house: Theirs) -> None:
    table, person = await _met(code, request, house)
    await table.ask(hosting.Mute(person, data.person, data.muted))


@get("/tables/{code:str}/log", tags=["tables"])
async def show_log(code: Code, request: Asked, house: Theirs, language: FromQuery[Language] = "en") -> list[LogStep]:
    """Tell the whole game so far, as who asks has witnessed it."""
    table = await house.table(code)
    token = known_token(request, table)
    seat = seat_of(table.memory, table.who(token) if token else None)
    if not table.memory.has_rules:
        raise Refused("outdated", table.memory.outdated or "")
    return await asyncio.to_thread(story, await house.store.history(code), table.memory.game, seat, language)


@get("/tables/{code:str}/fairness", tags=["afterwards"])
async def show_fairness(code: Code, house: Theirs) -> FairnessSeen:
    """Give what binds the server to its seed, and the seeds themselves once the table is finished or closed."""
    table = await house.table(code)
    status, luck = await table.status(), table.memory.luck
    if not luck.secret or status in UNDER_WAY:
        return FairnessSeen(luck.commitment)
    return FairnessSeen(luck.commitment, luck.secret, luck.seeds)


@get("/tables/{code:str}/journal", tags=["afterwards"])
async def show_journal(code: Code, house: Theirs) -> Plain[bytes]:
    """Give the journal of a finished or abandoned game, as `jamboree replay` and `jamboree verify` read it."""
    status = await (await house.table(code)).status()
    history = await house.store.history(code)
    if status in UNDER_WAY or not has_begun(history):
        raise Refused("not-finished", "A game can be looked at from all sides when it is over.")
    journal = journal_of(history, code)
    return Plain(write(journal).encode(), media_type="application/json")


@get("/tables/{code:str}/replay", tags=["afterwards"])
async def show_replay(code: Code, house: Theirs) -> Plain[bytes]:
    """Give the all-seeing view after every step of a finished game, the set-up first."""
    table = await _finished(code, house)
    film = await house.store.film(code) or filmed(await house.store.history(code), table.memory.game)
    return Plain(shown(film), media_type="application/json")


async def _met(code: str, request: Asked, house: House) -> tuple[Table, str]:
    table = await house.table(code)
    return table, person_at(request, table)


async def _finished(code: str, house: House) -> Table:
    table = await house.table(code)
    if await table.status() != Status.FINISHED:
        raise Refused("not-finished", "A game can be looked at from all sides when it is over.")
    return table


def _entry(request: Asked, keep: Keeping, entry: Entry) -> Response[Entry]:
    if keep == Keeping.BEARER:
        return Response(entry, status_code=201)
    assert entry.token
    secure = request.app.state.public_origin.startswith("https:")
    hidden = msgspec.structs.replace(entry, token=None)
    return Response(hidden, status_code=201, cookies=[cookie(entry.table, entry.token, secure)])


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
