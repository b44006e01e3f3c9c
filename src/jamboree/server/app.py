"""The web application: the API, sockets, health, and how what goes wrong is said."""

import logging
from pathlib import Path
from typing import Any

from litestar import Litestar, MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

import jamboree

from .api import api
from .bodies import Problem, Readiness
from .errors import Refused, trace
from .gate import count
from .house import House
from .limits import Limits
from .metrics import Metrics
from .site import FOLDER, HARDENED, read_site, show_file
from .sockets import table_socket
from .store import StoreError

log = logging.getLogger(__name__)
LARGEST_BODY = 64 * 1024
STATUS = {
    "unknown-table": 404,
    "unknown-person": 404,
    "wrong-token": 403,
    "no-token": 401,
    "foreign-origin": 403,
    "host-only": 403,
    "too-fast": 429,
    "not-kept": 503,
    "table-stopped": 503,
    "bad-options": 422,
    "name": 422,
    "unknown-game": 422,
}


@get("/live", include_in_schema=False, free=True)
async def live() -> Readiness:
    return Readiness(True, "The server is there.")


@get("/ready", include_in_schema=False, free=True)
async def ready(state: State) -> Response[Readiness]:
    """Say whether moves can be kept. What the database says is for the log, not for everybody."""
    if state.house.store.trouble:
        return Response(Readiness(False, "Nothing can be kept at the moment."), status_code=503)
    return Response(Readiness(True, "Tables are open."))


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT, free=True)
async def metrics(state: State) -> str:
    text: str = state.metrics.text(len(state.house.tables), state.house.store.groups, state.house.tally)
    return text


def build_app(house: House, public_url: str = "", site: Path = FOLDER, limits: Limits | None = None) -> Litestar:
    """Put the application together around a house that is open."""
    state = State(
        {
            "house": house,
            "metrics": Metrics(),
            "lines": set(),
            "public_origin": public_url.rstrip("/"),
            "site": read_site(site),
            "limits": limits,
        }
    )
    return Litestar(
        route_handlers=[api, table_socket, live, ready, metrics, show_file],
        state=state,
        response_headers=HARDENED,
        before_request=_count,
        dependencies={"house": Provide(lambda: house, sync_to_thread=False)},
        request_max_body_size=LARGEST_BODY,
        exception_handlers={
            Refused: _refused,
            StoreError: _not_kept,
            HTTPException: _http,
            RecursionError: _unreadable,
            UnicodeDecodeError: _unreadable,
            Exception: _broken,
        },
        openapi_config=OpenAPIConfig(
            title="Jamboree",
            version=jamboree.__version__,
            description="Tables for every game. A table is played over its socket; docs/protocol.md describes it.",
            path="/api/v1/schema",
            render_plugins=[JsonRenderPlugin()],
        ),
        logging_config=None,
    )


Answer = Response[Problem]
Asked = Request[Any, Any, State]


async def _count(request: Asked) -> None:
    if not request.route_handler.opt.get("free"):
        count(request, bool(request.route_handler.opt.get("opens")))


def _refused(request: Asked, error: Refused) -> Answer:
    wait = (error.detail or {}).get("retry_after")
    problem = Problem(error.code, error.sentence, error.detail)
    headers = {"retry-after": str(wait)} if wait else {}
    return Response(problem, status_code=STATUS.get(error.code, 409), headers=headers)


def _not_kept(request: Asked, error: StoreError) -> Answer:
    log.error("the store failed: %s", trace(error))
    return Response(Problem("not-kept", "The tables can't be reached at the moment."), status_code=503)


def _http(request: Asked, error: HTTPException) -> Answer:
    if error.status_code >= 500:
        return _broken(request, error)
    codes = {404: "not-found", 405: "not-found", 413: "too-big"}
    code = codes.get(error.status_code, "malformed")
    return Response(Problem(code, _explained(error)), status_code=error.status_code)


def _explained(error: HTTPException) -> str:
    """Say what is wrong with which field, where that is known."""
    faults = error.extra if isinstance(error.extra, list) else []
    told = [f"{fault.get('key', 'body')}: {fault['message']}" for fault in faults if "message" in fault]
    return f"{error.detail.rstrip('.')}: {'; '.join(told)}." if told else error.detail


def _unreadable(request: Asked, error: RecursionError | UnicodeDecodeError) -> Answer:
    """Answer what JSON can't be: deeper than anything, or not in UTF-8."""
    return Response(Problem("malformed", "This can't be read as JSON."), status_code=400)


def _broken(request: Asked, error: Exception) -> Answer:
    log.error("a request failed: %s", trace(error))
    return Response(Problem("broken", "Something is broken here, and it is not your fault."), status_code=500)
