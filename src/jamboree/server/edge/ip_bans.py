"""Addresses that whoever runs the server keeps out, for a time."""

import ipaddress
import time
from collections.abc import Callable, Iterable

from ..errors import Refused
from .addresses import Network, household, read_address

KEPT_OUT = "Whoever runs this server does not let your address in for now."


class Banned:
    """Networks, and until when each is kept out by the wall clock."""

    def __init__(self, known: Iterable[tuple[str, int, str]] = (), now: Callable[[], float] = time.time) -> None:
        self.now = now
        self.until: dict[Network, tuple[int, str]] = {}
        self.know(known)

    def know(self, known: Iterable[tuple[str, int, str]]) -> None:
        """Keep out those who were kept out last, and nobody else."""
        self.until = {read_network(written): (until, why) for written, until, why in known}

    def add(self, network: Network, until: int, why: str) -> None:
        self.until[network] = (until, why)

    def lift(self, network: Network) -> bool:
        return self.until.pop(network, None) is not None

    def keeps_out(self, address: str) -> bool:
        """Tell whether somebody at an address is kept out at the moment."""
        if not self.until:
            return False
        found = read_address(address)
        return found is not None and any(
            found in network and self.now() < until for network, (until, _) in self.until.items()
        )

    def check(self, address: str) -> None:
        if self.keeps_out(address):
            raise Refused("banned-address", KEPT_OUT)


def read_network(text: str) -> Network:
    """Read an address or a network; of an IPv6 address its household is meant, since the rest is free to choose."""
    text = text.strip()
    try:
        return ipaddress.ip_network(text if "/" in text else household(text), strict=False)
    except ValueError:
        raise Refused("bad-address", f"{text!r} is no address or network; 192.0.2.7 or 10.0.0.0/8 would be.") from None
