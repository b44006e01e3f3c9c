"""Moves on their way to a server when it is paused: they must have no effect when it resumes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.server.bench.online import HOST, Player

from .players import MADE, Party
from .servers import Server

ZOMBIE = "zombie"  # the name of such a move
SHOWN_WITHIN, ENDED_WITHIN = 0.2, 30.0  # seconds for a paused server's last frames, and for everything to end
RESTART = 1012


class Letters:
    """A second connection of every player, directly to the server of their table."""

    def __init__(self, tables: list[list[Player]]) -> None:
        self.tables = tables
        self.sent: list[Player] = []

    async def send(self) -> None:
        """Send a move for every player who could make one before the server was paused."""
        await asyncio.gather(*(self._send(players) for players in self.tables))

    async def _send(self, players: list[Player]) -> None:
        await asyncio.gather(*(_read(player, SHOWN_WITHIN) for player in players))
        able = [player for player in players if player.legal()]
        assert able, "every table has a player to move"
        for player in able:
            await player.send(type="act", id=ZOMBIE, action=player.legal()[0])
        self.sent += able

    async def are_refused(self) -> None:
        """Check that no move is acknowledged, and that everyone is disconnected."""
        assert self.sent
        for player in self.sent:
            await _read(player, ENDED_WITHIN)
            assert player.socket.close_code == RESTART, player.socket.close_code
            assert not [frame for frame in player.received if frame["type"] == "ack" and frame["id"] == ZOMBIE]


@asynccontextmanager
async def letters(parties: list[Party], server: Server) -> AsyncIterator[Letters]:
    """Connect to a server's tables, which therefore stay there."""
    async with AsyncExitStack() as open_sockets:
        tables = []
        for party in parties:
            address = f"ws://{HOST}:{server.port}{MADE}/{party.code}/socket"
            players = []
            for person in party.people:
                opening: Any = connect(address, compression=None, max_size=None, proxy=None)
                player = Player(await open_sockets.enter_async_context(opening))
                await player.hello(person.ticket["token"])
                players.append(player)
            tables.append(players)
        yield Letters(tables)


async def _read(player: Player, within: float) -> None:
    """Take in what a server says, until it says nothing for a while or hangs up."""
    try:
        while True:
            await asyncio.wait_for(player.take(), within)
    except (TimeoutError, ConnectionClosed):
        pass
