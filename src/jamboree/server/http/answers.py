"""How HTTP says what goes wrong, and which refusals each route declares in the OpenAPI document."""

import logging
from collections.abc import Mapping
from typing import Any, TypeAlias

from litestar import MediaType, Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import ExceptionHandlersMap

from ..door.plain import NOT_KEPT
from ..errors import Refused, trace
from ..packing import Form, chosen, often_in_form
from ..protocol.bodies import Problem
from ..store import StoreError
from .gate import note_guess

log = logging.getLogger(__name__)
LARGEST_BODY = 64 * 1024
LARGEST_JOURNAL = 256 * 1024  # a game of eight with all they did has half of that
NOT_NOW = 409  # the status of every code that is not in this table
STATUS = {
    "malformed": 400,
    "no-token": 401,
    "wrong-token": 403,
    "foreign-origin": 403,
    "banned": 403,
    "banned-address": 403,
    "join-to-watch": 403,
    "locked": 403,
    "no-spectators": 403,
    "foreign-host": 421,
    "host-only": 403,
    "unknown-table": 404,
    "unknown-person": 404,
    "not-found": 404,
    "too-big": 413,
    "not-json": 415,
    "bad-address": 422,
    "bad-options": 422,
    "name": 422,
    "no-level": 422,
    "no-journal": 422,
    "changed-journal": 422,
    "unsound-journal": 422,
    "other-rules": 422,
    "no-seat": 422,
    "unknown-game": 422,
    "too-fast": 429,
    "busy": 503,
    "not-kept": 503,
    "table-stopped": 503,
}
REASONS = {
    400: "Not a request of this protocol",
    401: "The request carries no token",
    403: "This person is not allowed to do this",
    404: "There is no such thing",
    409: "Not possible as the table stands now",
    413: "The body is too large",
    415: "The body is not declared as JSON",
    421: "This server is not set up for the name in the header Host",
    422: "Well-formed, but these values are not possible",
    429: "Too many requests; the header Retry-After says when to try again",
    503: "A fault of the server; try again",
}
PLAIN = {
    404: ("not-found", "There is nothing here."),
    405: ("not-found", "This can't be asked for in this way."),
    413: ("too-big", f"A body may have {LARGEST_BODY} bytes, a journal {LARGEST_JOURNAL}."),
}
GONE = "client disconnected prematurely"  # what Litestar says of a body that has no end: no fault of ours
BODY_KEY = "data"  # what a body is called in complaints about it
ALWAYS = ("banned-address", "foreign-host", "malformed", "too-fast")
DOOR = ("banned", "join-to-watch", "locked", "no-spectators")

Answer: TypeAlias = Response[Problem]
Asked: TypeAlias = Request[Any, Any, State]


def refusals(*codes: str) -> Mapping[int, ResponseSpec]:
    """Declare the codes a route may refuse with, besides those that any may."""
    by_status: dict[int, list[str]] = {}
    for code in sorted({*ALWAYS, *codes}):
        by_status.setdefault(status_of(code), []).append(f"`{code}`")
    return {
        status: ResponseSpec(Problem, generate_examples=False, description=f"{REASONS[status]}: {', '.join(theirs)}.")
        for status, theirs in sorted(by_status.items())
    }


def coding_for(request: Asked, *offered: str) -> str:
    """Choose how an answer in which nothing is hidden from anybody is packed; empty if it is not."""
    return chosen(request.headers.get("accept-encoding", ""), offered or ("gzip",))


def sent(form: Form, kind: str = MediaType.JSON) -> Response[Any]:
    """Send what may be packed."""
    content: Any = form.content
    return Response(content, media_type=kind, headers=form.headers)


def public(request: Asked, content: bytes, kind: str = MediaType.JSON) -> Response[Any]:
    """Send what is the same for everybody, packed once for all who can unpack it."""
    return sent(often_in_form(content, coding_for(request)), kind)


def status_of(code: str) -> int:
    return STATUS.get(code, NOT_NOW)


def _refused(request: Asked, error: Refused) -> Answer:
    note_guess(request, error)
    wait = (error.detail or {}).get("retry_after")
    problem = Problem(error.code, error.sentence, error.detail)
    headers = NOT_KEPT | ({"retry-after": str(wait)} if wait else {})
    return Response(problem, status_code=status_of(error.code), headers=headers)


def _not_kept(request: Asked, error: StoreError) -> Answer:
    log.error("the store failed: %s", trace(error))
    return _refused(request, Refused("not-kept", "The tables can't be reached at the moment."))


def _http(request: Asked, error: HTTPException) -> Answer:
    if error.status_code >= 500 and error.detail != GONE:
        return _broken(request, error)
    code, sentence = PLAIN.get(error.status_code) or ("malformed", _explained(error))
    status = error.status_code if error.detail != GONE else 400
    return Response(Problem(code, sentence), status_code=status, headers=NOT_KEPT)


def _explained(error: HTTPException) -> str:
    """Say what is wrong with which field, where that is known."""
    faults = error.extra if isinstance(error.extra, list) else []
    told = [_fault(fault["message"], fault.get("key", "")) for fault in faults if "message" in fault]
    return "; ".join(told) or f"This can't be read as JSON: {error.detail.rstrip('.')}."


def _fault(message: str, key: str) -> str:
    if key != BODY_KEY:
        return f"{key}: {message}."
    return "A body in JSON is missing." if message == repr(BODY_KEY) else f"The body does not fit: {message}."


def _unreadable(request: Asked, error: RecursionError | UnicodeDecodeError) -> Answer:
    """Answer what JSON can't be: deeper than anything, or not in UTF-8."""
    return _refused(request, Refused("malformed", "This can't be read as JSON."))


def _broken(request: Asked, error: Exception) -> Answer:
    log.error("a request failed: %s", trace(error))
    problem = Problem("broken", "Something is broken here, and it is not your fault.")
    return Response(problem, status_code=500, headers=NOT_KEPT)


HANDLERS: ExceptionHandlersMap = {
    Refused: _refused,
    StoreError: _not_kept,
    HTTPException: _http,
    RecursionError: _unreadable,
    UnicodeDecodeError: _unreadable,
    Exception: _broken,
}
