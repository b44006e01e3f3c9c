"""A party before a big screen: the host ends it, and a player whose phone is lost comes back on another."""

from collections.abc import Collection

import msgspec

from jamboree.core.chance import Chance

from ...errors import Refused
from ...protocol.terms import UNDER_WAY
from ..records import BackAsked, Closed
from ..roster import MOST_TOKENS, Lobby
from ..state import Memory
from .base import Decision, host_only, present


class EndParty(msgspec.Struct, frozen=True):
    person: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        _check_party(memory.lobby)
        return Decision([Closed("The host has ended the party.")] if memory.lobby.status in UNDER_WAY else [])


class AskBack(msgspec.Struct, frozen=True):
    """Say on another phone which player one is; without a player, no more."""

    person: str
    who: str | None
    here: Collection[str]  # people with a connection

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        _check_party(lobby)
        present(memory, self.person)
        if self.who is None:
            return Decision([BackAsked(self.person, None)] if lobby.people[self.person].asks_back else [])
        if lobby.people[self.person].seat is not None:
            raise Refused("yourself", "You have a seat already.")
        _check_other(lobby, self.person)
        _check_lost(lobby, self.who, self.here)
        return Decision([BackAsked(self.person, self.who)])


class AnswerBack(msgspec.Struct, frozen=True):
    """Let somebody have their seat on another phone, or not; for the host."""

    person: str
    who: str  # who asks
    agrees: bool
    here: Collection[str]
    player: str | None = None  # whose seat the host has read that they ask for; None: whichever it is

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        present(memory, self.who)
        player = memory.lobby.people[self.who].asks_back
        if player is None or self.player not in (None, player):
            raise Refused("not-asked", "They do not ask to come back as that player.")
        if not self.agrees:
            return Decision([BackAsked(self.who, None)])
        _check_other(memory.lobby, self.who)
        _check_lost(memory.lobby, player, self.here)
        return Decision([BackAsked(self.who, player, granted=True)])


def _check_party(lobby: Lobby) -> None:
    if not lobby.party:
        raise Refused("no-party", "This table is no party with a big screen.")


def _check_other(lobby: Lobby, who: str) -> None:
    """Refuse a host who would be the only one asked: somebody else has to know whose seat it is."""
    if who == lobby.host:
        raise Refused("yourself", "You have the remote, so you would ask yourself. Give it to another player first.")


def _check_lost(lobby: Lobby, who: str, here: Collection[str]) -> None:
    """Refuse the seat of somebody whose phone is there, and who is therefore asked nothing."""
    player = lobby.people.get(who)
    if player is None or player.seat is None:
        raise Refused("unknown-person", "There is no such player at this table.")
    if who in here:
        raise Refused("taken", "Their phone is at the table: this seat is not lost.")
    if len(player.tokens) >= MOST_TOKENS:
        raise Refused("devices", f"They already play on {MOST_TOKENS} devices.")
