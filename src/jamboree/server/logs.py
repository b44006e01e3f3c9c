"""The server's log: a line a message on stderr, with time, level and where it comes from; as text or as JSON."""

import logging
from datetime import UTC, datetime
from types import TracebackType

import msgspec

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
        return _on_one_line(super().format(record))


class JsonFormatter(LineFormatter):
    """The same as an object of JSON, for programs that gather logs."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _on_one_line(record.getMessage()),
        }
        if record.exc_info and record.exc_info[1]:
            fields["where"] = trace(record.exc_info[1])
        return msgspec.json.encode(fields).decode()


FORMATS = {"text": LineFormatter, "json": JsonFormatter}
LEVELS = ("debug", "info", "warning", "error")


def write_log(shape: str = "text", level: str = "info") -> None:
    """Write what this process has to say to stderr, whoever says it."""
    handler = logging.StreamHandler()
    handler.setFormatter(FORMATS[shape]())
    handler.addFilter(lambda record: record.msg != OF_PEERS)
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    logging.captureWarnings(True)


def _on_one_line(text: str) -> str:
    return clean(" ".join(text.splitlines()))
