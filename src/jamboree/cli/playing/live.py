"""Play against the clock: while a person thinks, the others go on and time runs out."""

import random
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from typing import Any, NamedTuple

from jamboree.core.errors import Illegal
from jamboree.core.game import Nature
from jamboree.core.play import WAIT, Later, Match, Player, ask

from ..language import CATALOGUE
from ..screen import TICK, Screen
from ..show import say
from .human import Human, Left, TakenBack

THINKING = (0.6, 3.0)  # seconds between two actions of a bot


class Moved(Exception):
    """The table has moved on while a person was asked."""

    def __init__(self, asks_the_same: bool = False) -> None:
        super().__init__()
        self.asks_the_same = asks_the_same  # the same question, with other choices


class Thought(NamedTuple):
    """What a bot decides, and the number of the timer it thinks under."""

    decision: Future[Any]
    number: int | None


class Live:
    """Drives a match in which phases are timed. A person's prompt is left when its phase is over."""

    def __init__(self, match: Match, players: Sequence[Player], rng: random.Random, screen: Screen) -> None:
        self.match, self.players, self.rng = match, players, rng
        self.screen, self.out = screen, screen.out
        self.thinking: dict[int, Thought] = {}  # bots at work, in threads: the person types meanwhile
        self.threads = ThreadPoolExecutor(max_workers=len(players), thread_name_prefix="bot")
        self.human = next((player for player in players if isinstance(player, Human)), None)
        self.due: dict[int, float] = {}
        self.number: int | None = None
        self.deadline: float | None = None
        if self.human:
            self.human.read = self.read_line
            self.human.paged = False  # nobody waits while a page is read

    def run(self) -> None:
        try:
            while self._acting():
                self._mind_the_timer()
                try:
                    self._ask_the_human() if self._is_asked() else self._sit_through(None)
                except (Moved, TakenBack):
                    self.screen.forget()  # cards are final
        finally:
            self.threads.shutdown(wait=False, cancel_futures=True)

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
            if self.screen.poll(TICK) == "":
                raise Left

    def read_line(self, prompt: str) -> str:
        """Wait for a line of the person's while the others play on."""
        choices = self._choices()
        self.screen.ask(prompt)
        while True:
            if (line := self.screen.poll(TICK)) is not None:
                return line
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
            is_due = now >= self.due.setdefault(seat, now + self.rng.uniform(*THINKING))
            if is_due and self._let_bot_act(seat):
                return

    def _bots_to_act(self) -> list[int]:
        mine = self.human.seat if self.human else None
        return sorted(actor for actor in self._acting() if isinstance(actor, int) and actor != mine)

    def _let_bot_act(self, seat: int) -> bool:
        """Have a bot think, or make the move it has decided on; tell whether it made one."""
        game, state = self.match.game, self.match.state
        thought = self.thinking.get(seat)
        if thought is None:
            left = None if self.deadline is None else self.deadline - monotonic()
            view, offers = game.view(state, seat), list(game.legal(state, seat))
            decision = self.threads.submit(ask, self.players[seat], view, offers, left)
            thought = self.thinking[seat] = Thought(decision, self.number)
        if not thought.decision.done():
            return False
        del self.thinking[seat], self.due[seat]
        action = thought.decision.result()
        if thought.number != self.number:  # it thought about a phase that is over
            return False
        if isinstance(action, Later):
            self.due[seat] = monotonic() + action.seconds
            return False
        if action is WAIT or not any(offer.action == action for offer in game.legal(state, seat)):
            return False
        self.match.act(seat, action)
        return True

    def _show_time(self) -> None:
        if self.deadline is not None:
            show_time(self.screen, self.deadline - monotonic())


def show_time(screen: Screen, seconds: float, about: str = "") -> None:
    """Write the time that is left into the corner, or a time about something else."""
    left = max(0, round(seconds))
    screen.show_status(f" {about}{left // 60}:{left % 60:02} ")
