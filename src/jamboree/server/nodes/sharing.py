"""A database shared with other servers, as one of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from jamboree.core.errors import JamboreeError

from ..store import Store
from ..store.store import POSTGRES
from .fenced import open_fenced
from .lease import Lease
from .node import Node, joined


@asynccontextmanager
async def sharing(database: str, name: str, address: str) -> AsyncIterator[tuple[Store, Node]]:
    """Open a database among other servers, under a name and at an address by which they know this one."""
    if not database.startswith(POSTGRES):
        raise JamboreeError("Only a PostgreSQL database can be shared by several servers; name it with --db.")
    lease = Lease(database, name, address)
    store = open_fenced(database, lease)
    try:
        async with joined(lease) as node:
            yield store, node
    finally:
        store.close()
