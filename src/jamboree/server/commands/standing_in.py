"""What happens in a game without a person's doing: time runs out, and bots move."""

from typing import Any

import msgspec

from jamboree.core.chance import Chance
from jamboree.core.game import Nature, read_action

from ..memory.memory import Memory
from ..memory.records import Because
from ..protocol.terms import Status
from ..secret import source
from .command import Decision, acted


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
