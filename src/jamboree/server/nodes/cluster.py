"""A database shared with other servers, as one of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from jamboree.core.errors import JamboreeError

from ..store import Store
from ..store.store import POSTGRES
from .fenced import open_fenced
from .lease import LASTS, Lease
from .node import Node
from .relay import ask_elsewhere


class Neighbours:
    """The other servers, as tables see them."""

    def __init__(self, node: Node) -> None:
        self.node = node

    @property
    def run(self) -> str:
        return self.node.run

    async def claim(self, code: str) -> str:
        return await self.node.claim(code)

    async def ask(self, what: str, code: str, words: Sequence[str]) -> None:
        await ask_elsewhere(self.node, what, code, words)


@contextmanager
def sharing(database: str, name: str, address: str, lasts: float = LASTS) -> Iterator[tuple[Store, Node]]:
    """Open a database among other servers, under a name and at an address by which they know this one."""
    if not database.startswith(POSTGRES):
        raise JamboreeError("Only a PostgreSQL database can be shared by several servers; name it with --db.")
    lease = Lease(database, name, address, lasts=lasts)
    store = open_fenced(database, lease)
    try:
        yield store, Node(lease)
    finally:
        store.close()
