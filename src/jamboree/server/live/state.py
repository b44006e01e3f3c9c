"""The state of a table: a fold over its records. It can be dropped and rebuilt at any time."""

from collections import deque
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

import msgspec

from jamboree.core.chance import Chance, Pick, Replayed
from jamboree.core.errors import JamboreeError
from jamboree.core.fair import Fair, key_of
from jamboree.core.game import Actor, AnyGame, dump, read_action
from jamboree.core.journal import Entry, state_hash
from jamboree.core.undo import open_to_all, undoable

from ..errors import Refused
from ..protocol.terms import ChatLine, Pause, Status, UndoFailure
from ..store import Stored
from .lesson import LessonLaid, position_of
from .positions import (
    MOST_PAST,
    NextPosition,
    Packed,
    PackedPicks,
    PastAction,
    Pending,
    Turn,
    pack,
    pending_now,
    position_from,
    seats_asked,
    taken_up,
    turn_of,
    unpack,
)
from .records import PRIVATE, Acted, AnyRecord, Committed, Forked, SeedAdded, StandIn, Started, Undone
from .roster import Roster, UndoRequest
from .visibility import GameStep, RecentSteps, Seen, Unwitnessed, Witnesses, _ears, _ears_of, without_witness


class Luck(msgspec.Struct):
    commitment: str = ""
    secret: str = ""  # the server's seed: nobody is shown it before the end
    seeds: list[str] = []  # by seat; empty where none was added
    opened: int = 0  # open picks made, taken back or not: a pick is never given back
    hidden: int = 0

    def fold(self, record: AnyRecord, seats: int) -> None:
        match record:
            case Committed():
                self.commitment, self.secret, self.seeds = record.commitment, record.secret, [""] * seats
            case SeedAdded():
                self.seeds[record.seat] = record.seed
            case Started() | Acted():
                hidden = sum(pick.stream == "hidden" for pick in record.picks)
                self.hidden += hidden
                self.opened += len(record.picks) - hidden

    def chance(self) -> Chance:
        """Give the luck of what comes next; before the server is bound to it there is none."""
        return Fair(_key(self.secret, *self.seeds), self.opened, self.hidden) if self.secret else Chance()


@lru_cache(maxsize=4096)
def _key(secret: str, *seeds: str) -> bytes:
    """Mix the seeds of a game, once for all of its moves."""
    return key_of(secret, seeds)


WINDOW = 100  # lines that somebody who comes can read


class ChatLog:
    """The lines of a table by whose ears they are for: the last of each circle, and of each person's whispers."""

    __slots__ = ("_count", "_ears", "_said")

    def __init__(self) -> None:
        self._said: dict[int, tuple[str, ChatLine]] = {}  # by number; as written, and read
        self._ears: dict[str, deque[int]] = {}
        self._count = 0

    def __len__(self) -> int:
        return len(self._said)

    def add(self, written: str) -> None:
        line = msgspec.json.decode(written, type=ChatLine)
        self._count += 1
        self._said[self._count] = (written, line)
        for ear in _ears(line):
            self._ears.setdefault(ear, deque(maxlen=WINDOW)).append(self._count)

    def last(self, count: int) -> tuple[str, ...]:
        """Give the last lines as they were written."""
        written = [text for text, _ in self._said.values()]
        return tuple(written[len(written) - count :])

    def heard(self, person: str | None, roster: Roster) -> list[ChatLine]:
        """Give the last lines somebody may read."""
        numbers = {number for ear in _ears_of(person, roster) for number in self._ears.get(ear, ())}
        return [self._said[number][1] for number in sorted(numbers)[-WINDOW:]]

    def forget(self, roster: Roster) -> list[str]:
        """Let go of what nobody can read any more, and give it as it was written."""
        for person in [key for key, each in roster.people.items() if each.away_for_good]:
            self._ears.pop(person, None)
        read = {number for ear in self._ears.values() for number in ear}
        return [self._said.pop(number)[0] for number in [*self._said] if number not in read]


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
    silent: list[Unwitnessed] | None = None  # None: a snapshot of former times, which did not count them
    sealed: bool | None = None


CHANGED = "This server's rules do not lead to where this game is, so it is left alone."


class Outdated(JamboreeError):
    """What was kept does not lead to the same position any more: the rules have changed since."""


class TableState:
    __slots__ = (
        "_followed",
        "_game",
        "_packed",
        "_position",
        "_sealed",
        "_turn",
        "clock",
        "course",
        "epoch",
        "hash",
        "inherited",
        "luck",
        "outdated",
        "owned",
        "pending",
        "refused",
        "roster",
        "seq",
        "setup",
        "talk",
        "told",
        "touched",
        "witnesses",
    )

    def __init__(self, game: AnyGame | None, roster: Roster, epoch: int = 0, seq: int = 0) -> None:
        self.roster = roster
        self.epoch = epoch
        self.seq = seq
        self._game = game
        self.owned = False  # whether the epoch is ours
        self.outdated: str | None = None  # why this server leaves the table alone
        self.inherited: Forked | None = None  # a game that is taken up here, until it begins
        self.setup: PackedPicks | None = None  # what the position began with
        self._sealed: bool | None = None
        self._position: Any = None
        self._packed: Packed | None = None  # the position of a table that rests
        self.hash = ""
        self.luck = Luck()
        self.course: list[PastAction] = []  # the last actions that were not taken back
        self.told: GameStep | None = None  # the last step
        self.witnesses = Witnesses(seq)
        self.touched = 0  # when something happened last that everybody can see, in seconds of the wall clock
        self.talk = ChatLog()
        self.pending: dict[int, Pending] = {}  # what is asked now, by seat
        self.refused: dict[str, int] = {}  # the move of a person that the others do not let go, by its record
        self.clock = ""  # the time left of what ran, as it was kept
        self._turn: Turn | None = None
        self._followed = ""  # the hash of the position these are about

    @property
    def position(self) -> Any:
        """Give the position; None before the game."""
        if self._packed:
            self._position, self._packed = unpack(self._packed), None
        return self._position

    @position.setter
    def position(self, state: Any) -> None:
        self._position, self._packed = state, None

    def rest(self) -> None:
        """Take little room until somebody wants to know something."""
        if self._position is not None:
            self._position, self._packed = None, pack(self._position)
        self.witnesses.rest()

    @property
    def has_rules(self) -> bool:
        return self._game is not None

    @property
    def game(self) -> AnyGame:
        assert self._game, "a table without its rules is left alone"
        return self._game

    def check_rules(self) -> None:
        """Refuse to change a table whose rules are not here: another server goes on with it."""
        if self.outdated:
            raise Refused("outdated", self.outdated)

    def number(self, viewer: Seen, seq: int | None = None) -> int:
        """Say how many records show a viewer anything: all there are, or those up to one."""
        return self.witnesses.number(viewer, self.seq if seq is None else seq)

    def recent(self, viewer: Seen) -> RecentSteps:
        return self.witnesses.recent(viewer)

    def fold(self, record: AnyRecord, then: NextPosition | None = None, checked: bool = True) -> None:
        """Take in one more record, just decided or read again: there is no other way in.

        Where the game goes on, the position that deciding has worked out is taken over if it follows on this one;
        otherwise the rules repeat the step by the values of its picks. Whoever folds many records checks the last
        position alone.
        """
        if isinstance(record, Started | Acted | Undone):
            is_next = then is not None and (then.after, then.hash) == (self.seq, record.state)
            self._go_to(then if then and is_next else self._repeated(record, checked), record)
        elif isinstance(record, LessonLaid):
            self._lay(record)
        self.pass_over(record)
        if self.roster.learning and isinstance(record, Acted):
            self.roster.learning.note(Entry(record.actor, record.action, record.picks))

    def pass_over(self, record: AnyRecord) -> None:
        """Count one more record, and remember what it means for the lobby: that is all of what was taken back later."""
        self.seq += 1
        silent, asked = self._is_silent(record), self.roster.undo_asked
        self.roster.fold(record, self.seq)
        self.luck.fold(record, self.roster.seats)
        self._note_refusal(record, asked)
        if isinstance(record, Forked):
            self.inherited = record
        if self.position is None or self.roster.status != Status.PLAYING:
            self.pending = {}
        elif self.game.outcome(self.position) and not self.roster.learning:
            self.roster.status, self.roster.paused, self.pending = Status.FINISHED, Pause.NO, {}
            self.roster.seats_asked = {}
        elif self._followed != self.hash or isinstance(record, Undone | LessonLaid):
            self._go_on(record, silent)

    def check_position(self) -> None:
        """Find out whether the rules have led to the position that was written down."""
        if self.position is not None and state_hash(self.position) != self.hash:
            raise Outdated(CHANGED)

    def begun(self, chance: Chance, known: str = "") -> NextPosition:
        """Set the game up, or take it up where another table left it; `known` is its hash if that is checked later."""
        if self.inherited is None:
            return self._next(self._set_up(chance), [], known)
        then = self._next(taken_up(self.inherited, self.game, self.roster.seats, self.roster.options), [])
        if then.hash != self.inherited.state:
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
        """Carry an action out on a state like ours; `picks` has what chance has picked, once it is done."""
        game, seats, seq, events = self.game, self.roster.seats, self.seq + 1, list[Any]()
        game.apply(state, actor, action, chance, events.append)
        is_open, alone = open_to_all(game, seats, events), self.pending.keys() == {actor}
        unseen_by = () if is_open and events else without_witness(game, seats, actor, events)
        told = GameStep(seq, events, actor, stand_in, game.to_act(state), unseen_by, alone, is_open)
        past = PastAction(seq, actor, undoable(game, state, events, picks, is_open))
        return self._next(state, [*self.course, past][-MOST_PAST:], known, told)

    def back_at(self, earlier: "TableState") -> NextPosition:
        """Give an earlier position as the next one."""
        return self._next(earlier.position, earlier.course)._replace(pending=earlier.pending)

    def last_move(self, seat: int | None) -> list[PastAction]:
        """Give the last action of a seat and all that came after it; nothing if there is none."""
        for at, past in enumerate(reversed(self.course), 1):
            if past.actor == seat:
                return self.course[-at:]
        return []

    def own(self, epoch: int) -> None:
        """Note that the epoch is ours."""
        self.epoch, self.owned = epoch, True

    def leave_alone(self, status: Status, why: str) -> None:
        """Remember a table whose game can't be played here."""
        self.roster.status, self.outdated = status, why

    def skip_to(self, seq: int) -> None:
        """Count a record that can't be read here."""
        self.seq = seq

    def stand_where(self, stored: Stored) -> None:
        """Take over what the store has beside the records."""
        self.epoch = stored.epoch
        self.clock = stored.clock
        self.touched = stored.listing.touched
        for line in stored.talk:
            self.talk.add(line)

    def touch(self, stamp: int) -> None:
        """Note when something happened last that everybody can see."""
        self.touched = stamp

    def hear(self, lines: Sequence[str]) -> list[str]:
        """Take in what was said, and give what nobody can read any more."""
        for line in lines:
            self.talk.add(line)
        return self.talk.forget(self.roster) if lines else []

    def _next(
        self, state: Any, course: list[PastAction], known: str = "", told: GameStep | None = None
    ) -> NextPosition:
        return NextPosition(self.seq, state, known or state_hash(state), course, self.pending, told)

    def _repeated(self, record: Started | Acted | Undone, checked: bool) -> NextPosition:
        """Do a step again that was read. Nobody needs the position before, so it is done on that one."""
        if isinstance(record, Undone):
            then, fits = self.back_at(self), all(past.seq <= record.to for past in self.course[-1:])
        else:
            chance, known = Replayed(record.picks), "" if checked else record.state
            again = self.begun if isinstance(record, Started) else partial(self._acted_again, record)
            then = again(chance, known)
            fits = chance.spent
        if not fits or then.hash != record.state:
            raise Outdated(CHANGED)
        return then

    def _acted_again(self, record: Acted, chance: Chance, known: str) -> NextPosition:
        action = read_action(self.game, record.action)
        return self.after(self.position, record.actor, action, chance, record.picks, record.stand_in, known)

    def _go_to(self, then: NextPosition, record: Started | Acted | Undone) -> None:
        self.position, self.hash, self.course, self.pending = then.state, then.hash, then.course, then.pending
        if isinstance(record, Started):
            self.setup = PackedPicks.of(self.inherited.setup if self.inherited else record.picks)
            self._sealed = None if self.inherited else self._asks_several(then.state)
            self.inherited = None
        elif isinstance(record, Undone):  # those who come back are not told of what no longer holds
            self.witnesses.forget(self.seq + 1)
        else:
            assert then.told, "a step was taken"
            self.told = then.told
            self.witnesses.tell(then.told, self.roster.seats)

    def _lay(self, record: LessonLaid) -> None:
        """Lay the table for a lesson. What was there before is told to nobody any more."""
        self.position = position_of(self.game, record)
        self.course = []
        self.pending = {}
        self.hash = state_hash(self.position)
        if self.hash != record.state:
            raise Outdated(CHANGED)
        self.witnesses.forget(self.seq + 1)

    def _note_refusal(self, record: AnyRecord, asked: UndoRequest | None) -> None:
        """Remember which move the others do not let go, as long as it holds."""
        failed = self.roster.undo_failed
        if isinstance(record, Undone):
            self.refused = {person: seq for person, seq in self.refused.items() if seq <= record.to}
        elif asked and not self.roster.undo_asked and failed and failed.why == UndoFailure.REFUSED:
            for move in self.last_move(self.roster.people[asked.person].seat)[:1]:
                self.refused[asked.person] = move.seq

    def _is_silent(self, record: AnyRecord) -> bool:
        """Tell whether somebody witnesses nothing of a record, which is then not counted for them."""
        told = self.told if isinstance(record, Acted) and self.told and self.told.seq == self.seq else None
        unseen_by = told.unseen_by if told else ()
        if not unseen_by and not isinstance(record, PRIVATE):
            return False
        self.witnesses.keep_silent(Unwitnessed(self.seq, unseen_by or None))
        return True

    def _go_on(self, record: AnyRecord, silent: bool) -> None:
        """Note who is asked anew in another position, and begin a pause that waited for the next turn.

        What somebody does not see starts no clock and no pause: those would tell of it.
        """
        self._followed, back = self.hash, isinstance(record, Undone)
        actor = record.actor if isinstance(record, Acted) else None
        self.pending = pending_now(self.game, self.position, self.pending, actor, self.seq, silent)
        before, self._turn = self._turn, turn_of(self.game, self.position)
        if self.roster.paused == Pause.COMING and not silent and (back or self._turn is None or self._turn != before):
            self.roster.paused = Pause.YES

    def snapshot(self) -> str:
        """Write everything down."""
        position = msgspec.Raw(b"null" if self.position is None else dump(self.position))
        kept = StateSnapshot(
            roster=self.roster,
            inherited=self.inherited,
            setup=None if self.setup is None else self.setup.picks,
            position=position,
            hash=self.hash,
            course=self.course,
            luck=self.luck,
            pending=self.pending,
            refused=self.refused,
            silent=self.witnesses.silent,
            sealed=self._sealed,
        )
        return msgspec.json.encode(kept).decode()

    def restore(self, kept: StateSnapshot) -> None:
        """Go back to the position of a snapshot. Whether it is sound is checked later."""
        self.inherited = kept.inherited
        self.luck = kept.luck
        self._sealed = kept.sealed
        self.setup = None if kept.setup is None else PackedPicks.of(kept.setup)
        self.hash = kept.hash
        self.course = kept.course
        self.refused = kept.refused
        if kept.silent is None:
            raise Outdated(CHANGED)
        for silent in kept.silent:
            self.witnesses.keep_silent(silent)
        if kept.setup is None:
            return
        seats, options = self.roster.seats, self.roster.options
        self.position = position_from(bytes(kept.position), self.game, seats, options, self.set_up_anew)
        self.pending, self._turn, self._followed = kept.pending, turn_of(self.game, self.position), self.hash

    @property
    def begins_sealed(self) -> bool:
        """Tell whether several choose at once in the position that the game began with."""
        if self._sealed is None:
            self._sealed = self._asks_several(self.set_up_anew())
        return self._sealed

    def _asks_several(self, state: Any) -> bool:
        return len(seats_asked(self.game, state)) > 1

    def set_up_anew(self) -> Any:
        """Give the position that the game began with."""
        assert self.setup is not None, "a game has begun"
        return self._set_up(Replayed(self.setup.picks))

    def _set_up(self, chance: Chance) -> Any:
        options = msgspec.convert(self.roster.options, self.game.info.options)
        return self.game.setup(self.roster.seats, options, chance)
