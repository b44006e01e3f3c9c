"""The command line as a process with a pseudo-terminal, or with pipes."""

import atexit
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path

from .emulator import Emulator

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
CORNER = re.compile(r"\x1b7.*?\x1b8", re.DOTALL)  # a clock, say: it is not where one reads and types
PATIENCE = 60.0  # seconds without a word before a test gives up
COMMAND = [sys.executable, "-m", "jamboree"]
DATA = tempfile.mkdtemp(prefix="jamboree-tests-")  # what programs keep unasked
ENVIRONMENT = {
    **os.environ,
    "TERM": "xterm-256color",
    "PAGER": "cat",
    "PYTHONUTF8": "1",
    "XDG_DATA_HOME": DATA,
    "LANG": "en_GB.UTF-8",
}
atexit.register(shutil.rmtree, DATA, ignore_errors=True)
for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "LC_ALL", "LC_MESSAGES", "LANGUAGE"):
    ENVIRONMENT.pop(name, None)


def run(*args: str | Path, given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command with pipes."""
    command, env = [*COMMAND, *map(str, args)], {**ENVIRONMENT, **environment}
    return subprocess.run(
        command, input=given, capture_output=True, text=True, encoding="utf-8", env=env, timeout=180, check=False
    )


class Terminal:
    """A command in a window of its own."""

    def __init__(
        self,
        *args: str | Path,
        columns: int = 80,
        lines: int = 50,
        command: Sequence[str] = (),
        **environment: str,
    ) -> None:
        self.fd, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.process = subprocess.Popen(
            command or [*COMMAND, *map(str, args)],
            stdin=other,
            stdout=other,
            stderr=other,
            env={**ENVIRONMENT, **environment},
            start_new_session=True,
        )
        os.close(other)
        self.transcript = ""
        self.seen = Emulator(columns, lines)  # what a person sees

    def read(self, until: str | tuple[str, ...] = "> ") -> str:
        """Return the output up to the next prompt, or to the end."""
        return self._read(lambda written: _plain(CORNER.sub("", written)).endswith(until))

    def find(self, words: str) -> str:
        """Return the output up to a text, however it is wrapped."""
        return self._read(lambda written: words in " ".join(_plain(CORNER.sub("", written)).split()))

    def see(self, wanted: Callable[[list[str]], bool]) -> list[str]:
        """Wait until the lines that a person sees are as they should be, and give them."""
        self._read(lambda written: wanted(self._seen_with(written)))
        return self.seen.lines

    def _seen_with(self, written: str) -> list[str]:
        seen = deepcopy(self.seen)
        seen.feed(written)
        return seen.lines

    def enter(self, line: str, words: str) -> str:
        """Type a line and wait for some words."""
        os.write(self.fd, f"{line}\n".encode())
        return self.find(words)

    def _read(self, enough: Callable[[str], bool]) -> str:
        raw, written, give_up = b"", "", time.monotonic() + PATIENCE
        while not enough(written) and time.monotonic() < give_up:
            if select.select([self.fd], [], [], 0.2)[0]:
                data = self._take()
                if not data:
                    break
                raw += data
                written = raw.decode("utf-8", errors="ignore")
        self.seen.feed(written)
        text = _plain(written)
        self.transcript += text
        assert time.monotonic() < give_up, self.transcript[-2000:]
        return text

    def _take(self) -> bytes:
        try:
            return os.read(self.fd, 1 << 16)
        except OSError:  # the other side has closed
            return b""

    def send(self, line: str) -> str:
        """Type a line and return the output up to the next prompt."""
        return self.type(f"{line}\n")

    def type(self, keys: str, until: str | tuple[str, ...] = "> ") -> str:
        os.write(self.fd, keys.encode())
        return self.read(until)

    def close(self) -> int:
        """Hang up and return the exit code."""
        if self.process.poll() is None:
            self.read(until="\0")
        os.close(self.fd)
        return self.process.wait(PATIENCE)


def _plain(written: str) -> str:
    return ESCAPES.sub("", written).replace("\r\n", "\n")
