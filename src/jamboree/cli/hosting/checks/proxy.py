"""The way in from outside: whether the public address leads here, and what a proxy in front says of people."""

import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from jamboree.core.errors import JamboreeError
from jamboree.server.edge.addresses import Proxies
from jamboree.server.edge.host_allowlist import is_same_authority
from jamboree.server.serve import TRUST_FEWER, TRUSTS_ALL

from ..asking import Answer, ask
from ..finding import Finding, good, warn, wrong
from ..found import Configuration

CLAIMED = "192.0.2.77"  # an address nobody has: a proxy must not believe it
OFF = 60.0  # seconds a clock may be off
FORWARD = "Let the proxy send X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host; deploy/ has examples."


def proxy(found: Configuration) -> Iterator[Finding]:
    for network in Proxies(found["trust-proxy"]).too_wide:
        yield warn(f"--trust-proxy {network} {TRUSTS_ALL}.", f"{TRUST_FEWER[0].upper()}{TRUST_FEWER[1:]}.")
    url: str = found["public-url"]
    if not url:
        if found["trust-proxy"]:
            yield warn("A proxy is trusted, but the address people use is not known.", "Set --public-url.")
        return
    try:
        answer = ask(url, "/live")
    except JamboreeError as error:
        yield wrong(str(error), "Look at the name in the DNS, the certificate, and whether the proxy runs.")
        return
    if answer.status != 200 or not isinstance(answer.body, dict) or "ready" not in answer.body:
        yield wrong(
            f"{url} leads somewhere else: status {answer.status}.", "Let the proxy pass everything on to the server."
        )
        return
    yield good(f"{url} leads to a server.")
    yield from _clock(answer)
    yield from _forwarded(url, found["admin-token"], Proxies(found["trust-proxy"]))


def _clock(answer: Answer) -> Iterator[Finding]:
    if answer.date:
        off = abs(parsedate_to_datetime(answer.date).timestamp() - time.time())
        if off > OFF:
            yield warn(f"The clock at the public address differs by {off:.0f} s.", "Let NTP set both.")


def _forwarded(url: str, token: str, trusted: Proxies) -> Iterator[Finding]:
    """See what arrives, also of a claim that no proxy should pass on as it is."""
    if not token:
        yield warn(
            "What the proxy forwards can't be seen without the admin token.", "Set JAMBOREE_ADMIN_TOKEN and ask again."
        )
        return
    answer = ask(url, "/api/v1/admin/load", None, token)
    if answer.status != 200:
        yield warn("The server does not know this admin token.", "Start it with the same JAMBOREE_ADMIN_TOKEN.")
        return
    if answer.body["seen"]["proxied"]:
        answer = ask(url, "/api/v1/admin/load", None, token, **{"x-forwarded-for": CLAIMED})
    yield from told(url, answer.body["seen"], trusted)


def told(url: str, seen: dict[str, Any], trusted: Proxies) -> Iterator[Finding]:
    """Judge how a request looked that came by the public address."""
    wanted = urlsplit(url)
    if not seen["proxied"] and trusted.trusts(seen["address"]):
        yield wrong("The proxy does not say who is asking.", FORWARD)
        return
    if not seen["proxied"]:
        if (
            seen["forwarded"]
            or wanted.scheme == "https"
            or not is_same_authority(seen["host"], wanted.netloc, wanted.scheme)
        ):
            trust = f"Start the server with --trust-proxy {seen['address']}."
            yield wrong(
                f"Requests come from {seen['address']}, which is not trusted, so everybody counts as one.",
                trust if seen["forwarded"] else f"{trust} {FORWARD}",
            )
        else:
            yield good("Nothing stands in front of the server.")
        return
    if seen["address"] == CLAIMED:
        yield wrong("The proxy passes on what clients claim of themselves.", FORWARD)
    if seen["scheme"] != wanted.scheme:
        yield wrong(f"The proxy says people come by {seen['scheme']}, not {wanted.scheme}.", FORWARD)
    if not is_same_authority(seen["host"], wanted.netloc, wanted.scheme):
        yield warn(f"The proxy calls the server {seen['host']}, not {wanted.netloc}.", FORWARD)
    else:
        yield good(f"The proxy says who is asking ({seen['address']}) and how ({seen['scheme']}).")
