"""Visibility and length padding: who may see what of a table, and how long a frame may be.

Every question of secrecy is answered here. Who may look at the table at all? Which events of a step does a seat
witness, which records count for it, which chat lines may it read? And how long must a frame be, so that its length does
not tell what was chosen where several seats choose at once?
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from jamboree.core.game import Actor, AnyGame, Viewer

from ..errors import Refused
from ..protocol.actions import action_index
from ..protocol.terms import ChatLine, Circle, Spectators, Status
from ..protocol.wire import encode
from .records import AnyRecord, Banned, Removed, SignedOut, StandIn

if TYPE_CHECKING:
    from .roster import Roster
    from .state import TableState

TOLD = 128  # steps whose events are kept for those who come back
Seen = int | None  # by a seat, or by those who watch


class GameStep(NamedTuple):
    """The events of one step, who stood in for the actor, and who witnesses nothing of it."""

    seq: int
    events: list[Any]
    actor: Actor
    stand_in: StandIn | None
    asked: frozenset[Actor]  # afterwards
    unseen_by: tuple[Seen, ...] = ()
    alone: bool = False  # nobody else was asked anything when they acted
    is_open: bool = False  # every viewer sees all of it


class Unwitnessed(NamedTuple):
    """A record of which some witness nothing."""

    seq: int
    unseen_by: tuple[Seen, ...] | None  # None: nobody witnesses anything


class RecentSteps:
    """The last steps that one viewer has witnessed: all of them after the record `since`."""

    __slots__ = ("since", "steps")

    def __init__(self, since: int) -> None:
        self.steps: list[GameStep] = []
        self.since = since

    @property
    def last(self) -> int:
        """Give the record that last changed what this viewer sees of the game."""
        return self.steps[-1].seq if self.steps else self.since

    def copy(self) -> "RecentSteps":
        copied = RecentSteps(self.since)
        copied.steps = self.steps[:]
        return copied

    def add(self, told: GameStep) -> None:
        if len(self.steps) == TOLD:
            self.since = self.steps.pop(0).seq
        self.steps.append(told)


class Witnesses:
    __slots__ = ("_common", "_own", "_unseen", "silent")

    def __init__(self, seq: int) -> None:
        self.silent: list[Unwitnessed] = []
        self._unseen: dict[Seen, list[int]] = {}  # the numbers of those records, by who missed them
        self.forget(seq)

    def forget(self, since: int) -> None:
        """Repeat to nobody what happened up to a record."""
        self._common = RecentSteps(since)  # what all have witnessed, until somebody does not witness a step
        self._own: dict[Seen, RecentSteps] = {}  # from then on

    def rest(self) -> None:
        """Let go of what follows from the rest."""
        self._unseen.clear()

    def recent(self, viewer: Seen) -> RecentSteps:
        return self._own.get(viewer, self._common)

    def tell(self, told: GameStep, seats: int) -> None:
        """Take in a step."""
        if told.unseen_by and not self._own:
            self._own = {viewer: self._common.copy() for viewer in (None, *range(seats))}
        if not self._own:
            self._common.add(told)
        for viewer, recent in self._own.items():
            if viewer not in told.unseen_by:
                recent.add(told)

    def keep_silent(self, silent: Unwitnessed) -> None:
        """Count a record for those only who witness something of it."""
        self.silent.append(silent)
        self._unseen.clear()

    def number(self, viewer: Seen, seq: int) -> int:
        """Say how many of the records up to one show a viewer anything."""
        return seq - bisect_right(self._missed_by(viewer), seq)

    def count(self, viewer: Seen, records: Sequence[int]) -> int:
        """Say how many of some records show a viewer anything."""
        missed = self._missed_by(viewer)
        return sum(bisect_left(missed, seq) == bisect_right(missed, seq) for seq in records) if missed else len(records)

    def _missed_by(self, viewer: Seen) -> list[int]:
        if viewer not in self._unseen:
            self._unseen[viewer] = [
                each.seq for each in self.silent if each.unseen_by is None or viewer in each.unseen_by
            ]
        return self._unseen[viewer]


def without_witness(game: AnyGame, seats: int, actor: Actor, events: Sequence[Any]) -> tuple[Seen, ...]:
    """Name the viewers who see nothing of a step; who acts always knows."""
    others: list[Seen] = [viewer for viewer in (None, *range(seats)) if viewer != actor]
    return tuple(viewer for viewer in others if not any(game.witness(event, viewer) is not None for event in events))


def may_hear(line: ChatLine, person: str | None, roster: "Roster") -> bool:
    """Tell whether somebody may read a line."""
    return not _ears_of(person, roster).isdisjoint(_ears(line))


def _ears(line: ChatLine) -> set[str]:
    return {line.person, line.to or line.person} if line.circle == Circle.WHISPER else {line.circle}


def _ears_of(person: str | None, roster: "Roster") -> set[str]:
    """Name what somebody hears; those who have not joined hear only what is said to all."""
    if person is None:
        return {Circle.ALL}
    plays = roster.status == Status.PLAYING and roster.people[person].seat is not None
    return {Circle.ALL, person} if plays else {Circle.ALL, Circle.WATCHERS, person}


NOBODY_WATCHES = "The host lets nobody watch this game."
BANNED = "The host has banned you from this table."


def check_view(roster: "Roster", person: str | None, screen: bool = False) -> None:
    """Refuse who may not look at this table. Before the game everybody with the link may, unless it is locked.

    The big screen of a party is always let in: nobody who locks the door means that the board goes dark.
    """
    if screen and roster.party:
        return
    if person is None and roster.locked:
        raise Refused("locked", "The host has locked this table: only those who were here before can come in.")
    if roster.status == Status.GATHERING or person == roster.host:
        return
    if person is None and roster.spectators != Spectators.EVERYBODY:
        if roster.spectators == Spectators.JOINED:
            raise Refused("join-to-watch", "To watch this game, join it with a name.")
        raise Refused("no-spectators", NOBODY_WATCHES)
    if person and roster.people[person].seat is None and roster.spectators == Spectators.NOBODY:
        raise Refused("no-spectators", NOBODY_WATCHES)


def farewell(
    roster: "Roster",
    person: str | None,
    device: str,
    records: Sequence[AnyRecord],
    company: Collection[str] = (),
    screen: bool = False,
) -> Refused | None:
    """Say why somebody can't stay after what has just happened; None if they can, or others on their device."""
    for record in records:
        match record:
            case Removed() if record.person == person:
                banned = isinstance(records[0], Banned)
                return Refused("banned", BANNED) if banned else Refused("removed", "The host has sent you away.")
            case SignedOut() if record.person == person and record.besides != device:
                return Refused("signed-out", "This device was signed out on another one of yours.")
    if person and roster.people[person].away_for_good:
        return Refused("wrong-token", "This token does not belong to anybody at this table.")
    company = [key for key in company if not roster.people[key].away_for_good]
    try:
        check_view(roster, person or min(company, default=None), screen)
    except Refused as refusal:
        return refusal
    return None


def witnessed(state: "TableState", events: Sequence[Any], viewer: Viewer) -> list[Any]:
    """Give what a viewer sees of events."""
    witness = state.game.witness
    return [seen for event in events if (seen := witness(event, viewer)) is not None]


def shows_more(told: GameStep, seat: int, seen: Sequence[Any], open_to_all: Sequence[Any]) -> bool:
    """Tell whether a seat may be shown more of a step than a spectator, by what each of them has witnessed.

    Its own always may, but for a turn in which nobody else had to choose and of which everybody sees all.
    """
    return seen != open_to_all or (told.actor == seat and not (told.alone and seen))


def hides(told: GameStep, open_to_all: Sequence[Any]) -> bool:
    """Tell whether a step has anything in it that a spectator is not shown."""
    return open_to_all != told.events


def is_noted(state: "TableState", told: GameStep, viewer: Seen) -> bool:
    """Tell whether a viewer is told that a bot stood in: who saw nothing of the step is told nothing of it.

    That somebody is away is said once, as long as the same is asked of them.
    """
    if told.stand_in is None or viewer in told.unseen_by:
        return False
    return told.stand_in == "time" or _last_heard(state, told, viewer) != told.stand_in


def _last_heard(state: "TableState", told: GameStep, viewer: Seen) -> StandIn | None:
    """Find who chose when the viewer last saw the same seat act, unless something else was asked since."""
    before: list[GameStep] = [each for each in state.recent(viewer).steps if each.seq < told.seq]
    for earlier in before[::-1]:
        if told.actor not in earlier.asked:
            return None
        if earlier.actor == told.actor:
            return earlier.stand_in
    return None


BLOCK = 1024
QUIET = 64  # how much longer a change may be to a player than to spectators where nothing of their own is in it
ASKED = 256  # the same where they are asked something, besides what they may do: the question, say
WARNED = 160  # for a warning and its sentence, besides the actions it is about
WARNINGS = 4  # that may stand beside what is legal
STEP_ROOM = 5 * BLOCK  # for an answer about one choice, with sentences that name two long songs, say


class LengthPadding:
    """Knows how much room to leave at one table."""

    def __init__(self, state: "TableState") -> None:
        self.state = state
        self._watched = ("", 0)  # how long the view of a spectator is, in which position

    def needed(self) -> bool:
        """Tell whether this is a game in which several choose at once: it begins so."""
        return self.state.position is not None and self.state.begins_sealed

    @cached_property
    def beginning(self) -> Any:
        """Give the first position, which only games need for which a veil is needed."""
        return self.state.set_up_anew()

    @cached_property
    def _dealt(self) -> list[int]:
        """Measure how much more each seat sees than a spectator; no hand is larger than the one first dealt."""
        seats, watched = range(self.state.roster.seats), self._length(self.beginning, None)
        return [self._length(self.beginning, seat) - watched for seat in seats]

    def room(self, seat: int) -> int:
        """Leave room for whatever a seat may see and do in a position."""
        if self._watched[0] != self.state.hash:
            self._watched = (self.state.hash, self._length(self.state.position, None))
        return ((self._watched[1] + self._dealt[seat] + self._menu) // BLOCK + 2) * BLOCK

    def own_room(self, seat: int) -> int:
        """Leave room for whatever may change for a seat and for nobody else."""
        return ((self._dealt[seat] + self._menu) // BLOCK + 2) * BLOCK

    def step_room(self, seat: int) -> int:
        """Leave room for what a step shows a seat of what it was dealt, in events and again in their sentences."""
        return min(STEP_ROOM, ((2 * self._dealt[seat] + BLOCK // 2) // BLOCK + 1) * BLOCK)

    def asked_room(self) -> int:
        """Leave room for whatever a seat may be asked and do in its turn."""
        return ASKED + self._places

    def _length(self, state: object, viewer: int | None) -> int:
        return len(encode(self.state.game.view(state, viewer)))

    @cached_property
    def _places(self) -> int:
        return len(action_index(self.state.game.actions(self.beginning)).mask_text(0))

    @cached_property
    def _menu(self) -> int:
        """Measure what is said of legal actions: which they are, and warnings about them."""
        return self._places + WARNINGS * (WARNED + self._places)


def spaces(rooms: Sequence[tuple[int, int]]) -> bytes:
    """Fill parts up: each has a room and a length."""
    return b" " * sum(max(0, room - length) for room, length in rooms)
