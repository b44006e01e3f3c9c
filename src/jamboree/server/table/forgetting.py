"""Forgetting somebody who asks for it: at their table, and where they went on from there."""

from collections.abc import Sequence

from ..store import Forget
from .others import FORGET, Elsewhere
from .registry import Registry
from .table import Table

MOST_TABLES = 50  # that a chain of rematches is followed through


async def forget(registry: Registry, table: Table, person: str) -> None:
    """Delete somebody's name and talk, also at the rematches they went to; the table's own task does so in its turn."""
    for _ in range(MOST_TABLES):
        tokens, following = list(table.memory.lobby.people[person].tokens), table.memory.lobby.rematch
        await table.enqueue(lambda table=table, person=person: _forget(registry, table, person))  # type: ignore[misc]
        if not following:
            return
        try:
            table = await registry.table(following)
        except Elsewhere:
            await registry.others.ask(FORGET, following, tokens)
            return
        there = known_by(table, tokens)
        if there is None:
            return
        person = there


def known_by(table: Table, tokens: Sequence[str]) -> str | None:
    """Find who at a table goes by one of some hashed tokens."""
    return next((key for token in tokens if (key := table.memory.lobby.who(token))), None)


async def _forget(registry: Registry, table: Table, person: str) -> None:
    await registry.store.forget(Forget(table.code, person))
    await table.keeper.read_back()
