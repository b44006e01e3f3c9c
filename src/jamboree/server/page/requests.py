"""The requests of the API that a page answers itself, without cookies and limits; docs/protocol.md describes them."""

import zlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, TypeVar, cast

import msgspec

from jamboree.core.learning import CourseKind
from jamboree.core.words import Language

from ..errors import Refused
from ..live.commands import host, joining, party, playing  # noqa: F401  (register their routes)
from ..live.commands.base import ROUTES, Command, Context
from ..live.commands.host import bans
from ..live.commands.joining import Join, Ticket
from ..live.registry import Registry
from ..live.table import Table
from ..protocol.bodies import Credentials, ForkTable, JoinTable, LearnGame, NextTable, OpenTable, SetUpTable
from ..protocol.rules import TryExample
from ..protocol.terms import Seating, Status
from ..protocol.wire import encode
from ..service import games, history, journals, tables
from ..tokens import hashed
from .wallet import Wallet

Body = TypeVar("Body")


class PageRequest(NamedTuple):
    registry: Registry
    wallet: Wallet
    method: str
    path: str
    query: Mapping[str, str]
    acting_as: str
    body: bytes

    def read(self, kind: type[Body]) -> Body:
        return msgspec.json.decode(self.body or b"{}", type=kind)

    @property
    def language(self) -> Language:
        return cast(Language, msgspec.convert(self.query.get("language", "en"), type=Language))

    @property
    def seat(self) -> int | None:
        return msgspec.convert(self.query.get("seat"), type=int | None, strict=False)

    @property
    def course(self) -> CourseKind:
        return cast(CourseKind, msgspec.convert(self.query.get("course", "basics"), type=CourseKind))

    def flag(self, name: str) -> bool:
        return self.query.get(name) == "true"

    async def table(self, code: str) -> Table:
        return await self.registry.table(code)

    def person(self, table: Table) -> str:
        """Who makes the request; refuse spectators."""
        person = self.wallet.acting(table, self.acting_as)
        if person is None:
            raise Refused("no-token", "This needs a person at the table.")
        return person

    async def table_and_person(self, code: str) -> tuple[Table, str]:
        table = await self.table(code)
        return table, self.person(table)

    async def credentials(self, code: str, ticket: Ticket) -> bytes:
        await self.wallet.add(ticket.token)
        return encode(Credentials(code, ticket.person, ticket.seat, None))


Handler = Callable[..., Awaitable[Any]]
HANDLERS: dict[tuple[str, tuple[str, ...]], Handler] = {}
ANY = "*"  # a part of a path that the handler is given


def handles(method: str, path: str) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        HANDLERS[method, tuple(path.split("/"))] = handler
        return handler

    return register


async def answer_to(request: PageRequest) -> bytes:
    """The answer in JSON; empty for none."""
    parts = tuple(request.path.split("/"))
    for (method, pattern), handler in HANDLERS.items():
        if method == request.method and len(pattern) == len(parts) and _fits(pattern, parts):
            given = [part for part, wanted in zip(parts, pattern, strict=True) if wanted == ANY]
            answer = await handler(request, *given)
            return b"" if answer is None else answer if isinstance(answer, bytes) else encode(answer)
    raise Refused("needs-server", "This needs a server.")


def _fits(pattern: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    return all(wanted in (part, ANY) for part, wanted in zip(parts, pattern, strict=True))


@handles("GET", "games")
async def list_games(request: PageRequest) -> bytes:
    return games.game_cards(request.registry)


@handles("GET", "games/*/rules")
async def show_rules(request: PageRequest, key: str) -> Any:
    return games.rules(request.registry, key, request.language)


@handles("GET", "games/*/examples")
async def show_examples(request: PageRequest, key: str) -> bytes:
    return await games.examples(request.registry, key, request.language)


@handles("POST", "games/*/examples/*")
async def try_example(request: PageRequest, key: str, name: str) -> bytes:
    return await games.try_example(request.registry, key, name, request.read(TryExample), request.language)


@handles("POST", "games/*/check")
async def check_options(request: PageRequest, key: str) -> Any:
    return await games.check_options(request.registry, key, request.read(dict[str, Any]), request.language)


@handles("GET", "games/*/lessons")
async def show_lessons(request: PageRequest, key: str) -> Any:
    return games.lessons(request.registry, key, request.course, request.language)


@handles("POST", "games/*/lessons")
async def open_lessons(request: PageRequest, key: str) -> bytes:
    data = request.read(LearnGame)
    games.course(request.registry, key, data.course)
    return await request.credentials(*await request.registry.learn(key, data.name, data.lesson, data.course))


@handles("GET", "tables")
async def list_tables(request: PageRequest) -> Any:
    return await tables.listed(request.registry, Status(request.query.get("status", Status.GATHERING)))


@handles("POST", "tables")
async def open_table(request: PageRequest) -> bytes:
    data = request.read(OpenTable)
    code, ticket = await request.registry.open(data)
    answer = await request.credentials(code, ticket)
    if data.start:
        await tables.start_alone(await request.table(code), ticket.person)
    return answer


@handles("GET", "tables/*")
async def show_table(request: PageRequest, code: str) -> Any:
    table = await request.table(code)
    seen = await table.inspect(request.wallet.acting(table, request.acting_as))
    return msgspec.structs.replace(seen, device=list(request.wallet.people(table)))


@handles("POST", "tables/*/join")
async def join_table(request: PageRequest, code: str) -> bytes:
    data, table = request.read(JoinTable), await request.table(code)
    known = tuple(map(hashed, request.wallet.tokens))
    return await request.credentials(table.code, await table.ask(Join(data.name, data.seat, data.watch, known)))


@handles("POST", "tables/*/setup")
async def set_up_table(request: PageRequest, code: str) -> None:
    await tables.set_up(request.registry, *await request.table_and_person(code), request.read(SetUpTable))


@handles("POST", "tables/*/rematch")
async def ask_rematch(request: PageRequest, code: str) -> NextTable:
    old, person = await request.table_and_person(code)
    new = await request.registry.rematch(code, person, Seating(request.query.get("seating", Seating.SAME)))
    if request.flag("start"):
        await tables.start_rematch(request.registry, old, person, new)
    return NextTable(new)


@handles("POST", "tables/*/fork")
async def fork_table(request: PageRequest, code: str) -> NextTable:
    _, person = await request.table_and_person(code)
    return NextTable(await request.registry.fork(code, person, request.read(ForkTable).step))


@handles("POST", "tables/*/forget-me")
async def forget_me(request: PageRequest, code: str) -> None:
    table, person = await request.table_and_person(code)
    await request.registry.erase_person(table, table.state.roster.people[person].tokens, person)


@handles("GET", "tables/*/bans")
async def list_bans(request: PageRequest, code: str) -> Any:
    table, person = await request.table_and_person(code)
    return await table.read(lambda state: bans(Context(state, person=person)))


@handles("GET", "tables/*/log")
async def show_log(request: PageRequest, code: str) -> bytes:
    table = await request.table(code)
    person = None if request.flag("public") else request.wallet.acting(table, request.acting_as)
    return (await history.log(request.registry, table, person, request.language, request.seat)).content


@handles("GET", "tables/*/fairness")
async def show_fairness(request: PageRequest, code: str) -> Any:
    return await history.fairness(await request.table(code))


@handles("GET", "tables/*/journal")
async def show_journal(request: PageRequest, code: str) -> bytes:
    return zlib.decompress(await history.journal(request.registry, await request.table(code)))


@handles("GET", "tables/*/replay")
async def show_replay(request: PageRequest, code: str) -> bytes:
    table, deltas = await request.table(code), request.flag("changes")
    return zlib.decompress(await history.replay(request.registry, table, request.seat, deltas=deltas))


@handles("GET", "tables/*/paintings")
async def show_paintings(request: PageRequest, code: str) -> bytes:
    table = await request.table(code)
    return zlib.decompress(await history.paintings(request.registry, table, request.language, request.seat))


@handles("GET", "tables/*/analysis")
async def show_analysis(request: PageRequest, code: str) -> bytes:
    table = await request.table(code)
    person = request.wallet.acting(table, request.acting_as)
    return await history.analysis(request.registry, table, person, request.language, request.seat)


@handles("POST", "journals/watch")
async def watch_journal(request: PageRequest) -> bytes:
    answer = journals.watch_journal(
        request.registry, request.body, request.language, request.seat, request.flag("painted")
    )
    return zlib.decompress(await answer)


def _command_handler(kind: type[Command]) -> Handler:
    async def carry_out(request: PageRequest, code: str) -> None:
        table, person = await request.table_and_person(code)
        await table.ask(request.read(kind), person, hashed(request.wallet.people(table)[person]))

    return carry_out


for route in ROUTES:
    handles("POST", f"tables/*/{route.path}")(_command_handler(route.command))
