"""One of several servers: it keeps its lease, knows the others, and lets go of its tables when the lease is over."""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from math import inf

from ..errors import Refused
from ..live.registry import NotOwner, Registry
from ..store import Lost, StoreError
from .lease import Lease, NameTaken, Peer

log = logging.getLogger(__name__)
BEAT = 0.5  # seconds between two renewals
WATCH = 0.05  # seconds at least between two looks at our own clock
KNOWN_FOR = 1.0  # seconds for which we believe that a table is where it was
SOON = 0.05  # seconds after somebody's lease must be over, before we look
MOST_KNOWN = 10_000
STAYS = 30.0  # seconds for which a table that was given to us is given to nobody else, or anybody could keep it moving


class Node:
    def __init__(self, lease: Lease) -> None:
        self.lease, self.now = lease, lease.now
        self.registry: Registry | None = None
        self.leaving = False
        self.peers: dict[str, Peer] = {}  # by what each is called since it joined
        self._gone: dict[str, asyncio.Event] = {}
        self._known: dict[str, tuple[str, float]] = {}  # tables of others: whose, and until when we believe it
        self._given: dict[str, float] = {}  # tables that others gave us: until when they stay
        self._out = self._doubting = False
        self._heard = -inf  # when we asked who is there, the last time that there was an answer
        self._one_at_a_time = asyncio.Lock()

    @property
    def ready(self) -> bool:
        return self.lease.held and not self._out and not self.leaving

    @property
    def run(self) -> str:
        """Say by what tables are ours at this moment; it is another one once they may have gone elsewhere."""
        if self._out or not self.lease.held:
            raise NotOwner
        return self.lease.run

    async def claim(self, code: str) -> str:
        """Make sure that a table is ours before it is read, and say by what it is."""
        run = self.run
        if self.leaving and self.peers:
            raise NotOwner
        if not await self.lease.take(code) and await self.lease.owner(code) is not None:
            raise NotOwner
        return run

    async def owner(self, code: str) -> Peer | None:
        """Find the server that has a table; None if it is this one, or can be."""
        if self.registry and code in self.registry.tables:
            return None
        run, until = self._known.get(code, ("", 0.0))
        if run not in self.peers or self.now() > until:
            run = await self._asked_owner(code)
        if run not in self.peers:
            return self.heir(code) if self.leaving else None
        return self.peers[run]

    async def _asked_owner(self, code: str) -> str:
        try:
            run = await self.lease.owner(code)
            if run and run != self.lease.run and (self._doubting or run not in self.peers):
                await self._listen()  # is it dead, or has it come just now?
        except Lost:
            raise Refused("not-kept", "The tables can't be read at the moment.") from None
        if run in self.peers:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            self._known[code] = (run, self.now() + KNOWN_FOR)
        return run or ""

    def knows(self, code: str) -> bool:
        """Tell whether there was such a table on another server a moment ago."""
        return code in self._known

    def doubt(self, code: str) -> None:
        """Look up anew whose a table is, next time."""
        self._known.pop(code, None)
        self._doubting = True

    def heir(self, code: str) -> Peer | None:
        """Choose who gets a table, so that tables are spread evenly."""
        return max(self.peers.values(), key=lambda peer: _weight(code, peer), default=None)

    def gone(self, peer: Peer) -> asyncio.Event:
        """Give what is set when another server has died or left."""
        event = self._gone.setdefault(peer.run, asyncio.Event())
        if peer.run not in self.peers:
            event.set()
        return event

    async def drain(self) -> None:
        """Hand the tables over to the others, one by one."""
        self.leaving = True
        registry = self.registry
        with suppress(StoreError):
            while registry and registry.tables and self.peers and self.lease.held:
                for code in list(registry.tables):
                    if heir := self.heir(code):
                        await self._hand_over(registry, code, heir)

    async def give(self, code: str, run: str) -> None:
        """Give a table to another server that has somebody for it, unless somebody is connected or it came just now."""
        peer, registry = self.peers.get(run), self.registry
        if peer is None or registry is None or self.now() < self._given.get(code, 0.0):
            raise NotOwner
        async with registry.lock("open", code):
            table = registry.tables.get(code)
            if table and table.watched:
                raise NotOwner
            await self._hand_over(registry, code, peer)

    def receive(self, code: str) -> None:
        """Note that a table was given to us; it stays for a while, whoever comes for it elsewhere."""
        self.doubt(code)
        self._given.pop(code, None)
        self._given[code] = self.now() + STAYS
        while self._given[oldest := next(iter(self._given))] < self.now():
            del self._given[oldest]

    async def _hand_over(self, registry: Registry, code: str, heir: Peer) -> None:
        """Hand a table over; nobody may open it here meanwhile, or it would be at two servers."""
        await asyncio.gather(*registry.note_clocks(), return_exceptions=True)
        await registry.let_go(code)
        await self.lease.hand_over(code, heir)

    async def beat(self) -> None:
        """Renew the lease for ever; if it was over, come back once all tables are let go of."""
        while True:
            with suppress(StoreError, NameTaken):
                if self._out:
                    await self._come_back()
                await self._renew()
            await self._let_go_if_over()
            await asyncio.sleep(min(BEAT, max(0.0, self.lease.soonest) + SOON))

    async def _come_back(self) -> None:
        """Get another lease, once nothing is left that we had by the last one."""
        await self._abandon()
        await self.lease.join()
        self._out = False
        log.warning("this server has a lease again, and opens tables")

    async def watch(self) -> None:
        """Let go of every table once the lease may be over. Nobody is asked: the database may be what is gone."""
        while True:
            await asyncio.sleep(min(BEAT, max(WATCH, self.lease.left)))
            await self._let_go_if_over()

    async def _let_go_if_over(self) -> None:
        if not self.lease.held and not self._out:
            self._out = True
            self.lease.give_up()
            log.error("the lease is over; the tables of this server are let go of")
            await self._abandon()

    async def _abandon(self) -> None:
        if self.registry:
            await asyncio.gather(*map(self.registry.let_go, list(self.registry.tables)))

    async def _listen(self) -> None:
        """Hear who is there now, but not anew for everybody who wants to know."""
        wanted = self.now()
        async with self._one_at_a_time:
            if self._heard < wanted:
                await self._renew()

    async def _renew(self) -> None:
        asked = self.now()
        self.hear(await self.lease.renew())
        self._heard = asked  # whoever came later may not have been in the answer

    def hear(self, peers: list[Peer]) -> None:
        self.peers = {peer.run: peer for peer in peers}
        self._doubting = False
        for run in [run for run in self._gone if run not in self.peers]:
            self._gone.pop(run).set()


def _weight(code: str, peer: Peer) -> bytes:
    return hashlib.blake2b(f"{code} {peer.name}".encode()).digest()


@asynccontextmanager
async def joined(node: Node | None) -> AsyncIterator[None]:
    """Be one of the servers until the end of the block, if there can be others."""
    if node is None:
        yield
        return
    await _join(node)
    living = [asyncio.create_task(node.beat()), asyncio.create_task(node.watch())]
    try:
        yield
    finally:
        for task in living:
            task.cancel()
        await asyncio.gather(*living, return_exceptions=True)
        with suppress(StoreError):
            await node.lease.leave()


async def _join(node: Node) -> None:
    """Join; a server of the same name may have been killed just now, so its lease is waited for."""
    lease = node.lease
    give_up = lease.now() + 2 * lease.lasts
    while True:
        try:
            await lease.join()
            node.hear(await lease.renew())
            return
        except NameTaken:
            if lease.now() > give_up:
                await lease.close()
                raise
        await asyncio.sleep(BEAT)
