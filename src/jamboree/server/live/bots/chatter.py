"""Chatter: a rate limit on quick phrases, and when a bot says one."""

from collections import deque
from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec

from jamboree.core.kit.reactions import Reaction, reactions_of

from ...errors import Refused
from ..commands.chat import AnnouncePeek, Remark, Speak
from ..roster import Roster
from ..visibility import GameStep, witnessed

if TYPE_CHECKING:
    from ..table import Table

MOST, WINDOW = 4, 20.0  # phrases of one person in a window of seconds
SELDOM = 45.0  # seconds between remarks of bots at a table
MOMENT = 1.5  # seconds until a bot speaks
ONE_IN = 3  # one in so many events gets a remark


class BotChatter:
    """Remarks of bots depend only on public events, so that they reveal nothing."""

    __slots__ = ("_quiet_until", "_said", "table")

    def __init__(self, table: "Table") -> None:
        self.table = table
        self._said: dict[str, deque[float]] = {}  # by person: the times of phrases
        self._quiet_until = 0.0

    async def speak(self, command: Speak | AnnouncePeek, person: str | None) -> Any:
        """Rate-limit phrases of a person."""
        said, now = self._said.setdefault(person or "", deque(maxlen=MOST)), self.table.now()
        if len(said) == MOST and now - said[0] < WINDOW:
            raise Refused("too-fast", f"At most {MOST} phrases in {WINDOW:.0f} seconds.")
        answer = await self.table.decide(command, person)
        said.append(now)
        return answer

    def react(self, step: GameStep | None) -> None:
        """Schedule a bot's remark on a step, if there is one."""
        roster, now = self.table.state.roster, self.table.now()
        is_heard = roster.bots and not roster.learning and self.table.connections.people
        if step is None or not is_heard or now < self._quiet_until:
            return
        if remark := self._remark(step, roster):
            self._quiet_until = now + SELDOM
            self.table.inbox.set_alarm("remark", now + MOMENT, lambda: self.table.decide(remark))

    def _remark(self, step: GameStep, roster: Roster) -> Remark | None:
        """Choose the bot and the phrase, by the step's public number."""
        game = self.table.state.game
        for event in map(msgspec.to_builtins, witnessed(game, step.events, None)):
            for reaction in reactions_of(game):
                if reaction.fits(event):
                    return self._chosen(reaction, event, sorted(roster.bots))
        return None

    def _chosen(self, reaction: Reaction, event: Any, bots: list[int]) -> Remark | None:
        speakers, number = reaction.speakers(event, bots), self.table.state.number(None)
        lot = crc32(f"{reaction.event} {number}".encode())
        if not speakers or lot % ONE_IN:
            return None
        lot //= ONE_IN
        return Remark(speakers[lot % len(speakers)], reaction.says[lot % len(reaction.says)])
