"""Logging to stderr, one line per message, as text or JSON."""

import logging
from datetime import UTC, datetime
from types import TracebackType

import msgspec

from jamboree.core.words import clean

from .errors import trace

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
DISCONNECT_NOISE = (
    "socket.send() raised exception."  # asyncio logs this for every peer that disconnects while something is sent
)
ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class LineFormatter(logging.Formatter):
    """One line per message, and tracebacks without values, which may be secrets of a game."""

    def __init__(self) -> None:
        super().__init__(LOG_FORMAT)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")

    def formatException(self, ei: ExceptionInfo) -> str:  # noqa: N802
        return trace(ei[1]) if ei[1] else ""

    def format(self, record: logging.LogRecord) -> str:
        return _on_one_line(super().format(record))


class JsonFormatter(LineFormatter):
    """One JSON object per line, for log collectors."""

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


def configure_logging(shape: str = "text", level: str = "info") -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(FORMATS[shape]())
    handler.addFilter(lambda record: record.msg != DISCONNECT_NOISE)
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    logging.captureWarnings(True)


def _on_one_line(text: str) -> str:
    return clean(" ".join(text.splitlines()))
