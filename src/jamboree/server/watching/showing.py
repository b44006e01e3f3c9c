"""What each viewer of a table is sent."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

import msgspec
from msgspec import UNSET

from jamboree.core.words import Language

from ..memory.memory import Memory
from ..memory.undoable import undo_rule
from ..memory.witnesses import Told
from ..minding.steward import Steward
from ..protocol.frames import NULL, Update, Welcome
from ..protocol.parts import BotSeen, Note, Position, Seated, Step, TableLooked, TableSeen, UndoAsked, You, grouped
from ..protocol.terms import Status
from ..protocol.wire import encode
from .painting import painted, painted_room
from .sentences import Sentences, is_noted, shows_more, witnessed
from .veil import STEP_ROOM, Veil, spaces


class Watcher(Protocol):
    """One connection of somebody who looks at a table; to deliver never waits."""

    person: str | None
    device: str  # the hashed token it came with
    language: Language | None
    painted: bool  # whether positions are painted for it

    @property
    def behind(self) -> bool: ...  # it will be welcomed anew, so it need not be told anything before
    def deliver(self, frame: bytes) -> None: ...
    def hang_up(self) -> None: ...  # this table has stopped; a new connection opens it again


def seat_of(memory: Memory, person: str | None) -> int | None:
    return memory.lobby.people[person].seat if person else None


class Somebody(Protocol):
    """Whoever looks at a table, in a language."""

    @property
    def person(self) -> str | None: ...
    @property
    def language(self) -> Language | None: ...
    @property
    def painted(self) -> bool: ...


class Onlooker(NamedTuple):
    """What decides how a table is shown: the eyes, the language, and whether it is painted."""

    seat: int | None
    language: Language | None
    painted: bool = False


def onlooker(memory: Memory, somebody: Somebody) -> Onlooker:
    return Onlooker(seat_of(memory, somebody.person), somebody.language, somebody.painted)


class Showing:
    """The frames of one table. A position is written once for all who see the same in the same language."""

    def __init__(self, table: str, memory: Memory, steward: Steward) -> None:
        self.table, self.memory, self.steward = table, memory, steward
        self._positions: dict[Onlooker, bytes] = {}
        self._position_hash = ""
        self._veil = Veil(memory)

    def welcome(self, somebody: Somebody, seen: int | None, here: Collection[str], guests: int = 0) -> bytes:
        memory, person, who = self.memory, somebody.person, onlooker(self.memory, somebody)
        position = NULL if memory.state is None else msgspec.Raw(self.position(who))
        you, table = You(person, who.seat), self.seen(here, guests)
        repeated, heard = self._repeated(who, seen), memory.talk.heard(person, memory.lobby)
        missed = None if repeated is None else [self._step(told, who) for told in repeated]
        number, clock, undo = memory.number(who.seat), self.steward.seen(who.seat), undo_rule(memory, who.seat)
        stood_in = 0 if who.seat is None else self.steward.bot_turns.stood_in[who.seat]
        frame = encode(Welcome(number, you, table, position, missed, heard, clock, undo, stood_in))
        return frame + self._filling(who, repeated or [])

    def seen(self, here: Collection[str], guests: int = 0) -> TableSeen:
        lobby, idle = self.memory.lobby, self.steward.idle
        people = [
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
            )
            for key, person in lobby.people.items()
            if not person.away_for_good
        ]
        return TableSeen(
            table=self.table,
            game=lobby.game,
            rules=lobby.rules,
            status=lobby.status,
            seats=lobby.seats,
            options=lobby.options,
            listed=lobby.listed,
            people=people,
            host=lobby.host,
            reason=lobby.reason or self.memory.outdated or "",
            rematch=lobby.rematch,
            bots=[BotSeen(seat, bot.level, bot.name) for seat, bot in sorted(lobby.bots.items())],
            paused=lobby.paused,
            pause_over=self.steward.pause_over,
            locked=lobby.locked,
            spectators=lobby.spectators,
            latecomers=lobby.latecomers,
            guests=guests,
            pace=lobby.pace,
            seconds=lobby.seconds,
            consent=lobby.consent,
            house=lobby.house,
            commitment=self.memory.luck.commitment,
            undo_asked=self._asked(),
            undo_failed=lobby.undo_failed,
            forked_from=lobby.forked_from,
            looks=[lobby.looks.of(place) for place in range(max(lobby.seats, self._looks))],
            first=lobby.first,
        )

    def looked(self, person: str | None, here: Collection[str], guests: int = 0) -> TableLooked:
        memory = self.memory
        game = memory.game if memory.has_rules and memory.state is not None else None
        return TableLooked(
            **msgspec.structs.asdict(self.seen(here, guests)),
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
        return self.memory.game.info.looks if self.memory.has_rules else 0

    def _asked(self) -> UndoAsked | None:
        lobby = self.memory.lobby
        asked = lobby.undo_asked
        return UndoAsked(asked.person, asked.agreed, asked.refused, lobby.voters()) if asked else None

    def _stood_in(self, person: str) -> bool:
        lobby = self.memory.lobby
        playing = lobby.status == Status.PLAYING and lobby.people[person].seat is not None
        return playing and self.steward.stands_in_for(person)

    def position(self, who: Onlooker) -> bytes:
        if self._position_hash != self.memory.hash:
            self._positions, self._position_hash = {}, self.memory.hash
        if who not in self._positions:
            self._positions[who] = encode(self._position(who))
        return self._positions[who]

    def update(self, who: Onlooker, told: Told) -> bytes:
        """Write a step for a viewer."""
        step, position = self._step(told, who), msgspec.Raw(self.position(who))
        clock, undo = self.steward.seen(who.seat), undo_rule(self.memory, who.seat)
        frame = encode(Update(step.seq, step.events, step.sentences, position, clock, undo, step.note))
        return frame + self._filling(who, [told])

    def forget(self) -> None:
        """Write positions anew: something has changed that sentences name."""
        self._positions.clear()

    def answer(self, frame: bytes, seat: int | None) -> bytes:
        """Write what somebody is answered about a choice they may make."""
        return frame.ljust(STEP_ROOM) if seat is not None and self._veil.needed() else frame

    def _filling(self, who: Onlooker, repeated: Sequence[Told]) -> bytes:
        """Fill a frame up where it shows a seat more than others: in its position, and in steps it is told of."""
        if who.seat is None or not self._veil.needed():
            return b""
        own = [self._step(told, who) for told in repeated if shows_more(self.memory, told, who.seat)]
        room = self._veil.room(who.seat)
        if who.painted:
            room += painted_room(self.memory, self._veil.beginning, who.seat, who.language)
        position = (room, len(self.position(who)))
        return spaces([position, *((STEP_ROOM, len(encode(step))) for step in own)])

    def _position(self, who: Onlooker) -> Position:
        game, state, sentences = self.memory.game, self.memory.state, Sentences(self.memory, who.language)
        view, actors = game.view(state, who.seat), game.to_act(state)
        offers = () if who.seat is None else game.legal(state, who.seat)
        asked = who.seat in actors or not actors
        return Position(
            view=msgspec.Raw(encode(view)),
            actors=sorted(actors, key=str),
            legal=grouped(offers, sentences.warning),
            outcome=game.outcome(state),
            question=sentences.question(view, asked),
            painting=painted(self.memory, view, offers, who.language) if who.painted else UNSET,
        )

    def _repeated(self, who: Onlooker, seen: int | None) -> list[Told] | None:
        """Repeat what happened since, if all of it is still known."""
        memory, recent = self.memory, self.memory.recent(who.seat)
        if seen is None or not memory.number(who.seat, recent.since) <= seen <= memory.number(who.seat):
            return None
        return [told for told in recent.steps if memory.number(who.seat, told.seq) > seen]

    def _step(self, told: Told, who: Onlooker) -> Step:
        seen, sentences = witnessed(self.memory, told.events, who.seat), Sentences(self.memory, who.language)
        note = sentences.note(told) if is_noted(self.memory, told, who.seat) else ""
        number = self.memory.number(who.seat, told.seq)
        return Step(number, seen, sentences.told(seen), Note(int(told.actor), note) if note else None)
