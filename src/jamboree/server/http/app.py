"""The web application: the API, sockets and health, put together around a registry."""

from hmac import compare_digest
from pathlib import Path
from typing import Any

from litestar import Litestar, MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

import jamboree

from ..door.addresses import Proxies
from ..door.banned import Banned
from ..door.hosts import Hosts, origin_of_url, without_default_port
from ..door.limits import Limits
from ..door.waiting import Waiting
from ..live.registry import Registry
from ..nodes.node import Node
from ..protocol.bodies import Readiness
from .answers import HANDLERS, LARGEST_BODY, Asked, public
from .api import api
from .gate import bearer, look_over
from .line import App
from .operating.admin import admin
from .operating.metrics import Metrics
from .site import FOLDER, read_site, show_file
from .sockets import table_socket


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


def _health(ready: bool, sentence: str) -> Readiness:
    return Readiness(ready, sentence, jamboree.__version__)


@get("/live", include_in_schema=False, health=True)
async def live() -> Readiness:
    return _health(True, "The server is there.")


@get("/ready", include_in_schema=False, health=True)
async def ready(state: State) -> Response[Readiness]:
    """Say whether moves can be kept and all is whole. What the database says is for the log, not for everybody."""
    if state.registry.store.trouble:
        return Response(_health(False, "Something is wrong with the tables; the log says what."), status_code=503)
    if state.node and not state.node.ready:
        return Response(_health(False, "Other servers have the tables at the moment."), status_code=503)
    return Response(_health(True, "Tables are open."))


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT)
async def metrics(request: Asked, state: State) -> str:
    """Give figures to whoever shows the token: on a quiet server they tell who whispers when."""
    shown, token = bearer(request) or "", state.metrics_token
    if not token or not compare_digest(shown.encode(), token.encode()):
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
        dependencies={"registry": Provide(lambda: registry, sync_to_thread=False)},
        request_max_body_size=LARGEST_BODY,
        exception_handlers=HANDLERS,
        openapi_config=OPENAPI,
        logging_config=None,
    )
