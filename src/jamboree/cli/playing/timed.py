"""Plays a game with timed phases: bots act and the clock runs while the person is asked."""

import random
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from typing import Any, NamedTuple

from jamboree.core.errors import Illegal
from jamboree.core.game import Nature
from jamboree.core.play import WAIT, Later, Match, Player, Whisper, ask

from ..language import CATALOGUE
from ..output import print_text
from ..screen import TICK, Screen
from .human import Human, MoveTakenBack, PlayerLeft

BOT_DELAY = (0.6, 3.0)  # seconds between two actions of a bot, chosen at random


class PromptOutdated(Exception):
    """The position has changed while the person was asked."""

    def __init__(self, same_question: bool = False) -> None:
        super().__init__()
        self.same_question = same_question  # with other choices


class PendingDecision(NamedTuple):
    """A bot's decision in a thread, and the number of the timer during which it was asked."""

    decision: Future[Any]
    timer: int | None


class TimedMatch:
    """Drives a match with timed phases; a prompt is abandoned when its phase ends."""

    def __init__(self, match: Match, players: Sequence[Player], rng: random.Random, screen: Screen) -> None:
        self.match = match
        self.players = players
        self.rng = rng
        self.screen, self.out = screen, screen.out
        self.thinking: dict[int, PendingDecision] = {}  # bots that think in threads
        self.threads = ThreadPoolExecutor(max_workers=len(players), thread_name_prefix="bot")
        self.human = next((player for player in players if isinstance(player, Human)), None)
        self.due: dict[int, float] = {}
        self.timer: int | None = None  # the number of the current timer
        self.deadline: float | None = None
        if self.human:
            self.human.read = self.read_line
            self.human.paged = False  # time runs while a page is read

    def run(self) -> None:
        try:
            while self._acting():
                self._update_timer()
                try:
                    self._ask_human() if self._is_asked() else self._wait_for_others(None)
                except (PromptOutdated, MoveTakenBack):
                    self.screen.forget()
        finally:
            self.threads.shutdown(wait=False, cancel_futures=True)

    def _acting(self) -> frozenset[Any]:
        return self.match.game.to_act(self.match.state)

    def _is_asked(self) -> bool:
        return self.human is not None and self.human.seat in self._acting()

    def _update_timer(self) -> None:
        """Start a new timer when the rules have started one."""
        timer = self.match.game.timer(self.match.state)
        number = timer.number if timer else None
        if number != self.timer:
            self.timer = number
            self.deadline = monotonic() + timer.seconds if timer else None
            self.due.clear()
            if self.human:
                self.human.moved = False

    def _ask_human(self) -> None:
        human, game = self.human, self.match.game
        assert human is not None
        action = human.choose(game.view(self.match.state, human.seat), game.legal(self.match.state, human.seat))
        if action is WAIT:
            self._wait_for_others(len(self.match.journal().entries))
            return
        try:
            self.match.act(human.seat, action)
        except Illegal as refusal:  # another player was quicker
            print_text(self.out, f"  {game.words.reason(refusal, human.lang)}")
        human.moved = True

    def _wait_for_others(self, entries: int | None) -> None:
        """Let the others play until the journal has more entries, or to the end if `entries` is None."""
        while self._acting() and entries in (None, len(self.match.journal().entries)):
            self._let_others_act()
            self._show_time()
            if self._timer_changed():
                raise PromptOutdated
            if self.screen.poll(TICK) == "":
                raise PlayerLeft

    def read_line(self, prompt: str) -> str:
        """Read a line while the others play."""
        choices = self._choice_count()
        self.screen.ask(prompt)
        while True:
            if (line := self.screen.poll(TICK)) is not None:
                return line
            self._let_others_act()
            self._show_time()
            if self._timer_changed() or not self._is_asked():
                raise PromptOutdated
            if self._choice_count() != choices:
                choices = self._choice_count()
                self._announce_new_choices()

    def _choice_count(self) -> int:
        assert self.human is not None
        return len(self.match.game.legal(self.match.state, self.human.seat))

    def _announce_new_choices(self) -> None:
        assert self.human is not None
        print_text(self.out, CATALOGUE.say(self.human.lang, "new-choices"), "dim")

    def _timer_changed(self) -> bool:
        timer = self.match.game.timer(self.match.state)
        return (timer.number if timer else None) != self.timer

    def _let_others_act(self) -> None:
        """Let the clock act if time is up, otherwise one bot that has decided."""
        now = monotonic()
        if self.deadline is not None and now >= self.deadline and Nature.CLOCK in self._acting():
            self.match.act(Nature.CLOCK, self.match.game.legal(self.match.state, Nature.CLOCK)[0].action)
            return
        for seat in self._bots_to_act():
            is_due = now >= self.due.setdefault(seat, now + self.rng.uniform(*BOT_DELAY))
            if is_due and self._let_bot_act(seat):
                return

    def _bots_to_act(self) -> list[int]:
        own = self.human.seat if self.human else None
        return sorted(actor for actor in self._acting() if isinstance(actor, int) and actor != own)

    def _let_bot_act(self, seat: int) -> bool:
        """Ask a bot in a thread, or make the move it has decided on; return whether it moved."""
        game, state = self.match.game, self.match.state
        pending = self.thinking.get(seat)
        if pending is None:
            left = None if self.deadline is None else self.deadline - monotonic()
            view, offers = game.view(state, seat), list(game.legal(state, seat))
            decision = self.threads.submit(ask, self.players[seat], view, offers, left)
            pending = self.thinking[seat] = PendingDecision(decision, self.timer)
        if not pending.decision.done():
            return False
        del self.thinking[seat], self.due[seat]
        action = pending.decision.result()
        if pending.timer != self.timer:  # the phase is over
            return False
        if isinstance(action, Later):
            self.due[seat] = monotonic() + action.seconds
            return False
        if isinstance(action, Whisper):
            self.match.whisper(seat, action)
            return False
        if action is WAIT or not any(offer.action == action for offer in game.legal(state, seat)):
            return False
        self.match.act(seat, action)
        return True

    def _show_time(self) -> None:
        if self.deadline is not None:
            show_time(self.screen, self.deadline - monotonic())


def show_time(screen: Screen, seconds: float, label: str = "") -> None:
    """Show a time in the corner of the screen."""
    whole = max(0, round(seconds))
    screen.show_status(f" {label}{whole // 60}:{whole % 60:02} ")
