"""Asking for a hint: who may, and what is written down of it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from jamboree.core.chance import Chance
from jamboree.core.offers import Offer

from ..errors import Refused
from ..memory.lobby import Lobby
from ..memory.memory import Memory
from ..memory.records import HintGiven
from ..protocol.terms import Status
from .command import Decision, player


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
