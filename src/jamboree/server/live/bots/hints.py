"""Hints for people: a worker process computes the best actions of a position, with reasons."""

import asyncio
from math import inf
from typing import TYPE_CHECKING, Any

from jamboree.coach import AdviceText
from jamboree.core.words import Language

from ...errors import Refused
from ..commands.playing import Asked, AskHint
from .thinker import failure_text, question_for
from .worker import SentenceContext

if TYPE_CHECKING:
    from ..table import Table

HINT_EVERY = 2.0  # seconds between hints to one person, since bots share the processes


def hint(
    table: "Table", command: AskHint, person: str | None, language: Language | None, arrived: float | None
) -> "asyncio.Future[Any]":
    """Compute a hint; at most one at a time for a person."""
    advised, now = table.scheduler.bot_scheduler.advised, table.now()
    if now - advised.get(person or "", -inf) < HINT_EVERY:
        raise Refused("too-fast", "One hint at a time; ask again in a moment.")
    advised[person or ""] = now
    asked = table.submit(command, person, arrived)
    return asyncio.ensure_future(_advised(table, language or "en", asked))


async def _advised(table: "Table", language: Language, asking: "asyncio.Future[Any]") -> AdviceText:
    asked: Asked = await asking
    begun, services, roster = table.now(), table.registry.services, table.state.roster
    context = SentenceContext(roster.names(), list(roster.avatars.by_seat), language)
    bot, info = f"{table.code} {asked.seat}", table.state.game.info
    try:
        return await services.thinker.advise(question_for(info, bot, "star", asked.view, asked.offers, hint=context))
    except Exception as failure:
        services.bot_metrics.hint_failed(failure_text(failure), table.now() - begun)
        raise Refused("no-advice", "There is no advice in time; ask again in a moment.") from None
