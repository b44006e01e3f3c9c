"""By which names this server goes. A page elsewhere could give its own name our address, and ask in its own name."""

import ipaddress
import socket
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


class Hosts:
    """The names that are believed: numbers, names of this machine and of home networks, and those it was given."""

    def __init__(self, *urls: str) -> None:
        self.names = {socket.gethostname().casefold(), *(urlsplit(url).hostname for url in urls)}

    def knows(self, host: str) -> bool:
        name = _name(host)
        return name in self.names or "." not in name or name.endswith(AT_HOME) or _is_number(name)


def _name(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0].casefold().rstrip(".") if ":" in host else host.casefold().rstrip(".")


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
