"""Hints: asked of a table, thought over where bots think, and told to nobody but who asked."""

import asyncio
import logging
from math import inf
from typing import Any

import msgspec

from jamboree.coach import Advised
from jamboree.core.words import Language

from ..commands.hinting import Asked, AskHint
from ..errors import Refused, trace
from ..minding.bot_pool import BotFailed
from ..minding.bot_worker import Question, Words
from ..protocol.wire import encode
from .table import Table

log = logging.getLogger(__name__)
EVERY = 2.0  # seconds between two hints to one person


def hint(table: Table, person: str | None, language: Language | None, arrived: float | None) -> "asyncio.Future[Any]":
    """Ask for a hint; the table goes on meanwhile."""
    _check_pace(table, person or "")
    asked = table.submit(AskHint(person), arrived)
    return asyncio.ensure_future(_advised(table, language or "en", asked))


async def _advised(table: Table, language: Language, asking: "asyncio.Future[Any]") -> Advised:
    asked: Asked = await asking
    try:
        return await table.steward.bot_turns.thinker.advise(_question(table, asked, language))
    except Exception as failure:
        why = str(failure) if isinstance(failure, BotFailed) else trace(failure)
        log.warning("a hint at table %s failed: %s", table.code, why)
        raise Refused("no-advice", "There is no advice in time; ask again in a moment.") from None


def _check_pace(table: Table, person: str) -> None:
    """Let nobody ask again and again: thinking is what bots need, too."""
    advised, now = table.steward.bot_turns.advised, table.now()
    if now - advised.get(person, -inf) < EVERY:
        raise Refused("too-fast", "One hint at a time; ask again in a moment.")
    advised[person] = now


def _question(table: Table, asked: Asked, language: Language) -> Question:
    """Put down what this person sees, and nothing else."""
    memory = table.memory
    info, lobby = memory.game.info, memory.lobby
    shown, offered = msgspec.Raw(encode(asked.view)), msgspec.Raw(encode(asked.offers))
    words = Words(lobby.names(), list(lobby.looks.worn), language)
    return Question(f"{table.code} {asked.seat}", info.key, info.rules_version, "star", shown, offered, hint=words)
