"""The line being typed stays intact and below concurrent output."""

import io
import os
import termios
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from jamboree.cli import screen as screens
from jamboree.cli.screen import WIPE, LineEditor, Screen, cursor_position

from .emulator import Emulator
from .terminal import Terminal


class Typed(Screen):
    """A screen in front of which a test types."""

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self.terminal = Emulator(columns, lines)
        self.written = io.StringIO()
        out = Console(file=self.written, width=columns, height=lines, force_terminal=True, color_system=None)
        super().__init__(out)
        self._modes, self.out.file = [], self  # type: ignore[assignment]

    def type(self, keys: str) -> list[str]:
        """Type keys and return the completed lines."""
        self.feed(keys)
        found = []
        while (line := self.poll(0)) is not None:
            found.append(line)
            if not line:
                break
        return found

    def shown(self) -> Emulator:
        self.poll(0)
        self.terminal.feed(self.written.getvalue())
        self.written.seek(0)
        self.written.truncate()
        return self.terminal


@pytest.fixture(autouse=True)
def _nobody_else_types(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(screens, "_is_ready", lambda seconds: False)
    yield


def test_events_are_printed_above_the_edited_line() -> None:
    screen = Typed()
    screen.ask("> ")
    screen.type("/say hel")
    screen.out.print("Ada claims d5.")
    assert screen.shown().lines == ["Ada claims d5.", "> /say hel"]
    assert screen.type("lo\n") == ["/say hello\n"]
    screen.out.print("Ada: Hi!")
    assert screen.shown().lines == ["Ada claims d5.", "> /say hello", "Ada: Hi!"]


def test_a_line_longer_than_the_window_is_not_truncated() -> None:
    screen = Typed(columns=20)
    for length in (11, 12, 30, 31, 32):
        screen.forget()
        screen.ask("which? > ")
        text = ("abcdefghij" * 4)[:length]
        screen.type(text)
        screen.out.print(f"event {length}")
        whole = f"which? > {text}"
        expected = [f"event {length}", *(whole[at : at + 20] for at in range(0, len(whole), 20))]
        assert screen.shown().lines[-len(expected) :] == expected


@pytest.mark.parametrize(
    ("keys", "text", "at"),
    [
        ("abc\x7f", "ab", 2),
        ("abc\x1b[D\x1b[DX", "aXbc", 2),
        ("abc\x01X\x05Y", "XabcY", 5),
        ("abc\x1b[HX\x1b[FY", "XabcY", 5),
        ("one two\x17", "one ", 4),
        ("one two  \x17", "one ", 4),
        ("one two\x15", "", 0),
        ("one two\x1b[D\x1b[D\x1b[D\x0b", "one ", 4),
        ("ab\x1b[D\x1b[3~", "a", 1),
        ("ab\x1b[D\x04", "a", 1),
        ("\x1b[A\x1b[B\x1bx\tab\x00", "ab", 2),
        ("漢字\x7fé", "漢é", 2),
    ],
)
def test_editing_keys(keys: str, text: str, at: int) -> None:
    screen = Typed()
    assert screen.type(keys) == []
    assert (screen.line.text, screen.line.cursor) == (text, at)


def test_escape_sequences_can_arrive_in_two_parts() -> None:
    screen = Typed()
    screen.feed("ab\x1b[")
    screen.feed("DX")
    screen.type("")
    assert screen.line.text == "aXb"


def test_end_of_input_returns_an_empty_line() -> None:
    screen = Typed()
    screen.ask("> ")
    assert screen.type("ab\x04\x15\x04") == [""]


def test_typed_answers_to_an_outdated_question_are_dropped() -> None:
    screen = Typed()
    for typed, stored in (("12", ""), ("/say 12", "/say 12")):
        screen.type(typed)
        screen.forget(but="/")
        assert screen.line.text == stored


def test_enter_is_ignored_right_after_the_question_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, now = Typed(), [100.0]
    monkeypatch.setattr(screens, "monotonic", lambda: now[0])
    screen.type("3")
    screen.ignore_enter(0.7)
    assert screen.type("\n") == []
    now[0] += 0.8
    assert screen.type("\n") == ["3\n"]


def test_a_cleared_screen_shows_no_earlier_output() -> None:
    screen = Typed()
    screen.ask("secret > ")
    screen.type("more secrets")
    screen.write(WIPE)
    screen.forget()
    screen.ask("Press Enter, Bob: ")
    assert screen.shown().lines == ["Press Enter, Bob:"]


KEYS = st.text("ab 漢é\x7f\x01\x05\x15\x17\x0b\x02\x06", max_size=12)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(KEYS, st.sampled_from(["PRINT", "ASK"])), max_size=12), st.integers(8, 40))
def test_concurrent_typing_and_printing_do_not_interleave(doings: list[str], columns: int) -> None:
    """Every line that was printed is there, below them the prompt with the text, and the cursor in its place."""
    screen, printed, prompt = Typed(columns, 12), list[str](), "> "
    screen.ask(prompt)
    for each in doings:
        if each == "PRINT":
            printed.append(f"line {len(printed)}")
            screen.out.print(printed[-1])
        elif each == "ASK":
            prompt = f"{len(printed)}? "
            screen.ask(prompt)
        else:
            screen.type(each)
    shown = screen.shown()
    assert shown.lines == [*printed, *laid_out(prompt + screen.line.text, columns)]
    row, column = cursor_position(prompt + screen.line.text[: screen.line.cursor], columns)
    assert (shown.row, shown.column) == (len(printed) + row, column)


def laid_out(text: str, columns: int) -> list[str]:
    """Break a text where a terminal does."""
    emulator = Emulator(columns, 50)
    emulator.feed(text)
    return emulator.lines


def test_the_length_of_a_line_is_limited() -> None:
    line = LineEditor()
    for _ in range(3000):
        line.press("x")
    assert len(line.text) == screens.MAX_LINE_LENGTH


def test_the_modes_of_the_terminal_are_restored() -> None:
    """After the end of a game, an interruption or a kill, typing is shown again."""
    for leave in ("q", "\x03", "term"):
        terminal = Terminal("play", "bebop", "--seed", "1", "--seat", "1")
        found = termios.tcgetattr(terminal.fd)[3] & (termios.ECHO | termios.ICANON)
        terminal.read()
        during = termios.tcgetattr(terminal.fd)[3] & (termios.ECHO | termios.ICANON)
        if leave == "q":
            terminal.type("q\n", until="(y/n) ")
            os.write(terminal.fd, b"y\n")
        elif leave == "term":
            terminal.process.terminate()
        else:
            terminal.process.send_signal(2)
        give_up = time.monotonic() + 30
        while terminal.process.poll() is None and time.monotonic() < give_up:
            time.sleep(0.05)
        after = termios.tcgetattr(terminal.fd)[3] & (termios.ECHO | termios.ICANON)
        assert (found, during, after) == (termios.ECHO | termios.ICANON, 0, termios.ECHO | termios.ICANON)
        terminal.close()
