"""Metrics in Prometheus' text format."""

import asyncio
import resource
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from litestar.datastructures import State

import jamboree

from ..histogram import Histogram
from ..protocol.terms import Status
from ..telemetry import span

SAMPLE_EVERY = 0.5  # seconds between samples of the event loop's lag
OPEN_FILES = Path("/proc/self/fd")
STATM = Path("/proc/self/statm")


class Metrics:
    def __init__(self) -> None:
        self.sockets = self.frames = self.refused = self.overflows = self.resyncs = 0
        self.responses: Counter[str] = Counter()  # by the first digit of the status
        self.ack_seconds, self.loop_lag = Histogram(), Histogram()
        self.started = time.time()

    def note_ack(self, seconds: float) -> None:
        """Record the time from an action's arrival to its durable acknowledgement."""
        self.ack_seconds.note(seconds)

    async def sample_loop_lag(self) -> None:
        """Sample the event loop's lag for ever."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(SAMPLE_EVERY)
            self.loop_lag.note(max(0.0, time.monotonic() - before - SAMPLE_EVERY))

    def text(self, state: State) -> str:
        return "\n".join([*self._own(), *_of_tables(state), *_of_store(state), *_of_edge(state), *_of_process()]) + "\n"

    def _own(self) -> Iterator[str]:
        yield from _one("gauge", "sockets", "open sockets", self.sockets)
        yield from _one("counter", "frames_total", "messages received", self.frames)
        yield from _one("counter", "refused_total", "messages refused", self.refused)
        yield from _one("counter", "overflows_total", "sockets that could not keep up", self.overflows)
        yield from _one("counter", "resyncs_total", "clients that asked for the whole position", self.resyncs)
        yield from _one("gauge", "start_time_seconds", "when the server was started", self.started)
        responses = {f'class="{kind}xx"': self.responses[kind] for kind in "2345"}
        yield from _several("counter", "answers_total", "answers over HTTP by the class of their status", responses)
        yield from _several("gauge", "info", "the version that runs", {f'version="{jamboree.__version__}"': 1})
        yield from self.ack_seconds.lines(
            "jamboree_ack_seconds", "from an action's arrival to its durable acknowledgement"
        )
        yield from self.loop_lag.lines("jamboree_loop_late_seconds", "how late the event loop is")


class CountingApp:
    """ASGI middleware that counts responses and records spans."""

    def __init__(self, app: Any, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        with span("request") as measured:

            async def counted(message: Any) -> None:
                if message["type"] == "http.response.start":
                    self.metrics.responses[str(message["status"])[0]] += 1
                    measured.rename(f"{scope['method']} {scope.get('path_template') or 'unknown'}")
                    measured.note("status", message["status"])
                await send(message)

            await self.app(scope, receive, counted)


def _of_tables(state: State) -> Iterator[str]:
    registry, bots = state.registry, state.registry.bot_metrics
    tables = list(registry.tables.values())
    yield from _one("gauge", "tables", "tables in memory", len(tables))
    by_status = Counter(table.state.roster.status for table in tables)
    labelled = {f'status="{status}"': by_status[status] for status in Status}
    yield from _several("gauge", "tables_by_status", "tables in memory by what goes on there", labelled)
    watched = sum(bool(table.connections) for table in tables)
    yield from _one("gauge", "tables_watched", "tables somebody is connected to", watched)
    yield from _one("gauge", "offload_waiting", "pieces of heavy work that wait", registry.offload.waiting)
    yield from _one("counter", "bot_moves_total", "moves of bots that have a seat", bots.bot_moves)
    yield from _one("counter", "stood_in_total", "moves of bots for people", bots.stood_in)
    yield from _one("counter", "bot_fallbacks_total", "moves made because a bot gave no answer", bots.fallbacks)
    yield from _one("gauge", "bot_fallback_share", "share of those in the last minute's moves", bots.fallback_share)
    yield from _one(
        "counter", "bot_unsearched_total", "moves not searched, as many bots waited", bots.for_moves.unsearched
    )
    moves, hints = bots.for_moves, bots.for_hints
    yield from moves.waits.lines("jamboree_bot_wait_seconds", "how long a bot waits for its turn to think")
    yield from moves.thoughts.lines("jamboree_bot_thinking_seconds", "from a bot's turn to think to its answer")
    yield from hints.waits.lines("jamboree_hint_wait_seconds", "how long a request for a hint waits for its turn")
    yield from hints.thoughts.lines("jamboree_hint_thinking_seconds", "how long the computation of a hint takes")
    yield from _one("counter", "hint_failures_total", "requests for hints that got no advice", bots.hint_failures)
    yield from _one("counter", "clock_expiries_total", "phases and decisions whose time ran out", bots.expiries)


def _of_store(state: State) -> Iterator[str]:
    store = state.registry.store
    yield from _one("counter", "commits_total", "groups committed", store.groups)
    yield from store.commits.lines("jamboree_commit_seconds", "how long a commit takes")
    yield from _one("gauge", "commits_waiting", "changes that wait for a commit", store.waiting)
    yield from _one("gauge", "database_ok", "whether moves can be kept and all is whole", int(not store.trouble))
    health = store.health
    yield from _one("gauge", "tables_incomplete", "tables with missing or altered records", len(health.faulty_tables))
    lost, unclean = int(bool(health.lost_commits)), int(not health.was_clean)
    yield from _one("gauge", "commits_lost", "whether commits from before the start may be missing", lost)
    yield from _one("gauge", "last_stop_unclean", "whether the server before was not stopped cleanly", unclean)
    yield from _one("counter", "database_comebacks_total", "times the database was lost and found", store.comebacks)
    if store.path:
        with suppress(OSError):
            free = shutil.disk_usage(store.path.parent).free
            yield from _one("gauge", "disk_free_bytes", "space left where the database is", free)
            yield from _one("gauge", "database_bytes", "size of the database", store.path.stat().st_size)


def _of_edge(state: State) -> Iterator[str]:
    edge = state.get("edge")
    if edge is None:
        return
    table = edge.table
    yield from _one("gauge", "connections", "open connections", table.total)
    yield from _one("gauge", "connections_most", "connections there can be", table.limit)
    yield from _one("counter", "connections_refused_total", "connections turned away", table.refused)
    yield from _one("counter", "connections_replaced_total", "connections that made room", table.replaced)
    yield from _one("gauge", "penitents", "askers who wait because they asked too often", state.throttled)


def _of_process() -> Iterator[str]:
    used = resource.getrusage(resource.RUSAGE_SELF)
    yield from _one("counter", "process_cpu_seconds_total", "processor time used", used.ru_utime + used.ru_stime)
    with suppress(OSError):
        yield from _one("gauge", "process_open_files", "open files", sum(1 for _ in OPEN_FILES.iterdir()))
        yield from _one("gauge", "process_resident_bytes", "memory in use", resident_bytes())


def resident_bytes() -> int:
    return int(STATM.read_text().split()[1]) * resource.getpagesize()


def _one(kind: str, name: str, about: str, value: float) -> list[str]:
    return [f"# HELP jamboree_{name} {about}", f"# TYPE jamboree_{name} {kind}", f"jamboree_{name} {value}"]


def _several(kind: str, name: str, about: str, values: dict[str, int]) -> list[str]:
    lines = [f"jamboree_{name}{{{label}}} {value}" for label, value in values.items()]
    return [f"# HELP jamboree_{name} {about}", f"# TYPE jamboree_{name} {kind}", *lines]
