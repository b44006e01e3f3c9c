"""HTTP: a party before a big screen."""

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ..live.commands import party
from ..live.registry import Registry
from ..protocol.bodies import AnswerBack, AskPlayer, NextTable, OpenParty
from .answers import BODY, HOST, PERSON, Asked, refusals
from .gate import check_origin, opening_party
from .rights import met

Theirs = NamedDependency[Registry]
Code = FromPath[str]


@post(
    "/parties",
    tags=["parties"],
    responses=refusals(*BODY, "bad-options", "busy", "foreign-origin", "not-kept", "unknown-game"),
)
async def open_party(data: JSONBody[OpenParty], request: Asked, registry: Theirs) -> NextTable:
    """Open a table for a big screen. Nobody sits there yet: whoever joins first is the host and has the remote."""
    check_origin(request, needed=False)
    with opening_party(request):
        return NextTable(await registry.open_party(data.game, data.seats, data.options))


@post("/tables/{code:str}/end", status_code=204, tags=["parties"], responses=refusals(*HOST, "no-party"))
async def end_party(code: Code, request: Asked, registry: Theirs) -> None:
    """End a party before its time; for the host."""
    table, person = await met(code, request, registry)
    await table.ask(party.EndParty(person))


@post(
    "/tables/{code:str}/back/ask",
    status_code=204,
    tags=["parties"],
    responses=refusals(*PERSON, *BODY, "devices", "no-party", "taken", "unknown-person", "yourself"),
)
async def ask_back(code: Code, data: JSONBody[AskPlayer], request: Asked, registry: Theirs) -> None:
    """Ask on another phone for the seat of a player whose phone is lost: joined as a spectator, one says who one is."""
    table, person = await met(code, request, registry)
    await table.ask(party.AskBack(person, data.person, table.here))


@post(
    "/tables/{code:str}/back/answer",
    status_code=204,
    tags=["parties"],
    responses=refusals(*HOST, *BODY, "devices", "not-asked", "taken", "unknown-person", "yourself"),
)
async def answer_back(code: Code, data: JSONBody[AnswerBack], request: Asked, registry: Theirs) -> None:
    """Let somebody have their seat on another phone, or not; for the host. Everybody sees that it was done."""
    table, person = await met(code, request, registry)
    await table.ask(party.AnswerBack(person, data.person, data.agrees, table.here, data.player))


PARTY = [open_party, end_party, ask_back, answer_back]
