"""The server inside a page: the registry of its tables, its requests and its connections."""

import asyncio
import logging
from collections.abc import Mapping
from types import TracebackType
from typing import NamedTuple

import msgspec

from jamboree.bots.search import search_elsewhere
from jamboree.core.errors import UNREADABLE
from jamboree.games import all_games

from ..errors import Refused, trace
from ..live.clock import Tempo
from ..live.registry import Registry
from ..protocol.bodies import Problem
from ..store import Incomplete, StoreError
from ..tokens import new_code
from .connection import PageConnection, Post
from .disk import Disk
from .requests import PageRequest, answer_to
from .store import PageStore
from .thinker import PageThinker, Search
from .wallet import Wallet

log = logging.getLogger(__name__)
PAGE_PREFIX = "l"  # a letter that no code of a server begins with
SWEEP_EVERY = 60.0  # seconds


def new_page_code() -> str:
    """A code by which the client knows that a table is in this page."""
    return f"{PAGE_PREFIX}{new_code()}"


class Answer(NamedTuple):
    """The answer to a request: JSON, empty for none."""

    ok: bool
    body: bytes = b""


class PageServer:
    """`search` carries out the searches of bots and hints; without it, levels that search are not offered."""

    def __init__(self, disk: Disk, tempo: Tempo | None = None, search: Search | None = None) -> None:
        self.store, self.wallet, games = PageStore(disk), Wallet(disk), all_games()
        if search:
            for key in games:
                search_elsewhere(key)
        self.registry = Registry(self.store, games, new_code=new_page_code, tempo=tempo, thinker=PageThinker(search))
        self._connections: dict[int, PageConnection] = {}

    async def __aenter__(self) -> "PageServer":
        await self.store.open()
        await self.wallet.open()
        await self.registry.__aenter__()
        self._sweeping = asyncio.ensure_future(self._sweep())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._sweeping.cancel()
        for number in [*self._connections]:
            await self.hang_up(number)
        await self.registry.__aexit__(kind, error, where)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_EVERY)
            await self.registry.sweep()

    async def request(self, method: str, path: str, query: Mapping[str, str], acting_as: str, body: bytes) -> Answer:
        """Answer a request of the API; `acting_as` is a person of a shared device."""
        try:
            return Answer(
                True, await answer_to(PageRequest(self.registry, self.wallet, method, path, query, acting_as, body))
            )
        except Refused as refusal:
            return _refused(refusal)
        except UNREADABLE as error:
            return _refused(Refused("malformed", f"The body does not fit: {error}."))
        except Incomplete:
            return _refused(Refused("incomplete", "This browser has lost parts of this table, so it can't be opened."))
        except StoreError as error:
            log.error("the store failed: %s", trace(error))
            return _refused(Refused("not-saved", str(error)))
        except Exception as error:
            log.error("a request failed: %s", trace(error))
            return _refused(Refused("broken", "Something is broken here, and it is not your fault."))

    async def connect(self, number: int, code: str, post: Post) -> None:
        """Connect to a table; frames are posted, and None when it is closed."""
        try:
            table = await self.registry.table(code)
        except Refused:
            post(None)
            return
        self._connections[number] = PageConnection(self.registry, table.code, self.wallet.people(table), post)

    def receive(self, number: int, text: str) -> None:
        if number in self._connections:
            self._connections[number].receive(text)

    async def hang_up(self, number: int) -> None:
        if connection := self._connections.pop(number, None):
            await connection.close()


def _refused(refusal: Refused) -> Answer:
    problem = Problem(refusal.code, refusal.sentence, refusal.detail)
    return Answer(False, msgspec.json.encode(problem))
