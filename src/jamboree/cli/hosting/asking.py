"""Asking a running server as whoever runs it, with the standard library alone."""

import json
import urllib.error
import urllib.request
from typing import Any, NamedTuple

from jamboree.core.errors import JamboreeError

PATIENCE = 10.0  # seconds
LARGEST = 8 << 20  # bytes of an answer


class Answer(NamedTuple):
    status: int
    body: Any
    date: str  # as the other side's clock has it


def nearby(host: str, port: int) -> str:
    """Say where a server is found on its own machine that listens somewhere."""
    near = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://[{near}]:{port}" if ":" in near else f"http://{near}:{port}"


def ask(url: str, path: str, body: Any = None, token: str = "", **headers: str) -> Answer:
    """Ask for something; something is changed if there is a body. Only what can't be reached at all is an error."""
    data = None if body is None else json.dumps(body).encode()
    shown = {"authorization": f"Bearer {token}"} if token else {}
    headers = {"content-type": "application/json", **shown, **headers}
    try:
        request = urllib.request.Request(url.rstrip("/") + path, data, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return Answer(answer.status, _read(answer.read(LARGEST)), answer.headers.get("date", ""))
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, _read(error.read(LARGEST)), error.headers.get("date", ""))
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", error)
        raise JamboreeError(f"{url} can't be reached: {getattr(why, 'strerror', None) or why}.") from None


def _read(data: bytes) -> Any:
    try:
        return json.loads(data) if data else None
    except (ValueError, RecursionError):
        return None
