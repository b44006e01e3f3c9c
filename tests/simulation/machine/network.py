"""Simulated connections between clients and a server: slow, cut, half-open, or not read from. They speak ASGI."""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from .loop import VirtualLoop

DELAY = (0.002, 0.08)  # seconds a message takes
BUFFER = 48 * 1024  # bytes in flight to a reader, beyond which the sender waits
NOTICED = (5.0, 60.0)  # seconds until the server notices a vanished peer


class Frame(NamedTuple):
    text: str
    sent: float
    stored: Any  # how much was stored when it was sent


class Connection:
    """One socket. The client's end is `say` and two callbacks, the server's end is `receive` and `send`."""

    def __init__(
        self,
        loop: VirtualLoop,
        rng: random.Random,
        hear: Callable[[Frame], None],
        end: Callable[[int], None],
        look: Callable[[], Any],
        arrive: Callable[[str], None],
    ) -> None:
        self.loop, self.rng = loop, rng
        self._hear, self._end, self._look, self._arrive = hear, end, look, arrive
        self.accepted = self.ended = self.close_noticed = False
        self.stalled = self.deaf = self.fenced = False
        self._up: deque[dict[str, Any]] = deque([{"type": "websocket.connect"}])
        self._down: deque[Frame] = deque()
        self._flying = 0  # bytes in flight to the client
        self._arrived, self._drained = asyncio.Event(), asyncio.Event()
        self._latest_up = self._latest_down = 0.0

    def say(self, text: str) -> None:
        """Send something to the server, without confirmation of its arrival."""
        if not self.ended and not self.deaf:
            self._send_up({"type": "websocket.receive", "text": text, "bytes": None})

    def stall(self, seconds: float) -> None:
        """Read nothing for a while."""
        self.stalled = True
        self.loop.call_later(seconds, self._read_on)

    def cut(self) -> None:
        """Close it; the server notices soon."""
        self._vanish(1005, DELAY)

    def vanish(self) -> None:
        """Drop it silently."""
        self._vanish(1006, NOTICED)

    def fence(self) -> None:
        """Isolate the server after its crash: nothing more is delivered."""
        self.fenced = True
        self._finish(1006)
        self._told()

    async def receive(self) -> dict[str, Any]:
        while not self._up:
            self._arrived.clear()
            await self._arrived.wait()
        message = self._up.popleft()
        if message["type"] == "websocket.receive":
            self._arrive(message["text"])
        return message

    async def send(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "websocket.send":
            while self._flying > BUFFER and not self.close_noticed:
                self._drained.clear()
                await self._drained.wait()
            self._send_down(message["text"])
        elif kind == "websocket.accept":
            self.accepted = True
        elif kind == "websocket.close" and not self.fenced:
            self.loop.call_at(self._later("_latest_down"), self._finish, message.get("code", 1000))

    def _vanish(self, code: int, noticed: tuple[float, float]) -> None:
        if not self.ended:
            self._finish(code)
            self.loop.call_later(self.rng.uniform(*noticed), self._told)

    def _told(self) -> None:
        """Tell the server that the peer has disconnected."""
        if not self.close_noticed:
            self.close_noticed = True
            self._up.append({"type": "websocket.disconnect", "code": 1006})
            self._arrived.set()
            self._drained.set()

    def _finish(self, code: int) -> None:
        if not self.ended:
            self.ended = True
            self._end(code)

    def _later(self, direction: str) -> float:
        """Return an arrival time that keeps the order of messages; timers of the same moment have no order."""
        at: float = max(getattr(self, direction) + 1e-6, self.loop.time() + self.rng.uniform(*DELAY))
        setattr(self, direction, at)
        return at

    def _send_up(self, message: dict[str, Any]) -> None:
        self.loop.call_at(self._later("_latest_up"), self._put_up, message)

    def _put_up(self, message: dict[str, Any]) -> None:
        if not self.close_noticed:
            self._up.append(message)
            self._arrived.set()

    def _send_down(self, text: str) -> None:
        if self.fenced or self.close_noticed:
            return
        self._flying += len(text)
        self.loop.call_at(self._later("_latest_down"), self._put_down, Frame(text, self.loop.time(), self._look()))

    def _put_down(self, frame: Frame) -> None:
        self._down.append(frame)
        if not self.stalled:
            self._read_all()

    def _read_on(self) -> None:
        self.stalled = False
        self._read_all()

    def _read_all(self) -> None:
        while self._down and not self.ended:
            frame = self._down.popleft()
            self._flying -= len(frame.text)
            self._drained.set()
            self._hear(frame)
