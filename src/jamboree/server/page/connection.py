"""One connection of a page to one of its tables, as a socket is to a server."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from ..edge.outbox import Outbox
from ..live.registry import Registry
from ..live.session import Session, Submitted

Post = Callable[[bytes | None], None]  # a frame; None: the connection is closed


class PageConnection:
    """Submits messages as they arrive, and answers them in their order.

    Until hello is answered, messages wait: the session knows its table only then.
    """

    def __init__(self, registry: Registry, code: str, tokens: Mapping[str, str], post: Post) -> None:
        self._outbox, self._post = Outbox(registry.services.now), post
        self.session = Session(registry, code, self._outbox, next(iter(tokens.values()), None), tokens)
        self._early = 0  # messages that wait, not submitted yet
        self._waiting: asyncio.Queue[Callable[[], Submitted]] = asyncio.Queue()
        self._tasks = [asyncio.ensure_future(self._answer()), asyncio.ensure_future(self._write())]

    def receive(self, text: str) -> None:
        submit = partial(self.session.submit, text, self.session.registry.services.now())
        if self.session.table and not self._early:
            submitted = submit()
            self._waiting.put_nowait(lambda: submitted)
        else:
            self._early += 1
            self._waiting.put_nowait(submit)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self.session.end()

    async def _answer(self) -> None:
        while True:
            submitted = (await self._waiting.get())()
            self._early = max(0, self._early - 1)
            await self.session.answer(submitted)

    async def _write(self) -> None:
        while not (self._outbox.closed and not self._outbox.has_frames):
            frame = await self._outbox.next()
            if frame is not None:
                self._post(frame)
            elif self._outbox.overflowed and self.session.table:
                await self.session.table.resync(self.session, self._outbox.resume)
        self._post(None)
