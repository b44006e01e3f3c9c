"""Action space: every action that can occur in a game with one set of options, built once and numbered."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from jamboree.core.offers import Offer

A = TypeVar("A")


class ActionSpace(Generic[A]):
    """A game's subclass adds its actions in groups; the number of an action is its index in `all`."""

    def __init__(self) -> None:
        self.all: list[A] = []

    def add(self, actions: Iterable[A]) -> tuple[Offer[A], ...]:
        """Number these actions and return an offer for each."""
        added = tuple(actions)
        self.all.extend(added)
        return tuple(Offer(action) for action in added)
