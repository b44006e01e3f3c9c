"""Keeps a client within what a server takes from one connection."""

import asyncio
import time
from collections import deque

MOST, WINDOW = 90, 20.0  # a few less than the server's limit, since its clock is not ours


class Pace:
    def __init__(self) -> None:
        self._sent: deque[float] = deque(maxlen=MOST)

    async def turn(self) -> None:
        """Wait until one more message may be sent."""
        while len(self._sent) == MOST and (early := self._sent[0] + WINDOW - time.monotonic()) > 0:
            await asyncio.sleep(early)
        self._sent.append(time.monotonic())
