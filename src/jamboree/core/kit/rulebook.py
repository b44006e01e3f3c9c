"""A rulebook: who acts when, what they can do in which phase, and what each action leads to."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from jamboree.core.chance import Chance, Uncertain
from jamboree.core.errors import Illegal, JamboreeError
from jamboree.core.game import Actor, Nature, Outcome, Tell, Timer, quiet
from jamboree.core.offers import Offer
from jamboree.core.words import COMMON

from .telling import UNHEARD, Heard, Telling


class Phased(Protocol):
    """A state that knows its phase by number, and whose turn it is; where all act together that means nothing."""

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

Continuation = Callable[[S, Chance, Telling[E]], Any]
"""What follows without anybody's decision. A step gives the next one, or None when somebody has to decide."""

Menu = Callable[[S, int], Sequence[Offer[A]]]
Rule = Callable[[S, Any, Any, Chance, Telling[E]], Any]
"""Carries out an action of an actor, or raises Illegal before anything has changed; gives the step that follows."""


def nothing(state: object, seat: int) -> Sequence[Offer[Any]]:
    """Offer nothing: the menu of a game that is over."""
    return ()


def untimed(state: object) -> Timer | None:
    return None


def no_action() -> Illegal:
    """Refuse a value that is not an action of this game at all."""
    return COMMON.refuse("", "no-action")


@dataclass(frozen=True, kw_only=True)
class Rulebook(Generic[S, A, E]):
    """In a phase it is `state.turn` that acts, or all act `together`, each until there is nothing left for them.

    `out_of_turn` is asked where an action does not belong to the phase or to the actor, and whenever the clock acts. It
    says why this can't be done now, or gives None and leaves that to the rule.
    """

    set_up: Callable[[int, Any, Chance], S]
    to_act: Callable[[S], frozenset[Actor]]
    actions: Callable[[S], Sequence[A]]  # all that can come up
    menus: Sequence[Menu[S, A]]  # by phase
    rules: Mapping[type, tuple[Collection[int], Rule[S, E]]]  # by action: the phases it belongs to, and what it does
    out_of_turn: Callable[[S, Actor, A], Illegal | None]
    scores: Callable[[S], tuple[int, ...]]
    census: Callable[[S], Mapping[str, int]]
    outcome: Callable[[S], Outcome | None] | None = None  # where it takes more than most points to win
    together: Collection[int] = ()
    timer: Callable[[S], Timer | None] = untimed
    expiry: Sequence[Offer[A]] = ()  # what the clock does when time is up

    def most_points(self, state: S) -> Outcome | None:
        """Let most points win when nobody is left to act; a tie is shared."""
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
        self, state: S, actor: Actor, action: A, chance: Chance, tell: Tell[E] = quiet, onward: bool = True
    ) -> Continuation[S, E] | None:
        """Carry out an action and all that follows from it, up to the next decision; or give what would follow.

        Any value that is not one of the game's actions is refused, too, whatever the rules make of it.
        """
        told: Telling[E] = UNHEARD if tell is quiet else Heard(tell)
        try:
            phases, rule = self.rules[type(action)]
            phase = state.phase
            if phase not in phases or (
                (actor is CLOCK or not 0 <= actor < state.seats) if phase in self.together else actor != state.turn
            ):
                refusal = self.out_of_turn(state, actor, action)
                if refusal:
                    raise refusal
            step: Continuation[S, E] | None = rule(state, actor, action, chance, told)
        except (JamboreeError, Uncertain):
            raise
        except Exception as error:
            if action in self.actions(state):  # compared one by one: not every value can be hashed
                raise
            raise no_action() from error
        while step is not None and onward:
            step = step(state, chance, told)
        return step


def leaders(points: Sequence[int]) -> list[int]:
    """List the seats with most points."""
    return [seat for seat, score in enumerate(points) if score == max(points)]


def in_turn(over: int, most: int = 8) -> Callable[[Any], frozenset[Actor]]:
    """Let nobody but `state.turn` act, of at most so many seats, until the game is over."""
    nobody: frozenset[Actor] = frozenset()
    only: tuple[frozenset[Actor], ...] = tuple(frozenset({seat}) for seat in range(most))
    return lambda state: nobody if state.phase == over else only[state.turn]


def by_mask(most: int, *others: Actor) -> tuple[frozenset[Actor], ...]:
    """Give the seats of every mask, and whoever else acts along with them."""
    return tuple(frozenset([*(seat for seat in range(most) if mask >> seat & 1), *others]) for mask in range(1 << most))
