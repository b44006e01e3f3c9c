"""The way to a live table: open one, join one, come back to a seat, or only watch."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, TypeVar

import msgspec

from jamboree.bots import LEVELS, Level
from jamboree.client import Client, Declined
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame

from .bridge import SILENCE
from .places import Place, forget, remember, remembered

T = TypeVar("T")
NO_SEAT = ("started", "full", "locked")


class Arrival(NamedTuple):
    """Where somebody has come to. Without a token one watches."""

    table: str
    token: str | None
    link: str = ""  # for others, of a table that was opened just now
    kept: bool = False  # whether the seat can be found again without its token


class Wanted(NamedTuple):
    """A table to open."""

    game: AnyGame
    seats: int
    options: Any
    bots: dict[int, Level]


def levels_of(asked: str | None, seats: int) -> dict[int, Level]:
    """Read `--bots` for a live table: one level for every other seat, or one for each; without it people come."""
    if asked is None:
        return {}
    named = asked.split(",")
    levels = [level for name in named for level in LEVELS if level == name]
    if len(levels) < len(named):
        raise JamboreeError(f"At a live table a bot is one of: {', '.join(LEVELS)}.")
    if len(levels) not in (1, seats - 1):
        raise JamboreeError(f"--bots names {len(levels)} bots, but there are seats for {seats - 1}; name one, or all.")
    return dict(enumerate(levels * (seats - 1) if len(levels) == 1 else levels, 1))


def opened(url: str, wanted: Wanted, name: str, complain: Callable[[], None]) -> Arrival:
    async def open_table() -> Arrival:
        async with Client(url) as client:
            options = msgspec.to_builtins(wanted.options)
            more = {"options": options, "bots": wanted.bots, "listed": False}
            entry = await client.open(wanted.game.info.key, wanted.seats, name, **more)
            return Arrival(entry.table, entry.token, await client.invitation(entry.table))

    return _noted(url, _announced(open_table(), complain), name)


def come_back(url: str, place: Place, complain: Callable[[], None]) -> Arrival | None:
    """Come back to the seat one has; None if the table does not know it any more."""
    try:
        return watched(url, place.table, place.token, complain)._replace(kept=True)
    except Declined as refusal:
        if refusal.code != "wrong-token":
            raise
    forget(place)
    return None


def come_to(url: str, table: str, name: str | None, user: str, complain: Callable[[], None]) -> Arrival:
    """Come back to the seat one has, or take a free one; who finds none watches."""
    known = remembered(url, table, name)
    back = come_back(url, known, complain) if known else None
    return back or _noted(url, _announced(_joined(url, table, name or user), complain), name or user)


def watched(url: str, table: str, token: str | None, complain: Callable[[], None]) -> Arrival:
    """Go to a table with what one has; without a token one only watches."""
    return _announced(_found(url, table, token), complain)


def _noted(url: str, arrival: Arrival, name: str) -> Arrival:
    kept = bool(arrival.token) and remember(Place(url, arrival.table, name, arrival.token or ""))
    return arrival._replace(kept=kept)


def _announced(arriving: Coroutine[Any, Any, T], complain: Callable[[], None]) -> T:
    """Wait for the server, and not in silence."""

    async def wait() -> T:
        arrival = asyncio.create_task(arriving)
        if not (await asyncio.wait([arrival], timeout=SILENCE))[0]:
            complain()
        return await arrival

    return asyncio.run(wait())


async def _found(url: str, table: str, token: str | None) -> Arrival:
    """Make sure that there is such a server, and such a table."""
    async with Client(url) as client:
        await client.table(table, token)
    return Arrival(table, token)


async def _joined(url: str, table: str, name: str) -> Arrival:
    """Join a table that still has a free seat."""
    async with Client(url) as client:
        try:
            return Arrival(table, (await client.join(table, name)).token)
        except Declined as refusal:
            if refusal.code in NO_SEAT:
                return Arrival(table, None)
            raise
