"""Play against the clock: while a person thinks, the others go on and time runs out."""

import random
import select
import sys
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from rich.console import Console

from jamboree.core.errors import Illegal
from jamboree.core.game import Nature
from jamboree.core.play import WAIT, Later, Match, Player, ask

from ..language import CATALOGUE
from ..show import say
from .human import Human, Left, TakenBack

THINKING = (0.6, 3.0)  # seconds between two actions of a bot
TICK = 0.25
CORNER = "\0337\033[1;{column}H\033[1K\033[7m{text}\033[0m\0338"  # keep the cursor, write at the top right, go back


class Moved(Exception):
    """The table has moved on while a person was asked."""


class Live:
    """Drives a match in which phases are timed. A person's prompt is left when its phase is over."""

    def __init__(self, match: Match, players: Sequence[Player], rng: random.Random, out: Console) -> None:
        self.match, self.players, self.rng, self.out = match, players, rng, out
        self.human = next((player for player in players if isinstance(player, Human)), None)
        self.due: dict[int, float] = {}
        self.number: int | None = None
        self.deadline: float | None = None
        if self.human:
            self.human.read = self.read_line
            self.human.paged = False  # nobody waits while a page is read

    def run(self) -> None:
        with corner(self.out):
            while self._acting():
                self._mind_the_timer()
                try:
                    self._ask_the_human() if self._is_asked() else self._sit_through(None)
                except (Moved, TakenBack):
                    forget_typing()

    def _acting(self) -> frozenset[Any]:
        return self.match.game.to_act(self.match.state)

    def _is_asked(self) -> bool:
        return self.human is not None and self.human.seat in self._acting()

    def _mind_the_timer(self) -> None:
        """Start a new timer when the rules have."""
        timer = self.match.game.timer(self.match.state)
        number = timer.number if timer else None
        if number != self.number:
            self.number = number
            self.deadline = monotonic() + timer.seconds if timer else None
            self.due.clear()
            if self.human:
                self.human.moved = False

    def _ask_the_human(self) -> None:
        human, game = self.human, self.match.game
        assert human is not None
        action = human.choose(game.view(self.match.state, human.seat), game.legal(self.match.state, human.seat))
        if action is WAIT:
            self._sit_through(len(self.match.journal().entries))
            return
        try:
            self.match.act(human.seat, action)
        except Illegal as refusal:  # the others were quicker
            say(self.out, f"  {game.words.reason(refusal, human.lang)}")
        human.moved = True

    def _sit_through(self, entries: int | None) -> None:
        """Let the others play until something has happened."""
        while self._acting() and entries in (None, len(self.match.journal().entries)):
            self._let_others_act()
            self._show_time()
            if self._has_moved():
                raise Moved
            if line_within(TICK) and not sys.stdin.readline():
                raise Left

    def read_line(self) -> str:
        """Wait for a line of the person's while the others play on."""
        choices = self._choices()
        while True:
            if line_within(TICK):
                return sys.stdin.readline()
            self._let_others_act()
            self._show_time()
            if self._has_moved() or not self._is_asked():
                raise Moved
            if self._choices() != choices:
                choices = self._choices()
                self._say_new_choices()

    def _choices(self) -> int:
        assert self.human is not None
        return len(self.match.game.legal(self.match.state, self.human.seat))

    def _say_new_choices(self) -> None:
        assert self.human is not None
        say(self.out, CATALOGUE.say(self.human.lang, "new-choices"), "dim")

    def _has_moved(self) -> bool:
        timer = self.match.game.timer(self.match.state)
        return (timer.number if timer else None) != self.number

    def _let_others_act(self) -> None:
        """Fire the clock if it is time, else let each bot act whose thinking is over."""
        now = monotonic()
        if self.deadline is not None and now >= self.deadline and Nature.CLOCK in self._acting():
            self.match.act(Nature.CLOCK, self.match.game.legal(self.match.state, Nature.CLOCK)[0].action)
            return
        for seat in self._bots_to_act():
            if now >= self.due.setdefault(seat, now + self.rng.uniform(*THINKING)):
                del self.due[seat]
                self._let_bot_act(seat)
                return

    def _bots_to_act(self) -> list[int]:
        mine = self.human.seat if self.human else None
        return sorted(actor for actor in self._acting() if isinstance(actor, int) and actor != mine)

    def _let_bot_act(self, seat: int) -> None:
        game, state = self.match.game, self.match.state
        left = None if self.deadline is None else self.deadline - monotonic()
        action = ask(self.players[seat], game.view(state, seat), game.legal(state, seat), left)
        if isinstance(action, Later):
            self.due[seat] = monotonic() + action.seconds
        elif action is not WAIT:
            self.match.act(seat, action)

    def _show_time(self) -> None:
        if self.deadline is not None:
            show_time(self.out, self.deadline - monotonic())


def show_time(out: Console, seconds: float, about: str = "") -> None:
    """Write the time that is left into the corner, or a time about something else."""
    left = max(0, round(seconds))
    show_corner(out, f" {about}{left // 60}:{left % 60:02} ")


def show_corner(out: Console, text: str) -> None:
    if out.is_terminal:
        out.file.write(CORNER.format(column=max(1, out.width - len(text) + 1), text=text))
        out.file.flush()


@contextmanager
def corner(out: Console) -> Iterator[None]:
    """Keep the top line of a terminal for the time: everything else scrolls below it."""
    if not out.is_terminal:
        yield
        return
    out.file.write(f"\0337\033[2;{out.height}r\0338")
    try:
        yield
    finally:
        out.file.write("\0337\033[r\0338")


def forget_typing() -> None:
    """Drop what was typed for a question that is no longer asked; cards are final."""
    if sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def line_within(seconds: float) -> bool:
    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    return bool(ready)
