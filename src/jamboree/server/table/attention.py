"""What people at a table tell it about each other's attention. None of it is kept."""

import asyncio
from collections.abc import Iterable
from typing import Any

from .table import Table


def heed(table: Table, people: Iterable[str | None]) -> "asyncio.Future[Any]":
    """Take somebody for awake, or all who sit around one device."""

    async def hear() -> None:
        for person in people:
            table.steward.hear_from(person)

    return table.enqueue(hear)


def speak(table: Table, person: str | None, phrase: str) -> "asyncio.Future[Any]":
    """Let somebody say a quick phrase."""
    return table.enqueue(lambda: table.remarks.speak(person, phrase))


def tell_peek(table: Table, person: str | None, seconds: float) -> "asyncio.Future[Any]":
    """Tell everybody that the wrong person has looked."""
    return table.enqueue(lambda: table.remarks.tell_peek(person, seconds))


def hurry(table: Table, person: str | None) -> "asyncio.Future[Any]":
    """Have bots move at once until the only person who plays is asked."""

    async def speed_up() -> None:
        table.steward.hear_from(person)
        table.steward.hurry(person)

    return table.enqueue(speed_up)


def nudge(table: Table, person: str | None, who: str) -> "asyncio.Future[Any]":
    """Ask a player whom the table waits for whether they are there."""

    async def ask() -> None:
        table.steward.hear_from(person)
        table.steward.idle.nudge(person, who)
        table.audience.nudge(who, person or "")

    return table.enqueue(ask)


def vote(table: Table, person: str | None, who: str, bot: bool) -> "asyncio.Future[Any]":
    """Note whether somebody wants a bot to play for a player who is missed."""

    async def count() -> None:
        table.steward.hear_from(person)
        table.steward.idle.vote(person, who, bot)

    return table.enqueue(count)
