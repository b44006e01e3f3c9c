"""Builds the frames of a table for each kind of viewer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from jamboree.core.words import Language

from ...protocol.frames import NULL, Update, Welcome
from ...protocol.parts import BotInfo, LessonInfo, PersonInfo, Queued, StepInfo, TableDetails, TableInfo, UndoAsked, You
from ...protocol.terms import Audience, ChatMessage, Status, UndoFailed
from ...protocol.wire import SMALLEST, MixedFrame, PublicText, encode, mixed_frame
from ..commands.party import games_of
from ..commands.undo import undo_rule
from ..records import ChatLine, Circle
from ..roster import Roster
from ..scheduler import TableScheduler
from ..state import TableState
from ..visibility import GameStep, LengthPadding, StepForViewers, Viewer, has_private_part
from .position_cache import PositionCache

if TYPE_CHECKING:
    from .subscribers import Connections

AUDIENCES = {Circle.ALL: Audience.ALL, Circle.WATCHERS: Audience.SPECTATORS, Circle.WHISPER: Audience.WHISPER}


def chat_message(line: ChatLine) -> ChatMessage:
    return ChatMessage(line.id, line.person, line.text, AUDIENCES[line.circle], line.to, line.phrase, line.bot)


class Subscription(NamedTuple):
    """The immutable properties of a connection that decide which frames it gets: its person and the requested form."""

    person: str | None
    language: Language | None
    painted: bool = False
    whole: bool = False
    screen: bool = False
    addressed: bool = True  # as “you” at the end; see Viewer


def viewer_of(state: TableState, subscription: Subscription) -> Viewer:
    seat = state.roster.seat_of(subscription.person)
    return Viewer(seat, subscription.language, subscription.painted, subscription.whole, subscription.addressed)


# Fields of a frame that the roster has in another form; all others of the same name are copied.
COMPUTED = {"avatars", "people", "reason", "bots", "undo_asked", "undo_failed", "evening"}
COPIED = {*TableInfo.__struct_fields__} & {*Roster.__struct_fields__} - COMPUTED


class FrameBuilder:
    """The frames of one table."""

    def __init__(self, table: str, state: TableState, scheduler: TableScheduler, connections: "Connections") -> None:
        self.table, self.state, self.scheduler, self.connections = table, state, scheduler, connections
        self.padding = LengthPadding(state)
        self._positions: PositionCache | None = None  # None: nobody is connected
        self._last: StepForViewers | None = None  # the last step

    @property
    def positions(self) -> PositionCache:
        self._positions = self._positions or PositionCache(self.state)
        return self._positions

    def welcome(self, kind: Subscription, seen: int | None) -> bytes:
        """The whole position, with the steps since the last one that was seen."""
        state, person, who = self.state, kind.person, viewer_of(self.state, kind)
        shown = None if state.position is None else self.positions.of(who)
        if shown and not who.whole:
            self._hold(who)
        you, table = You(person, who.seat), self.table_info()
        steps, talk = self._missed(who, seen), [*map(chat_message, state.talk.readable_by(person, state.roster))]
        missed = None if steps is None else [self._step(step, who) for step in steps]
        number, clock, undo = state.number(who.seat), self.scheduler.clock_seen(who.seat), undo_rule(state, who.seat)
        stood_in = 0 if who.seat is None else self.scheduler.bot_scheduler.stood_in[who.seat]
        frame = mixed_frame(
            Welcome(number, you, table, NULL, NULL, missed, talk, clock, undo, stood_in),
            self._padding(who, steps or []),
            table=[PublicText(encode(table))],
            position=self.positions.pieces(who) if shown else [NULL],
            actions=[self.positions.action_index.text if shown and who.seat is not None else NULL],
        )
        is_public = self._is_public(who, steps or []) and all(message.audience == Audience.ALL for message in talk)
        return frame.all_public() if is_public else frame

    def table_info(self) -> TableInfo:
        roster, asked, failed = self.state.roster, self.state.roster.undo_asked, self.state.roster.undo_failed
        avatars = max(roster.seats, self.state.game.info.avatars if self.state.has_rules else 0)
        return TableInfo(
            **{name: getattr(roster, name) for name in COPIED},
            table=self.table,
            people=self._people(),
            reason=roster.reason or self.state.outdated or "",
            bots=[BotInfo(seat, bot.level, bot.name) for seat, bot in sorted(roster.bots.items())],
            pause_over=self.scheduler.pause_over,
            guests=self.connections.guests,
            commitment=self.state.luck.commitment,
            undo_asked=UndoAsked(asked.person, asked.agreed, asked.refused, roster.voters()) if asked else None,
            undo_failed=UndoFailed(failed.person, failed.reason, failed.refused) if failed else None,
            avatars=[roster.avatars.of(seat) for seat in range(avatars)],
            lesson=self._lesson(),
            screens=self.connections.screens,
            ended_by_bots=roster.left_to_bots if roster.status == Status.FINISHED else [],
            evening=games_of(self.state),
            queue=[Queued(seat, before) for seat, before in sorted(self.scheduler.bot_scheduler.queue.items())],
        )

    def _lesson(self) -> LessonInfo | None:
        if (learning := self.state.roster.learning) is None:
            return None
        at = learning.at
        return LessonInfo(learning.lesson, at.step, at.stage, at.say, learning.done, learning.course)

    def _people(self) -> list[PersonInfo]:
        roster, idle, here = self.state.roster, self.scheduler.idle, self.connections.people
        playing = roster.status == Status.PLAYING
        return [
            PersonInfo(
                person=key,
                name=person.name,
                seat=person.seat,
                connected=key in here,
                ready=person.ready,
                muted=person.muted,
                bot_plays=playing and person.seat is not None and self.scheduler.stands_in_for(key),
                inactive=key in idle.quiet,
                bot_in=self.scheduler.bot_in(key),
                votes=sorted(idle.votes.get(key, ())),
                left=person.gone,
                invited=person.invited,
                wants_avatar=roster.avatars.asked.get(key),
                wants_seat=roster.seats_asked.get(key),
                reclaims=person.reclaims,
            )
            for key, person in roster.people.items()
            if not person.away_for_good
        ]

    def table_details(self, person: str | None) -> TableDetails:
        state = self.state
        actors = state.game.to_act(state.position) if state.has_rules and state.position is not None else ()
        return TableDetails(
            **msgspec.structs.asdict(self.table_info()),
            you=You(person, state.roster.seat_of(person)),
            actors=sorted(actors, key=str),
            outcome=state.outcome,
            touched=state.touched,
        )

    def finished_table(self) -> TableDetails:
        """A finished table for those who may not watch it: its players, without presence or earlier games."""
        details = self.table_details(None)
        players = [replace(each, connected=False) for each in details.people if each.seat is not None]
        return replace(details, people=players, guests=0, screens=0, evening=[])

    def update(self, who: Viewer, step: GameStep, at: int | UnsetType = UNSET) -> bytes:
        """A step for a viewer, with a delta of the position or all of it."""
        shown, now = self._step(step, who), self.positions.of(who)
        delta = None if who.whole else self.positions.delta(who)
        frame = Update(
            seq=shown.seq,
            events=shown.events,
            sentences=shown.sentences,
            position=NULL,
            change=msgspec.Raw(delta) if delta else NULL,
            check=now.check,
            clock=self.scheduler.clock_seen(who.seat),
            undo=undo_rule(self.state, who.seat),
            note=shown.note,
            at=at,
        )
        if delta is None:
            written = mixed_frame(frame, self._padding(who, [step]), position=self.positions.pieces(who))
            return written.all_public() if self._is_public(who, [step]) else written
        text = encode(frame) + self._delta_padding(who, step, delta)
        return MixedFrame([PublicText(text)]) if len(text) >= SMALLEST and self._is_public(who, [step]) else text

    def _padding(self, who: Viewer, steps: Sequence[GameStep]) -> bytes:
        if who.seat is None or not self.padding.is_needed():
            return b""
        return self.padding.of_position(who, len(self.positions.of(who).text), map(self._for_viewers, steps))

    def _delta_padding(self, who: Viewer, step: GameStep, delta: bytes) -> bytes:
        if who.seat is None or not self.padding.is_needed():
            return b""
        spectator = who._replace(seat=None)
        of_spectators = self.positions.delta(spectator) or self.positions.of(spectator).text
        return self.padding.of_delta(who, len(delta), len(of_spectators), self._for_viewers(step))

    def forget(self) -> None:
        if self._positions:
            self._positions.forget()
        self._last = None

    def retain(self, connected: set[Viewer]) -> None:
        if not connected:
            self._positions = None
        elif self._positions:
            self._positions.retain(connected)

    def drop_temporary(self) -> None:
        if self._positions:
            self._positions.drop_temporary()

    def drop_caches(self) -> None:
        if self._positions:
            self._positions.drop_caches()
        self._last = None

    def _is_public(self, who: Viewer, steps: Sequence[GameStep]) -> bool:
        """Whether a position and steps show a viewer nothing that is hidden from spectators."""
        if who.seat is None or self.state.position is None:
            return True
        private = has_private_part(self.positions.of(who).view.keys())
        return not private and not any(self._for_viewers(step).hides for step in steps)

    def _hold(self, who: Viewer) -> None:
        """Record what a viewer is sent, and what a spectator would have been sent, which padding is measured by."""
        self.positions.hold(who)
        if who.seat is not None and self.padding.is_needed():
            self.positions.hold(who._replace(seat=None))

    def _missed(self, who: Viewer, seen: int | None) -> list[GameStep] | None:
        """The steps since the last one that a viewer saw; None if not all of them are available."""
        state, recent = self.state, self.state.witnesses.recent(who.seat)
        if seen is None or not state.number(who.seat, recent.since) <= seen <= state.number(who.seat):
            return None
        return [step for step in recent.steps if state.number(who.seat, step.seq) > seen]

    def _step(self, step: GameStep, who: Viewer) -> StepInfo:
        return self._for_viewers(step).rendered(who.seat, who.language)

    def _for_viewers(self, step: GameStep) -> StepForViewers:
        if self._last is None or self._last.step is not step:
            self._last = StepForViewers(self.state, step)
        return self._last
