"""Builds the Litestar application from its routes, and the routes of health and metrics."""

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
from ..edge.early_responses import NO_STORE
from ..edge.host_allowlist import HostAllowlist, origin_of_url, without_default_port
from ..edge.ip_bans import IpBans
from ..edge.outbox import OutboxBudget
from ..edge.rate_limits import RateLimits
from ..live.registry import Registry
from ..nodes.node import Node
from ..protocol.bodies import Readiness
from .admin_routes import admin
from .api import api
from .auth import check_request, has_operator_token
from .error_responses import HANDLERS, MAX_BODY, public
from .metrics import Metrics
from .parameters import ApiRequest
from .raw_socket import App
from .sockets import table_socket
from .static_site import FOLDER, read_site, show_file


class CompressedOpenApi(JsonRenderPlugin):
    """The OpenAPI document, compressed where accepted."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> Any:
        return public(request, super().render(request, openapi_schema), self.media_type)


OPENAPI = OpenAPIConfig(
    title="Jamboree",
    version=jamboree.__version__,
    description="Tables for every game. A table is played over its socket; docs/protocol.md describes it.",
    path="/api/v1/schema",
    use_handler_docstrings=True,
    render_plugins=[CompressedOpenApi()],
)


def _readiness(
    ready: bool, sentence: str, problems: Sequence[str] = (), tables: Mapping[str, str] | None = None
) -> Readiness:
    return Readiness(ready, sentence, jamboree.__version__, [*problems], {**(tables or {})})


@get("/live", include_in_schema=False, health=True)
async def live() -> Readiness:
    return _readiness(True, "The server is there.")


@get("/ready", include_in_schema=False, health=True)
async def ready(request: ApiRequest, state: State) -> Response[Readiness]:
    """Whether moves can be saved and no data is missing; table codes only with the admin token.

    Servers of a cluster stay ready when only some records are missing, since all of them miss the same.
    """
    health, node = state.registry.store.health, state.node
    problems = health.problems()
    if health.is_failing or (problems and not node):
        ready, sentence = False, "Something is wrong with the tables; see the server's log."
    elif node and not node.ready:
        ready, sentence = False, "Other servers have the tables at the moment."
    else:
        ready, sentence = True, "Tables are open."
    if not health.was_clean and not health.lost_commits:
        present = (
            "its commits are all here" if health.is_verified else "nothing shows whether its last commits are here"
        )
        problems.append(f"The last stop was not clean; {present}.")
    tables = health.faulty_tables if has_operator_token(request, state.admin_token) else {}
    return Response(_readiness(ready, sentence, problems, tables), status_code=200 if ready else 503)


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT)
async def metrics(request: ApiRequest, state: State) -> str:
    """Metrics, behind a token: on a quiet server they would reveal who whispers when."""
    if not has_operator_token(request, state.metrics_token):
        raise NotFoundException
    text: str = state.metrics.text(state)
    return text


def build_app(
    registry: Registry,
    public_url: str = "",
    site: Path = FOLDER,
    limits: RateLimits | None = None,
    proxies: Proxies | None = None,
    own_url: str = "",
    metrics_token: str = "",
    admin_token: str = "",
    banned: IpBans | None = None,
    node: Node | None = None,
) -> Litestar:
    state = State(
        {
            "registry": registry,
            "metrics": Metrics(),
            "open_sockets": set(),
            "outbox_budget": OutboxBudget(),
            "public_url": without_default_port(public_url),
            "public_origin": origin_of_url(public_url),
            "own_origin": origin_of_url(own_url),
            "host_allowlist": HostAllowlist(public_url, own_url),
            "proxies": proxies or Proxies(),
            "throttled": 0,
            "site": read_site(site),
            "limits": limits,
            "metrics_token": metrics_token,
            "admin_token": admin_token,
            "ip_bans": banned or IpBans(),
            "node": node,
        }
    )
    return App(
        route_handlers=[api, admin, table_socket, live, ready, metrics, show_file],
        state=state,
        before_request=check_request,
        response_headers=NO_STORE,  # unless a route says otherwise
        dependencies={"registry": Provide(lambda: registry, sync_to_thread=False)},
        request_max_body_size=MAX_BODY,
        exception_handlers=HANDLERS,
        openapi_config=OPENAPI,
        logging_config=None,
    )
