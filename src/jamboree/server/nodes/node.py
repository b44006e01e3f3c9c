"""A server of a cluster: renews its lease, tracks its peers, and gives up its tables when the lease expires."""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from math import inf

from ..errors import Refused
from ..live.registry import NotOwner, Registry
from ..store import DatabaseUnreachable, StoreError
from .lease import Lease, NameTaken, Peer

log = logging.getLogger(__name__)
RENEW_EVERY = 0.5  # seconds between lease renewals
CHECK_EVERY = 0.05  # seconds between checks of the own clock, at least
OWNER_CACHE_SECONDS = 1.0  # seconds for which a table's owner is cached
EXPIRY_MARGIN = 0.05  # seconds after a peer's lease expires before checking
MAX_CACHED = 10_000
STICKY_SECONDS = 30.0  # seconds before a received table is given away again, so that clients cannot keep it moving


class Node:
    def __init__(self, lease: Lease) -> None:
        self.lease, self.now = lease, lease.now
        self.registry: Registry | None = None
        self.leaving = False
        self.peers: dict[str, Peer] = {}  # by run id
        self._departures: dict[str, asyncio.Event] = {}
        self._owners: dict[
            str, tuple[str, float]
        ] = {}  # tables of peers: the owner's run id, and until when it is cached
        self._sticky_until: dict[str, float] = {}  # tables received from peers: until when they stay
        self._expired = self._is_stale = False
        self._refreshed_at = -inf  # when the last successful renewal was sent
        self._lock = asyncio.Lock()

    @property
    def ready(self) -> bool:
        return self.lease.held and not self._expired and not self.leaving

    @property
    def run(self) -> str:
        """The current run id; it changes once our tables may have gone to a peer. Raise NotOwner without a lease."""
        if self._expired or not self.lease.held:
            raise NotOwner
        return self.lease.run

    async def claim(self, code: str) -> str:
        """Own a table before it is read, and return the run id; raise NotOwner if a peer has it."""
        run = self.run
        if self.leaving and self.peers:
            raise NotOwner
        if not await self.lease.take(code) and await self.lease.owner(code) is not None:
            raise NotOwner
        return run

    async def owner(self, code: str) -> Peer | None:
        """The peer that owns a table; None if this server does or may take it."""
        if self.registry and code in self.registry.tables:
            return None
        run, until = self._owners.get(code, ("", 0.0))
        if run not in self.peers or self.now() > until:
            run = await self._look_up_owner(code)
        if run not in self.peers:
            return self.heir(code) if self.leaving else None
        return self.peers[run]

    async def _look_up_owner(self, code: str) -> str:
        try:
            run = await self.lease.owner(code)
            if run and run != self.lease.run and (self._is_stale or run not in self.peers):
                await self._refresh_peers()  # it may be dead, or have joined just now
        except DatabaseUnreachable:
            raise Refused("not-saved", "The tables can't be read at the moment.") from None
        if run in self.peers:
            if len(self._owners) > MAX_CACHED:
                self._owners.clear()
            self._owners[code] = (run, self.now() + OWNER_CACHE_SECONDS)
        return run or ""

    def has_cached(self, code: str) -> bool:
        """Whether a peer owned such a table a moment ago."""
        return code in self._owners

    def invalidate(self, code: str) -> None:
        """Look up a table's owner again next time."""
        self._owners.pop(code, None)
        self._is_stale = True

    def heir(self, code: str) -> Peer | None:
        """The peer that gets a table, by rendezvous hashing: tables are spread evenly."""
        return max(self.peers.values(), key=lambda peer: _rendezvous_weight(code, peer), default=None)

    def departure(self, peer: Peer) -> asyncio.Event:
        """An event that is set when a peer has died or left."""
        event = self._departures.setdefault(peer.run, asyncio.Event())
        if peer.run not in self.peers:
            event.set()
        return event

    async def drain(self) -> None:
        """Hand all tables over to peers, one by one."""
        self.leaving = True
        registry = self.registry
        with suppress(StoreError):
            while registry and registry.tables and self.peers and self.lease.held:
                for code in list(registry.tables):
                    if heir := self.heir(code):
                        await self._hand_over(registry, code, heir)

    async def give_away(self, code: str, run: str) -> None:
        """Hand a table over to a peer that has a client for it, unless it is in use here or has just arrived."""
        peer, registry = self.peers.get(run), self.registry
        if peer is None or registry is None or self.now() < self._sticky_until.get(code, 0.0):
            raise NotOwner
        async with registry.lock("open", code):
            table = registry.tables.get(code)
            if table and table.connections:
                raise NotOwner
            await self._hand_over(registry, code, peer)

    def note_received(self, code: str) -> None:
        """Record a table received from a peer; it stays here for a while."""
        self.invalidate(code)
        self._sticky_until.pop(code, None)
        self._sticky_until[code] = self.now() + STICKY_SECONDS
        while self._sticky_until[oldest := next(iter(self._sticky_until))] < self.now():
            del self._sticky_until[oldest]

    async def _hand_over(self, registry: Registry, code: str, heir: Peer) -> None:
        """Hand a table over. The caller prevents it from being opened here meanwhile, or two servers would have it."""
        await asyncio.gather(*registry.save_clocks(), return_exceptions=True)
        await registry.unload(code)
        await self.lease.hand_over(code, heir)

    async def renew_forever(self) -> None:
        """Renew the lease for ever; after it has expired, rejoin once all tables are given up."""
        while True:
            with suppress(StoreError, NameTaken):
                if self._expired:
                    await self._rejoin()
                await self._renew()
            await self._abandon_if_expired()
            await asyncio.sleep(min(RENEW_EVERY, max(0.0, self.lease.next_expiry) + EXPIRY_MARGIN))

    async def _rejoin(self) -> None:
        """Acquire a new lease, after giving up everything owned under the last one."""
        await self._abandon()
        await self.lease.join()
        self._expired = False
        log.warning("this server has a lease again and opens tables")

    async def watch_expiry(self) -> None:
        """Give up all tables once the lease may have expired, without asking the database, which may be unreachable."""
        while True:
            await asyncio.sleep(min(RENEW_EVERY, max(CHECK_EVERY, self.lease.left)))
            await self._abandon_if_expired()

    async def _abandon_if_expired(self) -> None:
        if not self.lease.held and not self._expired:
            self._expired = True
            self.lease.give_up()
            log.error("the lease has expired; this server gives up its tables")
            await self._abandon()

    async def _abandon(self) -> None:
        if self.registry:
            await asyncio.gather(*map(self.registry.unload, list(self.registry.tables)))

    async def _refresh_peers(self) -> None:
        """Refresh the list of peers; concurrent callers share one query."""
        requested_at = self.now()
        async with self._lock:
            if self._refreshed_at < requested_at:
                await self._renew()

    async def _renew(self) -> None:
        sent_at = self.now()
        self.set_peers(await self.lease.renew())
        self._refreshed_at = sent_at  # peers that joined later may be missing from the answer

    def set_peers(self, peers: list[Peer]) -> None:
        self.peers = {peer.run: peer for peer in peers}
        self._is_stale = False
        for run in [run for run in self._departures if run not in self.peers]:
            self._departures.pop(run).set()


def _rendezvous_weight(code: str, peer: Peer) -> bytes:
    return hashlib.blake2b(f"{code} {peer.name}".encode()).digest()


@asynccontextmanager
async def joined(node: Node | None) -> AsyncIterator[None]:
    """Be a member of the cluster until the end of the block, if there is one."""
    if node is None:
        yield
        return
    await _join(node)
    tasks = [asyncio.create_task(node.renew_forever()), asyncio.create_task(node.watch_expiry())]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(StoreError):
            await node.lease.leave()


async def _join(node: Node) -> None:
    """Join; if a server of the same name was killed just now, wait for its lease to expire."""
    lease = node.lease
    give_up = lease.now() + 2 * lease.duration
    while True:
        try:
            await lease.join()
            node.set_peers(await lease.renew())
            return
        except NameTaken:
            if lease.now() > give_up:
                await lease.close()
                raise
        await asyncio.sleep(RENEW_EVERY)
