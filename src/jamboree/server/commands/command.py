"""What can be asked of a table, and what comes of it: records to keep, or a refusal that changes nothing."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

import msgspec

from jamboree.core.chance import Chance, Recorded
from jamboree.core.fair import commitment
from jamboree.core.game import Actor, Preview, read_action
from jamboree.core.learning import Stage
from jamboree.core.undo import Undo

from ..errors import AgainstTheRules, Refused
from ..memory.lesson import LessonTurned, practised
from ..memory.lobby import Lobby
from ..memory.memory import Memory
from ..memory.names import alike, own_name
from ..memory.positions import NextPosition
from ..memory.records import Acted, AnyRecord, Because, BotSent, Closed, Committed, HostPassed, Joined, Left, Moved
from ..memory.undoable import foreseen
from ..protocol.terms import UNDER_WAY, ChatLine, Pause, Spectators, Status
from ..secret import hashed, new_seed, new_token

MOST_PEOPLE = 64
MOST_EVER = 1000  # people who have joined, and perhaps left again, before nobody more can watch
MOST_EVER_SEATED = 5000  # before nobody more can take a seat: those who come and go don't shut a table for players
_ACTION = attrgetter("action")
LONG_GONE = 60.0  # seconds after which a spectator without a connection makes room for others


class Decision(NamedTuple):
    """What comes of a command. Nothing has changed yet: that is for folding the records."""

    records: list[AnyRecord]
    answer: Any = None
    talk: Sequence[ChatLine] = ()  # what was said
    then: NextPosition | None = None  # where the game goes by these records
    looks_back: int | None = None  # it can't be decided without the table as it was after this record

    def fold_into(self, memory: Memory) -> None:
        for record in self.records:
            memory.fold(record, self.then)


class Command(Protocol):
    """Decides by what is remembered, and changes none of it."""

    def decide(self, memory: Memory, chance: Chance) -> Decision: ...


class Ticket(msgspec.Struct, frozen=True):
    """What somebody who joined gets: who they are, and the secret that proves it."""

    person: str
    seat: int | None
    token: str


def check_name(lobby: Lobby, name: str) -> None:
    """Refuse the name of somebody who was banned."""
    if any(alike(name, ban.name) for ban in lobby.bans.values()):
        raise Refused("banned", "Somebody with this name was banned from this table.")


class Join(msgspec.Struct, frozen=True):
    name: str
    seat: int | None = None  # None: any that is free
    watch: bool = False
    tokens: tuple[str, ...] = ()  # hashed: what else the device has
    away: Mapping[str, float] = {}  # for how many seconds people have had no connection

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        self._check_access(lobby)
        if len(lobby.people) >= (MOST_EVER if self.watch else MOST_EVER_SEATED):
            raise Refused("full", "This table has had all the people it can take.")
        seat = None if self.watch else self._seat(memory)
        leaving: list[AnyRecord] = [*self._make_room(lobby)]
        if seat is not None and seat in lobby.bots:
            leaving.append(BotSent(seat))
        name = own_name(self.name, lobby.taken_names())
        ticket = Ticket(lobby.new_person(), seat, new_token())
        return Decision([*leaving, Joined(ticket.person, seat, [hashed(ticket.token)], name)], ticket)

    def _check_access(self, lobby: Lobby) -> None:
        if any(lobby.banned(token) for token in self.tokens):
            raise Refused("banned", "The host has banned you from this table.")
        check_name(lobby, self.name)
        if lobby.party and any(lobby.who(token) for token in self.tokens):
            raise Refused("joined", "This phone has already joined the party.")
        if lobby.locked:
            raise Refused("locked", "The host has locked this table: nobody new can come in.")
        if self.watch and lobby.spectators == Spectators.NOBODY:
            raise Refused("no-spectators", "The host lets nobody watch this game.")

    def _make_room(self, lobby: Lobby) -> list[Left]:
        """At a full table, send a spectator away who is not there; for a player also one who is, whoever came last."""
        people = {key: person for key, person in lobby.people.items() if not person.away_for_good}
        if len(people) < MOST_PEOPLE:
            return []
        watching = [key for key, person in people.items() if person.seat is None and key != lobby.host]
        longest = max(reversed(watching), key=lambda key: self.away.get(key, 0.0), default="")
        if not longest or (self.watch and self.away.get(longest, 0.0) <= LONG_GONE):
            raise Refused("full", "This table has all the people it can take.")
        return [Left(longest)]

    def _seat(self, memory: Memory) -> int:
        free, playing = memory.lobby.seats_to_take(), memory.lobby.status == Status.PLAYING
        if memory.lobby.status != Status.GATHERING and not (playing and memory.lobby.latecomers):
            raise Refused("started", "This game has already begun.")
        if not free:
            raise Refused("full", "Every seat is taken.")
        if self.seat is not None and self.seat not in free:
            raise Refused("taken", "This seat is taken, or there is no such seat.")
        return free[0] if self.seat is None else self.seat


class Move(msgspec.Struct, frozen=True):
    """Change to a free seat; the host may also send others, and swap two who sit."""

    person: str
    who: str
    seat: int | None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        present(memory, self.who)
        if self._comes_late(lobby):
            return Decision([Moved(self.who, self.seat)])
        if lobby.status != Status.GATHERING:
            raise Refused("started", "Seats can only be changed before the game.")
        if self.seat is not None and not 0 <= self.seat < lobby.seats:
            raise Refused("taken", "There is no such seat.")
        if self.person != self.who or self.seat in lobby.bots or self._others_seat(lobby):
            host_only(memory, self.person)
        return Decision([Moved(self.who, self.seat)])

    def _comes_late(self, lobby: Lobby) -> bool:
        """Tell whether a spectator sits down for a bot in a game that runs."""
        watches = self.person == self.who and lobby.people[self.who].seat is None
        return watches and lobby.status == Status.PLAYING and self.seat in lobby.seats_to_take()

    def _others_seat(self, lobby: Lobby) -> bool:
        return self.seat is not None and lobby.at(self.seat) not in (None, self.who)


class Leave(msgspec.Struct, frozen=True):
    person: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        present(memory, self.person)
        records: list[AnyRecord] = [Left(self.person)]
        heir = lobby.heir()
        if self.person == lobby.host and heir:
            records.append(HostPassed(heir))
        others = [other for key, other in lobby.people.items() if key != self.person and not other.gone]
        if not others and lobby.status in UNDER_WAY:
            records.append(Closed("Everybody left."))
        return Decision(records)


class Start(msgspec.Struct, frozen=True):
    person: str
    secret: str | None = None  # what the server binds itself to; None: something new

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        if memory.lobby.status != Status.GATHERING:
            raise Refused("started", "This game has already begun.")
        if any(person.invited and person.seat is not None for person in memory.lobby.people.values()):
            raise Refused("not-come", "Somebody who was asked for a rematch has not come yet.")
        if memory.lobby.free_seats():
            raise Refused("not-full", "The game starts when every seat is taken.")
        secret = self.secret or new_seed()
        return Decision([Committed(commitment(secret), secret)])


class Act(msgspec.Struct, frozen=True):
    person: str | None
    id: str
    action: dict[str, Any]
    late: bool = False  # the time for the decision is over

    def is_known(self, memory: Memory) -> bool:
        """Tell whether it was done already, and is only sent again."""
        person = memory.lobby.people.get(self.person or "")
        return person is not None and self.id in person.done

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        key, seat = player(memory, self.person)
        done = memory.lobby.people[key].done.get(self.id)
        if done is not None:
            return Decision([], done)
        if memory.lobby.status != Status.PLAYING:
            raise Refused("not-playing", "No game is being played here now.")
        if memory.lobby.paused == Pause.YES:
            raise Refused("paused", "The game is paused.")
        if memory.lobby.learning and memory.lobby.learning.at.stage != Stage.ASKING:
            raise Refused("lesson", "The coach has something to say first: take it back, or go on.")
        if self.late:
            raise Refused("too-late", "The time for this decision is over.")
        action = _typed(memory, self.action)
        if action not in map(_ACTION, memory.game.legal(memory.state, seat)):
            raise _forbidden(memory, seat, action)
        return acted(memory, seat, action, chance, key, self.id)


def acted(
    memory: Memory,
    actor: Actor,
    action: Any,
    chance: Chance,
    person: str | None = None,
    name: str | None = None,
    because: Because | None = None,
) -> Decision:
    """Carry out an action that the rules allow, on a copy; a bot that stands in for somebody says why."""
    learning, turned = memory.lobby.learning, list[AnyRecord]()
    if learning:
        at, chance = practised(memory.game, learning, actor, action)
        turned.append(LessonTurned(at))
    recorded = chance if isinstance(chance, Recorded) else Recorded(chance)
    then = memory.after(memory.state.clone(), actor, action, recorded, recorded.picks, because)
    fields, picks = msgspec.to_builtins(action), recorded.handed_over()
    record = Acted(actor, fields, picks, then.hash, person, name, because is not None, because)
    return Decision([*turned, record], memory.seq + len(turned) + 1, then=then)


class Foreseen(NamedTuple):
    preview: Preview
    undo: Undo  # what could be done about it afterwards


class Foresee(msgspec.Struct, frozen=True):
    person: str | None
    action: dict[str, Any]

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        _, seat = player(memory, self.person)
        view, action = _look(memory, seat), _typed(memory, self.action)
        refusal = _why_not(memory, view, action)
        if refusal:
            raise refusal
        try:
            preview = Foreseen(memory.game.preview(view, action), foreseen(memory, seat, view, action))
        except Exception:
            raise Refused("malformed", "This action has no preview.") from None
        return Decision([], preview)


class Explain(msgspec.Struct, frozen=True):
    """Say which rule forbids an action, from what this person sees; None if none does."""

    person: str | None
    action: dict[str, Any]

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        _, seat = player(memory, self.person)
        return Decision([], _why_not(memory, _look(memory, seat), _typed(memory, self.action)))


def present(memory: Memory, key: str) -> None:
    person = memory.lobby.people.get(key)
    if person is None or person.gone:
        raise Refused("unknown-person", "Nobody with that name is at this table.")


def host_only(memory: Memory, key: str) -> None:
    if key != memory.lobby.host:
        raise Refused("host-only", "Only the host of the table can do this.")


def player(memory: Memory, key: str | None) -> tuple[str, int]:
    person = memory.lobby.people.get(key) if key else None
    if key is None or person is None or person.seat is None:
        raise Refused("only-watching", "Spectators can't do this.")
    if person.gone:
        raise Refused("left", "You have left this table; say hello again to come back.")
    return key, person.seat


def _look(memory: Memory, seat: int) -> Any:
    if memory.state is None:
        raise Refused("not-playing", "No game is being played here now.")
    return memory.game.view(memory.state, seat)


def _typed(memory: Memory, action: dict[str, Any]) -> Any:
    try:
        return read_action(memory.game, action)
    except msgspec.ValidationError as error:
        raise Refused("malformed", f"This is not an action of the game: {error}.") from None


def _forbidden(memory: Memory, seat: int, action: Any) -> Refused:
    """Say why an action is refused by what the viewer sees: the state could tell more."""
    if seat not in memory.game.to_act(memory.state):
        return Refused("not-your-turn", "It is not your turn.")
    return _why_not(memory, _look(memory, seat), action) or Refused("illegal", "This can't be done now.")


def _why_not(memory: Memory, view: Any, action: Any) -> Refused | None:
    try:
        refusal = memory.game.why_not(view, action)
        return AgainstTheRules(refusal) if refusal else None
    except Exception:  # rules may take it that an action names things that exist
        raise Refused("malformed", "This action names something that is not in the game.") from None
