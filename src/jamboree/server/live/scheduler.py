"""The scheduler of a table: countdowns, absences, bots, and every other deadline that no command triggers."""

import logging
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from jamboree.bots import Level
from jamboree.core.game import Timer
from jamboree.core.learning import LessonStage

from ..bot_metrics import BotMetrics
from ..errors import Refused
from ..offload import Offload
from ..protocol.parts import ClockInfo, ClockKind
from ..protocol.terms import Consent, Pause, Status
from ..wall_clock import WallClock
from .bots.pool import Thinker
from .bots.turns import Assignment, BotScheduler
from .clock import Alarm, Clock, Tempo, Timed, Work
from .commands.host import MAX_PAUSE_SECONDS
from .commands.lesson import ReplyInLesson
from .commands.playing import Begin, EndPhase
from .commands.undo import CarryOutUndo, DropUndo, move_asked_about
from .presence import NOBODY, IdlePlayers
from .roster import Learning, UndoRequest

if TYPE_CHECKING:
    from .table import Table

log = logging.getLogger(__name__)
SEED_PATIENCE = 5.0  # seconds to add a seed
UNDO_PATIENCE = 60.0  # seconds for answers of connected players, during which bots wait
REPLY_PACE = 1.2  # seconds between moves of a lesson
STAND_IN: Level = "regular"
PAUSE = Timed("pause", 0)
ClockSignature = tuple[Any, ...]


class SharedServices(NamedTuple):
    """Services shared by all tables of a server."""

    thinker: Thinker
    tempo: Tempo
    bot_metrics: BotMetrics
    offload: Offload
    now: Callable[[], float] = time.monotonic
    wall: WallClock = WallClock()


class SeedExchange:
    """Collects the players' seeds at one table, then starts the game."""

    __slots__ = ("_until", "expected", "table")

    def __init__(self, table: "Table") -> None:
        self.table = table
        self.expected = NOBODY  # people who are about to connect
        self._until: float | None = None

    async def settle(self) -> None:
        """Start the game, or set the alarm for it."""
        if self.table.state.roster.status != Status.SEEDING or not self.table.state.has_rules:
            self._until = None
        elif not self._awaited():
            await self._begin()
        elif self._until is None:
            self._until = self.table.now() + SEED_PATIENCE
            self.table.inbox.set_alarm("seeds", self._until, self._begin)

    def _awaited(self) -> bool:
        """Whether the seed of a connected player is missing; absent players add none."""
        people, luck = self.table.state.roster.people, self.table.state.luck
        seats = (people[key].seat for key in self.table.connections.answering | self.expected)
        return any(seat is not None and not luck.seeds[seat] for seat in seats)

    async def _begin(self) -> None:
        try:
            await self.table.decide(Begin())
        except Refused:  # the seeds are stored, so their commands are acknowledged
            self.table.scheduler.retry("seeds", self._begin)
        else:
            self.table.inbox.clear_alarm("seeds")
            self._until = None
            self.expected = NOBODY


class UndoVote:
    """Schedules an undo request: how long bots wait for it, and when it fails."""

    __slots__ = ("_waited", "held_until", "table")

    def __init__(self, table: "Table") -> None:
        self.table = table
        self.held_until: float | None = None  # bots wait until then; None: no request is pending
        self._waited: dict[str, int] = {}  # by person: the move for which bots have waited

    async def settle(self) -> None:
        """Undo the move if it is agreed on; else set the alarm for the end of the vote."""
        roster = self.table.state.roster
        if roster.undo_asked is None:
            self._end()
        elif roster.undo_verdict:
            try:
                await self.table.decide(CarryOutUndo())
                self._end()
            except Refused:  # it can't be stored now
                self.table.scheduler.retry("undo", self.settle)
        elif self.held_until is None:
            self._hold(roster.undo_asked)
            self._set_alarm()

    def note_connection(self, person: str | None) -> None:
        """Extend the vote for a person who has reconnected."""
        if self.held_until is not None and person in self._silent():
            self._set_alarm()

    def _hold(self, asked: UndoRequest) -> None:
        """Let bots wait for answers, once per move, so that repeated requests cannot stop the game."""
        about, now = move_asked_about(self.table.state, asked).seq, self.table.now()
        self.held_until = now if self._waited.get(asked.person) == about else now + UNDO_PATIENCE
        self._waited[asked.person] = about

    def _end(self) -> None:
        if self.held_until is not None:
            self.held_until = None
            self.table.inbox.clear_alarm("undo")
            self.table.subscribers.show_table()

    def _set_alarm(self) -> None:
        self.table.inbox.set_alarm("undo", self.table.now() + UNDO_PATIENCE, self._time_is_up)

    async def _time_is_up(self) -> None:
        """Fail the request if connected players do not answer; unanimity waits for absent ones."""
        if self.table.state.roster.consent == Consent.EVERYBODY and not self._silent() <= self.table.connections.people:
            return
        try:
            await self.table.decide(DropUndo())
        except Refused:
            self.table.scheduler.retry("undo", self._time_is_up)

    def _silent(self) -> set[str]:
        """The players whose answers are missing."""
        roster = self.table.state.roster
        asked = roster.undo_asked
        return {*roster.voters()} - {*asked.agreed, *asked.refused} if asked else set()


@dataclass(slots=True, eq=False)
class TableScheduler:
    """Owns every deadline of a table that no command triggers."""

    table: "Table"
    clock: Clock
    running: bool = False
    services: SharedServices = field(init=False)
    bot_scheduler: BotScheduler = field(init=False)
    idle: IdlePlayers = field(init=False)
    seeds: SeedExchange = field(init=False)
    undo_vote: UndoVote = field(init=False)
    _reply_due: tuple[int, float] = (0, 0.0)  # the record of a lesson after which the next move is due, and when
    _timed: dict[str, Timed] = field(default_factory=dict)  # the countdowns' subjects, by name
    _expired: frozenset[str] = NOBODY  # expired countdowns
    _not_before: float = 0.0
    _alarms: dict[str, Alarm] = field(default_factory=dict)
    _absences_end: dict[int, float] = field(default_factory=dict)  # by seat of an absent player: when a bot takes over

    def __post_init__(self) -> None:
        self.services = self.table.registry.services
        self.bot_scheduler, self.idle = BotScheduler(self.table), IdlePlayers(self.table)
        self.seeds, self.undo_vote = SeedExchange(self.table), UndoVote(self.table)

    def reschedule(self) -> None:
        """Set the alarms of all deadlines; in a lesson there are no clocks and no bot turns."""
        state, now = self.table.state, self.table.now()
        if state.roster.learning:
            self._set(self._lesson_alarm(state.roster.learning))
            return
        attended = self._is_attended()
        self.running = attended and state.roster.paused != Pause.YES
        asked = self._people_asked()
        limits = self._limits(asked)
        self.idle.update(asked.values(), bool(limits), self.running)
        self._timed = {timed.name: timed for timed in limits}
        going = [timed.name for timed in limits if attended and (self.running or timed == PAUSE)]
        self.clock.set_countdowns({timed.name: seconds for timed, seconds in limits.items()}, going, now)
        self._expired &= self.clock.countdowns.keys()
        self.bot_scheduler.hurried &= not asked
        alarms = self.bot_scheduler.alarms(self._bots_to_act(asked)) | self._clock_alarm()
        absent = self._absences(asked) if self.running else {}
        self._absences_end = {} if limits else absent
        if absent:
            alarms["absence"] = Alarm(min(absent.values()), self._take_over)
        if self.running and self.idle.next_quiet is not None:
            alarms["quiet"] = Alarm(self.idle.next_quiet, _reschedule_only)
        self._set(alarms)

    def _set(self, alarms: dict[str, Alarm]) -> None:
        for name in self._alarms.keys() - alarms.keys():
            self.table.inbox.clear_alarm(name)
        for name, alarm in alarms.items():
            self.table.inbox.set_alarm(name, max(alarm.at, self._not_before), alarm.carry_out)
        self._alarms = alarms

    def is_late(self, seat: int | None) -> bool:
        """Whether the time for a seat's decision has expired."""
        if not self._expired or seat is None or seat not in self.table.state.pending:
            return False
        return self._decision(seat).name in self._expired

    def stands_in_for(self, person: str) -> bool:
        return self.table.state.roster.people[person].gone or person in self.idle.standing_in

    def note_activity(self, person: str | None) -> None:
        """Count a person as active, so that a bot stops playing for them."""
        seat = self.table.state.roster.people[person].seat if person in self.table.state.roster.people else None
        self.idle.note_activity(person or "")
        if seat is not None:
            self.bot_scheduler.stood_in.pop(seat, None)

    def hurry(self, person: str | None) -> None:
        """Let bots move without delay until a person's turn; for a single human player."""
        self.idle.check_alone(person)
        self.bot_scheduler.hurried = True

    def retry(self, name: str, carry_out: Work) -> None:
        """Set an alarm to retry a change that could not be stored."""
        self.table.inbox.set_alarm(name, self.table.now() + self.services.tempo.again, carry_out)

    def postpone(self) -> None:
        """Postpone all alarms, since a due change could not be stored."""
        self._not_before = self.table.now() + self.services.tempo.again

    def phase_left(self) -> float | None:
        """The seconds left of the game's phase, if it is timed."""
        name = next((timed.name for timed in self._timed.values() if timed.kind == "phase"), "")
        countdown = self.clock.countdowns.get(name)
        return countdown.left(self.table.now()) if countdown else None

    async def expire_countdowns(self, arrived: float) -> None:
        """Handle an expiry that preceded a command and could not be stored when it was due."""
        while (due := self._clock_alarm().get("clock")) and due.at < arrived:
            await due.carry_out()
            self.reschedule()

    def stop(self) -> None:
        self.bot_scheduler.stop()
        self._set({})

    @property
    def is_voting(self) -> bool:
        """Whether bots wait for answers to an undo request, which a move would cancel."""
        held_until = self.undo_vote.held_until
        return held_until is not None and self.table.now() < held_until

    async def settle(self) -> None:
        """Proceed with what waits for people: the start for seeds, an undo for answers."""
        await self.seeds.settle()
        await self.undo_vote.settle()

    def note_connection(self, person: str) -> None:
        """React to a person who has connected."""
        self.idle.note_activity(person)
        self.undo_vote.note_connection(person)

    def _lesson_alarm(self, learning: Learning) -> dict[str, Alarm]:
        """In a lesson, let the next of the other players move after a short delay."""
        seq = self.table.state.seq
        if learning.at.stage != LessonStage.WATCHING:
            return {}
        if self._reply_due[0] != seq:
            self._reply_due = seq, self.table.now() + REPLY_PACE
        return {"reply": Alarm(self._reply_due[1], lambda: self.table.decide(ReplyInLesson()))}

    def _is_attended(self) -> bool:
        """A game runs while one of its players is connected; a game of bots only, while a viewer is."""
        roster = self.table.state.roster
        if self.table.state.position is None or roster.status != Status.PLAYING:
            return False
        players = roster.players()
        return not self.table.connections.people.isdisjoint(players) if players else bool(self.table.connections)

    def _limits(self, asked: Iterable[int]) -> dict[Timed, float]:
        """The current countdowns: a pause, and the game's phase or the decisions of the people to move."""
        state = self.table.state
        if state.position is None or state.roster.status != Status.PLAYING:
            return {}
        paused = {PAUSE: MAX_PAUSE_SECONDS - state.roster.pause_spent} if state.roster.paused == Pause.YES else {}
        timer = state.game.timer(state.position)
        if timer:
            return paused | {Timed("phase", timer.number): _phase_seconds(timer, state.game.info.key)}
        seconds = state.roster.seconds
        return paused | ({self._decision(seat): float(seconds) for seat in asked} if seconds else {})

    def _decision(self, seat: int) -> Timed:
        return Timed("decision", seat, self.table.state.pending[seat].since)

    def _people_asked(self) -> dict[int, str]:
        """The people to move who are not played by bots, by seat."""
        pending, played_for = self.table.state.pending, self.idle.standing_in
        return {
            person.seat: key
            for key, person in self.table.state.roster.people.items()
            if person.seat in pending and not (person.gone or key in played_for)
        }

    def _bots_to_act(self, asked: Iterable[int]) -> dict[int, Assignment]:
        state = self.table.state
        if not self.running or self.is_voting:
            return {}
        assignments = {seat: Assignment(STAND_IN, "away") for seat in state.pending}
        for seat in asked:
            if self.is_late(seat):
                assignments[seat] = Assignment(STAND_IN, "time")
            else:
                del assignments[seat]
        for seat in state.pending.keys() & state.roster.bots.keys():
            assignments[seat] = Assignment(cast(Level, state.roster.bots[seat].level))
        return assignments

    def _clock_alarm(self) -> dict[str, Alarm]:
        ends = {name: each.deadline for name, each in self.clock.countdowns.items() if name not in self._expired}
        running = {name: end for name, end in ends.items() if end is not None}
        first = min(running, key=running.__getitem__, default=None)
        return {"clock": Alarm(running[first], partial(self._expire, first))} if first else {}

    async def _expire(self, name: str) -> None:
        self._expired |= {name}
        timed = self._timed[name]
        try:
            if timed.kind == "phase":
                await self.table.decide(EndPhase(timed.number))
            elif timed == PAUSE:
                self.table.subscribers.show_table()
        except Refused:
            self._expired -= {name}
            raise
        self.services.bot_metrics.expiries += 1

    def _absences(self, asked: Mapping[int, str]) -> dict[int, float]:
        """Until when the table waits for absent players to move, possibly for ever."""
        here, wait = self.table.connections.people, self.table.state.roster.house_rules.wait
        if wait is None:
            return {}
        return {
            seat: self.table.presence.away_since(person) + wait for seat, person in asked.items() if person not in here
        }

    def bot_in(self, person: str) -> float | None:
        """The seconds until a bot plays for an absent person."""
        roster, wait = self.table.state.roster, self.table.state.roster.house_rules.wait
        plays = roster.status == Status.PLAYING and roster.people[person].seat is not None
        if wait is None or not plays or self.stands_in_for(person) or person in self.table.connections.people:
            return None
        return max(0.0, round(self.table.presence.away_since(person) + wait - self.table.now(), 2))

    async def _take_over(self) -> None:
        """Let a bot play for an absent player."""
        people, now = self._people_asked(), self.table.now()
        self.idle.standing_in |= {people[seat] for seat, end in self._absences(people).items() if end <= now}

    @property
    def pause_over(self) -> bool:
        """Whether a paused game has used up its time for pauses."""
        return PAUSE.name in self._expired

    def pause_spent(self) -> float:
        """The seconds of all pauses of this game."""
        pause = self.clock.countdowns.get(PAUSE.name)
        return MAX_PAUSE_SECONDS - pause.left(self.table.now()) if pause else self.table.state.roster.pause_spent

    def clock_seen(self, seat: int | None) -> ClockInfo | None:
        """The clock for a viewer: a pause first, then the viewer's own decision, then those of others."""
        now, asked, timed = self.table.now(), self.table.state.pending, self.clock.countdowns
        if pause := timed.get(PAUSE.name):
            return ClockInfo("pause", round(pause.left(now), 2), MAX_PAUSE_SECONDS, pause.deadline is not None, [])
        own = timed.get(self._decision(seat).name) if timed and seat in asked else None
        countdown = own or min(timed.values(), key=lambda each: each.left(now), default=None)
        if countdown:
            kind: ClockKind = "phase" if any(timed.kind == "phase" for timed in self._timed.values()) else "decision"
            seats = sorted(asked if kind == "phase" else self._people_asked())
            return ClockInfo(kind, round(countdown.left(now), 2), countdown.of, self.running, seats)
        if not self._absences_end:
            return None
        left, wait = min(self._absences_end.values()) - now, self.table.state.roster.house_rules.wait
        return ClockInfo("grace", max(0.0, round(left, 2)), float(wait or 0), self.running, sorted(self._absences_end))

    def signature(self) -> ClockSignature:
        """What viewers see of the clock, apart from the passing of time, to detect changes."""
        timed = tuple((name, each.deadline) for name, each in self.clock.countdowns.items())
        return timed or tuple(sorted(self._absences_end.items()))


async def _reschedule_only() -> None:
    """An alarm without an action of its own: the table reschedules after every alarm."""


def _phase_seconds(timer: Timer, game: str) -> float:
    """The seconds of a phase, never zero."""
    if not (math.isfinite(timer.seconds) and timer.seconds >= 0):
        log.error("the game %s times a phase with %r seconds", game, timer.seconds)
        raise ValueError("a phase must last some time")
    return timer.seconds
