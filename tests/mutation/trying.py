"""A pytest session that runs each test once, then for every mutant the tests that reach it."""

import os
import resource
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from . import coverage, swapping
from .mutants import Mutant

KILLED, SURVIVED, LOADED = "killed", "survived", "loaded"
MEMORY = 6 << 30
PATIENCE = 4.0  # times as long as a test took, and this many seconds: then it hangs, which is noticed too
Report = Callable[[Mutant, str], None]


class Trying:
    """A pytest plugin. What functions did while tests were loaded stays as it was; it says so of mutants that live."""

    def __init__(self, folder: Path, mutants: Sequence[Mutant], report: Report) -> None:
        self.folder, self.mutants, self.report = folder, mutants, report
        self.early: set[coverage.Function] = set()
        self.failed = False

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self, session: pytest.Session) -> Iterator[None]:
        hurried()
        with coverage.called(self.folder) as self.early:
            return (yield)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        costs = [(*self.once(item), item) for item in session.items]
        for mutant in self.mutants:
            place = mutant.module.rpartition(".")[2], mutant.function
            tests = [(seconds, item) for seconds, touched, item in costs if place in touched]
            fate = self.tried(mutant, sorted(tests, key=lambda test: test[0]))
            self.report(mutant, LOADED if fate == SURVIVED and place in self.early else fate)
        return True

    def once(self, item: pytest.Item) -> tuple[float, set[coverage.Function]]:
        """Run a test with the real rules; return its time and the functions it calls."""
        swapping.forget(f"jamboree.games.{self.folder.parent.name}")
        began = time.process_time()
        with coverage.called(self.folder) as touched:
            run(item)
        assert not self.failed, f"{item.nodeid} fails with the real rules"
        return time.process_time() - began, touched

    def tried(self, mutant: Mutant, tests: list[tuple[float, Any]]) -> str:
        """Run tests in a copy of this process until one fails."""
        if not (child := os.fork()):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            swapping.swap(mutant)
            for seconds, item in tests:
                signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE * (seconds + 1))
                run(item)
                if self.failed:
                    os._exit(1)
            os._exit(0)
        return KILLED if os.waitpid(child, 0)[1] else SURVIVED

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed


def run(item: Any) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def hurried() -> None:
    """Let hypothesis make the same examples each time, and not look for the smallest one that fails."""
    settings.register_profile(
        "mutants",
        deadline=None,
        derandomize=True,
        database=None,
        max_examples=40,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutants")
