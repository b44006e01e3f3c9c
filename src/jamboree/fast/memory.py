"""Available memory: of the machine, and of the container (cgroup) that the process may run in."""

import os
from pathlib import Path

MACHINE = Path("/proc/meminfo")
CONTAINERS = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes")),
)


def free() -> int:
    """Return the bytes that can be allocated without swapping; caches of files count as available."""
    return min(_of_machine(), *(_of_container(*files) for files in CONTAINERS))


def _of_machine() -> int:
    for line in _read(MACHINE).splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _of_container(most: Path, taken: Path) -> int:
    limit, used = _read(most).strip(), _read(taken).strip()
    return max(0, int(limit) - int(used)) if limit.isdigit() and used.isdigit() else 1 << 62


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
