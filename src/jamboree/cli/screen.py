"""The terminal while a person plays: output scrolls above the line being typed, a clock stands in the corner.

The terminal's own echo is off, so the program knows what has been typed: whatever is printed meanwhile, the prompt and
the typed text are erased first and drawn again below it.
"""

import codecs
import os
import re
import select
import signal
import sys
import termios
import threading
from collections import deque
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import IO, Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from .show import look, wrapped

TICK = 0.25  # seconds after which a reader looks at what else has happened
LONGEST_LINE = 2000  # characters
WIPE = "\x1b[H\x1b[2J\x1b[3J"  # the screen, and what has scrolled out of it
CORNER = "\0337\033[1;{column}H\033[1K\033[7m{text}\033[0m\0338"  # keep the cursor, write at the top right, go back
KEEP_TOP, FREE_TOP = "\0337\033[2;{height}r\0338", "\0337\033[r\0338"
KEY = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO[@-~]|\x1b[^\[O]|[^\x1b]", re.DOTALL)  # a sequence or a character
WORD = re.compile(r"\S*\s*$")
HOME, END = ("\x01", "\x1b[H", "\x1bOH", "\x1b[1~"), ("\x05", "\x1b[F", "\x1bOF", "\x1b[4~")
LEFT, RIGHT = ("\x02", "\x1b[D", "\x1bOD"), ("\x06", "\x1b[C", "\x1bOC")
BACKSPACE, DELETE, END_OF_INPUT, REDRAW = ("\x7f", "\x08"), ("\x1b[3~",), "\x04", "\x0c"


class Line:
    """Text being typed, and the cursor in it."""

    def __init__(self) -> None:
        self.text, self.at = "", 0

    def press(self, key: str) -> None:
        before, after = self.text[: self.at], self.text[self.at :]
        if key in HOME:
            self.at = 0
        elif key in END:
            self.at = len(self.text)
        elif key in LEFT:
            self.at = max(0, self.at - 1)
        elif key in RIGHT:
            self.at = min(len(self.text), self.at + 1)
        elif key in BACKSPACE:
            self._put(before[:-1], after)
        elif key in DELETE:
            self._put(before, after[1:])
        elif key == "\x15":
            self._put("", after)
        elif key == "\x0b":
            self._put(before, "")
        elif key == "\x17":
            self._put(WORD.sub("", before), after)
        elif key.isprintable() and len(self.text) < LONGEST_LINE:
            self._put(before + key, after)

    def _put(self, before: str, after: str) -> None:
        self.text, self.at = before + after, len(before)


def position(text: str, width: int) -> tuple[int, int]:
    """Give the row and column of the cursor after some text, in a window of that width."""
    row = column = 0
    for character in text:
        cells = cell_len(character)
        if column + cells > width:
            row, column = row + 1, 0
        column += cells
    return (row + 1, 0) if column >= width else (row, column)


class Screen:
    """Reads lines from the keyboard while the console goes on printing. Without a terminal it reads plain lines.

    Used as a context manager it takes the terminal over: the console writes through it from then on.
    """

    encoding = "utf-8"

    def __init__(self, out: Console, clock: bool = False) -> None:
        self.out, self.clock = out, clock and _can_move_the_cursor(out)
        self.prompt = ""
        self.line = Line()
        self._file: IO[str] = out.file
        self._modes: list[Any] | None = None  # of the terminal as it was found
        self._handlers: dict[int, Any] = {}
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._unread, self._keys = "", deque[str]()
        self._drawn: tuple[str, str, int] | None = None  # prompt, text and cursor that stand on the screen
        self._at_start = True  # whether the cursor is at the start of a line
        self._resized = False
        self._enter_from = 0.0  # the moment from which Enter is taken

    def __enter__(self) -> "Screen":
        if self.clock:
            self._raw("\n")  # out of the top line
            self._keep_top()
            self.show_status("")
        if sys.stdin.isatty() and _can_move_the_cursor(self.out):
            self._file, self.out.file = self.out.file, self  # type: ignore[assignment]
            self._modes = termios.tcgetattr(sys.stdin)
            self._listen()
            if threading.current_thread() is threading.main_thread():
                for number in (signal.SIGCONT, signal.SIGWINCH):
                    self._handlers[number] = signal.signal(number, self._disturbed)
                self._handlers[signal.SIGTERM] = signal.signal(signal.SIGTERM, _end)  # leaves the terminal as it was
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._modes is not None:
            for number, handler in self._handlers.items():
                signal.signal(number, handler)
            self._leave_line()
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._modes)
            self._modes, self.out.file = None, self._file
        if self.clock:
            self._raw(FREE_TOP)

    def read(self, prompt: str) -> str:
        """Wait for a line; an empty string is the end of input."""
        self.ask(prompt)
        if self._modes is None:
            return self._plain_line()
        while (line := self.poll(TICK)) is None:
            pass
        return line

    def ask(self, prompt: str) -> None:
        """Show a prompt from now on, until a line is finished. What does not fit into one line goes above it."""
        *above, self.prompt = wrapped(self.out, prompt)
        for line in above:
            self.out.print(Text(line, look("strong")), soft_wrap=True)
        if self._modes is None:
            self.out.print(self._styled(), end="", soft_wrap=True)
            self.out.file.flush()

    def poll(self, seconds: float) -> str | None:
        """Give the line that is finished within some seconds, if one is; an empty string is the end of input."""
        if self._modes is None:
            return self._plain_line() if _is_ready(seconds) else None
        self._refresh()
        give_up = monotonic() + seconds
        while (line := self._typed()) is None:
            left = give_up - monotonic()
            if left <= 0 or not _is_ready(left):
                self._unread = "" if self._unread == "\x1b" else self._unread  # the Escape key alone
                return None
            if not self._take():
                return ""
        return line

    def forget(self, but: str = "") -> None:
        """Drop what was typed: the question it answers is no longer asked. A line that begins with `but` stays."""
        if not (but and self.line.text.startswith(but)):
            if sys.stdin.isatty():
                termios.tcflush(sys.stdin, termios.TCIFLUSH)
            self._hide()
            self.line, self._unread = Line(), ""
            self._keys.clear()
        self.prompt = ""

    def pause_enter(self, seconds: float) -> None:
        """Take no Enter for some seconds: it was meant for what stood here before."""
        self._enter_from = monotonic() + seconds

    def show_status(self, text: str) -> None:
        """Write into the top right corner."""
        if self.clock:
            self._raw(CORNER.format(column=max(1, self.out.width - cell_len(text) + 1), text=text))

    def write(self, text: str) -> int:
        """Print text above the line that is being typed."""
        if text:
            self._hide()
            self._at_start = text.endswith(("\n", WIPE))
        return self._file.write(text)

    def flush(self) -> None:
        self._file.flush()

    def isatty(self) -> bool:
        return self._file.isatty()

    def fileno(self) -> int:
        return self._file.fileno()

    def _plain_line(self) -> str:
        line = sys.stdin.readline()
        if not line:
            self.out.print()
        return line

    def _listen(self) -> None:
        """Have keys at once and not shown; Ctrl-C and Ctrl-Z stay what they are."""
        modes = termios.tcgetattr(sys.stdin)
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)

    def _disturbed(self, number: int, frame: object) -> None:
        """Draw everything again after the window was resized, or the program was stopped and goes on."""
        self._resized = True
        if number == signal.SIGCONT:
            self._listen()
            self._drawn, self._at_start = None, True

    def _refresh(self) -> None:
        if self._resized:
            self._resized = False
            self._hide()
            self._keep_top()
        self._draw()

    def _keep_top(self) -> None:
        """Keep the top line for the clock: everything else scrolls below it."""
        if self.clock:
            self._raw(KEEP_TOP.format(height=self.out.height))

    def _take(self) -> bool:
        """Read what was typed; tell whether there is still somebody who types."""
        data = b""
        with suppress(OSError):  # the terminal was closed
            data = os.read(sys.stdin.fileno(), 1 << 12)
        self.feed(self._decode(data))
        return bool(data)

    def feed(self, typed: str) -> None:
        """Take in keys; the rest of one that has only come in part is waited for."""
        self._unread += typed
        while key := KEY.match(self._unread):
            self._keys.append(key[0])
            self._unread = self._unread[key.end() :]

    def _typed(self) -> str | None:
        """Press the keys that were read, up to the end of a line."""
        while self._keys:
            key = self._keys.popleft()
            if key in ("\n", "\r"):
                if monotonic() < self._enter_from:
                    continue
                return self._finish() + "\n"
            if key == END_OF_INPUT and not self.line.text:
                self._finish()
                return ""
            if key == REDRAW:
                self._hide()
            self.line.press(DELETE[0] if key == END_OF_INPUT else key)
            self._draw()
        return None

    def _finish(self) -> str:
        self._draw()
        self._leave_line()
        text, self.line, self.prompt = self.line.text, Line(), ""
        return text

    def _leave_line(self) -> None:
        """Leave what was typed where it stands, and go on in the next line."""
        if self._drawn:
            self.line.at = len(self.line.text)
            self._draw()
            self._drawn = None
            self._raw("\n")
            self._at_start = True

    def _draw(self) -> None:
        wanted = (self.prompt, self.line.text, self.line.at)
        if wanted == self._drawn or not any(wanted):
            if not any(wanted):
                self._hide()
            return
        if self._drawn and self._append(wanted):
            return
        self._hide()
        start = "" if self._at_start else "\n"
        shown, width = self.prompt + self.line.text, self.out.width
        row, column = position(shown, width)
        filled = " \r" if row and not column else ""  # a full line: the cursor is to stand in the next one
        to_row, to_column = position(self.prompt + self.line.text[: self.line.at], width)
        back = "" if self.line.at == len(self.line.text) else _moved(row - to_row, to_column)
        with self.out.capture() as prompt:
            self.out.print(self._styled(), end="", soft_wrap=True)
        self._raw(f"{start}{prompt.get()}{self.line.text}{filled}{back}")
        self._drawn, self._at_start = wanted, True

    def _append(self, wanted: tuple[str, str, int]) -> bool:
        """Write what is new at the end of a line, if that is all; tell whether it was."""
        assert self._drawn
        prompt, text, at = self._drawn
        more = wanted[1][len(text) :]
        row, column = position(prompt + wanted[1], self.out.width)
        if prompt != wanted[0] or not wanted[1].startswith(text) or at < len(text) or wanted[2] < len(wanted[1]):
            return False
        if not column or row != position(prompt + text, self.out.width)[0]:
            return False
        self._raw(more)
        self._drawn = wanted
        return True

    def _hide(self) -> None:
        """Erase the prompt and what was typed."""
        if self._drawn:
            prompt, text, at = self._drawn
            row, _ = position(prompt + text[:at], self.out.width)
            self._drawn = None
            self._raw(f"{_moved(row, 0)}\x1b[J")

    def _styled(self) -> Text:
        return Text(self.prompt, look("strong"))

    def _raw(self, text: str) -> None:
        self._file.write(text)
        self._file.flush()


def _can_move_the_cursor(out: Console) -> bool:
    return out.is_terminal and not out.is_dumb_terminal


def _moved(rows: int, column: int) -> str:
    """Move the cursor up so many rows, to a column."""
    return (f"\x1b[{rows}A" if rows else "") + "\r" + (f"\x1b[{column}C" if column else "")


def _is_ready(seconds: float) -> bool:
    return bool(select.select([sys.stdin], [], [], seconds)[0])


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)
