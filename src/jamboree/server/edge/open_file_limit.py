"""How many connections this process can hold: each is an open file."""

import logging
import sys

WANTED = 65_536
KEPT_BACK = 256  # files for the database, bots, logs and what the process has open anyway
ENOUGH = 6_000  # connections; with fewer an attack is felt
MOST_CONNECTIONS = 20_000
log = logging.getLogger(__name__)


def most_connections() -> int:
    """Raise this process's limit of open files as far as it may, and say how many connections that leaves."""
    most = min(MOST_CONNECTIONS, max(64, _raised() - KEPT_BACK))
    if most < ENOUGH:
        log.warning("this process may have %d connections open at once; raise its limit of open files", most)
    return most


def _raised() -> int:
    if sys.platform == "win32":  # there sockets are not counted as files
        return WANTED
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return WANTED if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return soft
    return wanted
