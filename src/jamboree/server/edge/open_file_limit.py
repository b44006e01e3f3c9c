"""Raises RLIMIT_NOFILE: every connection is an open file."""

import logging
import sys

TARGET = 65_536
RESERVED = 256  # files for the database, bots, logs and what the process has open anyway
ENOUGH = 6_000  # connections; with fewer an attack disturbs others
MAX_CONNECTIONS = 20_000
log = logging.getLogger(__name__)


def max_connections() -> int:
    """Raise this process's limit of open files as far as allowed; return how many connections that leaves."""
    limit = min(MAX_CONNECTIONS, max(64, _raise_limit() - RESERVED))
    if limit < ENOUGH:
        log.warning("only %d connections can be open at once; raise the limit of open files (ulimit -n)", limit)
    return limit


def _raise_limit() -> int:
    if sys.platform == "win32":  # there sockets are not counted as files
        return TARGET
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = TARGET if hard == resource.RLIM_INFINITY else min(hard, TARGET)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return TARGET if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return soft
    return wanted
