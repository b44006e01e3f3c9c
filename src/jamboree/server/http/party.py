"""HTTP: a party before a big screen."""

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ..live.commands.base import BODY
from ..live.registry import Registry
from ..protocol.bodies import NextTable, OpenParty
from .auth import check_origin, opening_party
from .error_responses import Asked, refusals

RegistryDep = NamedDependency[Registry]
Code = FromPath[str]


@post(
    "/parties",
    tags=["parties"],
    responses=refusals(*BODY, "bad-options", "busy", "foreign-origin", "not-kept", "unknown-game"),
)
async def open_party(data: JSONBody[OpenParty], request: Asked, registry: RegistryDep) -> NextTable:
    """Open a table for a big screen. Nobody sits there yet: whoever joins first is the host and has the remote."""
    check_origin(request, needed=False)
    with opening_party(request):
        return NextTable(await registry.open_party(data.game, data.seats, data.options))
