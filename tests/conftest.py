import gc
import logging
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.compiled import keep_in_the_checkout

LONGEST_FIRST = ("browser", "siege", "packaging", "plugins", "server", "cli", "client", "fast", "simulation", "lab")
"""Folders whose tests take long or wait much. They begin first, so that no core is idle while the last one ends."""
REAL_TIME = ("browser", "cli", "client", "hosting", "lab", "nodes", "server")
"""Folders whose tests have real processes, sockets and clocks in them."""
NEVER_TWICE = "secrets"  # what leaks once leaks

keep_in_the_checkout()


def pytest_xdist_auto_num_workers() -> int:
    """Run one more process than there are cores: tests of servers and browsers wait more than they work."""
    return len(os.sched_getaffinity(0)) + 1


@pytest.fixture(autouse=True)
def same_log() -> Iterator[None]:
    """Restore the log handlers: a server of an earlier test may have left a closed stream."""
    root = logging.getLogger()
    before = root.handlers[:]
    yield
    root.handlers[:] = before


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    turns = {folder: turn for turn, folder in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: turns.get(_folder(item.path), len(turns)))
    if os.environ.get("CI"):
        _forgive_lateness(items)


def _forgive_lateness(items: list[pytest.Item]) -> None:
    """Try a test that fails once more where it may have been held up by another machine's work; the report names it."""
    for item in items:
        if _folder(item.path) in REAL_TIME and NEVER_TWICE not in item.path.parts:
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_collection_finish() -> None:
    """Freeze loaded objects and collect garbage less often, which saves a tenth of the time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _folder(path: Path) -> str:
    here = Path(__file__).parent
    return path.relative_to(here).parts[0] if path.is_relative_to(here) else ""


settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so a suite in the background hands it on to what it starts
    signal.signal(signal.SIGINT, signal.default_int_handler)
