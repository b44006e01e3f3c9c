"""Where somebody comes from, as far as we believe it: the connection, or what proxies we trust say of it."""

import ipaddress
from collections.abc import Sequence
from typing import NamedTuple

from jamboree.core.errors import JamboreeError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
WIDEST_V4, WIDEST_V6 = 8, 16  # bits of the widest prefixes that can be a proxy's
PRIVATE_V6 = ipaddress.IPv6Network("fc00::/7")  # which is wider, and nobody else's
OF_ONE_HOUSEHOLD = 64  # bits of an IPv6 address that tell houses apart; the rest are free to choose
OF_ONE_SITE = 48  # bits that tell apart what providers give to a customer, who has 65,536 households then


class Origin(NamedTuple):
    """Who is asking, after the proxies in front of us were heard."""

    address: str
    scheme: str
    host: str
    proxied: bool  # a trusted proxy has passed it on: X-Forwarded-For came from its address
    host_header: str = ""  # the header Host, whatever a proxy says


class Proxies:
    """The proxies whose word counts."""

    def __init__(self, trusted: Sequence[str] = ()) -> None:
        self.networks = [_network(each) for each in trusted]

    @property
    def too_wide(self) -> list[Network]:
        """The networks in which everybody can claim any address, such as 0.0.0.0/0."""
        return [network for network in self.networks if _is_too_wide(network)]

    def trusts(self, address: str) -> bool:
        found = read_address(address)
        return found is not None and any(found in network for network in self.networks)

    def origin(self, peer: str, scheme: str, host: str, forwarded: dict[str, list[str]]) -> Origin:
        """Follow the addresses from the right for as long as a proxy we trust has written them.

        Without X-Forwarded-For it is a program or a browser on the proxy's machine that asks, and not the proxy.
        """
        if not (self.trusts(peer) and _items(forwarded.get("x-forwarded-for", []))):
            return Origin(_written(peer), _http_scheme(scheme), host, False, host)
        address, hops = peer, 0
        for said in reversed(_items(forwarded.get("x-forwarded-for", []))):
            if not self.trusts(address) or read_address(said) is None:
                break
            address, hops = said, hops + 1
        scheme = _at(forwarded.get("x-forwarded-proto", []), hops) or scheme
        named = _at(forwarded.get("x-forwarded-host", []), hops) or host
        return Origin(_written(address), _http_scheme(scheme), named, True, host)


def read_address(text: str) -> Address | None:
    """Read an address as proxies write it, perhaps with a port."""
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


def household(address: str) -> str:
    """Give the part of an address that its owner can't choose at will."""
    found = read_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, OF_ONE_HOUSEHOLD), strict=False))
    return str(found) if found else address


def site(household: str) -> str | None:
    """The network that a household of IPv6 belongs to; None for IPv4, where addresses are dear."""
    network = ipaddress.ip_network(household, strict=False) if ":" in household else None
    if not isinstance(network, ipaddress.IPv6Network) or network.prefixlen < OF_ONE_SITE:
        return None
    return str(network.supernet(new_prefix=OF_ONE_SITE))


def is_nearby(address: str) -> bool:
    """Tell this machine and its neighbours: only there can a proxy of ours stand."""
    found = read_address(address)
    return found is not None and (found.is_private or found.is_loopback)


def _http_scheme(scheme: str) -> str:
    """Give the scheme of the page that a WebSocket belongs to."""
    return "https" if scheme in ("https", "wss") else "http"


def _written(address: str) -> str:
    return str(read_address(address) or address)


def _items(lines: list[str]) -> list[str]:
    return [item.strip() for line in lines for item in line.split(",") if item.strip()]


def _at(lines: list[str], hops: int) -> str:
    """Give what was said of the hop that the client's address was said of; some proxies keep only one value."""
    said = _items(lines)
    return said[-min(max(hops, 1), len(said))].lower() if said else ""


def _is_too_wide(network: Network) -> bool:
    if isinstance(network, ipaddress.IPv4Network):
        return network.prefixlen < WIDEST_V4
    return network.prefixlen < WIDEST_V6 and not network.subnet_of(PRIVATE_V6)


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise JamboreeError(
            f'"{text}" is no address or network of a proxy; 127.0.0.1 or 10.0.0.0/8 would be.'
        ) from None
