"""The server's log: a line a message on stderr, with time, level and where it comes from."""

import logging
from datetime import UTC, datetime
from types import TracebackType

from jamboree.core.words import clean

from .errors import trace

SHAPE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
OF_PEERS = "socket.send() raised exception."  # asyncio says so of every peer that goes while something is sent
Failure = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class LineFormatter(logging.Formatter):
    """One line a message. Of an exception it says where it came from and not with which values: they may be hidden."""

    def __init__(self) -> None:
        super().__init__(SHAPE)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")

    def formatException(self, ei: Failure) -> str:  # noqa: N802
        return trace(ei[1]) if ei[1] else ""

    def format(self, record: logging.LogRecord) -> str:
        return clean(" ".join(super().format(record).splitlines()))


def write_log() -> None:
    """Write what this process has to say to stderr, whoever says it."""
    handler = logging.StreamHandler()
    handler.setFormatter(LineFormatter())
    handler.addFilter(lambda record: record.msg != OF_PEERS)
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    logging.captureWarnings(True)
