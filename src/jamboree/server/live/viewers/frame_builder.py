"""The frame builder: what each viewer of a table is sent."""

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from jamboree.core.words import Language

from ...protocol.frames import NULL, Update, Welcome
from ...protocol.parts import BotSeen, LessonSeen, Queued, Seated, Step, TableDetails, TableSeen, UndoAsked, You
from ...protocol.terms import Audience, ChatMessage, Status
from ...protocol.wire import SMALLEST, MixedFrame, PublicText, encode, mixed_frame
from ..commands.undo import undo_rule
from ..records import ChatLine, Circle
from ..scheduler import TableScheduler
from ..state import TableState
from ..visibility import QUIET, STEP_ROOM, GameStep, LengthPadding, spaces
from .painting import painted_room
from .position_cache import PositionCache, Viewer
from .step_for_viewers import StepForViewers


class Subscriber(Protocol):
    """One connection to a table; delivering a frame never waits."""

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


def seat_of(state: TableState, person: str | None) -> int | None:
    return state.roster.people[person].seat if person else None


AUDIENCES = {Circle.ALL: Audience.ALL, Circle.WATCHERS: Audience.SPECTATORS, Circle.WHISPER: Audience.WHISPER}


def chat_message(line: ChatLine) -> ChatMessage:
    """A stored chat line as clients see it."""
    return ChatMessage(line.id, line.person, line.text, AUDIENCES[line.circle], line.to, line.phrase, line.bot)


class ViewerCounts(NamedTuple):
    """How many spectators there are without a name, and how many big screens."""

    guests: int
    screens: int


NO_VIEWERS = ViewerCounts(0, 0)


class Subscription(NamedTuple):
    """What decides which frames a connection gets: whose it is, and what it asked for. It never changes."""

    person: str | None
    language: Language | None
    painted: bool = False
    whole: bool = False
    screen: bool = False
    addressed: bool = True  # as “you” at the end; see Viewer


def viewer_of(state: TableState, subscription: Subscription) -> Viewer:
    seat = seat_of(state, subscription.person)
    return Viewer(seat, subscription.language, subscription.painted, subscription.whole, subscription.addressed)


class FrameBuilder:
    """The frames of one table."""

    def __init__(self, table: str, state: TableState, scheduler: TableScheduler) -> None:
        self.table, self.state, self.scheduler = table, state, scheduler
        self._positions: PositionCache | None = None  # until somebody looks
        self._last: StepForViewers | None = None  # the last step

    @property
    def positions(self) -> PositionCache:
        self._positions = self._positions or PositionCache(self.state)
        return self._positions

    @cached_property
    def _veil(self) -> LengthPadding:
        return LengthPadding(self.state)

    def welcome(
        self,
        kind: Subscription,
        seen: int | None,
        here: Collection[str],
        viewer_counts: ViewerCounts = NO_VIEWERS,
    ) -> bytes:
        state, person, who = self.state, kind.person, viewer_of(self.state, kind)
        shown = None if state.position is None else self.positions.of(who)
        if shown and not who.whole:
            self._hold(who)
        you, table = You(person, who.seat), self.seen(here, viewer_counts)
        repeated, heard = self._repeated(who, seen), [*map(chat_message, state.talk.heard(person, state.roster))]
        missed = None if repeated is None else [self._step(told, who) for told in repeated]
        number, clock, undo = state.number(who.seat), self.scheduler.seen(who.seat), undo_rule(state, who.seat)
        stood_in = 0 if who.seat is None else self.scheduler.bot_scheduler.stood_in[who.seat]
        frame = mixed_frame(
            Welcome(number, you, table, NULL, NULL, missed, heard, clock, undo, stood_in),
            self._filling(who, repeated or []),
            table=[PublicText(encode(table))],
            position=self.positions.pieces(who) if shown else [NULL],
            actions=[self.positions.action_index.text if shown and who.seat is not None else NULL],
        )
        is_open = self._is_open(who, repeated or []) and all(message.audience == Audience.ALL for message in heard)
        return frame.all_public() if is_open else frame

    def seen(self, here: Collection[str], viewer_counts: ViewerCounts = NO_VIEWERS) -> TableSeen:
        roster = self.state.roster
        return TableSeen(
            table=self.table,
            game=roster.game,
            rules=roster.rules,
            status=roster.status,
            seats=roster.seats,
            options=roster.options,
            listed=roster.listed,
            people=self._people(here),
            host=roster.host,
            reason=roster.reason or self.state.outdated or "",
            rematch=roster.rematch,
            rematch_by=roster.rematch_by,
            bots=[BotSeen(seat, bot.level, bot.name) for seat, bot in sorted(roster.bots.items())],
            paused=roster.paused,
            pause_over=self.scheduler.pause_over,
            locked=roster.locked,
            spectators=roster.spectators,
            latecomers=roster.latecomers,
            guests=viewer_counts.guests,
            pace=roster.pace,
            practice=roster.practice,
            seconds=roster.seconds,
            consent=roster.consent,
            house_rules=roster.house_rules,
            commitment=self.state.luck.commitment,
            undo_asked=self._asked(),
            undo_failed=roster.undo_failed,
            forked_from=roster.forked_from,
            avatars=[roster.looks.of(place) for place in range(max(roster.seats, self._looks))],
            first=roster.first,
            lesson=self._lesson(),
            party=roster.party,
            screens=viewer_counts.screens,
            queue=[Queued(seat, before) for seat, before in sorted(self.scheduler.bot_scheduler.queue.items())],
        )

    def _lesson(self) -> LessonSeen | None:
        if not (learning := self.state.roster.learning):
            return None
        at = learning.at
        return LessonSeen(learning.lesson, at.step, at.stage, at.say, learning.done)

    def _people(self, here: Collection[str]) -> list[Seated]:
        roster, idle = self.state.roster, self.scheduler.idle
        return [
            Seated(
                person=key,
                name=person.name,
                seat=person.seat,
                connected=key in here,
                ready=person.ready,
                muted=person.muted,
                bot_plays=self._stood_in(key),
                inactive=key in idle.quiet,
                bot_in=self.scheduler.bot_in(key),
                votes=sorted(idle.votes.get(key, ())),
                left=person.gone,
                invited=person.invited,
                wants_avatar=roster.looks.asked.get(key),
                wants_seat=roster.seats_asked.get(key),
                reclaims=person.reclaims,
            )
            for key, person in roster.people.items()
            if not person.away_for_good
        ]

    def looked(
        self, person: str | None, here: Collection[str], viewer_counts: ViewerCounts = NO_VIEWERS
    ) -> TableDetails:
        state = self.state
        game = state.game if state.has_rules and state.position is not None else None
        return TableDetails(
            **msgspec.structs.asdict(self.seen(here, viewer_counts)),
            you=You(person, seat_of(state, person)),
            actors=sorted(game.to_act(state.position), key=str) if game else [],
            outcome=game.outcome(state.position) if game else None,
        )

    def recorded(self) -> TableDetails:
        """Show a table that is over to somebody who may not look in: its players, and not who is there."""
        looked = self.looked(None, ())
        return msgspec.structs.replace(looked, people=[each for each in looked.people if each.seat is not None])

    @property
    def _looks(self) -> int:
        return self.state.game.info.avatars if self.state.has_rules else 0

    def _asked(self) -> UndoAsked | None:
        asked = (roster := self.state.roster).undo_asked
        return UndoAsked(asked.person, asked.agreed, asked.refused, roster.voters()) if asked else None

    def _stood_in(self, person: str) -> bool:
        playing = self.state.roster.status == Status.PLAYING and seat_of(self.state, person) is not None
        return playing and self.scheduler.stands_in_for(person)

    def position(self, who: Viewer) -> bytes:
        return self.positions.of(who).text

    def update(self, who: Viewer, told: GameStep, at: int | UnsetType = UNSET) -> bytes:
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
            clock=self.scheduler.seen(who.seat),
            undo=undo_rule(self.state, who.seat),
            note=step.note,
            at=at,
        )
        if change is None:
            written = mixed_frame(frame, self._filling(who, [told]), position=self.positions.pieces(who))
            return written.all_public() if self._is_open(who, [told]) else written
        text = encode(frame) + self._filling_of_change(who, told, change)
        return MixedFrame([PublicText(text)]) if len(text) >= SMALLEST and self._is_open(who, [told]) else text

    def forget(self) -> None:
        """Write positions anew: something has changed that sentences name."""
        if self._positions:
            self._positions.forget()
        self._last = None

    def let_go(self, looking: set[Viewer]) -> None:
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

    def _filling(self, who: Viewer, repeated: Sequence[GameStep]) -> bytes:
        """Fill a frame up where it shows a seat more than others: in its position, and in steps it is told of."""
        if who.seat is None or not self._veil.needed():
            return b""
        own = [told for told in repeated if self._telling(told).shows_more(who.seat)]
        position = (self._veil.room(who.seat) + self._painted_room(who), len(self.position(who)))
        return spaces([position, *(self._step_room(who, told) for told in own)])

    def _filling_of_change(self, who: Viewer, told: GameStep, change: bytes) -> bytes:
        """Fill a change up to what spectators are shown, and some room for what is the seat's own."""
        if who.seat is None or not self._veil.needed():
            return b""
        spectator, is_own = who._replace(seat=None), self._telling(told).shows_more(who.seat)
        shown = len(self.positions.change(spectator) or self.position(spectator))
        room = shown + self._own_part(who, told, is_own)
        if len(change) > room:
            room = shown + self._veil.own_room(who.seat) + self._painted_room(who)
        return spaces([(room, len(change)), *([self._step_room(who, told)] if is_own else [])])

    def _own_part(self, who: Viewer, told: GameStep, is_own: bool) -> int:
        """Measure how much longer a change may be to a seat than to spectators; what it goes by, all can see.

        In somebody's turn nobody has chosen anything that could come into effect now, unless it is laid open.
        """
        assert who.seat is not None
        asked = self.state.pending.get(who.seat)
        is_asked = asked is not None and asked.since == told.seq
        revealed = self._telling(told).reveals
        if not (is_own or is_asked or revealed):
            return QUIET
        if is_own or revealed or who.painted or not told.alone:
            return self._veil.own_room(who.seat) + self._painted_room(who)
        return self._veil.asked_room()

    def _step_room(self, who: Viewer, told: GameStep) -> tuple[int, int]:
        """Give the room for a step that shows a seat more than spectators, and its length."""
        assert who.seat is not None
        shown, own = self._step(told, who._replace(seat=None)), self._step(told, who)
        return (len(encode(shown)) + self._veil.step_room(who.seat), len(encode(own)))

    def _painted_room(self, who: Viewer) -> int:
        if not who.painted or who.seat is None:
            return 0
        return painted_room(self.state, self._veil.beginning, who.seat, who.language)

    def _is_open(self, who: Viewer, steps: Sequence[GameStep]) -> bool:
        """Tell whether a position and steps show a viewer nothing that is hidden from anybody."""
        if who.seat is None or self.state.position is None:
            return True
        return self.positions.of(who).is_open and not any(self._telling(told).hides for told in steps)

    def _hold(self, who: Viewer) -> None:
        """Note what a viewer is sent, and what a spectator would have been: by that lengths are measured."""
        self.positions.hold(who)
        if who.seat is not None and self._veil.needed():
            self.positions.hold(who._replace(seat=None))

    def _repeated(self, who: Viewer, seen: int | None) -> list[GameStep] | None:
        """Repeat what happened since, if all of it is still known."""
        state, recent = self.state, self.state.recent(who.seat)
        if seen is None or not state.number(who.seat, recent.since) <= seen <= state.number(who.seat):
            return None
        return [told for told in recent.steps if state.number(who.seat, told.seq) > seen]

    def _step(self, told: GameStep, who: Viewer) -> Step:
        return self._telling(told).step(who.seat, who.language)

    def _telling(self, told: GameStep) -> StepForViewers:
        if self._last is None or self._last.told is not told:
            self._last = StepForViewers(self.state, told)
        return self._last
