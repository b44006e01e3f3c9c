"""Another table from a step of a finished game: what was played until then is copied, what comes after is new."""

from collections.abc import Sequence
from itertools import islice

from jamboree.core.errors import BadJournal
from jamboree.core.game import AnyGame
from jamboree.core.journal import state_hash, steps

from ...errors import Refused
from ...store import Record
from ..records import Forked
from .replay import journal_of


def forked(history: Sequence[Record], table: str, step: int, game: AnyGame) -> Forked:
    """Copy a game up to a step, with the seeds its picks came from."""
    journal = journal_of(history, table)
    try:
        then = next(islice(steps(journal, game), step, None), None) if step >= 0 else None
    except BadJournal:
        raise Refused(
            "outdated", "The rules have changed since this game was played, so it can't be taken up."
        ) from None
    if then is None or game.outcome(then.state):
        raise Refused("no-step", f"This game can be taken up from steps 0 to {len(journal.entries) - 1}.")
    parts = [part for part in journal.fairness if part.since <= step]
    return Forked(table, step, journal.setup, journal.entries[:step], parts, state_hash(then.state))
