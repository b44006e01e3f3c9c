"""The web application: the API, sockets and health, put together around a registry."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from litestar import Litestar, MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

import jamboree

from ..edge.addresses import Proxies
from ..edge.early_responses import NOT_KEPT
from ..edge.host_allowlist import Hosts, origin_of_url, without_default_port
from ..edge.ip_bans import Banned
from ..edge.outbox import Waiting
from ..edge.rate_limits import Limits
from ..live.registry import Registry
from ..nodes.node import Node
from ..protocol.bodies import Readiness
from .admin_routes import admin
from .api import api
from .auth import look_over, shows
from .error_responses import HANDLERS, LARGEST_BODY, Asked, public
from .metrics import Metrics
from .raw_socket import App
from .sockets import table_socket
from .static_site import FOLDER, read_site, show_file


class Described(JsonRenderPlugin):
    """The OpenAPI document, packed for those who can unpack it."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> Any:
        return public(request, super().render(request, openapi_schema), self.media_type)


OPENAPI = OpenAPIConfig(
    title="Jamboree",
    version=jamboree.__version__,
    description="Tables for every game. A table is played over its socket; docs/protocol.md describes it.",
    path="/api/v1/schema",
    render_plugins=[Described()],
)


def _health(
    ready: bool, sentence: str, problems: Sequence[str] = (), tables: Mapping[str, str] | None = None
) -> Readiness:
    return Readiness(ready, sentence, jamboree.__version__, [*problems], {**(tables or {})})


@get("/live", include_in_schema=False, health=True)
async def live() -> Readiness:
    return _health(True, "The server is there.")


@get("/ready", include_in_schema=False, health=True)
async def ready(request: Asked, state: State) -> Response[Readiness]:
    """Say whether moves can be saved and nothing is missing; codes of tables are for whoever shows the admin token.

    Several servers on one database stay ready when only some records are missing: all of them miss the same.
    """
    condition, node = state.registry.store.condition, state.node
    problems = condition.problems()
    if condition.is_failing or (problems and not node):
        ready, sentence = False, "Something is wrong with the tables; the log says what."
    elif node and not node.ready:
        ready, sentence = False, "Other servers have the tables at the moment."
    else:
        ready, sentence = True, "Tables are open."
    if not condition.was_clean and not condition.lost_commits:
        problems.append("The last stop was not clean; its commits are all here.")
    tables = condition.faulty_tables if shows(request, state.admin_token) else {}
    return Response(_health(ready, sentence, problems, tables), status_code=200 if ready else 503)


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT)
async def metrics(request: Asked, state: State) -> str:
    """Give figures to whoever shows the token: on a quiet server they tell who whispers when."""
    if not shows(request, state.metrics_token):
        raise NotFoundException
    text: str = state.metrics.text(state)
    return text


def build_app(
    registry: Registry,
    public_url: str = "",
    site: Path = FOLDER,
    limits: Limits | None = None,
    proxies: Proxies | None = None,
    own_url: str = "",
    metrics_token: str = "",
    admin_token: str = "",
    banned: Banned | None = None,
    node: Node | None = None,
) -> Litestar:
    """Put the application together around an open registry."""
    state = State(
        {
            "registry": registry,
            "metrics": Metrics(),
            "open_sockets": set(),
            "waiting": Waiting(),
            "public_url": without_default_port(public_url),
            "public_origin": origin_of_url(public_url),
            "own_origin": origin_of_url(own_url),
            "hosts": Hosts(public_url, own_url),
            "proxies": proxies or Proxies(),
            "penitents": 0,
            "site": read_site(site),
            "limits": limits,
            "metrics_token": metrics_token,
            "admin_token": admin_token,
            "banned": banned or Banned(),
            "node": node,
        }
    )
    return App(
        route_handlers=[api, admin, table_socket, live, ready, metrics, show_file],
        state=state,
        before_request=look_over,
        response_headers=NOT_KEPT,  # unless a route says otherwise
        dependencies={"registry": Provide(lambda: registry, sync_to_thread=False)},
        request_max_body_size=LARGEST_BODY,
        exception_handlers=HANDLERS,
        openapi_config=OPENAPI,
        logging_config=None,
    )
