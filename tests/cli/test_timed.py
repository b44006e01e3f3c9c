"""Timed phases: others play while a person thinks, and time runs out."""

import os
import random
import select
import time
from collections.abc import Sequence
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from jamboree.cli.playing import timed
from jamboree.cli.playing.online import OnlineSession
from jamboree.cli.playing.timed import TimedMatch
from jamboree.cli.screen import Screen
from jamboree.core.chance import Seeded
from jamboree.core.game import Nature, Outcome, Timer
from jamboree.core.play import WAIT, Match
from jamboree.server.protocol import frames
from jamboree.server.protocol.parts import Queued
from tests.contract.toy import HighCard, Options, State

from .terminal import ESCAPES, Terminal


class Hurried(HighCard):
    def timer(self, state: State) -> Timer | None:
        timer = super().timer(state)
        return timer and Timer(timer.number, 0.05)


class Sleeper:
    def choose(self, view: Any, offers: Sequence[Any]) -> Any:
        return WAIT


class First:
    def choose(self, view: Any, offers: Sequence[Any]) -> Any:
        return offers[0].action


class Silent(Screen):
    """A screen without input."""

    def poll(self, seconds: float) -> str | None:
        time.sleep(seconds)
        return None


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed, "BOT_DELAY", (0.0, 0.001))
    monkeypatch.setattr(timed, "TICK", 0.001)


def actors(game: HighCard, *players: Any) -> list[Any]:
    match = Match(game, len(players), Options(timed=True), Seeded(1))
    TimedMatch(match, players, random.Random(1), Silent(Console(file=StringIO()))).run()
    assert game.outcome(match.state) is not None
    return [entry.actor for entry in match.journal().entries]


def test_the_timer_expires_for_inactive_players() -> None:
    assert set(actors(Hurried(), Sleeper(), Sleeper())) == {Nature.CLOCK}


def test_players_who_finish_early_end_the_phase() -> None:
    assert set(actors(HighCard(), First(), First())) == {0, 1}


def test_only_the_last_player_waits_for_the_timer() -> None:
    assert set(actors(Hurried(), First(), Sleeper())) == {0, Nature.CLOCK}


def is_shown(terminal: Terminal, words: str, patience: float = 60.0) -> bool:
    """Read on until some words were printed."""
    give_up = time.monotonic() + patience
    while words not in terminal.transcript and time.monotonic() < give_up:
        if select.select([terminal.fd], [], [], 0.2)[0]:
            terminal.transcript += ESCAPES.sub("", os.read(terminal.fd, 1 << 16).decode("utf-8", errors="ignore"))
    return words in terminal.transcript


def test_a_timed_game_shows_the_countdown() -> None:
    timing = ["--pace", "own", "--plane-seconds", "5", "--jump-seconds", "5"]
    terminal = Terminal("play", "boogie", "--seats", "3", "--seed", "1", *timing)
    try:
        assert is_shown(terminal, "Ready for jumprun 1?")
        assert is_shown(terminal, "0:5")  # of the minute before the plane
        os.write(terminal.fd, b"1\n")
        assert is_shown(terminal, "in the plane")
        assert is_shown(terminal, "0:04")
        assert is_shown(terminal, "JUMP!")
        assert is_shown(terminal, "PULL")
        assert is_shown(terminal, "Ready for jumprun 2?")
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.fd)


def update(seq: int) -> frames.Update:
    return frames.Update(seq, [], [], frames.NULL, frames.NULL, "", None, None)


def test_the_last_step_is_printed_before_the_session_ends() -> None:
    ended: Any = SimpleNamespace(outcome=Outcome([0], [1, 0]))
    seat: Any = SimpleNamespace(table=None, position=ended, seq=5)
    thread: Any = SimpleNamespace(connection=seat)
    commands: Any = SimpleNamespace()
    session = OnlineSession(thread, commands, Screen(Console()), "en", False, list)
    session._show(update(4))
    assert not session.over
    session._show(update(5))
    assert session.over


def test_a_queued_bot_is_announced_once() -> None:
    def show(*queue: Queued) -> None:
        seat.table = SimpleNamespace(queue=list(queue))
        session._show_queue(seat.table)

    seat: Any = SimpleNamespace(table=None, names=lambda: ["Ada", "Vesper"])
    written = StringIO()
    thread: Any = SimpleNamespace(connection=seat)
    commands: Any = SimpleNamespace()
    session = OnlineSession(thread, commands, Screen(Console(file=written)), "en", False, list)
    for queue in ([], [Queued(1, 3)], [Queued(1, 2)], [], [Queued(1, 1)]):
        show(*queue)
    assert written.getvalue().splitlines() == [
        "  Vesper is waiting to think: 3 other bots go first.",
        "  Vesper is waiting to think: one other bot goes first.",
    ]
