"""Bots that have a seat for good, and what they are called."""

from importlib.resources import files

import msgspec

from jamboree.bots import LEVELS, Level, character, levels
from jamboree.core.chance import Chance

from ..errors import Refused
from ..memory.lobby import Lobby
from ..memory.memory import Memory
from ..memory.names import told_apart
from ..memory.records import BotSeated, BotSent
from ..protocol.terms import Status
from ..secret import source
from .command import Decision, host_only

CHARACTERS = {level: character(level).name for level in LEVELS}
NAMES = (files("jamboree.server") / "data" / "bot_names.txt").read_text(encoding="utf-8").split()


class SeatBot(msgspec.Struct, frozen=True):
    """Give a free seat to a bot, change how well the bot there plays, or send it away."""

    person: str
    seat: int
    level: Level | None  # None: nobody

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        host_only(memory, self.person)
        if lobby.status != Status.GATHERING:
            raise Refused("started", "Bots sit down before the game.")
        if not 0 <= self.seat < lobby.seats or lobby.at(self.seat):
            raise Refused("taken", "This seat is taken, or there is no such seat.")
        if self.level is None:
            return Decision([BotSent(self.seat)] if self.seat in lobby.bots else [])
        if self.level not in (there := levels(memory.game)):
            raise Refused("no-level", f"{memory.game.info.title} has no such bot; it has: {', '.join(there)}.")
        return Decision([seated(lobby, self.seat, self.level)])


def seated(lobby: Lobby, seat: int, level: Level) -> BotSeated:
    """Have a bot sit down. One that is there already keeps its name, unless it is that of another level's character."""
    before = lobby.bots.get(seat)
    if before and (before.level == level or before.name not in CHARACTERS.values()):
        return BotSeated(seat, level, before.name)
    return BotSeated(seat, level, _new_name(lobby, level))


def _new_name(lobby: Lobby, level: Level) -> str:
    """Let the level's own character come, or somebody else whose name nobody at the table has."""
    taken = lobby.taken_names()
    if told_apart(CHARACTERS[level], taken) == CHARACTERS[level]:
        return CHARACTERS[level]
    return told_apart(source().choice([name for name in NAMES if told_apart(name, taken) == name] or NAMES), taken)
