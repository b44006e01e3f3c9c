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
from ..protocol.terms import Spectators, Status
from ..protocol.wire import encode
from .records import AnyRecord, Banned, ChatLine, Circle, Removed, SignedOut, StandIn

if TYPE_CHECKING:
    from .roster import Roster
    from .state import TableState

TOLD = 128  # steps whose events are kept for reconnecting viewers
Seen = int | None  # a seat, or None for spectators


class GameStep(NamedTuple):
    """The events of one step, whether a bot made it for the actor, and the viewers who witness nothing of it."""

    seq: int
    events: list[Any]
    actor: Actor
    stand_in: StandIn | None
    asked: frozenset[Actor]  # the actors to move afterwards
    unseen_by: tuple[Seen, ...] = ()
    alone: bool = False  # the actor was the only one to move
    is_open: bool = False  # all viewers see everything of it


class Unwitnessed(NamedTuple):
    """A record of which some viewers witness nothing."""

    seq: int
    unseen_by: tuple[Seen, ...] | None  # None: all viewers


class RecentSteps:
    """All steps after the record `since` that one viewer has witnessed."""

    __slots__ = ("since", "steps")

    def __init__(self, since: int) -> None:
        self.steps: list[GameStep] = []
        self.since = since

    @property
    def last(self) -> int:
        """The record that last changed this viewer's view."""
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
        self._unseen: dict[Seen, list[int]] = {}  # by viewer: the numbers of unwitnessed records
        self.forget(seq)

    def forget(self, since: int) -> None:
        """Drop all steps up to a record."""
        self._common = RecentSteps(since)  # steps that all viewers have witnessed, up to the first that one has not
        self._own: dict[Seen, RecentSteps] = {}  # by viewer, from then on

    def rest(self) -> None:
        """Drop derived caches."""
        self._unseen.clear()

    def recent(self, viewer: Seen) -> RecentSteps:
        return self._own.get(viewer, self._common)

    def tell(self, told: GameStep, seats: int) -> None:
        """Add a step."""
        if told.unseen_by and not self._own:
            self._own = {viewer: self._common.copy() for viewer in (None, *range(seats))}
        if not self._own:
            self._common.add(told)
        for viewer, recent in self._own.items():
            if viewer not in told.unseen_by:
                recent.add(told)

    def keep_silent(self, silent: Unwitnessed) -> None:
        """Count a record for the viewers who witness something of it."""
        self.silent.append(silent)
        self._unseen.clear()

    def number(self, viewer: Seen, seq: int) -> int:
        """How many of the records up to one a viewer witnessed."""
        return seq - bisect_right(self._missed_by(viewer), seq)

    def count(self, viewer: Seen, records: Sequence[int]) -> int:
        """How many of the given records a viewer witnessed."""
        missed = self._missed_by(viewer)
        return sum(bisect_left(missed, seq) == bisect_right(missed, seq) for seq in records) if missed else len(records)

    def _missed_by(self, viewer: Seen) -> list[int]:
        if viewer not in self._unseen:
            self._unseen[viewer] = [
                each.seq for each in self.silent if each.unseen_by is None or viewer in each.unseen_by
            ]
        return self._unseen[viewer]


def without_witness(game: AnyGame, seats: int, actor: Actor, events: Sequence[Any]) -> tuple[Seen, ...]:
    """The viewers who witness nothing of a step; its actor always does."""
    others: list[Seen] = [viewer for viewer in (None, *range(seats)) if viewer != actor]
    return tuple(viewer for viewer in others if not any(game.witness(event, viewer) is not None for event in events))


def may_hear(line: ChatLine, person: str | None, roster: "Roster") -> bool:
    """Whether a person may read a chat line."""
    return not _ears_of(person, roster).isdisjoint(_ears(line))


def _ears(line: ChatLine) -> set[str]:
    return {line.person, line.to or line.person} if line.circle == Circle.WHISPER else {line.circle}


def _ears_of(person: str | None, roster: "Roster") -> set[str]:
    """The chat circles and whispers that a person may read; people who have not joined read only public lines."""
    if person is None:
        return {Circle.ALL}
    plays = roster.status == Status.PLAYING and roster.people[person].seat is not None
    return {Circle.ALL, person} if plays else {Circle.ALL, Circle.WATCHERS, person}


NOBODY_WATCHES = "The host lets nobody watch this game."
BANNED = "The host has banned you from this table."


def check_view(roster: "Roster", person: str | None, screen: bool = False) -> None:
    """Refuse viewers without permission. Before the game everyone with the link may look, unless it is locked.

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
    """Why a viewer lost the permission to stay; None if they, or others on their device, still have it."""
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
    """The events, redacted for a viewer."""
    witness = state.game.witness
    return [seen for event in events if (seen := witness(event, viewer)) is not None]


def shows_more(told: GameStep, seat: int, seen: Sequence[Any], open_to_all: Sequence[Any]) -> bool:
    """Whether a seat may see more of a step than a spectator, by what each of them has witnessed.

    Its own always may, but for a turn in which nobody else had to choose and of which everybody sees all.
    """
    return seen != open_to_all or (told.actor == seat and not (told.alone and seen))


def hides(told: GameStep, open_to_all: Sequence[Any]) -> bool:
    """Whether a step has something that spectators do not see."""
    return open_to_all != told.events


def is_noted(state: "TableState", told: GameStep, viewer: Seen) -> bool:
    """Whether a viewer may learn that a bot made the step: only viewers who witnessed something of it.

    That somebody is away is said once, as long as the same is asked of them.
    """
    if told.stand_in is None or viewer in told.unseen_by:
        return False
    return told.stand_in == "time" or _last_heard(state, told, viewer) != told.stand_in


def _last_heard(state: "TableState", told: GameStep, viewer: Seen) -> StandIn | None:
    """Who chose when the viewer last saw the same seat act, unless there was another decision since."""
    before: list[GameStep] = [each for each in state.recent(viewer).steps if each.seq < told.seq]
    for earlier in before[::-1]:
        if told.actor not in earlier.asked:
            return None
        if earlier.actor == told.actor:
            return earlier.stand_in
    return None


BLOCK = 1024
QUIET = 64  # bytes by which a player's delta may exceed that of spectators without private content
ASKED = 256  # the same for a player to move, besides the legal actions
WARNED = 160  # bytes for a warning and its sentence
WARNINGS = 4  # warnings beside the legal actions
STEP_ROOM = 5 * BLOCK  # for an answer about one choice, with long names in its sentences


class LengthPadding:
    """Computes the padded lengths of one table's frames."""

    def __init__(self, state: "TableState") -> None:
        self.state = state
        self._watched = ("", 0)  # the position, and the length of a spectator's view of it

    def needed(self) -> bool:
        """Whether several players choose at once in this game, judged by its initial position."""
        return self.state.position is not None and self.state.begins_sealed

    @cached_property
    def beginning(self) -> Any:
        """The initial position, only for games that need padding."""
        return self.state.set_up_anew()

    @cached_property
    def _dealt(self) -> list[int]:
        """How much longer each seat's view is than a spectator's; no hand is larger than the first one."""
        seats, watched = range(self.state.roster.seats), self._length(self.beginning, None)
        return [self._length(self.beginning, seat) - watched for seat in seats]

    def room(self, seat: int) -> int:
        """The length for anything that a seat may see and do in a position."""
        if self._watched[0] != self.state.hash:
            self._watched = (self.state.hash, self._length(self.state.position, None))
        return ((self._watched[1] + self._dealt[seat] + self._menu) // BLOCK + 2) * BLOCK

    def own_room(self, seat: int) -> int:
        """The length for private changes of a seat."""
        return ((self._dealt[seat] + self._menu) // BLOCK + 2) * BLOCK

    def step_room(self, seat: int) -> int:
        """The length for private cards of a seat in a step, in events and in their sentences."""
        return min(STEP_ROOM, ((2 * self._dealt[seat] + BLOCK // 2) // BLOCK + 1) * BLOCK)

    def asked_room(self) -> int:
        """The length for a seat's question and legal actions in its turn."""
        return ASKED + self._places

    def _length(self, state: object, viewer: int | None) -> int:
        return len(encode(self.state.game.view(state, viewer)))

    @cached_property
    def _places(self) -> int:
        return len(action_index(self.state.game.actions(self.beginning)).mask_text(0))

    @cached_property
    def _menu(self) -> int:
        """The length of legal actions with warnings."""
        return self._places + WARNINGS * (WARNED + self._places)


def spaces(rooms: Sequence[tuple[int, int]]) -> bytes:
    """Padding for parts, each with its padded and actual length."""
    return b" " * sum(max(0, room - length) for room, length in rooms)
