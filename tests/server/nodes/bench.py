"""Servers that share one PostgreSQL, all in this process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from jamboree.server.edge.rate_limits import RateLimits
from jamboree.server.http.app import build_app
from jamboree.server.live.registry import Registry
from jamboree.server.nodes.cluster import Cluster, open_cluster
from jamboree.server.nodes.node import Node, joined
from jamboree.server.serve import free_port, listening
from jamboree.server.store.store import Store

from ..bench.local import a_registry
from ..bench.online import ADMIN_TOKEN, HOST, METRICS_TOKEN, Online

PATIENT = 20.0  # seconds a lease lasts: all servers are in one process, and may hold each other up on a busy machine
NO_SITE = Path("/nonexistent")


class Member(NamedTuple):
    """One of the servers, seen from inside."""

    node: Node
    store: Store
    registry: Registry


@asynccontextmanager
async def a_node(shared: str, name: str) -> AsyncIterator[Member]:
    with open_cluster(shared, name, f"{HOST}:{free_port(HOST, 0)}", PATIENT) as (store, node):
        async with a_registry(store, peers=Cluster(node)) as registry, joined(node):
            node.registry = registry
            yield Member(node, store, registry)


class Served(Online):
    """One of the servers, at an address."""

    member: Member


@asynccontextmanager
async def a_server(shared: str, name: str, limits: RateLimits | None = None, **more: Any) -> AsyncIterator[Served]:
    async with a_node(shared, name) as member:
        app = build_app(
            member.registry,
            site=NO_SITE,
            limits=limits,
            metrics_token=METRICS_TOKEN,
            admin_token=ADMIN_TOKEN,
            node=member.node,
            **more,
        )
        port = free_port(HOST, 0)
        async with listening(app, HOST, port):
            served = Served(port, member.registry, app)
            served.member = member
            yield served


async def set_until(shared: str, name: str, ahead: float) -> None:
    """Set a lease as if the database's clock had moved."""
    now = "extract(epoch FROM clock_timestamp())::float8"
    await execute(shared, f"UPDATE nodes SET until = {now} + %s WHERE name = %s", ahead, name)


async def bury(shared: str, name: str) -> None:
    """Decide that a server is dead."""
    await execute(shared, "DELETE FROM nodes WHERE name = %s", name)


async def execute(shared: str, statement: str, *values: object) -> None:
    async with await psycopg.AsyncConnection[Any].connect(shared, autocommit=True) as connection:
        await connection.execute(statement.encode(), values)
