"""One server on several cores: processes that share a port and a PostgreSQL, each with its own tables."""

import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from multiprocessing.queues import SimpleQueue
from types import FrameType

import msgspec

from jamboree.core.errors import JamboreeError

from .logs import write_log
from .serve import Settings, free_port, serve
from .store.store import POSTGRES

log = logging.getLogger(__name__)
PAUSE = 1.0  # seconds before a process that died is started again
WRONG = 2  # the exit code of one that can't be started as things are


def serve_together(settings: Settings, processes: int, announce: Callable[[str], None]) -> None:
    """Run until somebody stops it; a process that dies is started again."""
    if not settings.database.startswith(POSTGRES):
        raise JamboreeError(
            "An SQLite file is for one process. Several processes need a PostgreSQL database; name it with --db."
        )
    write_log(settings.log_format, settings.log_level)
    port = free_port(settings.host, settings.port)
    shared = msgspec.structs.replace(settings, port=port, shared_port=True)
    name = settings.node or f"{socket.gethostname()}-{port}"
    group = _Group([msgspec.structs.replace(shared, node=f"{name}-{number + 1}") for number in range(processes)])
    try:
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, group.stop)
        group.run(announce)
    finally:
        group.stop()
        group.join()


class _Group:
    def __init__(self, each: list[Settings]) -> None:
        self.each = each
        self.context = get_context("spawn")
        self.told: SimpleQueue[tuple[int, str]] = self.context.SimpleQueue()
        self.running: dict[int, BaseProcess] = {}
        self.served: set[int] = set()  # those for which things were right once
        self.stopping = False

    def run(self, announce: Callable[[str], None]) -> None:
        for number in range(len(self.each)):
            self._start(number)
        while not self.stopping:
            wait([process.sentinel for process in self.running.values()], 0.2)
            while not self.told.empty():
                number, address = self.told.get()
                if not self.served:
                    announce(address)
                self.served.add(number)
            self._look_after()

    def _start(self, number: int) -> None:
        process = self.context.Process(target=_serve_one, args=(self.each[number], number, self.told))
        process.start()
        self.running[number] = process

    def _look_after(self) -> None:
        """Start again what has died; give up on what never could be. A database that is away comes back."""
        for number, process in list(self.running.items()):
            if process.exitcode is None or self.stopping:
                continue
            if process.exitcode == WRONG and number not in self.served:
                raise SystemExit(WRONG)
            log.error("a process of the server died and is started again")
            time.sleep(PAUSE)
            self._start(number)

    def stop(self, _sign: int = 0, _frame: FrameType | None = None) -> None:
        self.stopping = True
        for process in self.running.values():
            if process.is_alive():
                process.terminate()

    def join(self) -> None:
        for process in self.running.values():
            process.join()


def _serve_one(settings: Settings, number: int, told: "SimpleQueue[tuple[int, str]]") -> None:
    threading.Thread(target=_end_with_the_first, daemon=True).start()
    try:
        serve(settings, lambda address: told.put((number, address)))
    except JamboreeError as error:
        print(error, file=sys.stderr)
        raise SystemExit(WRONG) from None


def _end_with_the_first() -> None:
    """Stop once the process is gone that would have told us to: nobody else would, and the port stayed in use."""
    first = parent_process()
    assert first
    first.join()
    os.kill(os.getpid(), signal.SIGTERM)
