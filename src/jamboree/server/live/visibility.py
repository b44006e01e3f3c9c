"""Visibility and length padding: who may see what of a table, and how long a frame may be.

Every question of secrecy is answered here. Who may watch the table? Which events of a step does a seat
witness, which records count for it, which chat lines may it read? And how long must a frame be, so that its length does
not tell what was chosen where several seats choose at once?
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from jamboree.core.game import Actor, AnyGame, Eye
from jamboree.core.words import Language

from ..errors import Refused
from ..protocol.actions import action_index
from ..protocol.parts import Note, StepInfo
from ..protocol.terms import UNDER_WAY, Spectators, Status
from ..protocol.wire import encode
from .records import AnyRecord, Banned, ChatLine, Circle, Removed, SignedOut, StandIn
from .rendering import Sentences, painted

if TYPE_CHECKING:
    from .roster import Roster
    from .session import Session
    from .state import TableState

RECENT_STEPS = 128  # steps whose events are kept for reconnecting viewers
ViewerSeat = int | None  # a seat, or None for spectators


class Viewer(NamedTuple):
    """What decides how a position is shown. Viewers who agree in it are sent the same frames."""

    seat: int | None
    language: Language | None
    painted: bool = False
    whole: bool = False  # whether every update has the whole position instead of a delta
    addressed: bool = True  # as “you” at the end of the game; not on a device that several people share


class GameStep(NamedTuple):
    """The events of one step, and who witnessed them."""

    seq: int
    events: list[Any]
    actor: Actor
    stand_in: StandIn | None  # why a bot made it for the actor
    to_act: frozenset[Actor]  # afterwards
    unseen_by: tuple[ViewerSeat, ...] = ()  # viewers who witness nothing of it
    alone: bool = False  # the actor was the only one to move
    is_open: bool = False  # all viewers see everything of it


class Unwitnessed(NamedTuple):
    """A record of which some viewers witness nothing."""

    seq: int
    unseen_by: tuple[ViewerSeat, ...] | None  # None: all viewers


class RecentSteps:
    """All steps after the record `since` that one viewer has witnessed."""

    __slots__ = ("since", "steps")

    def __init__(self, since: int, steps: Iterable[GameStep] = ()) -> None:
        self.since, self.steps = since, [*steps]

    @property
    def last(self) -> int:
        """The record that last changed this viewer's view."""
        return self.steps[-1].seq if self.steps else self.since

    def add(self, step: GameStep) -> None:
        if len(self.steps) == RECENT_STEPS:
            self.since = self.steps.pop(0).seq
        self.steps.append(step)


class Witnesses:
    """The records and the recent steps of a table, as each viewer witnessed and counts them."""

    __slots__ = ("_common", "_own", "_unseen", "silent")

    def __init__(self, seq: int) -> None:
        self.silent: list[Unwitnessed] = []
        self._unseen: dict[ViewerSeat, list[int]] = {}  # by viewer: the numbers of unwitnessed records
        self.forget(seq)

    def forget(self, since: int) -> None:
        """Drop all steps up to a record."""
        self._common = RecentSteps(since)  # steps that all viewers have witnessed, up to the first that one has not
        self._own: dict[ViewerSeat, RecentSteps] = {}  # by viewer, from then on

    def rest(self) -> None:
        self._unseen.clear()

    def recent(self, viewer: ViewerSeat) -> RecentSteps:
        return self._own.get(viewer, self._common)

    def add_step(self, step: GameStep, seats: int) -> None:
        if step.unseen_by and not self._own:
            common = self._common
            self._own = {viewer: RecentSteps(common.since, common.steps) for viewer in (None, *range(seats))}
        if not self._own:
            self._common.add(step)
        for viewer, recent in self._own.items():
            if viewer not in step.unseen_by:
                recent.add(step)

    def add_unwitnessed(self, record: Unwitnessed) -> None:
        """Count a record only for the viewers who witness something of it."""
        self.silent.append(record)
        self._unseen.clear()

    def number(self, viewer: ViewerSeat, seq: int) -> int:
        """How many of the records up to one a viewer witnessed."""
        return seq - bisect_right(self._missed_by(viewer), seq)

    def count(self, viewer: ViewerSeat, records: Sequence[int]) -> int:
        """How many of the given records a viewer witnessed."""
        missed = self._missed_by(viewer)
        return sum(bisect_left(missed, seq) == bisect_right(missed, seq) for seq in records) if missed else len(records)

    def _missed_by(self, viewer: ViewerSeat) -> list[int]:
        if viewer not in self._unseen:
            missed = [each for each in self.silent if each.unseen_by is None or viewer in each.unseen_by]
            self._unseen[viewer] = [each.seq for each in missed]
        return self._unseen[viewer]


def without_witness(game: AnyGame, seats: int, actor: Actor, events: Sequence[Any]) -> tuple[ViewerSeat, ...]:
    """The viewers who witness nothing of a step; its actor always does."""
    others: list[ViewerSeat] = [viewer for viewer in (None, *range(seats)) if viewer != actor]
    return tuple(viewer for viewer in others if not any(game.witness(event, viewer) is not None for event in events))


def may_hear(line: ChatLine, person: str | None, roster: "Roster") -> bool:
    return not readable_channels(person, roster).isdisjoint(channels(line))


def channels(line: ChatLine) -> set[str]:
    """The channels of a chat line: its circle, or for a whisper the two people."""
    return {line.person, line.to or line.person} if line.circle == Circle.WHISPER else {line.circle}


def readable_channels(person: str | None, roster: "Roster") -> set[str]:
    """The channels that a person may read; people who have not joined read only public lines."""
    if person is None:
        return {Circle.ALL}
    plays = roster.status == Status.PLAYING and roster.people[person].seat is not None
    return {Circle.ALL, person} if plays else {Circle.ALL, Circle.WATCHERS, person}


NO_SPECTATORS = "The host does not allow spectators."
BANNED = "The host has banned you from this table."


def check_view(roster: "Roster", person: str | None, screen: bool = False) -> None:
    """Refuse viewers without permission. Before the game everyone with the link may watch, unless the table is locked.

    The big screen of a party is always admitted.
    """
    if screen and roster.party:
        return
    if person is None and roster.locked:
        raise Refused("locked", "The host has locked this table: only people who have joined can enter.")
    if roster.status == Status.GATHERING or person == roster.host:
        return
    if person is None and roster.spectators != Spectators.EVERYBODY:
        if roster.spectators == Spectators.JOINED:
            raise Refused("join-to-watch", "To watch this game, join it with a name.")
        raise Refused("no-spectators", NO_SPECTATORS)
    if person and roster.people[person].seat is None and roster.spectators == Spectators.NOBODY:
        raise Refused("no-spectators", NO_SPECTATORS)


def farewell(roster: "Roster", subscriber: "Session", records: Sequence[AnyRecord]) -> Refused | None:
    """The reason for disconnecting a viewer who may not stay; None if they, or others on their device, still may."""
    person = subscriber.person
    for record in records:
        match record:
            case Removed() if record.person == person and isinstance(records[0], Banned):
                return Refused("banned", BANNED)
            case Removed() if record.person == person:
                return Refused("removed", "The host has removed you from this table.")
            case SignedOut() if record.person == person and record.besides != subscriber.device:
                return Refused("signed-out", "This device was signed out on another one of yours.")
    if person and roster.people[person].away_for_good:
        return Refused("wrong-token", "This token does not belong to anyone at this table.")
    company = [key for key in subscriber.company if not roster.people[key].away_for_good]
    try:
        check_view(roster, person or min(company, default=None), subscriber.hello.screen)
    except Refused as refusal:
        return refusal
    return None


def witnessed(game: AnyGame, events: Iterable[Any], viewer: Eye | ViewerSeat) -> list[Any]:
    """The events that a viewer witnesses, redacted for them."""
    return [redacted for event in events if (redacted := game.witness(event, viewer)) is not None]


def has_private_part(view: Set[bytes]) -> bool:
    """Whether the viewer's own part of a view, by the names of its fields, has anything but who they are."""
    return not view <= {b'"viewer":'}


def is_noted(state: "TableState", step: GameStep, viewer: ViewerSeat) -> bool:
    """Whether a viewer may learn that a bot made the step: only viewers who witnessed something of it.

    For an absent player it is noted once, until another decision is pending.
    """
    if step.stand_in is None or viewer in step.unseen_by:
        return False
    return step.stand_in == "time" or _previous_stand_in(state, step, viewer) != step.stand_in


def _previous_stand_in(state: "TableState", step: GameStep, viewer: ViewerSeat) -> StandIn | None:
    """Why a bot made the actor's previous step that the viewer saw; None if the actor had no decision in between."""
    before: list[GameStep] = [each for each in state.witnesses.recent(viewer).steps if each.seq < step.seq]
    for earlier in before[::-1]:
        if step.actor not in earlier.to_act:
            return None
        if earlier.actor == step.actor:
            return earlier.stand_in
    return None


class StepForViewers:
    """What each viewer witnesses of a step, and the sentences about it in each language, each computed once."""

    def __init__(self, state: "TableState", step: GameStep) -> None:
        self.state, self.step = state, step
        self._witnessed: dict[ViewerSeat, list[Any]] = {}
        self._neutral: dict[tuple[int, Language | None], list[str]] = {}  # sentences, by the id of their event list
        self._rendered: dict[tuple[ViewerSeat, Language | None], StepInfo] = {}

    def events(self, viewer: ViewerSeat) -> list[Any]:
        """The events that a viewer witnesses: the spectators' list itself, if it is equal."""
        if self.step.is_open:
            return self.step.events
        if viewer not in self._witnessed:
            own = witnessed(self.state.game, self.step.events, viewer)
            self._witnessed[viewer] = self.events(None) if viewer is not None and own == self.events(None) else own
        return self._witnessed[viewer]

    def shows_more(self, seat: int) -> bool:
        """Whether a player may see more of the step than a spectator, by what each of them has witnessed.

        The actor always may, except in a turn in which no one else had to choose and of which everyone sees all.
        """
        own = self.events(seat)
        return own != self.events(None) or (self.step.actor == seat and not (self.step.alone and own))

    @cached_property
    def hides(self) -> bool:
        """Whether the step has something that spectators do not see."""
        return self.events(None) != self.step.events

    @cached_property
    def reveals(self) -> bool:
        """Whether the step reveals something that was hidden."""
        return any(self.state.game.reveals(self.state.position, event) for event in self.step.events)

    def rendered(self, viewer: ViewerSeat, language: Language | None) -> StepInfo:
        """The step as it is sent to a viewer."""
        if (viewer, language) not in self._rendered:
            self._rendered[viewer, language] = self._render(viewer, language)
        return self._rendered[viewer, language]

    def _render(self, viewer: ViewerSeat, language: Language | None) -> StepInfo:
        state, step, events = self.state, self.step, self.events(viewer)
        sentences, key = Sentences(state, language, viewer), (id(events), language)
        if key not in self._neutral:
            self._neutral[key] = Sentences(state, language).of_events(events)
        text = sentences.note(step) if is_noted(state, step, viewer) else ""
        note = Note(int(step.actor), text) if text else None
        return StepInfo(state.number(viewer, step.seq), events, sentences.addressed(events, self._neutral[key]), note)


BLOCK = 1024
MARGIN = 64  # bytes by which a player's delta may exceed that of spectators without private content
TURN_MARGIN = 256  # the same for a player to move, besides the legal actions
WARNING = 160  # bytes for a warning and its sentence
WARNINGS = 4  # warnings beside the legal actions
ANSWER = 5 * BLOCK  # for an answer about one choice, with long names in its sentences
LOG_STEP = 4 * BLOCK  # for the sentences and events of one choice
MENU = 16 * BLOCK  # by which a painted menu may grow during a game, when hands are full


class LengthPadding:
    """Length padding of one table's frames, so that their lengths do not tell what players choose in secret.

    It is needed in games in which several seats choose at once. A frame that shows a player more than a spectator is
    filled up with spaces, to a length that depends only on public facts and on the hand that the player was dealt.
    """

    def __init__(self, state: "TableState") -> None:
        self.state = state
        self._spectators_view = ("", 0)  # the hash of a position, and the length of a spectator's view of it

    def is_needed(self) -> bool:
        """Whether several players choose at once in this game, judged by its initial position."""
        return self.state.position is not None and self.state.begins_sealed

    def of_answer(self, frame: bytes, seat: int | None) -> bytes:
        """Pad the answer to a question about a choice."""
        return frame.ljust(ANSWER) if seat is not None and self.is_needed() else frame

    def of_position(self, viewer: Viewer, length: int, steps: Iterable[StepForViewers]) -> bytes:
        """The padding of a frame with a whole position of a length, and with steps."""
        if viewer.seat is None or not self.is_needed():
            return b""
        position = (self._position_length(viewer.seat) + self._painting_length(viewer), length)
        return _spaces([position, *self._step_lengths(viewer, steps)])

    def of_delta(self, viewer: Viewer, length: int, spectators_length: int, step: StepForViewers) -> bytes:
        """The padding of a delta, by the length of the spectators' delta and a margin for private changes."""
        if viewer.seat is None or not self.is_needed():
            return b""
        padded = spectators_length + self._delta_margin(viewer, step)
        if length > padded:
            padded = spectators_length + self._private_length(viewer.seat) + self._painting_length(viewer)
        return _spaces([(padded, length), *self._step_lengths(viewer, [step])])

    def of_log(self, seat: int | None, steps: Iterable[tuple[GameStep, object]]) -> bytes:
        """The padding of the log of a running game, by its steps and what the player is shown of each."""
        if seat is None or self.state.roster.status not in UNDER_WAY or not self.is_needed():
            return b""
        shown = [content for step, content in steps if StepForViewers(self.state, step).shows_more(seat)]
        return _spaces([(LOG_STEP, len(encode(content))) for content in shown])

    def _delta_margin(self, viewer: Viewer, step: StepForViewers) -> int:
        """By how much a player's delta may exceed that of spectators, judged by public facts.

        In a player's turn no earlier secret choice can take effect, unless it is revealed.
        """
        assert viewer.seat is not None
        pending, is_own = self.state.pending.get(viewer.seat), step.shows_more(viewer.seat)
        is_new_decision = pending is not None and pending.since == step.step.seq
        if not (is_own or is_new_decision or step.reveals):
            return MARGIN
        if is_own or step.reveals or viewer.painted or not step.step.alone:
            return self._private_length(viewer.seat) + self._painting_length(viewer)
        return TURN_MARGIN + self._action_mask

    def _step_lengths(self, viewer: Viewer, steps: Iterable[StepForViewers]) -> list[tuple[int, int]]:
        """The padded and the actual lengths of the steps that show a player more than spectators."""
        assert viewer.seat is not None
        own = [each for each in steps if each.shows_more(viewer.seat)]
        public = [len(encode(each.rendered(None, viewer.language))) for each in own]
        shown = [len(encode(each.rendered(viewer.seat, viewer.language))) for each in own]
        return [(length + self._step_length(viewer.seat), actual) for length, actual in zip(public, shown, strict=True)]

    @cached_property
    def _initial_position(self) -> Any:
        return self.state.set_up_anew()

    @cached_property
    def _dealt(self) -> list[int]:
        """How much longer each seat's view is than a spectator's; no hand is larger than the first one."""
        spectators = self._view_length(self._initial_position, None)
        seats = range(self.state.roster.seats)
        return [self._view_length(self._initial_position, seat) - spectators for seat in seats]

    def _position_length(self, seat: int) -> int:
        """The padded length of a position, for anything that a seat may see and do in it."""
        if self._spectators_view[0] != self.state.hash:
            self._spectators_view = (self.state.hash, self._view_length(self.state.position, None))
        return ((self._spectators_view[1] + self._dealt[seat] + self._legal_actions) // BLOCK + 2) * BLOCK

    def _private_length(self, seat: int) -> int:
        """The length for private changes of a seat."""
        return ((self._dealt[seat] + self._legal_actions) // BLOCK + 2) * BLOCK

    def _step_length(self, seat: int) -> int:
        """The length for private cards of a seat in a step, in events and in their sentences."""
        return min(ANSWER, ((2 * self._dealt[seat] + BLOCK // 2) // BLOCK + 1) * BLOCK)

    def _painting_length(self, viewer: Viewer) -> int:
        """The length for any painting for a player, from the dealt hand and from what spectators see."""
        if not viewer.painted or viewer.seat is None:
            return 0
        state, game, initial = self.state, self.state.game, self._initial_position
        view, offers = game.view(initial, viewer.seat), game.legal(initial, viewer.seat)
        dealt = painted(state, view, offers, viewer.language)
        public = painted(state, game.view(state.position, None), (), viewer.language)
        return ((len(encode(dealt)) + len(encode(public))) // BLOCK + 1) * BLOCK + MENU

    def _view_length(self, position: object, viewer: ViewerSeat) -> int:
        return len(encode(self.state.game.view(position, viewer)))

    @cached_property
    def _action_mask(self) -> int:
        return len(action_index(self.state.game.actions(self._initial_position)).mask_text(0))

    @cached_property
    def _legal_actions(self) -> int:
        """The length of legal actions with warnings."""
        return self._action_mask + WARNINGS * (WARNING + self._action_mask)


def _spaces(lengths: Iterable[tuple[int, int]]) -> bytes:
    """Padding for parts, each with its padded and its actual length."""
    return b" " * sum(max(0, padded - actual) for padded, actual in lengths)
