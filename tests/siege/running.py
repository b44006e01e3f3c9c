"""Runs one attack with a bystander."""

import asyncio
import contextlib
import time
from pathlib import Path
from typing import NamedTuple

from .attacks import Attack
from .bystander import Times, a_bystander
from .field import Field, besieged

PEACE = 0.2  # of the time of an attack, before it: how the bystander fares when nobody else is there


class Outcome(NamedTuple):
    alone: Times  # how the bystander fared before the attack
    gets: Times
    pings: Times
    work: float  # of the server, as a share of one core
    before: float  # MiB of memory
    most: float
    notes: list[str]


def broken(attack: Attack, outcome: Outcome) -> list[str]:
    """Say which promises an attack broke, if any."""
    p95 = outcome.gets.at(95) * 1000
    found = {
        f"p95 of {p95:.0f} ms, promised are {attack.within:.0f}": p95 > attack.within,
        f"{outcome.gets.failed} requests failed": outcome.gets.failed > 0,
        f"{outcome.most:.0f} MiB, promised are {attack.memory:.0f}": outcome.most > attack.memory,
    }
    return [sentence for sentence, is_broken in found.items() if is_broken]


class Toll(NamedTuple):
    """What an attack cost the server."""

    work: float
    most: float


async def endured(attack: Attack, size: int, seconds: float, folder: Path) -> Outcome:
    """Start a server, attack it, and say how the bystander fared."""
    async with besieged(folder) as field:
        code, token = await asyncio.to_thread(field.table)
        async with a_bystander(field, code, token) as seen:
            await asyncio.sleep(PEACE * seconds)
            before, began = field.memory(), time.monotonic()
            toll = await _attacked(attack, size, seconds, field)
            ended = time.monotonic()
        gets, pings = (seen.times(kind, began, ended) for kind in ("get", "ping"))
        return Outcome(seen.times("get", 0, began), gets, pings, toll.work, before, toll.most, field.notes)


async def _attacked(attack: Attack, size: int, seconds: float, field: Field) -> Toll:
    """Run an attack for a while, and measure its effect."""
    most, worked, began = field.memory(), field.work(), time.monotonic()
    attacking = asyncio.ensure_future(attack.run(field, size))
    while time.monotonic() < began + seconds and not attacking.done():
        await asyncio.sleep(0.2)
        most = max(most, field.memory())
    work = (field.work() - worked) / (time.monotonic() - began)
    attacking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await attacking
    return Toll(work, most)
