"""Host allow-list against DNS rebinding: a page elsewhere could give its own name our address, and ask in that name.

Also how two names of a server are compared: without case, and with the port that a scheme has by default left out.
"""

import ipaddress
import re
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

AT_HOME = (
    ".localhost",
    ".local",
    ".lan",
    ".internal",
    ".home.arpa",
    ".home",
    ".fritz.box",
)  # nobody can register these
DEFAULT_PORTS = {"http": 80, "https": 443}
AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]*)(?::(\d{0,5}))?", re.ASCII | re.IGNORECASE)


class Authority(NamedTuple):
    """A host and a port, as they stand in a URL or in the header Host."""

    host: str
    port: int | None  # None: the scheme's own


class Hosts:
    """The names that are believed: numbers, names of this machine and of home networks, and those it was given."""

    def __init__(self, *urls: str) -> None:
        self.names = {socket.gethostname().casefold(), *(urlsplit(url).hostname for url in urls)}

    def knows(self, host: str) -> bool:
        authority = read_authority(host)
        if authority is None:
            return False
        name = authority.host.strip("[]").rstrip(".")
        return name in self.names or "." not in name or name.endswith(AT_HOME) or _is_number(name)


def read_authority(text: str, scheme: str = "") -> Authority | None:
    """Read a host with or without a port; None if it is neither."""
    parts = AUTHORITY.fullmatch(text)
    if parts is None:
        return None
    port = int(parts[2]) if parts[2] else None
    return Authority(parts[1].casefold(), None if port == DEFAULT_PORTS.get(scheme) else port)


def is_same_authority(one: str, other: str, scheme: str) -> bool:
    """Tell whether two hosts with or without a port are the same place for a scheme."""
    first = read_authority(one, scheme)
    return first is not None and bool(first.host) and first == read_authority(other, scheme)


def origin_of_url(url: str) -> str:
    """Give what a browser calls the place that a page comes from, in the header Origin; nothing for what is no URL."""
    try:
        parts = urlsplit(url)
        authority = read_authority(parts.netloc.encode("idna").decode(), parts.scheme)
    except ValueError:  # half a bracket, or a name that IDNA does not allow
        return ""
    if authority is None or not authority.host:
        return ""
    return f"{parts.scheme}://{authority.host}" + (f":{authority.port}" if authority.port is not None else "")


def without_default_port(url: str) -> str:
    """Write an address as browsers do, so that it can be compared with what they send."""
    return origin_of_url(url) + urlsplit(url).path.rstrip("/")


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
