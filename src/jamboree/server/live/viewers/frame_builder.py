"""The frame builder: what each viewer of a table is sent."""

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from jamboree.core.words import Language

from ...protocol.frames import NULL, Update, Welcome
from ...protocol.parts import BotSeen, LessonSeen, Queued, Seated, Step, TableLooked, TableSeen, UndoAsked, You
from ...protocol.terms import Circle, Status
from ...protocol.wire import SMALLEST, Pieced, Public, encode, in_pieces
from ..commands.undo import undo_rule
from ..scheduler import Steward
from ..state import Memory
from ..visibility import QUIET, STEP_ROOM, Told, Veil, spaces
from .painting import painted_room
from .position_cache import Onlooker, Positions
from .step_for_viewers import Telling


class Watcher(Protocol):
    """One connection of somebody who looks at a table; to deliver never waits."""

    person: str | None
    device: str  # the hashed token it came with
    company: frozenset[str]  # everybody who plays on a device that is shared
    language: Language | None
    painted: bool  # whether positions are painted for it
    whole: bool  # whether it wants whole positions, not what has changed
    screen: bool  # whether it is a big one, before which people play

    @property
    def behind(self) -> bool: ...  # it will be welcomed anew, so it need not be told anything before
    def deliver(self, frame: bytes) -> None: ...
    def hang_up(self) -> None: ...  # this table has stopped; a new connection opens it again


def seat_of(memory: Memory, person: str | None) -> int | None:
    return memory.lobby.people[person].seat if person else None


class Lookers(NamedTuple):
    """How many look on who are nobody in particular."""

    guests: int
    screens: int


NO_LOOKERS = Lookers(0, 0)


class Somebody(Protocol):
    """Whoever looks at a table, in a language."""

    @property
    def person(self) -> str | None: ...
    @property
    def language(self) -> Language | None: ...
    @property
    def painted(self) -> bool: ...
    @property
    def whole(self) -> bool: ...


def onlooker(memory: Memory, somebody: Somebody) -> Onlooker:
    return Onlooker(seat_of(memory, somebody.person), somebody.language, somebody.painted, somebody.whole)


class Showing:
    """The frames of one table."""

    def __init__(self, table: str, memory: Memory, steward: Steward) -> None:
        self.table, self.memory, self.steward = table, memory, steward
        self._positions: Positions | None = None  # until somebody looks
        self._last: Telling | None = None  # the last step

    @property
    def positions(self) -> Positions:
        self._positions = self._positions or Positions(self.memory)
        return self._positions

    @cached_property
    def _veil(self) -> Veil:
        return Veil(self.memory)

    def welcome(
        self, somebody: Somebody, seen: int | None, here: Collection[str], lookers: Lookers = NO_LOOKERS
    ) -> bytes:
        memory, person, who = self.memory, somebody.person, onlooker(self.memory, somebody)
        shown = None if memory.state is None else self.positions.of(who)
        if shown and not who.whole:
            self._hold(who)
        you, table = You(person, who.seat), self.seen(here, lookers)
        repeated, heard = self._repeated(who, seen), memory.talk.heard(person, memory.lobby)
        missed = None if repeated is None else [self._step(told, who) for told in repeated]
        number, clock, undo = memory.number(who.seat), self.steward.seen(who.seat), undo_rule(memory, who.seat)
        stood_in = 0 if who.seat is None else self.steward.bot_turns.stood_in[who.seat]
        frame = in_pieces(
            Welcome(number, you, table, NULL, NULL, missed, heard, clock, undo, stood_in),
            self._filling(who, repeated or []),
            table=[Public(encode(table))],
            position=self.positions.pieces(who) if shown else [NULL],
            actions=[self.positions.repertoire.text if shown and who.seat is not None else NULL],
        )
        is_open = self._is_open(who, repeated or []) and all(line.circle == Circle.ALL for line in heard)
        return frame.opened() if is_open else frame

    def seen(self, here: Collection[str], lookers: Lookers = NO_LOOKERS) -> TableSeen:
        lobby = self.memory.lobby
        return TableSeen(
            table=self.table,
            game=lobby.game,
            rules=lobby.rules,
            status=lobby.status,
            seats=lobby.seats,
            options=lobby.options,
            listed=lobby.listed,
            people=self._people(here),
            host=lobby.host,
            reason=lobby.reason or self.memory.outdated or "",
            rematch=lobby.rematch,
            rematch_by=lobby.rematch_by,
            bots=[BotSeen(seat, bot.level, bot.name) for seat, bot in sorted(lobby.bots.items())],
            paused=lobby.paused,
            pause_over=self.steward.pause_over,
            locked=lobby.locked,
            spectators=lobby.spectators,
            latecomers=lobby.latecomers,
            guests=lookers.guests,
            pace=lobby.pace,
            practice=lobby.practice,
            seconds=lobby.seconds,
            consent=lobby.consent,
            house=lobby.house,
            commitment=self.memory.luck.commitment,
            undo_asked=self._asked(),
            undo_failed=lobby.undo_failed,
            forked_from=lobby.forked_from,
            looks=[lobby.looks.of(place) for place in range(max(lobby.seats, self._looks))],
            first=lobby.first,
            lesson=self._lesson(),
            party=lobby.party,
            screens=lookers.screens,
            queue=[Queued(seat, before) for seat, before in sorted(self.steward.bot_turns.queue.items())],
        )

    def _lesson(self) -> LessonSeen | None:
        if not (learning := self.memory.lobby.learning):
            return None
        at = learning.at
        return LessonSeen(learning.lesson, at.step, at.stage, at.say, learning.done)

    def _people(self, here: Collection[str]) -> list[Seated]:
        lobby, idle = self.memory.lobby, self.steward.idle
        return [
            Seated(
                person=key,
                name=person.name,
                seat=person.seat,
                here=key in here,
                ready=person.ready,
                muted=person.muted,
                stood_in=self._stood_in(key),
                quiet=key in idle.quiet,
                bot_in=self.steward.bot_in(key),
                votes=sorted(idle.votes.get(key, ())),
                left=person.gone,
                invited=person.invited,
                asks_for=lobby.looks.asked.get(key),
                asks_seat=lobby.seats_asked.get(key),
                asks_back=person.asks_back,
            )
            for key, person in lobby.people.items()
            if not person.away_for_good
        ]

    def looked(self, person: str | None, here: Collection[str], lookers: Lookers = NO_LOOKERS) -> TableLooked:
        memory = self.memory
        game = memory.game if memory.has_rules and memory.state is not None else None
        return TableLooked(
            **msgspec.structs.asdict(self.seen(here, lookers)),
            you=You(person, seat_of(memory, person)),
            actors=sorted(game.to_act(memory.state), key=str) if game else [],
            outcome=game.outcome(memory.state) if game else None,
        )

    def recorded(self) -> TableLooked:
        """Show a table that is over to somebody who may not look in: its players, and not who is there."""
        looked = self.looked(None, ())
        return msgspec.structs.replace(looked, people=[each for each in looked.people if each.seat is not None])

    @property
    def _looks(self) -> int:
        return self.memory.game.info.avatars if self.memory.has_rules else 0

    def _asked(self) -> UndoAsked | None:
        asked = (lobby := self.memory.lobby).undo_asked
        return UndoAsked(asked.person, asked.agreed, asked.refused, lobby.voters()) if asked else None

    def _stood_in(self, person: str) -> bool:
        playing = self.memory.lobby.status == Status.PLAYING and seat_of(self.memory, person) is not None
        return playing and self.steward.stands_in_for(person)

    def position(self, who: Onlooker) -> bytes:
        return self.positions.of(who).text

    def update(self, who: Onlooker, told: Told, at: int | UnsetType = UNSET) -> bytes:
        """Write a step for a viewer: what has changed for them since they were last told, or all there is to see."""
        step, now = self._step(told, who), self.positions.of(who)
        change = None if who.whole else self.positions.change(who)
        frame = Update(
            seq=step.seq,
            events=step.events,
            sentences=step.sentences,
            position=NULL,
            change=msgspec.Raw(change) if change else NULL,
            check=now.check,
            clock=self.steward.seen(who.seat),
            undo=undo_rule(self.memory, who.seat),
            note=step.note,
            at=at,
        )
        if change is None:
            written = in_pieces(frame, self._filling(who, [told]), position=self.positions.pieces(who))
            return written.opened() if self._is_open(who, [told]) else written
        text = encode(frame) + self._filling_of_change(who, told, change)
        return Pieced([Public(text)]) if len(text) >= SMALLEST and self._is_open(who, [told]) else text

    def forget(self) -> None:
        """Write positions anew: something has changed that sentences name."""
        if self._positions:
            self._positions.forget()
        self._last = None

    def let_go(self, looking: set[Onlooker]) -> None:
        """Keep only what somebody looks at."""
        if not looking:
            self._positions = None
        elif self._positions:
            self._positions.let_go(looking)

    def rest(self) -> None:
        """Let go of what is only needed while frames are written."""
        if self._positions:
            self._positions.rest()

    def put_down(self) -> None:
        """Let go of all that would only make the next step quicker."""
        if self._positions:
            self._positions.put_down()
        self._last = None

    def answer(self, frame: bytes, seat: int | None) -> bytes:
        """Write what somebody is answered about a choice they may make."""
        return frame.ljust(STEP_ROOM) if seat is not None and self._veil.needed() else frame

    def _filling(self, who: Onlooker, repeated: Sequence[Told]) -> bytes:
        """Fill a frame up where it shows a seat more than others: in its position, and in steps it is told of."""
        if who.seat is None or not self._veil.needed():
            return b""
        own = [told for told in repeated if self._telling(told).shows_more(who.seat)]
        position = (self._veil.room(who.seat) + self._painted_room(who), len(self.position(who)))
        return spaces([position, *(self._step_room(who, told) for told in own)])

    def _filling_of_change(self, who: Onlooker, told: Told, change: bytes) -> bytes:
        """Fill a change up to what spectators are shown, and some room for what is the seat's own."""
        if who.seat is None or not self._veil.needed():
            return b""
        spectator, is_own = who._replace(seat=None), self._telling(told).shows_more(who.seat)
        shown = len(self.positions.change(spectator) or self.position(spectator))
        room = shown + self._own_part(who, told, is_own)
        if len(change) > room:
            room = shown + self._veil.own_room(who.seat) + self._painted_room(who)
        return spaces([(room, len(change)), *([self._step_room(who, told)] if is_own else [])])

    def _own_part(self, who: Onlooker, told: Told, is_own: bool) -> int:
        """Measure how much longer a change may be to a seat than to spectators; what it goes by, all can see.

        In somebody's turn nobody has chosen anything that could come into effect now, unless it is laid open.
        """
        assert who.seat is not None
        asked = self.memory.pending.get(who.seat)
        is_asked = asked is not None and asked.since == told.seq
        revealed = self._telling(told).reveals
        if not (is_own or is_asked or revealed):
            return QUIET
        if is_own or revealed or who.painted or not told.alone:
            return self._veil.own_room(who.seat) + self._painted_room(who)
        return self._veil.asked_room()

    def _step_room(self, who: Onlooker, told: Told) -> tuple[int, int]:
        """Give the room for a step that shows a seat more than spectators, and its length."""
        assert who.seat is not None
        shown, own = self._step(told, who._replace(seat=None)), self._step(told, who)
        return (len(encode(shown)) + self._veil.step_room(who.seat), len(encode(own)))

    def _painted_room(self, who: Onlooker) -> int:
        if not who.painted or who.seat is None:
            return 0
        return painted_room(self.memory, self._veil.beginning, who.seat, who.language)

    def _is_open(self, who: Onlooker, steps: Sequence[Told]) -> bool:
        """Tell whether a position and steps show a viewer nothing that is hidden from anybody."""
        if who.seat is None or self.memory.state is None:
            return True
        return self.positions.of(who).is_open and not any(self._telling(told).hides for told in steps)

    def _hold(self, who: Onlooker) -> None:
        """Note what a viewer is sent, and what a spectator would have been: by that lengths are measured."""
        self.positions.hold(who)
        if who.seat is not None and self._veil.needed():
            self.positions.hold(who._replace(seat=None))

    def _repeated(self, who: Onlooker, seen: int | None) -> list[Told] | None:
        """Repeat what happened since, if all of it is still known."""
        memory, recent = self.memory, self.memory.recent(who.seat)
        if seen is None or not memory.number(who.seat, recent.since) <= seen <= memory.number(who.seat):
            return None
        return [told for told in recent.steps if memory.number(who.seat, told.seq) > seen]

    def _step(self, told: Told, who: Onlooker) -> Step:
        return self._telling(told).step(who.seat, who.language)

    def _telling(self, told: Told) -> Telling:
        if self._last is None or self._last.told is not told:
            self._last = Telling(self.memory, told)
        return self._last
