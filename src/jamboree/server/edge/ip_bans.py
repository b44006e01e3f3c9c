"""Networks that the operator has banned, each until a time."""

import ipaddress
import time
from collections.abc import Callable, Iterable

from ..errors import Refused
from .addresses import Network, rate_limit_key, read_address

ADDRESS_BANNED = "The operator of this server has banned your address for now."


class IpBans:
    def __init__(self, bans: Iterable[tuple[str, int, str]] = (), now: Callable[[], float] = time.time) -> None:
        self.now = now
        self.until: dict[Network, tuple[int, str]] = {}  # the end by the wall clock, and the reason
        self.replace(bans)

    def replace(self, bans: Iterable[tuple[str, int, str]]) -> None:
        self.until = {read_network(written): (until, why) for written, until, why in bans}

    def add(self, network: Network, until: int, why: str) -> None:
        self.until[network] = (until, why)

    def lift(self, network: Network) -> bool:
        return self.until.pop(network, None) is not None

    def is_banned(self, address: str) -> bool:
        if not self.until:
            return False
        found = read_address(address)
        return found is not None and any(
            found in network and self.now() < until for network, (until, _) in self.until.items()
        )

    def check(self, address: str) -> None:
        if self.is_banned(address):
            raise Refused("banned-address", ADDRESS_BANNED)


def read_network(text: str) -> Network:
    """Parse an address or network; a single IPv6 address stands for its /64, since clients choose the rest freely."""
    text = text.strip()
    try:
        return ipaddress.ip_network(text if "/" in text else rate_limit_key(text), strict=False)
    except ValueError:
        raise Refused("bad-address", f"{text!r} is not an IP address or network (example: 10.0.0.0/8).") from None
