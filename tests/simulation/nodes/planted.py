"""Faults planted in the protocol between servers: a simulation that finds none of them proves nothing."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from jamboree.server.live.registry import NotOwner
from jamboree.server.nodes import lease
from jamboree.server.nodes.lease import Lease
from jamboree.server.nodes.node import Node
from jamboree.server.store import Append, queries
from jamboree.server.store.store import Store

LIVING = " AND (node = %(run)s OR node NOT IN (SELECT run FROM nodes))\n"


def write_whatever_the_epoch() -> Any:
    assert "AND epoch = ?" in queries.ADVANCE and "AND epoch = ?" in queries.GO_ON
    careless = {name: getattr(queries, name).replace("AND epoch = ?", "AND ? >= 0") for name in ("ADVANCE", "GO_ON")}
    return patch.multiple(queries, **careless)


def take_from_the_living() -> Any:
    assert LIVING in lease.TAKE
    return patch.object(lease, "TAKE", lease.TAKE.replace(LIVING, ""))


def go_on_when_the_lease_is_over() -> Any:
    return patch.object(Lease, "held", property(lambda self: self._holds))


def acknowledge_before_the_commit() -> Any:
    async def append(self: Store, append: Append) -> None:
        self._submit(append)
        await asyncio.sleep(0)

    return patch.object(Store, "append", append)


def hand_over_what_is_being_opened() -> Any:
    async def give_away(self: Node, code: str, run: str) -> None:
        assert self.registry
        table = self.registry.tables.get(code)
        if run not in self.peers or (table and table.connections):
            raise NotOwner
        await self._hand_over(self.registry, code, self.peers[run])

    return patch.object(Node, "give_away", give_away)


PLANTED: dict[Callable[[], AbstractContextManager[Any]], int] = {
    write_whatever_the_epoch: 55,
    take_from_the_living: 2,
    go_on_when_the_lease_is_over: 2,
    acknowledge_before_the_commit: 2,
    hand_over_what_is_being_opened: 17,
}
"""Which story finds each of them."""
