"""The client's address, scheme and host, from the connection or from the X-Forwarded headers of trusted proxies."""

import ipaddress
from collections.abc import Sequence
from typing import NamedTuple

from jamboree.core.errors import JamboreeError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
MIN_PREFIX_V4, MIN_PREFIX_V6 = 8, 16  # the shortest plausible prefixes of a proxy's network
PRIVATE_V6 = ipaddress.IPv6Network("fc00::/7")  # shorter than that, and plausible
IPV6_CLIENT_PREFIX = 64  # bits: a client chooses the rest of its IPv6 address freely
IPV6_SITE_PREFIX = 48  # bits of what providers assign to a customer, who has 65,536 client prefixes


class Origin(NamedTuple):
    """Where a request comes from, according to the trusted proxies."""

    address: str
    scheme: str
    host: str
    proxied: bool  # a trusted proxy has passed it on: X-Forwarded-For came from its address
    host_header: str = ""  # the Host header, whatever a proxy forwards


class Proxies:
    def __init__(self, trusted: Sequence[str] = ()) -> None:
        self.networks = [_network(each) for each in trusted]

    @property
    def too_wide(self) -> list[Network]:
        """Networks so wide that any client in them could forge its address, such as 0.0.0.0/0."""
        return [network for network in self.networks if _is_too_wide(network)]

    def trusts(self, address: str) -> bool:
        found = read_address(address)
        return found is not None and any(found in network for network in self.networks)

    def origin(self, peer: str, scheme: str, host: str, forwarded: dict[str, list[str]]) -> Origin:
        """Follow X-Forwarded-For from the right, as long as a trusted proxy has written the entry.

        A request without X-Forwarded-For comes from the proxy's machine itself, not through the proxy.
        """
        if not (self.trusts(peer) and _items(forwarded.get("x-forwarded-for", []))):
            return Origin(_normalized(peer), _http_scheme(scheme), host, False, host)
        address, hops = peer, 0
        for claimed in reversed(_items(forwarded.get("x-forwarded-for", []))):
            if not self.trusts(address) or read_address(claimed) is None:
                break
            address, hops = claimed, hops + 1
        scheme = _at(forwarded.get("x-forwarded-proto", []), hops) or scheme
        forwarded_host = _at(forwarded.get("x-forwarded-host", []), hops) or host
        return Origin(_normalized(address), _http_scheme(scheme), forwarded_host, True, host)


def read_address(text: str) -> Address | None:
    """Parse an IP address as proxies write it, with or without a port; None if it is none."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def rate_limit_key(address: str) -> str:
    """The key for limits by address: the /64 network of an IPv6 address, else the address itself."""
    found = read_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, IPV6_CLIENT_PREFIX), strict=False))
    return str(found) if found else address


def ipv6_site(key: str) -> str | None:
    """The /48 network of a rate-limit key; None for IPv4, where addresses are scarce."""
    network = ipaddress.ip_network(key, strict=False) if ":" in key else None
    if not isinstance(network, ipaddress.IPv6Network) or network.prefixlen < IPV6_SITE_PREFIX:
        return None
    return str(network.supernet(new_prefix=IPV6_SITE_PREFIX))


def is_private(address: str) -> bool:
    """Whether an address is of this machine or its network, where a reverse proxy may run."""
    found = read_address(address)
    return found is not None and (found.is_private or found.is_loopback)


def _http_scheme(scheme: str) -> str:
    """The scheme of the page that a request or a WebSocket belongs to."""
    return "https" if scheme in ("https", "wss") else "http"


def _normalized(address: str) -> str:
    return str(read_address(address) or address)


def _items(lines: list[str]) -> list[str]:
    return [item.strip() for line in lines for item in line.split(",") if item.strip()]


def _at(lines: list[str], hops: int) -> str:
    """The header's value for the hop of the client's address; some proxies keep only one value."""
    values = _items(lines)
    return values[-min(max(hops, 1), len(values))].lower() if values else ""


def _is_too_wide(network: Network) -> bool:
    if isinstance(network, ipaddress.IPv4Network):
        return network.prefixlen < MIN_PREFIX_V4
    return network.prefixlen < MIN_PREFIX_V6 and not network.subnet_of(PRIVATE_V6)


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise JamboreeError(
            f'"{text}" is not an IP address or network of a proxy (examples: 127.0.0.1, 10.0.0.0/8).'
        ) from None
