"""Checks the public address and the X-Forwarded headers of a reverse proxy."""

import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from jamboree.core.errors import JamboreeError
from jamboree.server.edge.addresses import Proxies
from jamboree.server.edge.host_allowlist import is_same_authority
from jamboree.server.serve import TRUST_FEWER, TRUSTS_ALL

from ..configuration import Configuration
from ..http_client import Response, request
from .result import CheckResult, good, warn, wrong

SPOOFED_ADDRESS = "192.0.2.77"  # reserved for documentation; a proxy must not pass it on
MAX_CLOCK_DIFFERENCE = 60.0  # seconds
FORWARD_HEADERS = "Let the proxy set X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host; deploy/ has examples."


def proxy(settings: Configuration) -> Iterator[CheckResult]:
    for network in Proxies(settings["trust-proxy"]).too_wide:
        yield warn(f"--trust-proxy {network} {TRUSTS_ALL}.", f"{TRUST_FEWER[0].upper()}{TRUST_FEWER[1:]}.")
    url: str = settings["public-url"]
    if not url:
        if settings["trust-proxy"]:
            yield warn("A proxy is trusted, but the public address is not set.", "Set --public-url.")
        return
    try:
        response = request(url, "/live")
    except JamboreeError as error:
        yield wrong(str(error), "Check the DNS name, the certificate, and that the proxy is running.")
        return
    if response.status != 200 or not isinstance(response.body, dict) or "ready" not in response.body:
        yield wrong(
            f"{url} does not lead to this server: status {response.status}.",
            "Let the proxy forward every request to the server.",
        )
        return
    yield good(f"{url} leads to a Jamboree server.")
    yield from _clock(response)
    yield from _forwarded_headers(url, settings["admin-token"], Proxies(settings["trust-proxy"]))


def _clock(response: Response) -> Iterator[CheckResult]:
    if response.date:
        difference = abs(parsedate_to_datetime(response.date).timestamp() - time.time())
        if difference > MAX_CLOCK_DIFFERENCE:
            yield warn(f"The clock at the public address differs by {difference:.0f} s.", "Synchronize both with NTP.")


def _forwarded_headers(url: str, token: str, trusted: Proxies) -> Iterator[CheckResult]:
    """Ask the server what it sees of this request, once with a spoofed header that the proxy must not pass on."""
    if not token:
        yield warn(
            "What the proxy forwards can't be checked without the admin token.",
            "Set JAMBOREE_ADMIN_TOKEN and repeat the command.",
        )
        return
    response = request(url, "/api/v1/admin/load", None, token)
    if response.status != 200:
        yield warn("The server has another admin token.", "Start it with the same JAMBOREE_ADMIN_TOKEN.")
        return
    if response.body["seen"]["proxied"]:
        response = request(url, "/api/v1/admin/load", None, token, **{"x-forwarded-for": SPOOFED_ADDRESS})
    yield from judge_request(url, response.body["seen"], trusted)


def judge_request(url: str, seen: dict[str, Any], trusted: Proxies) -> Iterator[CheckResult]:
    """Judge what the server saw of a request to the public address."""
    public = urlsplit(url)
    if not seen["proxied"] and trusted.trusts(seen["address"]):
        yield wrong("The proxy does not forward the client's address.", FORWARD_HEADERS)
        return
    if not seen["proxied"]:
        if (
            seen["forwarded"]
            or public.scheme == "https"
            or not is_same_authority(seen["host"], public.netloc, public.scheme)
        ):
            trust = f"Start the server with --trust-proxy {seen['address']}."
            yield wrong(
                f"Requests come from {seen['address']}, which is not trusted, so all clients count as one address.",
                trust if seen["forwarded"] else f"{trust} {FORWARD_HEADERS}",
            )
        else:
            yield good("There is no proxy in front of the server.")
        return
    if seen["address"] == SPOOFED_ADDRESS:
        yield wrong("The proxy passes on the X-Forwarded-For of clients.", FORWARD_HEADERS)
    if seen["scheme"] != public.scheme:
        yield wrong(f"The proxy reports the scheme {seen['scheme']}, not {public.scheme}.", FORWARD_HEADERS)
    if not is_same_authority(seen["host"], public.netloc, public.scheme):
        yield warn(f"The proxy reports the host {seen['host']}, not {public.netloc}.", FORWARD_HEADERS)
    else:
        yield good(f"The proxy forwards the client's address ({seen['address']}) and scheme ({seen['scheme']}).")
