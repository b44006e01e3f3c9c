"""Commands of the game itself: start, seeds, moves of people, bots and the clock, previews and hints."""

import re
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from jamboree.core.chance import Chance, Recorded
from jamboree.core.fair import commitment
from jamboree.core.game import Actor, Nature, Preview, read_action
from jamboree.core.learning import Stage
from jamboree.core.offers import Offer
from jamboree.core.undo import Undo

from ...errors import AgainstTheRules, Refused
from ...protocol.terms import Pause, Status
from ...secret import new_seed, source
from ..lesson import LessonTurned, practised
from ..records import (
    Acted,
    AnyRecord,
    Because,
    Committed,
    HintGiven,
    Readied,
    SeedAdded,
    Started,
)
from ..roster import Lobby
from ..state import Memory
from .base import Decision, host_only, player
from .undo import foreseen

_ACTION = attrgetter("action")


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


class Ready(msgspec.Struct, frozen=True):
    person: str | None
    ready: bool

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        if self.person is None or memory.lobby.people[self.person].seat is None:
            raise Refused("only-watching", "Spectators can't say that they are ready.")
        if memory.lobby.people[self.person].ready == self.ready:
            return Decision([], memory.seq)
        return Decision([Readied(self.person, self.ready)], memory.seq + 1)


SEED = re.compile(r"[0-9a-f]{1,64}")


class AddSeed(msgspec.Struct, frozen=True):
    """Add one's part to the luck of the game that begins. The same again changes nothing."""

    person: str | None
    seed: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        _, seat = player(memory, self.person)
        seat = (seat - memory.lobby.turned) % memory.lobby.seats  # where they sat while seeds were gathered
        if not SEED.fullmatch(self.seed):
            raise Refused("malformed", "A seed has 1 to 64 hexadecimal digits.")
        if memory.luck.seeds and memory.luck.seeds[seat] == self.seed:
            return Decision([], memory.seq)
        if memory.lobby.status != Status.SEEDING:
            raise Refused("no-seeds", "Seeds are gathered between the host's start and the first draw.")
        if memory.luck.seeds[seat]:
            raise Refused("no-seeds", "You have already added another seed.")
        return Decision([SeedAdded(seat, self.seed)], memory.seq + 1)


class Begin(msgspec.Struct, frozen=True):
    """Set the game up with the seeds there are."""

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        if memory.lobby.status != Status.SEEDING:
            return Decision([])
        recorded = Recorded(chance)
        then = memory.begun(recorded)
        return Decision([Started(recorded.handed_over(), then.hash, _turned(memory, then.state))], then=then)


def _turned(memory: Memory, state: Any) -> int:
    """Say by how many seats people move up, so that the dice have chosen whom the table named: seats are alike."""
    lobby, begins = memory.lobby, memory.game.info.begins
    if lobby.first is None or begins is None or memory.inherited is not None:
        return 0
    return (begins(state) - lobby.first) % lobby.seats


class EndPhase(msgspec.Struct, frozen=True):
    """Let the game's own timer run out, if it is still the one that runs."""

    number: int

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        if memory.lobby.status != Status.PLAYING:
            return Decision([])
        timer, offers = memory.game.timer(memory.state), memory.game.legal(memory.state, Nature.CLOCK)
        if timer is None or timer.number != self.number or not offers:
            return Decision([])
        return acted(memory, Nature.CLOCK, offers[0].action, chance)


class BotMove(msgspec.Struct, frozen=True):
    seat: int
    action: Any
    because: Because | None = None  # why it is made for a person whose seat this is

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        return acted(memory, self.seat, self.action, chance, because=self.because)


def lawful(memory: Memory, seat: int, chosen: dict[str, Any]) -> Any:
    """Find the offer a bot has chosen; None if there is no such offer."""
    try:
        action = read_action(memory.game, chosen)
    except msgspec.ValidationError:
        return None
    return action if any(offer.action == action for offer in memory.game.legal(memory.state, seat)) else None


def any_move(memory: Memory, seat: int) -> Any:
    """Take any legal action, for a bot that gave no answer; None if there is none."""
    offers = memory.game.legal(memory.state, seat)
    return offers[source().randrange(len(offers))].action if offers else None


class Asked(NamedTuple):
    """What somebody sees and may do who asks for a hint."""

    seat: int
    view: Any
    offers: Sequence[Offer[Any]]


class AskHint(msgspec.Struct, frozen=True):
    """Ask what is best, from what this person sees. From the first hint on the game is one for practice."""

    person: str | None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        key, seat = player(memory, self.person)
        if memory.lobby.status != Status.PLAYING:
            raise Refused("not-playing", "No game is being played here now.")
        check_allowed(memory.lobby, key)
        offers = memory.game.legal(memory.state, seat) if seat in memory.pending else ()
        if not offers:
            raise Refused("not-your-turn", "There is nothing for you to decide right now.")
        asked = Asked(seat, memory.game.view(memory.state, seat), list(offers))
        return Decision([] if memory.lobby.practice else [HintGiven(key)], asked)


def check_allowed(lobby: Lobby, asking: str) -> None:
    """Refuse hints where people play against each other, unless the host allows them to everybody."""
    others = [key for key, each in lobby.people.items() if each.seat is not None and not each.gone and key != asking]
    if others and not lobby.house.hints:
        raise Refused("no-hints", "People play against each other here, and the host has not allowed hints.")
