"""A rulebook: who acts when, what they can do in which phase, and what each action leads to."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from jamboree.core.chance import Chance
from jamboree.core.errors import Illegal
from jamboree.core.game import Actor, Nature, Tell, Timer, quiet
from jamboree.core.offers import Offer


class Phased(Protocol):
    """A state that knows its phase by number."""

    phase: int

    def clone(self) -> Any: ...


S = TypeVar("S", bound=Phased)
A = TypeVar("A")
E = TypeVar("E")

Step = Callable[[S, Chance, Tell[E]], Any]
"""What follows without anybody's decision. A step gives the next one, or None when somebody has to decide."""

Menu = Callable[[S, int], Sequence[Offer[A]]]
Rule = Callable[[S, Any, Any, Chance, Tell[E]], Any]
"""Carries out an action of an actor, or raises Illegal before anything has changed; gives the step that follows."""


def nothing(state: object, seat: int) -> Sequence[Offer[Any]]:
    """Offer nothing: the menu of a game that is over."""
    return ()


def untimed(state: object) -> Timer | None:
    return None


@dataclass(frozen=True, kw_only=True)
class Rulebook(Generic[S, A, E]):
    """`out_of_turn` is asked where an action does not belong to the phase or to the actor, and whenever the clock acts.
    It says why this can't be done now, or gives None and leaves that to the rule."""

    to_act: Callable[[S], frozenset[Actor]]
    menus: Sequence[Menu[S, A]]  # by phase
    rules: Mapping[type, tuple[Collection[int], Rule[S, E]]]  # by action: the phases it belongs to, and what it does
    out_of_turn: Callable[[S, Actor, A], Illegal | None]
    timer: Callable[[S], Timer | None] = untimed
    expiry: Sequence[Offer[A]] = ()  # what the clock does when time is up

    def legal(self, state: S, actor: Actor) -> Sequence[Offer[A]]:
        if actor not in self.to_act(state):
            return ()
        return self.expiry if isinstance(actor, Nature) else self.menus[state.phase](state, actor)

    def act(self, state: S, actor: Actor, action: A, chance: Chance, tell: Tell[E]) -> Step[S, E] | None:
        """Do what an action says, and give the step that follows from it."""
        phases, rule = self.rules[type(action)]
        if state.phase not in phases or actor not in self.to_act(state) or actor is Nature.CLOCK:
            refusal = self.out_of_turn(state, actor, action)
            if refusal:
                raise refusal
        step: Step[S, E] | None = rule(state, actor, action, chance, tell)
        return step

    def apply(self, state: S, actor: Actor, action: A, chance: Chance, tell: Tell[E] = quiet) -> None:
        """Carry out an action and all that follows from it, up to the next decision."""
        step = self.act(state, actor, action, chance, tell)
        while step is not None:
            step = step(state, chance, tell)


def by_mask(most: int, *others: Actor) -> tuple[frozenset[Actor], ...]:
    """Give the seats of every mask, and whoever else acts along with them."""
    return tuple(frozenset([*(seat for seat in range(most) if mask >> seat & 1), *others]) for mask in range(1 << most))
