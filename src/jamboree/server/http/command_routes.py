"""One route for every command that is posted to a table: `POST /tables/{code}/{path}`, with the command as its body."""

from typing import Any

from litestar import Router, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from ..live.commands import host, joining, party, playing  # noqa: F401  (register their routes)
from ..live.commands.base import ROUTES, Command, Route
from ..live.registry import Registry
from ..tokens import hashed
from .auth import known_token
from .error_responses import refusals
from .parameters import ApiRequest, RegistryDep, TableCode
from .people_routes import table_and_person


async def _carry_out(command: Command, code: str, request: ApiRequest, registry: Registry) -> None:
    table, person = await table_and_person(code, request, registry)
    await table.ask(command, person, hashed(known_token(request, table) or ""))


def _handler(route: Route) -> HTTPRouteHandler:
    kind: Any = route.command

    async def with_body(code: TableCode, data: JSONBody[kind], request: ApiRequest, registry: RegistryDep) -> None:
        await _carry_out(data, code, request, registry)

    async def without_body(code: TableCode, request: ApiRequest, registry: RegistryDep) -> None:
        await _carry_out(kind(), code, request, registry)

    carry_out = with_body if kind.__struct_fields__ else without_body
    carry_out.__name__, carry_out.__doc__ = kind.__name__, kind.__doc__
    described = post(route.path, status_code=204, tags=[route.tag], responses=refusals(*route.refusals))
    handler: HTTPRouteHandler = described(carry_out)
    return handler


COMMANDS = Router("/tables/{code:str}", route_handlers=[_handler(route) for route in ROUTES])
