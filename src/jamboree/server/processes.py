"""Runs a server as several processes (SO_REUSEPORT) that share a PostgreSQL database, each with its own tables."""

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

from .logs import configure_logging
from .serve import Settings, free_port, serve
from .store.store import POSTGRES

log = logging.getLogger(__name__)
RESTART_DELAY = 1.0  # seconds before a dead process is restarted
CONFIGURATION_ERROR = 2  # the exit code of a process that cannot start with these settings


def serve_with_processes(settings: Settings, processes: int, announce: Callable[[str], None]) -> None:
    """Run until a signal stops it; processes that die are restarted."""
    if not settings.database.startswith(POSTGRES):
        raise JamboreeError(
            "Several processes need a PostgreSQL database (name it with --db); an SQLite file is for one process."
        )
    configure_logging(settings.log_format, settings.log_level)
    port = free_port(settings.host, settings.port)
    shared = msgspec.structs.replace(settings, port=port, shared_port=True)
    name = settings.node or f"{socket.gethostname()}-{port}"
    group = _ProcessGroup([msgspec.structs.replace(shared, node=f"{name}-{number + 1}") for number in range(processes)])
    try:
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, group.stop)
        group.run(announce)
    finally:
        group.stop()
        group.join()


class _ProcessGroup:
    def __init__(self, settings: list[Settings]) -> None:
        self.settings = settings
        self.context = get_context("spawn")
        self.addresses: SimpleQueue[tuple[int, str]] = self.context.SimpleQueue()
        self.running: dict[int, BaseProcess] = {}
        self.served: set[int] = set()  # processes that were up once
        self.stopping = False

    def run(self, announce: Callable[[str], None]) -> None:
        for number in range(len(self.settings)):
            self._start(number)
        while not self.stopping:
            wait([process.sentinel for process in self.running.values()], 0.2)
            while not self.addresses.empty():
                number, address = self.addresses.get()
                if not self.served:
                    announce(address)
                self.served.add(number)
            self._restart_dead()

    def _start(self, number: int) -> None:
        process = self.context.Process(target=_serve_one, args=(self.settings[number], number, self.addresses))
        process.start()
        self.running[number] = process

    def _restart_dead(self) -> None:
        """Restart dead processes, unless the settings are wrong. An unreachable database may come back."""
        for number, process in list(self.running.items()):
            if process.exitcode is None or self.stopping:
                continue
            if process.exitcode == CONFIGURATION_ERROR and number not in self.served:
                raise SystemExit(CONFIGURATION_ERROR)
            log.error("a process of the server died and is restarted")
            time.sleep(RESTART_DELAY)
            self._start(number)

    def stop(self, _sign: int = 0, _frame: FrameType | None = None) -> None:
        self.stopping = True
        for process in self.running.values():
            if process.is_alive():
                process.terminate()

    def join(self) -> None:
        for process in self.running.values():
            process.join()


def _serve_one(settings: Settings, number: int, addresses: "SimpleQueue[tuple[int, str]]") -> None:
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    try:
        serve(settings, lambda address: addresses.put((number, address)))
    except JamboreeError as error:
        print(error, file=sys.stderr)
        raise SystemExit(CONFIGURATION_ERROR) from None


def _stop_with_parent() -> None:
    """Stop when the parent process dies, which could not stop this one any more."""
    first = parent_process()
    assert first
    first.join()
    os.kill(os.getpid(), signal.SIGTERM)
