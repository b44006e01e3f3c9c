"""The turns of bots at one table, and hints for people: worker processes think, each about one position.

Bots move at a human's pace.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from jamboree.bots import Level
from jamboree.coach import AdviceText
from jamboree.core.game import Nature
from jamboree.core.play import Later, Whisper
from jamboree.core.words import Language

from ...errors import Refused
from ...protocol.terms import BotPace
from ...tokens import source
from ..clock import Alarm
from ..commands.chat import Remark
from ..commands.playing import Asked, AskHint, BotMove, any_move, lawful
from ..records import Because
from .pool import Choice, failure_text, question_for
from .worker import Question, SentenceContext

if TYPE_CHECKING:
    from ..scheduler import SharedServices
    from ..table import Table

PROMPTLY = 1.0  # seconds within which a bot acts when all people wait for it
HINT_EVERY = 2.0  # seconds between hints to one person, since bots share the processes
NOTICEABLE = 1.0  # seconds of waiting before viewers see the queue, and between its updates


class Assignment(NamedTuple):
    """The bot that plays a seat."""

    level: Level
    because: Because | None = None  # why it plays for a person; with "time" it moves at once


class BotTurn(msgspec.Struct, eq=False):
    seat: int
    assignment: Assignment
    since_record: int  # the record that led to its position, as the seat counts
    work: "asyncio.Task[None] | None"


@dataclass(slots=True, eq=False)
class BotScheduler:
    """The turns of the bots at one table."""

    table: "Table"
    queue: dict[int, int] = field(default_factory=dict)  # by seat: the number of bots before this one in the queue
    hurried: bool = False  # the only human player wants to skip to their turn
    stood_in: Counter[int] = field(default_factory=Counter)  # moves made for absent players, by seat
    services: "SharedServices" = field(init=False)
    _advised: dict[str, float] = field(default_factory=dict)  # by person: the last request for a hint
    _due: dict[int, float] = field(default_factory=dict)  # by seat: when the bot starts
    _running: dict[int, BotTurn] = field(default_factory=dict)
    _queue_update: dict[int, float] = field(default_factory=dict)  # by seat: when to update the queue
    _waiting: dict[int, int] = field(default_factory=dict)  # by seat: the position in which the bot waits
    _random: Random = field(default_factory=source)

    def __post_init__(self) -> None:
        self.services = self.table.registry.services

    def alarms(self, assignments: Mapping[int, Assignment]) -> dict[str, Alarm]:
        """The alarms of all bots to move; turns of other bots are cancelled."""
        for seat in [seat for seat, turn in self._running.items() if assignments.get(seat) != turn.assignment]:
            turn = self._end(seat)
            if turn.work:
                turn.work.cancel()
                turn.work = None  # break a reference cycle with the frames of a cancelled task
        self._due = {seat: due for seat, due in self._due.items() if seat in assignments}
        wanted = {
            f"wait {seat}": Alarm(at, partial(self._update_queue, seat)) for seat, at in self._queue_update.items()
        }
        for seat, assignment in assignments.items():
            if seat not in self._running and self._waiting.get(seat) != self.table.state.witnesses.recent(seat).last:
                wanted[f"bot {seat}"] = Alarm(self._begin_at(seat, assignment), partial(self._begin, seat, assignment))
        return wanted

    def stop(self) -> None:
        self.alarms({})

    def hint(
        self, command: AskHint, person: str | None, language: Language, arrived: float | None
    ) -> "asyncio.Future[Any]":
        """Compute a hint; at most one at a time for a person."""
        now = self.table.now()
        if now - self._advised.get(person or "", -inf) < HINT_EVERY:
            raise Refused("too-fast", "One hint at a time; ask again in a moment.")
        self._advised[person or ""] = now
        return asyncio.ensure_future(self._advice(language, self.table.submit(command, person, arrived)))

    async def _advice(self, language: Language, asking: "asyncio.Future[Any]") -> AdviceText:
        asked: Asked = await asking
        begun, roster, info = self.services.now(), self.table.state.roster, self.table.state.game.info
        context = SentenceContext(roster.names(), list(roster.avatars.by_seat), language)
        question = question_for(info, self._name(asked.seat), "star", asked.view, asked.offers, hint=context)
        try:
            return await self.services.thinker.advise(question)
        except Exception as failure:
            self.services.bot_metrics.hint_failed(failure_text(failure), self.services.now() - begun)
            raise Refused("no-advice", "There is no advice in time; ask again in a moment.") from None

    def _begin_at(self, seat: int, assignment: Assignment) -> float:
        now = self.table.now()
        if assignment.because == "time" or self.hurried:
            self._due[seat] = min(now, self._due.get(seat, now))
        elif self._all_people_agreed() and self._due.get(seat, inf) > now + PROMPTLY:
            self._due[seat] = now + self._random.uniform(0, PROMPTLY)
        if seat not in self._due:
            state = self.table.state
            has_choice = len(state.game.legal(state.position, seat)) > 1
            span = self.services.tempo.thinking if has_choice else self.services.tempo.forced
            self._due[seat] = now + self._share() * self._random.uniform(*span)
        return self._due[seat]

    def _all_people_agreed(self) -> bool:
        """Whether all people have agreed to end the phase, so that only bots are waited for."""
        state, stand_ins = self.table.state, self.table.scheduler.idle.standing_in
        seats = {state.roster.people[key].seat for key in state.roster.players() if key not in stand_ins}
        return bool(seats) and seats <= state.game.agreed(state.position)

    def _share(self) -> float:
        """The fraction of a human's time that bots take; all of it in real-time games."""
        state = self.table.state
        if Nature.CLOCK in state.game.to_act(state.position):
            return 1.0
        return {BotPace.RELAXED: 1.0, BotPace.QUICK: self.services.tempo.quick, BotPace.INSTANT: 0.0}[state.roster.pace]

    async def _begin(self, seat: int, assignment: Assignment) -> None:
        self._due.pop(seat, None)
        question, position = self._question(seat, assignment), self.table.state.witnesses.recent(seat).last
        work = asyncio.create_task(self._think(seat, question), name=f"bot {self.table.code} {seat}")
        self._running[seat] = BotTurn(seat, assignment, position, work)
        self._queue_update[seat] = self.table.now() + NOTICEABLE

    def _question(self, seat: int, assignment: Assignment) -> Question:
        game, state = self.table.state.game, self.table.state.position
        view, offers = game.view(state, seat), list(game.legal(state, seat))
        by_the_clock = self.services.tempo.by_the_clock and assignment.because != "time"
        left = 0.0 if self._all_people_agreed() else self.table.scheduler.phase_left() if by_the_clock else None
        return question_for(game.info, self._name(seat), assignment.level, view, offers, left=left)

    def _renewed(self, turn: BotTurn) -> Question | None:
        """The question about the current position, if it has changed while the bot waited.

        While the table is at work its state may contain a step that is not stored yet, so the question stays the same.
        """
        last = self.table.state.witnesses.recent(turn.seat).last
        if self.table.is_running or last == turn.since_record or self._running.get(turn.seat) is not turn:
            return None
        turn.since_record = last
        return self._question(turn.seat, turn.assignment)

    def _name(self, seat: int) -> str:
        return f"{self.table.code} {seat}"

    async def _update_queue(self, seat: int) -> None:
        self._queue_update[seat] = self.table.now() + NOTICEABLE
        self.queue.pop(seat, None)
        if before := self._before(seat):
            self.queue[seat] = before

    def _before(self, seat: int) -> int:
        """The number of bots before this one in the queue.

        Where the game's own clock runs it is not counted, because the moment at which a bot thinks could reveal what it
        holds.
        """
        state = self.table.state
        return self.services.thinker.before(self._name(seat)) if state.game.timer(state.position) is None else 0

    def _end(self, seat: int) -> BotTurn:
        self._queue_update.pop(seat, None)
        self.queue.pop(seat, None)
        return self._running.pop(seat)

    async def _think(self, seat: int, question: Question) -> None:
        turn = self._running[seat]
        chosen: Choice
        begun = self.table.now()
        try:
            chosen, failed = await self.services.thinker.choose(question, lambda: self._renewed(turn)), False
        except Exception as failure:
            self.services.bot_metrics.failed(failure_text(failure), self.table.now() - begun)
            chosen, failed = None, True
        with suppress(Refused):  # the table has stopped
            await self.table.enqueue(lambda: self._answered(turn, chosen, failed))

    async def _answered(self, turn: BotTurn, chosen: Choice, failed: bool) -> None:
        """Make the bot's move, unless the position has changed meanwhile."""
        seat, state = turn.seat, self.table.state
        if self._running.get(seat) is not turn:
            return
        self._end(seat)
        if isinstance(chosen, Later):
            self._due[seat] = self.table.now() + chosen.seconds
            return
        if isinstance(chosen, Whisper):  # bots do not read chat, and a stand-in does not speak for its player
            self._due[seat], to = self.table.now(), state.roster.person_at(chosen.to)
            if to is not None and seat in state.roster.bots:
                await self.table.decide(Remark(seat, chosen.phrase, to))
            return
        if state.witnesses.recent(seat).last != turn.since_record:
            self._due[seat] = self.table.now()
            return
        if chosen is None and not failed:
            self._waiting[seat] = turn.since_record
            all_wait = all(self._waiting.get(each) == state.witnesses.recent(each).last for each in state.pending)
            if not all_wait or state.game.timer(state.position) is not None:  # else the game is stuck
                return
        await self._move(turn, lawful(state, seat, chosen) if chosen else None)

    async def _move(self, turn: BotTurn, action: Any) -> None:
        seat, because = turn.seat, turn.assignment.because
        if action is None:
            self.services.bot_metrics.fallbacks += 1
            action = any_move(self.table.state, seat)
            if action is None:
                return
        try:
            await self.table.decide(BotMove(seat, action, because))
        except Refused:
            self._due[seat] = self.table.now() + self.services.tempo.again
            return
        self.services.bot_metrics.bot_moves += because is None
        self.services.bot_metrics.stood_in += because is not None
        self.stood_in[seat] += because == "away"
