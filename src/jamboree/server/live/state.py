"""The state of a table: a fold over its records. It can be dropped and rebuilt at any time."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec

from jamboree.core.chance import Chance, Pick, Replayed
from jamboree.core.errors import JamboreeError
from jamboree.core.fair import Fair, key_of
from jamboree.core.game import Actor, AnyGame, Outcome, dump, read_action
from jamboree.core.journal import Entry, state_hash
from jamboree.core.learning import LessonStage
from jamboree.core.undo import open_to_all, start_of_move, undoable

from ..errors import Refused
from ..protocol.terms import Pause, Status, UndoFailure
from ..store import Stored
from . import positions, records
from .positions import MOST_PAST, NextPosition, Packed, PackedPicks, PastAction, Pending, Turn
from .records import Acted, AnyRecord, ChatLine, Forked, LessonSetUp, StandIn, Started, Undone
from .roster import Roster, UndoRequest
from .visibility import GameStep, Unwitnessed, ViewerSeat, Witnesses, channels, readable_channels, without_witness


class Luck(msgspec.Struct):
    commitment: str = ""
    secret: str = ""  # the server's seed, secret until the end
    seeds: list[str] = []  # by seat; empty for none
    opened: int = 0  # open picks made, undone ones included
    hidden: int = 0

    def fold(self, record: AnyRecord, seats: int) -> None:
        match record:
            case records.Committed():
                self.commitment, self.secret, self.seeds = record.commitment, record.secret, [""] * seats
            case records.SeedAdded():
                self.seeds[record.seat] = record.seed
            case Started() | Acted():
                hidden = sum(pick.stream == "hidden" for pick in record.picks)
                self.hidden += hidden
                self.opened += len(record.picks) - hidden

    def chance(self) -> Chance:
        """The chance for the next step; there is none before the server has committed to its seed."""
        return Fair(_key(self.secret, *self.seeds), self.opened, self.hidden) if self.secret else Chance()


@lru_cache(maxsize=4096)
def _key(secret: str, *seeds: str) -> bytes:
    """Derive the chance of a game from its seeds, once for all moves."""
    return key_of(secret, seeds)


WINDOW = 100  # chat lines that a newcomer can read


class ChatLog:
    """The last chat lines of each circle, and of each person's whispers."""

    __slots__ = ("_by_channel", "_count", "_lines")

    def __init__(self) -> None:
        self._lines: dict[int, tuple[str, ChatLine]] = {}  # by number: encoded and decoded
        self._by_channel: dict[str, deque[int]] = {}
        self._count = 0

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, written: str) -> None:
        line = msgspec.json.decode(written, type=ChatLine)
        self._count += 1
        self._lines[self._count] = (written, line)
        for channel in channels(line):
            self._by_channel.setdefault(channel, deque(maxlen=WINDOW)).append(self._count)

    def last(self, count: int) -> tuple[str, ...]:
        """The last lines, encoded."""
        written = [text for text, _ in self._lines.values()]
        return tuple(written[len(written) - count :])

    def readable_by(self, person: str | None, roster: Roster) -> list[ChatLine]:
        """The last lines that a person may read."""
        numbers = {
            number for channel in readable_channels(person, roster) for number in self._by_channel.get(channel, ())
        }
        return [self._lines[number][1] for number in sorted(numbers)[-WINDOW:]]

    def forget(self, roster: Roster) -> list[str]:
        """Drop the lines that no viewer can read any more, and return them encoded."""
        for person in [key for key, each in roster.people.items() if each.away_for_good]:
            self._by_channel.pop(person, None)
        read = {number for channel in self._by_channel.values() for number in channel}
        return [self._lines.pop(number)[0] for number in [*self._lines] if number not in read]


class StateSnapshot(msgspec.Struct, rename={"roster": "lobby"}):
    """A snapshot of a table."""

    roster: Roster
    inherited: Forked | None
    setup: list[Pick] | None
    position: msgspec.Raw  # null before the game
    hash: str
    course: list[PastAction]
    luck: Luck
    pending: dict[int, Pending] = {}
    refused: dict[str, int] = {}
    silent: list[Unwitnessed] | None = None  # None: an old snapshot without it
    sealed: bool | None = None


# Moves that lead to these stages of a lesson stay on the table:
LASTING = (LessonStage.ASKING, LessonStage.WATCHING, LessonStage.RIGHT)
CHANGED = "This game was played by other rules than this server has, so it cannot be continued here."


class Outdated(JamboreeError):
    """The stored records lead to another position, since the rules have changed."""


@dataclass(slots=True, eq=False)
class TableState:
    """Everything that the records of a table add up to."""

    _game: AnyGame | None  # None: the rules are not installed here
    roster: Roster
    epoch: int = 0
    seq: int = 0
    owned: bool = False  # whether this server has claimed the table
    outdated: str | None = None  # why this server can't run the table
    inherited: Forked | None = None  # the forked game, until it begins
    setup: PackedPicks | None = None  # the picks of the setup
    hash: str = ""
    luck: Luck = field(default_factory=Luck)
    course: list[PastAction] = field(default_factory=list)  # the last actions that are not undone
    last_step: GameStep | None = None
    witnesses: Witnesses = field(init=False)
    touched: int = 0  # the time of the last public change, in Unix seconds
    talk: ChatLog = field(default_factory=ChatLog)
    pending: dict[int, Pending] = field(default_factory=dict)  # pending decisions, by seat
    refused: dict[str, int] = field(default_factory=dict)  # by person: the record of a move whose undo was refused
    clock: str = ""  # the saved remaining times
    _sealed: bool | None = None
    _position: Any = None
    _packed: Packed | None = None  # the compressed position of a resting table
    _turn: Turn | None = None
    _followed: str = ""  # the hash of the position of `pending`

    def __post_init__(self) -> None:
        self.witnesses = Witnesses(self.seq)

    @property
    def position(self) -> Any:
        """The position; None before the game."""
        if self._packed:
            self._position, self._packed = positions.unpack(self._packed), None
        return self._position

    @position.setter
    def position(self, state: Any) -> None:
        self._position, self._packed = state, None

    def rest(self) -> None:
        """Compress the position until it is needed."""
        if self._position is not None:
            self._position, self._packed = None, positions.pack(self._position)
        self.witnesses.rest()

    @property
    def has_rules(self) -> bool:
        return self._game is not None

    @property
    def game(self) -> AnyGame:
        assert self._game, "a table without its rules is not run"
        return self._game

    @property
    def outcome(self) -> Outcome | None:
        """The result of the game; None before its end, or without its rules."""
        return None if self._game is None or self.position is None else self._game.outcome(self.position)

    def check_rules(self) -> None:
        """Refuse changes of a table whose rules are not installed here."""
        if self.outdated:
            raise Refused("outdated", self.outdated)

    def number(self, viewer: ViewerSeat, seq: int | None = None) -> int:
        """The number of records that a viewer witnessed, in total or up to one."""
        return self.witnesses.number(viewer, self.seq if seq is None else seq)

    def fold(self, record: AnyRecord, then: NextPosition | None = None, checked: bool = True) -> None:
        """Apply the next record, decided or loaded. Nothing else changes the state.

        The position that the decision computed is used if it follows the current one; otherwise the rules replay the
        step with its recorded picks. When many records are folded unchecked, the caller checks the last position.
        """
        if isinstance(record, Started | Acted | Undone):
            is_next = then is not None and (then.after, then.hash) == (self.seq, record.state)
            self._set_position(then if then and is_next else self._replayed(record, checked), record)
        elif isinstance(record, LessonSetUp):
            self._set_up_lesson(record)
        self.fold_roster(record)
        learning = self.roster.learning
        if learning and isinstance(record, Acted) and learning.at.stage in LASTING:
            learning.moves = [*learning.moves, Entry(record.actor, record.action, record.picks)]

    def fold_roster(self, record: AnyRecord) -> None:
        """Apply a record to the roster only; undone records never reach the game state."""
        self.seq += 1
        silent, asked = self._is_silent(record), self.roster.undo_asked
        self.roster.fold(record, self.seq)
        self.luck.fold(record, self.roster.seats)
        self._note_refusal(record, asked)
        if isinstance(record, Forked):
            self.inherited = record
        if self.position is None or self.roster.status != Status.PLAYING:
            self.pending = {}
        elif self.outcome and not self.roster.learning:
            self.roster.status, self.roster.paused, self.pending = Status.FINISHED, Pause.NO, {}
            self.roster.seats_asked = {}
        elif self._followed != self.hash or isinstance(record, Undone | LessonSetUp):
            self._update_pending(record, silent)

    def check_position(self) -> None:
        """Raise Outdated if the position differs from the recorded one."""
        if self.position is not None and state_hash(self.position) != self.hash:
            raise Outdated(CHANGED)

    def begun(self, chance: Chance, known: str = "") -> NextPosition:
        """Set up the game or continue a fork; `known` is its hash if that is verified later."""
        if (copied := self.inherited) is None:
            return self._next(self._set_up(chance), [], known)
        then = self._next(positions.forked_position(copied, self.game, self.roster.seats, self.roster.options), [])
        if then.hash != copied.state:
            raise Outdated(CHANGED)
        return then

    def after(
        self,
        state: Any,
        actor: Actor,
        action: Any,
        chance: Chance,
        picks: list[Pick],
        stand_in: StandIn | None,
        known: str = "",
    ) -> NextPosition:
        """Apply an action to a copy of the position; `picks` collects the picks of chance."""
        game, seats, seq, events = self.game, self.roster.seats, self.seq + 1, list[Any]()
        continues = game.in_move(state)
        game.apply(state, actor, action, chance, events.append)
        is_open, alone = open_to_all(game, seats, events), self.pending.keys() == {actor}
        unseen_by = () if is_open and events else without_witness(game, seats, actor, events)
        step = GameStep(seq, events, actor, stand_in, game.to_act(state), unseen_by, alone, is_open)
        past = PastAction(seq, actor, undoable(game, state, events, picks, is_open), continues)
        return self._next(state, [*self.course, past][-MOST_PAST:], known, step)

    def back_at(self, earlier: "TableState") -> NextPosition:
        """The next position of an undo: an earlier one."""
        return self._next(earlier.position, earlier.course)._replace(pending=earlier.pending)

    def last_move(self, seat: int | None) -> list[PastAction]:
        """The actions of a seat's last move and all after it; empty if there are none."""
        start = None if seat is None else start_of_move(self.course, seat)
        return [] if start is None else self.course[start:]

    def apply_stored(self, stored: Stored) -> None:
        self.epoch, self.clock, self.touched = stored.epoch, stored.clock, stored.listing.touched
        for line in stored.talk:
            self.talk.add(line)

    def touch(self, stamp: int) -> None:
        """Record the time of a public change."""
        self.touched = stamp

    def own(self, epoch: int) -> None:
        """Record that this server has claimed the table."""
        self.epoch, self.owned = epoch, True

    def add_chat(self, lines: Sequence[str]) -> list[str]:
        """Add chat lines, and return those that no viewer can read any more."""
        for line in lines:
            self.talk.add(line)
        return self.talk.forget(self.roster) if lines else []

    def _next(
        self, state: Any, course: list[PastAction], unverified_hash: str = "", step: GameStep | None = None
    ) -> NextPosition:
        return NextPosition(self.seq, state, unverified_hash or state_hash(state), course, self.pending, step)

    def _replayed(self, record: Started | Acted | Undone, checked: bool) -> NextPosition:
        """Replay a loaded step in place, since the position before it is not needed."""
        if isinstance(record, Undone):
            then, fits = self.back_at(self), all(past.seq <= record.to for past in self.course[-1:])
        else:
            chance, known = Replayed(record.picks), "" if checked else record.state
            if isinstance(record, Started):
                then = self.begun(chance, known)
            else:
                action = read_action(self.game, record.action)
                then = self.after(self.position, record.actor, action, chance, record.picks, record.stand_in, known)
            fits = chance.spent
        if not fits or then.hash != record.state:
            raise Outdated(CHANGED)
        return then

    def _set_position(self, then: NextPosition, record: Started | Acted | Undone) -> None:
        self.position, self.hash, self.course, self.pending = then.state, then.hash, then.course, then.pending
        if isinstance(record, Started):
            self.setup = PackedPicks.of(self.inherited.setup if self.inherited else record.picks)
            self._sealed = None if self.inherited else len(positions.seats_asked(self.game, then.state)) > 1
            self.inherited = None
        elif isinstance(record, Undone):  # reconnecting viewers do not see undone steps
            self.witnesses.forget(self.seq + 1)
        else:
            assert then.step, "a step was taken"
            self.last_step = then.step
            self.witnesses.add_step(then.step, self.roster.seats)

    def _set_up_lesson(self, record: LessonSetUp) -> None:
        """Set up a lesson's position, dropping earlier steps."""
        self.position, self.course, self.pending = positions.lesson_position(self.game, record), [], {}
        self.hash = state_hash(self.position)
        if self.hash != record.state:
            raise Outdated(CHANGED)
        self.witnesses.forget(self.seq + 1)

    def _note_refusal(self, record: AnyRecord, asked: UndoRequest | None) -> None:
        """Record a refused undo, as long as its move is not undone."""
        failed = self.roster.undo_failed
        if isinstance(record, Undone):
            self.refused = {person: seq for person, seq in self.refused.items() if seq <= record.to}
        elif asked and not self.roster.undo_asked and failed and failed.reason == UndoFailure.REFUSED:
            for move in self.last_move(self.roster.seat_of(asked.person))[:1]:
                self.refused[asked.person] = move.seq

    def _is_silent(self, record: AnyRecord) -> bool:
        """Whether a viewer witnesses nothing of a record, which is then not counted for them."""
        step = self.last_step if isinstance(record, Acted) else None
        unseen_by = step.unseen_by if step and step.seq == self.seq else ()
        if not unseen_by and not isinstance(record, records.PRIVATE):
            return False
        self.witnesses.add_unwitnessed(Unwitnessed(self.seq, unseen_by or None))
        return True

    def _update_pending(self, record: AnyRecord, silent: bool) -> None:
        """Update the pending decisions, and begin a pause that waited for the next turn.

        A step that some viewer does not witness starts no clock and no pause, which would reveal it.
        """
        self._followed, back = self.hash, isinstance(record, Undone)
        actor = record.actor if isinstance(record, Acted) else None
        self.pending = positions.pending_now(self.game, self.position, self.pending, actor, self.seq, silent)
        before, self._turn = self._turn, positions.turn_of(self.game, self.position)
        if self.roster.paused == Pause.COMING and not silent and (back or self._turn is None or self._turn != before):
            self.roster.paused = Pause.YES

    def snapshot(self) -> str:
        snapshot = StateSnapshot(
            roster=self.roster,
            inherited=self.inherited,
            setup=None if self.setup is None else self.setup.picks,
            position=msgspec.Raw(b"null" if self.position is None else dump(self.position)),
            hash=self.hash,
            course=self.course,
            luck=self.luck,
            pending=self.pending,
            refused=self.refused,
            silent=self.witnesses.silent,
            sealed=self._sealed,
        )
        return msgspec.json.encode(snapshot).decode()

    def restore(self, snapshot: StateSnapshot) -> None:
        """Restore a snapshot, which is verified later."""
        if snapshot.silent is None:
            raise Outdated(CHANGED)
        self.inherited, self.luck, self._sealed = snapshot.inherited, snapshot.luck, snapshot.sealed
        self.hash, self.course, self.refused = snapshot.hash, snapshot.course, snapshot.refused
        self.setup = None if snapshot.setup is None else PackedPicks.of(snapshot.setup)
        for silent in snapshot.silent:
            self.witnesses.add_unwitnessed(silent)
        if snapshot.setup is None:
            return
        seats, options = self.roster.seats, self.roster.options
        self.position = positions.position_from(bytes(snapshot.position), self.game, seats, options, self.set_up_anew)
        self.pending, self._followed = snapshot.pending, self.hash
        self._turn = positions.turn_of(self.game, self.position)

    @property
    def begins_sealed(self) -> bool:
        """Whether several seats choose at once in the initial position."""
        if self._sealed is None:
            self._sealed = len(positions.seats_asked(self.game, self.set_up_anew())) > 1
        return self._sealed

    def set_up_anew(self) -> Any:
        assert self.setup is not None, "a game has begun"
        return self._set_up(Replayed(self.setup.picks))

    def _set_up(self, chance: Chance) -> Any:
        options = msgspec.convert(self.roster.options, self.game.info.options)
        return self.game.setup(self.roster.seats, options, chance)
