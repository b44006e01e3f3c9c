"""A line editor that stays below concurrent output, with a clock in the top right corner.

The terminal's echo is off. Before anything else is printed, the prompt and the typed text are erased, and afterwards
they are drawn again below it.
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

from .output import style_of, wrapped

TICK = 0.25  # seconds between two checks for other events while waiting for input
MAX_LINE_LENGTH = 2000  # characters
WIPE = "\x1b[H\x1b[2J\x1b[3J"  # clears the screen and the scrollback
CORNER = "\0337\033[1;{column}H\033[1K\033[7m{text}\033[0m\0338"  # save the cursor, write at the top right, restore
RESERVE_TOP, RELEASE_TOP = "\0337\033[2;{height}r\0338", "\0337\033[r\0338"
# An escape sequence or a character:
KEY = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO[@-~]|\x1b[^\[O]|[^\x1b]", re.DOTALL)
WORD = re.compile(r"\S*\s*$")
HOME, END = ("\x01", "\x1b[H", "\x1bOH", "\x1b[1~"), ("\x05", "\x1b[F", "\x1bOF", "\x1b[4~")
LEFT, RIGHT = ("\x02", "\x1b[D", "\x1bOD"), ("\x06", "\x1b[C", "\x1bOC")
BACKSPACE, DELETE, END_OF_INPUT, REDRAW = ("\x7f", "\x08"), ("\x1b[3~",), "\x04", "\x0c"


class LineEditor:
    """The text being typed and the cursor in it."""

    def __init__(self) -> None:
        self.text, self.cursor = "", 0

    def press(self, key: str) -> None:
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        if key in HOME:
            self.cursor = 0
        elif key in END:
            self.cursor = len(self.text)
        elif key in LEFT:
            self.cursor = max(0, self.cursor - 1)
        elif key in RIGHT:
            self.cursor = min(len(self.text), self.cursor + 1)
        elif key in BACKSPACE:
            self._set(before[:-1], after)
        elif key in DELETE:
            self._set(before, after[1:])
        elif key == "\x15":
            self._set("", after)
        elif key == "\x0b":
            self._set(before, "")
        elif key == "\x17":
            self._set(WORD.sub("", before), after)
        elif key.isprintable() and len(self.text) < MAX_LINE_LENGTH:
            self._set(before + key, after)

    def _set(self, before: str, after: str) -> None:
        self.text, self.cursor = before + after, len(before)


def cursor_position(text: str, width: int) -> tuple[int, int]:
    """Return the row and column of the cursor after a text that starts at the left of a window."""
    row = column = 0
    for character in text:
        cells = cell_len(character)
        if column + cells > width:
            row, column = row + 1, 0
        column += cells
    return (row + 1, 0) if column >= width else (row, column)


class Screen:
    """Reads lines from the keyboard while the console prints; without a terminal it reads stdin line by line.

    As a context manager it takes over the terminal, and the console prints through it.
    """

    encoding = "utf-8"

    def __init__(self, out: Console, clock: bool = False) -> None:
        self.out, self.clock = out, clock and _can_move_cursor(out)
        self.prompt = ""
        self.line = LineEditor()
        self._file: IO[str] = out.file
        self._modes: list[Any] | None = None  # of the terminal, restored on exit
        self._handlers: dict[int, Any] = {}
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._unread, self._keys = "", deque[str]()
        self._drawn: tuple[str, str, int] | None = None  # prompt, text and cursor on the screen
        self._at_start = True  # whether the cursor is at the start of a line
        self._resized = False
        self._ignore_enter_until = 0.0

    def __enter__(self) -> "Screen":
        if self.clock:
            self._raw("\n")  # leaves the top line
            self._reserve_top()
            self.show_status("")
        if sys.stdin.isatty() and _can_move_cursor(self.out):
            self._file, self.out.file = self.out.file, self  # type: ignore[assignment]
            self._modes = termios.tcgetattr(sys.stdin)
            self._enter_raw_mode()
            if threading.current_thread() is threading.main_thread():
                for number in (signal.SIGCONT, signal.SIGWINCH):
                    self._handlers[number] = signal.signal(number, self._on_signal)
                self._handlers[signal.SIGTERM] = signal.signal(signal.SIGTERM, _exit)  # runs __exit__
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
            self._raw(RELEASE_TOP)

    def read(self, prompt: str) -> str:
        """Wait for a line; an empty string means the end of input."""
        self.ask(prompt)
        if self._modes is None:
            return self._plain_line()
        while (line := self.poll(TICK)) is None:
            pass
        return line

    def ask(self, prompt: str) -> None:
        """Show a prompt until a line is finished; all but its last line are printed above."""
        *above, self.prompt = wrapped(self.out, prompt)
        for line in above:
            self.out.print(Text(line, style_of("strong")), soft_wrap=True)
        if self._modes is None:
            self.out.print(self._styled(), end="", soft_wrap=True)
            self.out.file.flush()

    def poll(self, seconds: float) -> str | None:
        """Return a line if one is finished within some seconds; an empty string means the end of input."""
        if self._modes is None:
            return self._plain_line() if _is_ready(seconds) else None
        self._refresh()
        deadline = monotonic() + seconds
        while (line := self._process_keys()) is None:
            left = deadline - monotonic()
            if left <= 0 or not _is_ready(left):
                self._unread = "" if self._unread == "\x1b" else self._unread  # the Escape key alone
                return None
            if not self._read_keys():
                return ""
        return line

    def forget(self, but: str = "") -> None:
        """Discard the typed text, since its question is no longer asked, unless it begins with `but`."""
        if not (but and self.line.text.startswith(but)):
            if sys.stdin.isatty():
                termios.tcflush(sys.stdin, termios.TCIFLUSH)
            self._hide()
            self.line, self._unread = LineEditor(), ""
            self._keys.clear()
        self.prompt = ""

    def ignore_enter(self, seconds: float) -> None:
        """Ignore Enter for some seconds, because it was meant for an earlier prompt."""
        self._ignore_enter_until = monotonic() + seconds

    def show_status(self, text: str) -> None:
        """Show a text in the top right corner."""
        if self.clock:
            self._raw(CORNER.format(column=max(1, self.out.width - cell_len(text) + 1), text=text))

    def write(self, text: str) -> int:
        """Print text above the line being typed."""
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

    def _enter_raw_mode(self) -> None:
        """Turn off line buffering and echo; Ctrl-C and Ctrl-Z keep their effect."""
        modes = termios.tcgetattr(sys.stdin)
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)

    def _on_signal(self, number: int, frame: object) -> None:
        """Redraw after a resize, or after the program was stopped and continued."""
        self._resized = True
        if number == signal.SIGCONT:
            self._enter_raw_mode()
            self._drawn, self._at_start = None, True

    def _refresh(self) -> None:
        if self._resized:
            self._resized = False
            self._hide()
            self._reserve_top()
        self._draw()

    def _reserve_top(self) -> None:
        """Reserve the top line for the clock by a scroll region below it."""
        if self.clock:
            self._raw(RESERVE_TOP.format(height=self.out.height))

    def _read_keys(self) -> bool:
        """Read available input; return False at its end."""
        data = b""
        with suppress(OSError):  # the terminal was closed
            data = os.read(sys.stdin.fileno(), 1 << 12)
        self.feed(self._decode(data))
        return bool(data)

    def feed(self, typed: str) -> None:
        """Split input into keys; an incomplete escape sequence stays until the rest arrives."""
        self._unread += typed
        while key := KEY.match(self._unread):
            self._keys.append(key[0])
            self._unread = self._unread[key.end() :]

    def _process_keys(self) -> str | None:
        """Process keys up to the end of a line, and return the line."""
        while self._keys:
            key = self._keys.popleft()
            if key in ("\n", "\r"):
                if monotonic() < self._ignore_enter_until:
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
        text = self.line.text
        self.line = LineEditor()
        self.prompt = ""
        return text

    def _leave_line(self) -> None:
        """Leave the typed text on the screen and move to the next line."""
        if self._drawn:
            self.line.cursor = len(self.line.text)
            self._draw()
            self._drawn = None
            self._raw("\n")
            self._at_start = True

    def _draw(self) -> None:
        target = (self.prompt, self.line.text, self.line.cursor)
        if target == self._drawn or not any(target):
            if not any(target):
                self._hide()
            return
        if self._drawn and self._append(target):
            return
        self._hide()
        start = "" if self._at_start else "\n"
        shown, width = self.prompt + self.line.text, self.out.width
        row, column = cursor_position(shown, width)
        filled = " \r" if row and not column else ""  # after a full line the cursor belongs at the start of the next
        to_row, to_column = cursor_position(self.prompt + self.line.text[: self.line.cursor], width)
        back = "" if self.line.cursor == len(self.line.text) else _cursor_move(row - to_row, to_column)
        with self.out.capture() as prompt:
            self.out.print(self._styled(), end="", soft_wrap=True)
        self._raw(f"{start}{prompt.get()}{self.line.text}{filled}{back}")
        self._drawn, self._at_start = target, True

    def _append(self, target: tuple[str, str, int]) -> bool:
        """Print only the text added at the end; return False if anything else has changed."""
        assert self._drawn
        prompt, text, at = self._drawn
        more = target[1][len(text) :]
        row, column = cursor_position(prompt + target[1], self.out.width)
        if prompt != target[0] or not target[1].startswith(text) or at < len(text) or target[2] < len(target[1]):
            return False
        if not column or row != cursor_position(prompt + text, self.out.width)[0]:
            return False
        self._raw(more)
        self._drawn = target
        return True

    def _hide(self) -> None:
        """Erase the prompt and the typed text."""
        if self._drawn:
            prompt, text, at = self._drawn
            row, _ = cursor_position(prompt + text[:at], self.out.width)
            self._drawn = None
            self._raw(f"{_cursor_move(row, 0)}\x1b[J")

    def _styled(self) -> Text:
        return Text(self.prompt, style_of("strong"))

    def _raw(self, text: str) -> None:
        self._file.write(text)
        self._file.flush()


def _can_move_cursor(out: Console) -> bool:
    return out.is_terminal and not out.is_dumb_terminal


def _cursor_move(rows: int, column: int) -> str:
    """Return the escape sequence that moves the cursor up by some rows and to a column."""
    return (f"\x1b[{rows}A" if rows else "") + "\r" + (f"\x1b[{column}C" if column else "")


def _is_ready(seconds: float) -> bool:
    return bool(select.select([sys.stdin], [], [], seconds)[0])


def _exit(number: int, frame: object) -> None:
    raise SystemExit(128 + number)
