"""A server of a cluster: its store with fencing, its lease, and its calls to the other servers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec

from jamboree.core.errors import JamboreeError

from ..live.registry import Peers
from ..store import Append, ErasePerson, Stored, StoreError, Unavailable
from ..store.store import POSTGRES, Store, migrated_postgres, with_integrity_checks
from .lease import LEASE_SECONDS, Lease
from .node import Node
from .relay import ask_owner


class FencedStore(Store):
    """A store that refuses writes without a lease; the database refuses stale writes by the table's epoch."""

    lease: Lease

    async def append(self, append: Append) -> None:
        self._check()
        new = msgspec.structs.replace(append, node=self.lease.run) if append.after == 0 else append
        await super().append(new)

    async def erase_person(self, erase: ErasePerson) -> None:
        self._check()
        await super().erase_person(erase)

    async def load(self, table: str) -> Stored:
        stored = await super().load(table)
        if stored.node != self.lease.run:
            raise StoreError("Another server has this table.")
        return stored

    def _check(self) -> None:
        if not self.lease.held:
            raise Unavailable("This server's lease has expired, so nothing can be changed.")


class Cluster(Peers):
    """The peers of a server that shares its database."""

    def __init__(self, node: Node) -> None:
        self.node = node

    @property
    def run(self) -> str:
        return self.node.run

    async def claim(self, code: str) -> str:
        return await self.node.claim(code)

    async def ask(self, operation: str, code: str, arguments: Sequence[str]) -> None:
        await ask_owner(self.node, operation, code, arguments)


def open_fenced(database: str, lease: Lease) -> FencedStore:
    """Migrate and open a database that several servers share."""
    write, read = migrated_postgres(database, lease.duration)
    store = FencedStore(write, read)
    store.lease = lease
    return with_integrity_checks(store, read)


@contextmanager
def open_cluster(
    database: str, name: str, address: str, duration: float = LEASE_SECONDS
) -> Iterator[tuple[Store, Node]]:
    """Open a shared database as one of its servers, with the name and the internal address that the others use."""
    if not database.startswith(POSTGRES):
        raise JamboreeError("Several servers can only share a PostgreSQL database; name it with --db.")
    lease = Lease(database, name, address, duration=duration)
    store = open_fenced(database, lease)
    try:
        yield store, Node(lease)
    finally:
        store.close()
