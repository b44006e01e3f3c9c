"""A rulebook: a phase machine as tables, with the actors and the menu of each phase and the rule of each action."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from jamboree.core.chance import Chance, Uncertain
from jamboree.core.errors import Illegal, JamboreeError
from jamboree.core.game import Actor, EventListener, Nature, Outcome, Timer, ignore_events
from jamboree.core.offers import Offer
from jamboree.core.words import COMMON

from .events import NO_EVENTS, Emitter, EventSink


class Phased(Protocol):
    """A state with a phase number and the seat whose turn it is (unused in simultaneous phases)."""

    phase: int

    @property
    def turn(self) -> int: ...
    @property
    def seats(self) -> int: ...
    def clone(self) -> Any: ...


CLOCK: Final = Nature.CLOCK

S = TypeVar("S", bound=Phased)
A = TypeVar("A")
E = TypeVar("E")

Continuation = Callable[[S, Chance, EventSink[E]], Any]
"""An automatic step. It returns the next automatic step, or None when a player has to decide."""

Menu = Callable[[S, int], Sequence[Offer[A]]]
Rule = Callable[[S, Any, Any, Chance, EventSink[E]], Any]
"""Applies an action, or raises Illegal before any change; returns the automatic step that follows, if any."""


def nothing(state: object, seat: int) -> Sequence[Offer[Any]]:
    """The empty menu, for a game that is over."""
    return ()


def untimed(state: object) -> Timer | None:
    return None


def no_action() -> Illegal:
    """The refusal of a value that is not an action of this game at all."""
    return COMMON.refuse("", "no-action")


@dataclass(frozen=True, kw_only=True)
class Rulebook(Generic[S, A, E]):
    """In most phases `state.turn` acts; in the phases `together` all seats act, each until its menu is empty.

    `out_of_turn` is called if an action does not belong to the phase or the actor, and whenever the clock acts. It
    returns why the action is not possible now, or None to leave the decision to the rule.
    """

    set_up: Callable[[int, Any, Chance], S]
    to_act: Callable[[S], frozenset[Actor]]
    actions: Callable[[S], Sequence[A]]  # every action that can occur
    menus: Sequence[Menu[S, A]]  # by phase
    rules: Mapping[type, tuple[Collection[int], Rule[S, E]]]  # by action type: its phases and its rule
    out_of_turn: Callable[[S, Actor, A], Illegal | None]
    scores: Callable[[S], tuple[int, ...]]
    census: Callable[[S], Mapping[str, int]]
    outcome: Callable[[S], Outcome | None] | None = None  # only if winning takes more than the most points
    together: Collection[int] = ()
    in_move: Collection[int] = ()  # phases in which a player goes on with a move; an undo takes all of it back
    timer: Callable[[S], Timer | None] = untimed
    expiry: Sequence[Offer[A]] = ()  # the clock's action when time is up

    def most_points(self, state: S) -> Outcome | None:
        """The default outcome: the most points win, a tie is shared."""
        return None if self.to_act(state) else Outcome(leaders(points := self.scores(state)), list(points))

    def legal(self, state: S, actor: Actor) -> Sequence[Offer[A]]:
        phase = state.phase
        if phase in self.together:
            if actor is not CLOCK and 0 <= actor < state.seats:
                return self.menus[phase](state, actor)
        elif actor == state.turn:
            return self.menus[phase](state, actor)
        return self.expiry if actor is CLOCK and CLOCK in self.to_act(state) else ()

    def apply(
        self,
        state: S,
        actor: Actor,
        action: A,
        chance: Chance,
        emit: EventListener[E] = ignore_events,
        onward: bool = True,
    ) -> Continuation[S, E] | None:
        """Apply an action and its automatic steps up to the next decision, or only the action if not `onward`.

        Raise Illegal for any value that is not a legal action, also if it is not an action of this game at all.
        """
        sink: EventSink[E] = NO_EVENTS if emit is ignore_events else Emitter(emit)
        try:
            phases, rule = self.rules[type(action)]
            phase = state.phase
            if phase not in phases or (
                (actor is CLOCK or not 0 <= actor < state.seats) if phase in self.together else actor != state.turn
            ):
                refusal = self.out_of_turn(state, actor, action)
                if refusal:
                    raise refusal
            step: Continuation[S, E] | None = rule(state, actor, action, chance, sink)
        except (JamboreeError, Uncertain):
            raise
        except Exception as error:
            if action in self.actions(state):  # compared one by one: not every value can be hashed
                raise
            raise no_action() from error
        while step is not None and onward:
            step = step(state, chance, sink)
        return step


def leaders(points: Sequence[int]) -> list[int]:
    """Return the seats with the most points."""
    return [seat for seat, score in enumerate(points) if score == max(points)]


def in_turn(over: int, most: int = 8) -> Callable[[Any], frozenset[Actor]]:
    """Return a `to_act` for games in which only `state.turn` acts, until phase `over`."""
    nobody: frozenset[Actor] = frozenset()
    only: tuple[frozenset[Actor], ...] = tuple(frozenset({seat}) for seat in range(most))
    return lambda state: nobody if state.phase == over else only[state.turn]


def by_mask(most: int, *others: Actor) -> tuple[frozenset[Actor], ...]:
    """Precompute the set of actors for every bitmask of seats, plus `others`."""
    return tuple(frozenset([*(seat for seat in range(most) if mask >> seat & 1), *others]) for mask in range(1 << most))
