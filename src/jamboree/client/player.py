"""Anything that can play a game, at a live table."""

from jamboree.core.play import WAIT, Player

from .errors import Declined
from .seat import Seat


async def play(seat: Seat, player: Player) -> None:
    """Let a player sit on a seat until the game is over."""
    async for _ in seat.news():
        while (position := seat.position) and position.offers and position.outcome is None:
            action = player.choose(position.view, position.offers)
            if action is WAIT:
                break
            try:
                await seat.act(action)
            except Declined as refusal:  # somebody was quicker, and the news of it is on its way
                if refusal.code not in ("illegal", "not-your-turn", "not-playing"):
                    raise
                break
        if seat.position and seat.position.outcome:
            return
