"""Lets anything that can play a game play at a live table."""

from jamboree.core.play import WAIT, Player, Whisper

from .errors import Declined
from .table_connection import TableConnection


async def play(connection: TableConnection, player: Player) -> None:
    """Let a player play until the game is over, starting with the current position."""
    news = connection.news()
    while True:
        await _act(connection, player)
        if (connection.position and connection.position.outcome) or await anext(news, None) is None:
            return


async def _act(connection: TableConnection, player: Player) -> None:
    """Take actions while there are any, until the player waits or another player was quicker."""
    while (position := connection.position) and position.offers and position.outcome is None:
        action = player.choose(position.view, position.offers)
        if isinstance(action, Whisper):
            continue
        if action is WAIT:
            return
        try:
            await connection.act(action)
        except Declined as refusal:  # another player was quicker, and the update is on its way
            if refusal.code not in ("illegal", "not-your-turn", "not-playing"):
                raise
            return
