"""All that the server knows of a table while it is open. It follows from the records, so it can be thrown away."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple, get_type_hints

import msgspec

from jamboree.core.chance import Chance, Pick, Recorded, Replayed
from jamboree.core.errors import JamboreeError
from jamboree.core.game import Actor, AnyGame, dump
from jamboree.core.journal import FORMAT, Header, Journal, state_hash, steps
from jamboree.core.undo import Undo, undoable

from ..protocol.terms import Pause, Status
from ..secret import new_seed
from .hearing import Hearing
from .lobby import Lobby
from .luck import Luck
from .pending import Pending, Turn, pending_now, turn_of
from .records import PRIVATE, Acted, AnyRecord, Because, Forked, StandIn, Started, Undone
from .witnesses import Recent, Seen, Silent, Told, Witnesses, without_witness

CHANGED = "This server's rules do not lead to where this game is, so it is left alone."
MOST_PAST = 1024  # actions that are looked back at when somebody takes a move back


class Outdated(JamboreeError):
    """What was kept does not lead to the same position any more: the rules have changed since."""


class PastAction(NamedTuple):
    """One action that holds, and what speaks against taking it back."""

    seq: int
    actor: Actor
    undo: Undo


class Kept(msgspec.Struct):
    """A snapshot of a table."""

    lobby: Lobby
    inherited: Forked | None
    setup: list[Pick] | None
    position: msgspec.Raw  # null before the game
    hash: str
    course: list[PastAction]
    luck: Luck
    pending: dict[int, Pending] = {}
    silent: list[Silent] | None = None  # None: a snapshot of former times, which did not count them


class Memory:
    def __init__(self, game: AnyGame | None, lobby: Lobby, epoch: int = 0, seq: int = 0) -> None:
        self.lobby, self.epoch, self.seq = lobby, epoch, seq
        self._game = game
        self.owned = False  # whether the epoch is ours
        self.outdated: str | None = None  # why this server leaves the table alone
        self.inherited: Forked | None = None  # a game that is taken up here, until it begins
        self.setup: list[Pick] | None = None  # what the position began with
        self.state: Any = None
        self.hash = ""
        self.luck, self.new_seed = Luck(), new_seed
        self.course: list[PastAction] = []  # the last actions that were not taken back
        self.told: Told | None = None  # the last step
        self.witnesses = Witnesses(seq)
        self.touched = 0  # when something happened last that everybody can see, in seconds of the wall clock
        self.talk = Hearing()
        self.pending: dict[int, Pending] = {}  # what is asked now, by seat
        self.expired: set[int] = set()  # the seats whose time for a decision is over
        self.clock = ""  # the time left of what ran, as it was kept
        self._turn: Turn | None = None
        self._followed = ""  # the hash of the position these are about

    @property
    def has_rules(self) -> bool:
        return self._game is not None

    @property
    def game(self) -> AnyGame:
        assert self._game, "a table without its rules is left alone"
        return self._game

    def number(self, viewer: Seen, seq: int | None = None) -> int:
        """Say how many records show a viewer anything: all there are, or those up to one."""
        return self.witnesses.number(viewer, self.seq if seq is None else seq)

    def recent(self, viewer: Seen) -> Recent:
        return self.witnesses.recent(viewer)

    def start(self, chance: Chance) -> Started:
        """Set the game up, or take it up where another table left it."""
        recorded = Recorded(chance)
        self._begin(recorded)
        picks = recorded.handed_over()
        self.setup = self.setup or picks
        return Started(picks, self.hash)

    def act(
        self,
        actor: Actor,
        action: Any,
        chance: Chance,
        person: str | None,
        name: str | None,
        because: Because | None = None,
    ) -> Acted:
        """Carry out an action that the rules allow; a bot that stands in for somebody says why."""
        recorded = Recorded(chance)
        self._apply(actor, action, recorded, because)
        picks = recorded.handed_over()
        self._note(actor, picks)
        fields = msgspec.to_builtins(action)
        return Acted(actor, fields, picks, self.hash, person, name, because is not None, because)

    def go_back(self, earlier: "Memory") -> None:
        """Take up an earlier position; who comes back is not told of what no longer holds."""
        self._move_to(earlier.state)
        self.course, self.pending = earlier.course, earlier.pending
        self.witnesses.forget(self.seq + 1)

    def take_in(self, record: AnyRecord) -> None:
        """Count one more record, and remember what it means for the lobby."""
        self.seq += 1
        silent = self._is_silent(record)
        self.lobby.fold(record, self.seq)
        self.luck.fold(record, self.lobby.seats)
        if isinstance(record, Forked):
            self.inherited = record
        if self.state is None or self.lobby.status != Status.PLAYING:
            self.pending = {}
        elif self.game.outcome(self.state):
            self.lobby.status, self.lobby.paused, self.pending = Status.FINISHED, Pause.NO, {}
        elif self._followed != self.hash or isinstance(record, Undone):
            self._go_on(record, silent)

    def _is_silent(self, record: AnyRecord) -> bool:
        """Tell whether somebody witnesses nothing of a record, which is then not counted for them."""
        told = self.told if isinstance(record, Acted) and self.told and self.told.seq == self.seq else None
        unseen_by = told.unseen_by if told else ()
        if not unseen_by and not isinstance(record, PRIVATE):
            return False
        self.witnesses.keep_silent(Silent(self.seq, unseen_by or None))
        return True

    def _go_on(self, record: AnyRecord, silent: bool) -> None:
        """Note who is asked anew in another position, and begin a pause that waited for the next turn.

        What somebody does not see starts no clock and no pause: those would tell of it.
        """
        self._followed, back = self.hash, isinstance(record, Undone)
        actor = record.actor if isinstance(record, Acted) else None
        self.pending = pending_now(self.game, self.state, self.pending, actor, self.seq, silent)
        before, self._turn = self._turn, turn_of(self.game, self.state)
        if self.lobby.paused == Pause.COMING and not silent and (back or self._turn is None or self._turn != before):
            self.lobby.paused = Pause.YES

    def replay(self, record: AnyRecord) -> None:
        """Take in a record that was read, by the values of its picks."""
        if isinstance(record, Started | Acted):
            chance = Replayed(record.picks)
            self._repeat(record, chance)
            if not chance.spent or self.hash != record.state:
                raise Outdated(CHANGED)
        elif isinstance(record, Undone):
            self.go_back(self)  # what was taken back has not been repeated at all
            if self.hash != record.state or any(past.seq > record.to for past in self.course[-1:]):
                raise Outdated(CHANGED)
        self.take_in(record)

    def snapshot(self) -> str:
        """Write everything down."""
        position = msgspec.Raw(b"null" if self.state is None else dump(self.state))
        kept = Kept(
            lobby=self.lobby,
            inherited=self.inherited,
            setup=self.setup,
            position=position,
            hash=self.hash,
            course=self.course,
            luck=self.luck,
            pending=self.pending,
            silent=self.witnesses.silent,
        )
        return msgspec.json.encode(kept).decode()

    def restore(self, kept: Kept) -> None:
        """Go back to the position of a snapshot. What a position shares with its set-up is taken from a fresh one."""
        self.inherited, self.setup, self.luck = kept.inherited, kept.setup, kept.luck
        self.hash, self.course = kept.hash, kept.course
        if kept.silent is None:
            raise Outdated(CHANGED)
        for silent in kept.silent:
            self.witnesses.keep_silent(silent)
        if kept.setup is None:
            return
        self.state = recalled(bytes(kept.position), self.set_up_anew())
        if state_hash(self.state) != kept.hash:
            raise Outdated(CHANGED)
        self.pending, self._turn, self._followed = kept.pending, turn_of(self.game, self.state), self.hash

    def set_up_anew(self) -> Any:
        """Give the position that the game began with."""
        assert self.setup is not None, "a game has begun"
        return self._set_up(Replayed(self.setup))

    def _begin(self, chance: Chance) -> None:
        if self.inherited is None:
            self._move_to(self._set_up(chance))
            return
        self.setup = self.inherited.setup
        self._move_to(taken_up(self.inherited, self.game, self.lobby.seats, self.lobby.options))
        if self.hash != self.inherited.state:
            raise Outdated(CHANGED)
        self.inherited = None

    def _set_up(self, chance: Chance) -> Any:
        options = msgspec.convert(self.lobby.options, self.game.info.options)
        return self.game.setup(self.lobby.seats, options, chance)

    def _repeat(self, record: Started | Acted, chance: Chance) -> None:
        if isinstance(record, Started):
            self._begin(chance)
            self.setup = self.setup or record.picks
        else:
            action = msgspec.convert(record.action, self.game.info.action)
            self._apply(record.actor, action, chance, record.stand_in)
            self._note(record.actor, record.picks)

    def _apply(self, actor: Actor, action: Any, chance: Chance, stand_in: StandIn | None) -> None:
        events: list[Any] = []
        self.game.apply(self.state, actor, action, chance, events.append)
        self._move_to(self.state)
        seats, asked = self.lobby.seats, self.game.to_act(self.state)
        unseen_by = without_witness(self.game, seats, actor, events)
        self.told = Told(self.seq + 1, events, actor, stand_in, asked, unseen_by)
        self.witnesses.tell(self.told, seats)

    def _note(self, actor: Actor, picks: Sequence[Pick]) -> None:
        told, seats = self.told, self.lobby.seats
        assert told, "a step was taken"
        self.course.append(PastAction(told.seq, actor, undoable(self.game, self.state, seats, told.events, picks)))
        del self.course[:-MOST_PAST]

    def _move_to(self, state: Any) -> None:
        self.state, self.hash = state, state_hash(state)


def taken_up(forked: Forked, game: AnyGame, seats: int, options: dict[str, Any]) -> Any:
    """Replay what was played at the other table."""
    header = Header(FORMAT, 1, game.info.key, game.info.rules_version, seats, [""] * seats, options)
    *_, last = steps(Journal(header, forked.setup, forked.entries), game)
    return last.state


def recalled(position: bytes, fresh: Any) -> Any:
    """Read a state that was dumped; the components it shares are taken from another state of the same table."""
    fields, parts = json.loads(position), dict[str, Any]()
    for name, kind in get_type_hints(type(fresh)).items():
        part = getattr(fresh, name)
        parts[name] = part if hasattr(part, "source") else msgspec.convert(fields[name], kind)
    return type(fresh)(**parts)
