"""The store of one of several servers: it reads and changes the tables that are its own."""

import msgspec

from ..store import Append, Forget, Store, Stored, StoreError, Unavailable
from ..store.store import inspected, prepared_postgres
from .lease import Lease


class FencedStore(Store):
    """Refuses what a server whose lease is over wants to keep. What slips through is refused by the table's epoch."""

    lease: Lease

    async def append(self, append: Append) -> None:
        self._check()
        new = msgspec.structs.replace(append, node=self.lease.run) if append.after == 0 else append
        await super().append(new)

    async def forget(self, forgotten: Forget) -> None:
        self._check()
        await super().forget(forgotten)

    async def load(self, table: str) -> Stored:
        """Read a table in order to have it; one that went to another server is none of ours."""
        stored = await super().load(table)
        if stored.node != self.lease.run:
            raise StoreError("Another server has this table.")
        return stored

    def _check(self) -> None:
        if not self.lease.held:
            raise Unavailable("The lease is over, so nothing can be changed.")


def open_fenced(database: str, lease: Lease) -> FencedStore:
    """Open a database that several servers share, and bring it up to date first."""
    write, read = prepared_postgres(database, lease.lasts)
    store = FencedStore(write, read)
    store.lease = lease
    return inspected(store, read)
