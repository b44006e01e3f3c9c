"""The bots of one table at work: each thinks at a human's pace, elsewhere, about one position."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Protocol
from weakref import proxy

import msgspec

from jamboree.bots import Level
from jamboree.core.game import Nature
from jamboree.core.play import Later

from ..bot_metrics import BotMetrics
from ..commands.command import Command
from ..commands.standing_in import BotMove, any_move, lawful
from ..errors import Refused, trace
from ..memory.memory import Memory
from ..memory.records import Because
from ..protocol.terms import BotPace
from ..protocol.wire import encode
from ..secret import source
from .bot_pool import BotFailed, Thinker
from .bot_worker import Question
from .inbox import Alarm, Work
from .tempo import Tempo
from .waits import Waits


class Timekeeper(Protocol):
    def phase_left(self) -> float | None: ...  # seconds; None where no clock runs


class Assignment(NamedTuple):
    """Who plays a seat when a bot does."""

    level: Level
    because: Because | None = None  # why it is done for a person

    @property
    def hurried(self) -> bool:
        """Tell whether time is up: no thinking at a human's pace."""
        return self.because == "time"


class BotTurn(msgspec.Struct, eq=False):
    seat: int
    assignment: Assignment
    position: int  # the record that led to it, as far as the seat sees
    work: "asyncio.Task[None] | None"


class Workplace(Protocol):
    """What bots need of their table."""

    code: str

    @property
    def memory(self) -> Memory: ...
    @property
    def at_work(self) -> bool: ...
    def now(self) -> float: ...
    def enqueue(self, carry_out: Work) -> "asyncio.Future[Any]": ...
    async def decide(self, command: Command) -> Any: ...


class BotTurns:
    __slots__ = (
        "__weakref__",
        *("_due", "_pace", "_running", "_waiting", "advised", "clock", "hurried"),
        *("stood_in", "table", "tally", "tempo", "thinker", "waits"),
    )

    def __init__(self, table: Workplace, thinker: Thinker, tempo: Tempo, tally: BotMetrics, clock: Timekeeper) -> None:
        self.table, self.thinker, self.tempo, self.tally, self.clock = table, thinker, tempo, tally, clock
        self._due: dict[int, float] = {}  # when each begins
        self._running: dict[int, BotTurn] = {}
        self.waits = Waits(table.now, proxy(self))
        self._waiting: dict[int, int] = {}  # seats that want nothing for now, and in which position
        self._pace = source()
        self.advised: dict[str, float] = {}  # when people last asked for advice
        self.hurried = False  # the only person who plays has asked to be taken to their turn
        self.stood_in: Counter[int] = Counter()  # moves made for those who are away, by seat

    def alarms(self, assignments: Mapping[int, Assignment]) -> dict[str, Alarm]:
        """Say when which bot has to begin; what others were about to do is forgotten."""
        for seat in [seat for seat, turn in self._running.items() if assignments.get(seat) != turn.assignment]:
            self._cancel(seat)
        self._due = {seat: due for seat, due in self._due.items() if seat in assignments}
        wanted = self.waits.alarms()
        for seat, assignment in assignments.items():
            if seat not in self._running and self._waiting.get(seat) != self.table.memory.recent(seat).last:
                wanted[f"bot {seat}"] = Alarm(self._begin_at(seat, assignment), self._beginning(seat, assignment))
        return wanted

    def stop(self) -> None:
        self.alarms({})

    def _begin_at(self, seat: int, assignment: Assignment) -> float:
        now = self.table.now()
        if assignment.hurried or self.hurried:
            self._due[seat] = min(now, self._due.get(seat, now))
        if seat not in self._due:
            memory = self.table.memory
            has_choice = len(memory.game.legal(memory.state, seat)) > 1
            span = self.tempo.thinking if has_choice else self.tempo.forced
            self._due[seat] = now + self._share() * self._pace.uniform(*span)
        return self._due[seat]

    def _share(self) -> float:
        """Say which part of a human's time bots take: all of it where the game itself is played in real time."""
        memory = self.table.memory
        if Nature.CLOCK in memory.game.to_act(memory.state):
            return 1.0
        return {BotPace.RELAXED: 1.0, BotPace.QUICK: self.tempo.quick, BotPace.INSTANT: 0.0}[memory.lobby.pace]

    def _beginning(self, seat: int, assignment: Assignment) -> Work:
        async def begin() -> None:
            self._due.pop(seat, None)
            question, position = self._question(seat, assignment), self.table.memory.recent(seat).last
            work = asyncio.create_task(self._think(seat, question), name=f"bot {self.table.code} {seat}")
            self._running[seat] = BotTurn(seat, assignment, position, work)
            self.waits.begin(seat)

        return begin

    def _question(self, seat: int, assignment: Assignment) -> Question:
        """Put down what a person on this seat would see, and nothing else."""
        game, state = self.table.memory.game, self.table.memory.state
        view, offers = game.view(state, seat), list(game.legal(state, seat))
        bot, info = self._name(seat), game.info
        shown, offered = msgspec.Raw(encode(view)), msgspec.Raw(encode(offers))
        left = self.clock.phase_left() if self.tempo.by_the_clock and not assignment.hurried else None
        return Question(bot, info.key, info.rules_version, assignment.level, shown, offered, left=left)

    def _renewed(self, turn: BotTurn) -> Question | None:
        """Give a question about the present position when a bot's turn to think has come, if it is another one by now.

        While the table is at work its memory may hold a step that is not kept yet, so the question stays as it is.
        """
        last = self.table.memory.recent(turn.seat).last
        if self.table.at_work or last == turn.position or self._running.get(turn.seat) is not turn:
            return None
        turn.position = last
        return self._question(turn.seat, turn.assignment)

    def _name(self, seat: int) -> str:
        return f"{self.table.code} {seat}"

    def before(self, seat: int) -> int:
        """Say how many think before a bot, where that tells nothing of what it is about to do."""
        memory = self.table.memory
        return self.thinker.before(self._name(seat)) if memory.game.timer(memory.state) is None else 0

    def _end(self, seat: int) -> BotTurn:
        self.waits.end(seat)
        return self._running.pop(seat)

    def _cancel(self, seat: int) -> None:
        turn = self._end(seat)
        if turn.work:
            turn.work.cancel()
            turn.work = None  # a cancelled task keeps its frames, which know the turn: only a search would free both

    async def _think(self, seat: int, question: Question) -> None:
        turn = self._running[seat]
        chosen: dict[str, Any] | Later | None
        begun = self.table.now()
        try:
            chosen, failed = await self.thinker.choose(question, lambda: self._renewed(turn)), False
        except Exception as failure:
            why = str(failure) if isinstance(failure, BotFailed) else trace(failure)
            self.tally.failed(why, self.table.now() - begun)
            chosen, failed = None, True
        with suppress(Refused):  # the table has stopped
            await self.table.enqueue(lambda: self._answered(turn, chosen, failed))

    async def _answered(self, turn: BotTurn, chosen: dict[str, Any] | Later | None, failed: bool) -> None:
        """Make the move a bot has chosen, unless the table has moved on meanwhile."""
        seat, memory = turn.seat, self.table.memory
        if self._running.get(seat) is not turn:
            return
        self._end(seat)
        if isinstance(chosen, Later):
            self._due[seat] = self.table.now() + chosen.seconds
            return
        if memory.recent(seat).last != turn.position:
            self._due[seat] = self.table.now()
            return
        if chosen is None and not failed:
            self._waiting[seat] = turn.position
            if not self._all_wait():
                return
        await self._move(turn, lawful(memory, seat, chosen) if chosen else None)

    def _all_wait(self) -> bool:
        """Tell whether nothing would ever happen again: every seat waits for another, and no timer runs."""
        memory = self.table.memory
        waits = all(self._waiting.get(seat) == memory.recent(seat).last for seat in memory.pending)
        return waits and memory.game.timer(memory.state) is None

    async def _move(self, turn: BotTurn, action: Any) -> None:
        seat, because = turn.seat, turn.assignment.because
        if action is None:
            self.tally.fallbacks += 1
            action = any_move(self.table.memory, seat)
        if action is None:
            return
        try:
            await self.table.decide(BotMove(seat, action, because))
        except Refused:
            self._due[seat] = self.table.now() + self.tempo.again
            return
        self.tally.bot_moves += because is None
        self.tally.stood_in += because is not None
        self.stood_in[seat] += because == "away"
