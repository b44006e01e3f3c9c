"""Host-header allow-list against DNS rebinding, and comparison of origins (case-folded, default ports left out)."""

import ipaddress
import re
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

LOCAL_SUFFIXES = (
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
    """A host and a port, as in a URL or a Host header."""

    host: str
    port: int | None  # None: the scheme's default


class HostAllowlist:
    """Accepts IP addresses, names of this machine and of local networks, and the hosts of configured URLs."""

    def __init__(self, *urls: str) -> None:
        self.names = {socket.gethostname().casefold(), *(urlsplit(url).hostname for url in urls)}

    def allows(self, host: str) -> bool:
        authority = read_authority(host)
        if authority is None:
            return False
        name = authority.host.strip("[]").rstrip(".")
        return name in self.names or "." not in name or name.endswith(LOCAL_SUFFIXES) or _is_ip_address(name)


def read_authority(text: str, scheme: str = "") -> Authority | None:
    """Parse a host with or without a port; None if it is malformed."""
    parts = AUTHORITY.fullmatch(text)
    if parts is None:
        return None
    port = int(parts[2]) if parts[2] else None
    return Authority(parts[1].casefold(), None if port == DEFAULT_PORTS.get(scheme) else port)


def is_same_authority(one: str, other: str, scheme: str) -> bool:
    """Whether two authorities are equal once the scheme's default port is left out."""
    first = read_authority(one, scheme)
    return first is not None and bool(first.host) and first == read_authority(other, scheme)


def origin_of_url(url: str) -> str:
    """The Origin header that a browser sends for a page at a URL; empty if it is not a URL."""
    try:
        parts = urlsplit(url)
        authority = read_authority(parts.netloc.encode("idna").decode(), parts.scheme)
    except ValueError:  # half a bracket, or a name that IDNA does not allow
        return ""
    if authority is None or not authority.host:
        return ""
    return f"{parts.scheme}://{authority.host}" + (f":{authority.port}" if authority.port is not None else "")


def without_default_port(url: str) -> str:
    """Normalize a URL as browsers do, for comparison with what they send."""
    return origin_of_url(url) + urlsplit(url).path.rstrip("/")


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
