"""One attack, with somebody looking on."""

import asyncio
import contextlib
from pathlib import Path
from typing import NamedTuple

from .attacks import Attack
from .bystander import Times, a_bystander
from .field import Field, besieged


class Outcome(NamedTuple):
    gets: Times
    pings: Times
    before: float  # MiB of memory
    most: float
    notes: list[str]


async def endured(attack: Attack, size: int, seconds: float, folder: Path) -> Outcome:
    """Start a server, attack it, and say how the bystander fared."""
    async with besieged(folder) as field:
        code, token = await asyncio.to_thread(field.table)
        async with a_bystander(field, code, token) as seen:
            await asyncio.sleep(1)
            before = field.memory()
            most = await _attacked(attack, size, seconds, field)
        return Outcome(seen.gets, seen.pings, before, most, field.notes)


async def _attacked(attack: Attack, size: int, seconds: float, field: Field) -> float:
    """Let an attack go on for a while; give the most memory the server had."""
    most, attacking = field.memory(), asyncio.create_task(_run(attack, size, field))
    end = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < end and not attacking.done():
        await asyncio.sleep(0.2)
        most = max(most, field.memory())
    attacking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await attacking
    return most


async def _run(attack: Attack, size: int, field: Field) -> None:
    await attack.run(field, size)
