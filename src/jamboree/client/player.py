"""Lets anything that can play a game play at a live table."""

from jamboree.core.play import WAIT, Player

from .errors import Declined
from .seat import Seat


async def play(seat: Seat, player: Player) -> None:
    """Let a player play on a seat until the game is over, starting with the position that the seat has now."""
    news = seat.news()
    while True:
        await _act(seat, player)
        if (seat.position and seat.position.outcome) or await anext(news, None) is None:
            return


async def _act(seat: Seat, player: Player) -> None:
    """Take actions while there are any, until the player waits or another player was quicker."""
    while (position := seat.position) and position.offers and position.outcome is None:
        action = player.choose(position.view, position.offers)
        if action is WAIT:
            return
        try:
            await seat.act(action)
        except Declined as refusal:  # another player was quicker, and the update is on its way
            if refusal.code not in ("illegal", "not-your-turn", "not-playing"):
                raise
            return
