"""Commands of the game itself: start, seeds, moves of people, bots and the clock, previews and hints."""

import re
from collections.abc import Sequence
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from jamboree.core.chance import Chance, Recorded
from jamboree.core.fair import commitment
from jamboree.core.game import Actor, AnyGame, Nature, Preview, read_action
from jamboree.core.learning import Course, Guided, Lesson, LessonStage, Progress, course_of, judged, next_reply, replied
from jamboree.core.offers import Offer
from jamboree.core.undo import Undo

from ...errors import IllegalAction, Refused
from ...protocol.terms import Pause, Status
from ...tokens import source
from .. import records
from ..records import AnyRecord, Because
from ..roster import Learning
from ..state import TableState
from .base import Action, Command, Context, Decision, HostCommand, Message, not_playing, posted
from .undo import foreseen

_ACTION = attrgetter("action")


@posted("start", "not-arrived", "not-full", "started", tag="tables")
class Start(HostCommand, frozen=True):
    """Start the game; for the host, when every seat is taken."""

    def changes(self, ctx: Context) -> list[AnyRecord]:
        if ctx.roster.status != Status.GATHERING:
            raise Refused("started", "This game has already begun.")
        if any(person.invited and person.seat is not None for person in ctx.roster.people.values()):
            raise Refused("not-arrived", "A player who was invited to the rematch has not arrived yet.")
        if ctx.roster.free_seats():
            raise Refused("not-full", "The game starts when every seat is taken.")
        secret = ctx.new_secret()
        return [records.Committed(commitment(secret), secret)]


class Act(Message, frozen=True, tag="act"):
    """Take an action. Idempotent: a request with the same id is carried out once."""

    action: Action

    def is_known(self, state: TableState, who: str | None) -> bool:
        """Whether it was carried out already, and is only sent again."""
        person = state.roster.people.get(who or "")
        return person is not None and self.id in person.done

    def decide(self, ctx: Context) -> Decision:
        key, seat = ctx.player()
        done = ctx.roster.people[key].done.get(self.id)
        if done is not None:
            return Decision([], done)
        ctx.check_playing()
        if ctx.roster.paused == Pause.YES:
            raise Refused("paused", "The game is paused.")
        if ctx.roster.learning and ctx.roster.learning.at.stage != LessonStage.ASKING:
            raise Refused("in-lesson", "Undo the move or continue the lesson first.")
        if ctx.is_late:
            raise Refused("too-late", "The time for this decision is over.")
        action = _typed(ctx.state, self.action)
        if action not in map(_ACTION, ctx.state.game.legal(ctx.state.position, seat)):
            raise _forbidden(ctx.state, seat, action)
        return acted(ctx, seat, action, key, self.id)


def lesson_at(game: AnyGame, learning: Learning) -> tuple[Course, Lesson]:
    course = course_of(game, learning.course)
    assert course and learning.lesson < len(course.lessons), "a lesson is being given"
    return course, course.lessons[learning.lesson]


def _practised(game: AnyGame, learning: Learning, actor: Actor, action: Any) -> tuple[Progress, Chance]:
    """The result of a move in a lesson, with its prescribed chance."""
    course, lesson = lesson_at(game, learning)
    if actor == course.common.learner:
        return judged(lesson, learning.at, action), Guided(lesson.steps[learning.at.step].picks)
    reply = next_reply(lesson, learning.at)
    return replied(lesson, learning.at), Guided(reply.picks if reply else [])


def acted(
    ctx: Context,
    actor: Actor,
    action: Any,
    person: str | None = None,
    name: str | None = None,
    because: Because | None = None,
) -> Decision:
    """Apply a legal action to a copy of the position. `because` is why a bot acts for a player."""
    state, chance = ctx.state, ctx.chance
    learning, turned = state.roster.learning, list[AnyRecord]()
    if learning:
        at, chance = _practised(state.game, learning, actor, action)
        turned.append(records.LessonTurned(at))
    recorded = chance if isinstance(chance, Recorded) else Recorded(chance)
    then = state.after(state.position.clone(), actor, action, recorded, recorded.picks, because)
    fields, picks = msgspec.to_builtins(action), recorded.take_picks()
    record = records.Acted(actor, fields, picks, then.hash, person, name, because is not None, because)
    return Decision([*turned, record], state.seq + len(turned) + 1, then=then)


class Foreseen(NamedTuple):
    preview: Preview
    undo: Undo  # whether it could be undone afterwards


class AskPreview(Message, frozen=True, tag="preview"):
    """Ask what is certain to follow an action."""

    action: Action

    def decide(self, ctx: Context) -> Decision:
        _, seat = ctx.player()
        view, action = _view_of(ctx.state, seat), _typed(ctx.state, self.action)
        if refusal := _why_not(ctx.state, view, action):
            raise refusal
        try:
            preview = Foreseen(ctx.state.game.preview(view, action), foreseen(ctx.state, seat, view, action))
        except Exception:
            raise Refused("malformed", "This action has no preview.") from None
        return Decision([], preview)


class AskWhyNot(Message, frozen=True, tag="why-not"):
    """Ask which rule forbids an action."""

    action: Action

    def decide(self, ctx: Context) -> Decision:
        _, seat = ctx.player()
        return Decision([], _why_not(ctx.state, _view_of(ctx.state, seat), _typed(ctx.state, self.action)))


def _view_of(state: TableState, seat: int) -> Any:
    if state.position is None:
        raise not_playing()
    return state.game.view(state.position, seat)


def _typed(state: TableState, action: dict[str, Any]) -> Any:
    try:
        return read_action(state.game, action)
    except msgspec.ValidationError as error:
        raise Refused("malformed", f"This is not an action of the game: {error}.") from None


def _forbidden(state: TableState, seat: int, action: Any) -> Refused:
    """The reason against an action, computed from the view, since the state could reveal more."""
    if seat not in state.game.to_act(state.position):
        return Refused("not-your-turn", "It is not your turn.")
    return _why_not(state, _view_of(state, seat), action) or Refused("illegal", "This can't be done now.")


def _why_not(state: TableState, view: Any, action: Any) -> Refused | None:
    try:
        refusal = state.game.why_not(view, action)
        return IllegalAction(refusal) if refusal else None
    except Exception:  # rules may assume that an action names things that exist
        raise Refused("malformed", "This action names something that is not in the game.") from None


class Ready(Message, frozen=True, tag="ready"):
    ready: bool = True

    def decide(self, ctx: Context) -> Decision:
        if ctx.person is None or ctx.roster.seat_of(ctx.person) is None:
            raise Refused("players-only", "Spectators can't say that they are ready.")
        if ctx.roster.people[ctx.person].ready == self.ready:
            return Decision([], ctx.state.seq)
        return Decision([records.Readied(ctx.person, self.ready)], ctx.state.seq + 1)


SEED = re.compile(r"[0-9a-f]{1,64}")


class AddSeed(Message, frozen=True, tag="seed"):
    """Add the player's seed for the fair random numbers of the game, as hexadecimal digits."""

    seed: Annotated[str, Meta(max_length=64)]

    def decide(self, ctx: Context) -> Decision:
        _, seat = ctx.player()
        seat = (seat - ctx.roster.turned) % ctx.roster.seats  # their seat while seeds were collected
        if not SEED.fullmatch(self.seed):
            raise Refused("malformed", "A seed has 1 to 64 hexadecimal digits.")
        if ctx.state.luck.seeds and ctx.state.luck.seeds[seat] == self.seed:
            return Decision([], ctx.state.seq)
        if ctx.roster.status != Status.SEEDING:
            raise Refused("no-seeds", "Seeds are accepted between the host's start and the setup of the game.")
        if ctx.state.luck.seeds[seat]:
            raise Refused("no-seeds", "You have already added another seed.")
        return Decision([records.SeedAdded(seat, self.seed)], ctx.state.seq + 1)


class Begin(Command, frozen=True):
    """Set up the game with the seeds that were added."""

    def decide(self, ctx: Context) -> Decision:
        if ctx.roster.status != Status.SEEDING:
            return Decision([])
        recorded = Recorded(ctx.chance)
        then = ctx.state.begun(recorded)
        return Decision([records.Started(recorded.take_picks(), then.hash, _turned(ctx.state, then.state))], then=then)


def _turned(state: TableState, position: Any) -> int:
    """By how many seats to rotate the players, so that the chosen one begins; it is fair, since seats are symmetric."""
    roster, begins = state.roster, state.game.info.begins
    if roster.first is None or begins is None or state.inherited is not None:
        return 0
    return (begins(position) - roster.first) % roster.seats


class EndPhase(Command, frozen=True):
    """Let the game's timer expire, if it still runs."""

    number: int

    def decide(self, ctx: Context) -> Decision:
        if ctx.roster.status != Status.PLAYING:
            return Decision([])
        game, state = ctx.state.game, ctx.state.position
        timer, offers = game.timer(state), game.legal(state, Nature.CLOCK)
        if timer is None or timer.number != self.number or not offers:
            return Decision([])
        return acted(ctx, Nature.CLOCK, offers[0].action)


class BotMove(Command, frozen=True):
    """A bot's action."""

    seat: int
    action: Any
    because: Because | None = None  # why the bot acts for a player

    def decide(self, ctx: Context) -> Decision:
        return acted(ctx, self.seat, self.action, because=self.because)


def lawful(state: TableState, seat: int, chosen: dict[str, Any]) -> Any:
    """The action that a bot chose; None if it is not legal."""
    try:
        action = read_action(state.game, chosen)
    except msgspec.ValidationError:
        return None
    return action if any(offer.action == action for offer in state.game.legal(state.position, seat)) else None


def any_move(state: TableState, seat: int) -> Any:
    """A random legal action, for a bot that failed to answer; None if there is none."""
    offers = state.game.legal(state.position, seat)
    return offers[source().randrange(len(offers))].action if offers else None


class Asked(NamedTuple):
    """The view and the offers of a player who asks for a hint."""

    seat: int
    view: Any
    offers: Sequence[Offer[Any]]


class AskHint(Message, frozen=True, tag="hint"):
    """Ask for the best actions, with reasons; among people only if the host allows hints.

    The first hint makes it a practice game.
    """

    def decide(self, ctx: Context) -> Decision:
        key, seat = ctx.player()
        ctx.check_playing()
        others = [other for other in ctx.roster.players() if other != key]
        if others and not ctx.roster.house_rules.hints:
            raise Refused("no-hints", "People play against each other here, and the host has not allowed hints.")
        offers = ctx.state.game.legal(ctx.state.position, seat) if seat in ctx.state.pending else ()
        if not offers:
            raise Refused("not-your-turn", "You have nothing to decide now.")
        asked = Asked(seat, ctx.state.game.view(ctx.state.position, seat), list(offers))
        return Decision([] if ctx.roster.practice else [records.HintGiven(key)], asked)
