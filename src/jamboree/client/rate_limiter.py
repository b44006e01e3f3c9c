"""A sliding-window rate limiter that keeps a client within the server's limit per connection."""

import asyncio
import time
from collections import deque

MAX_MESSAGES, WINDOW = 90, 20.0  # messages per seconds; a little below the server's limit, since the clocks differ


class RateLimiter:
    def __init__(self) -> None:
        self._sent_at: deque[float] = deque(maxlen=MAX_MESSAGES)

    async def acquire(self) -> None:
        """Wait until one more message may be sent."""
        while len(self._sent_at) == MAX_MESSAGES and (wait := self._sent_at[0] + WINDOW - time.monotonic()) > 0:
            await asyncio.sleep(wait)
        self._sent_at.append(time.monotonic())
