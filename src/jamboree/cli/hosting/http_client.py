"""HTTP requests to a running server, with the standard library only."""

import json
import urllib.error
import urllib.request
from typing import Any, NamedTuple

from jamboree.core.errors import JamboreeError

TIMEOUT = 10.0  # seconds
MAX_BODY = 8 << 20  # bytes


class Response(NamedTuple):
    status: int
    body: Any  # decoded JSON, None if it isn't JSON
    date: str  # the Date header


def local_url(host: str, port: int) -> str:
    """Return the URL at which a server is reached from its own machine."""
    reachable = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"


def request(url: str, path: str, body: Any = None, token: str = "", **headers: str) -> Response:
    """Send a POST if there is a body, else a GET; an HTTP error status is a response, not an exception."""
    data = None if body is None else json.dumps(body).encode()
    authorization = {"authorization": f"Bearer {token}"} if token else {}
    headers = {"content-type": "application/json", **authorization, **headers}
    try:
        prepared = urllib.request.Request(url.rstrip("/") + path, data, headers)
        with urllib.request.urlopen(prepared, timeout=TIMEOUT) as response:
            return Response(response.status, _decode(response.read(MAX_BODY)), response.headers.get("date", ""))
    except urllib.error.HTTPError as error:
        with error:
            return Response(error.code, _decode(error.read(MAX_BODY)), error.headers.get("date", ""))
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise JamboreeError(f"{url} can't be reached: {getattr(reason, 'strerror', None) or reason}.") from None


def _decode(data: bytes) -> Any:
    try:
        return json.loads(data) if data else None
    except (ValueError, RecursionError):
        return None
