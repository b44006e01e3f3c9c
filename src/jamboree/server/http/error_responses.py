"""Error responses, their status codes, and the refusals that routes declare in the OpenAPI document."""

import logging
from collections.abc import Mapping
from typing import Any, TypeAlias

from litestar import MediaType, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import ExceptionHandlersMap

from ..edge.early_responses import NO_STORE
from ..errors import IncompleteTable, Refused, trace
from ..protocol.bodies import Problem
from ..service.journals import MAX_JOURNAL
from ..store import Incomplete, StoreError
from .auth import count_guess
from .compression import EncodedBody, compressed_cached, negotiate
from .parameters import ApiRequest

log = logging.getLogger(__name__)
MAX_BODY = 64 * 1024
DEFAULT_STATUS = 409  # the status of codes that are not in this table
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
    "bad-name": 422,
    "no-level": 422,
    "no-journal": 422,
    "changed-journal": 422,
    "unsound-journal": 422,
    "other-rules": 422,
    "no-seat": 422,
    "unknown-game": 422,
    "too-fast": 429,
    "busy": 503,
    "incomplete": 503,
    "not-saved": 503,
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
GENERIC = {
    404: ("not-found", "There is nothing here."),
    405: ("not-found", "This can't be asked for in this way."),
    413: ("too-big", f"A body may have {MAX_BODY} bytes, a journal {MAX_JOURNAL}."),
}
DISCONNECTED = "client disconnected prematurely"  # Litestar's error for an aborted body, which is the client's fault
BODY_KEY = "data"  # the name of the body in validation errors
ALWAYS = ("banned-address", "foreign-host", "malformed", "too-fast")
ACCESS = ("banned", "join-to-watch", "locked", "no-spectators")

Answer: TypeAlias = Response[Problem]


def refusals(*codes: str) -> Mapping[int, ResponseSpec]:
    """Declare the codes with which a route may refuse, besides those of all routes."""
    by_status: dict[int, list[str]] = {}
    for code in sorted({*ALWAYS, *codes}):
        by_status.setdefault(status_of(code), []).append(f"`{code}`")
    return {
        status: ResponseSpec(Problem, generate_examples=False, description=f"{REASONS[status]}: {', '.join(named)}.")
        for status, named in sorted(by_status.items())
    }


def accepted_coding(request: ApiRequest, *offered: str) -> str:
    """Negotiate the content coding of a public response; empty for none."""
    return negotiate(request.headers.get("accept-encoding", ""), offered or ("gzip",))


def sent(form: EncodedBody, kind: str = MediaType.JSON) -> Response[Any]:
    content: Any = form.content
    return Response(content, media_type=kind, headers=form.headers)


def public(request: ApiRequest, content: bytes, kind: str = MediaType.JSON) -> Response[Any]:
    """A response that is the same for everyone, compressed with a cache."""
    return sent(compressed_cached(content, accepted_coding(request)), kind)


def status_of(code: str) -> int:
    return STATUS.get(code, DEFAULT_STATUS)


def _refused(request: ApiRequest, error: Refused) -> Answer:
    count_guess(request, error)
    wait = (error.detail or {}).get("retry_after")
    problem = Problem(error.code, error.sentence, error.detail)
    headers = NO_STORE | ({"retry-after": str(wait)} if wait else {})
    return Response(problem, status_code=status_of(error.code), headers=headers)


def _store_failed(request: ApiRequest, error: StoreError) -> Answer:
    if isinstance(error, Incomplete):  # which the store has logged
        return _refused(request, IncompleteTable())
    log.error("the store failed: %s", trace(error))
    return _refused(request, Refused("not-saved", "The tables can't be reached at the moment."))


def _http(request: ApiRequest, error: HTTPException) -> Answer:
    if error.status_code >= 500 and error.detail != DISCONNECTED:
        return _broken(request, error)
    code, sentence = GENERIC.get(error.status_code) or ("malformed", _validation_sentences(error))
    status = error.status_code if error.detail != DISCONNECTED else 400
    return Response(Problem(code, sentence), status_code=status, headers=NO_STORE)


def _validation_sentences(error: HTTPException) -> str:
    """A sentence about each invalid field."""
    faults = error.extra if isinstance(error.extra, list) else []
    sentences = [_fault(fault["message"], fault.get("key", "")) for fault in faults if "message" in fault]
    return "; ".join(sentences) or f"This can't be read as JSON: {error.detail.rstrip('.')}."


def _fault(message: str, key: str) -> str:
    if key != BODY_KEY:
        return f"{key}: {message}."
    return "A body in JSON is missing." if message == repr(BODY_KEY) else f"The body does not fit: {message}."


def _unreadable(request: ApiRequest, error: RecursionError | UnicodeDecodeError) -> Answer:
    """For JSON that is nested too deeply or not UTF-8."""
    return _refused(request, Refused("malformed", "This can't be read as JSON."))


def _broken(request: ApiRequest, error: Exception) -> Answer:
    log.error("a request failed: %s", trace(error))
    problem = Problem("broken", "Something is broken here, and it is not your fault.")
    return Response(problem, status_code=500, headers=NO_STORE)


HANDLERS: ExceptionHandlersMap = {
    Refused: _refused,
    StoreError: _store_failed,
    HTTPException: _http,
    RecursionError: _unreadable,
    UnicodeDecodeError: _unreadable,
    Exception: _broken,
}
