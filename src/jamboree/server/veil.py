"""How long a frame must be, so that its length does not tell what was chosen."""

from collections import Counter
from typing import Any

from jamboree.core.offers import menu_of

from .memory import Memory
from .wire import encode, grouped

BLOCK = 1024
SPARE = 4 * BLOCK  # what a choice may add: events, sentences and a question that name two long songs, warnings


class Veil:
    """Fixes lengths before a choice is made, by nothing but what is there before it."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._menus: Counter[str] | None = None

    def needed(self) -> bool:
        """Tell whether several seats choose at the same time."""
        actors = self.memory.game.to_act(self.memory.state)
        return sum(isinstance(actor, int) for actor in actors) > 1

    def length(self, position: bytes, seat: int) -> int:
        """Leave room for every kind of action that a choice can open up for a seat."""
        game, state = self.memory.game, self.memory.state
        offered = {_kind(offer.action) for offer in game.legal(state, seat)}
        opened = sum(size for kind, size in self._sizes().items() if kind not in offered)
        return ((len(position) + opened) // BLOCK + 1) * BLOCK + SPARE

    def _sizes(self) -> Counter[str]:
        """Measure the legal actions of each kind when all of them are legal; a game has the same from start to end."""
        if self._menus is None:
            every = menu_of(*self.memory.game.actions(self.memory.state))
            self._menus = Counter()
            for group in grouped(every, lambda caution: ""):
                self._menus[group.action] += len(encode(group))
        return self._menus


def _kind(action: Any) -> str:
    return str(type(action).__struct_config__.tag)
