"""Executors for simulations: the cores of this machine, or a Ray cluster."""

import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any

from jamboree.core.errors import JamboreeError
from jamboree.core.extras import MissingExtra

PATIENCE = 5  # seconds for a cluster to answer


@contextmanager
def workers(count: int | None = None, cluster: str | None = None) -> Iterator[Executor | None]:
    """Yield a pool, or None for a single local worker. Ctrl-C ends it after the current batches."""
    count = count or os.cpu_count() or 1
    if cluster is None and count == 1:
        yield None
        return
    pool = (
        RayExecutor(cluster)
        if cluster
        else ProcessPoolExecutor(count, get_context("spawn"), initializer=_ignore_interrupt)
    )
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class RayExecutor(Executor):
    """A Ray cluster as an executor. The tasks of a lost worker are retried on another."""

    def __init__(self, address: str) -> None:
        if find_spec("ray") is None:
            raise MissingExtra("A cluster needs Ray, which is not installed", "ray")
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no telemetry
        import ray

        try:
            _require_listener(address)
            ray.init(address, logging_level=logging.ERROR, log_to_driver=False)
        except (OSError, ValueError):
            raise JamboreeError(
                f"No Ray cluster answers at {address}. Start one with `ray start --head`, or leave out --ray."
            ) from None
        self.ray, self.running = ray, set[Any]()

    def submit(self, task: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        reference = self.ray.remote(max_retries=-1)(task).remote(*given, **named)
        self.running.add(reference)
        future: Future[Any] = reference.future()
        future.add_done_callback(lambda _: self.running.discard(reference))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            for reference in list(self.running):
                self.ray.cancel(reference, force=True)
        self.ray.shutdown()


def _require_listener(address: str) -> None:
    """Fail at once if nothing listens at the address; Ray itself would retry for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon:
        socket.create_connection((host, int(port)), PATIENCE).close()
