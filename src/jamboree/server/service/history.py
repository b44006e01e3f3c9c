"""What can be read of a game: its log, seeds, journal, replay, paintings and analysis."""

import zlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple, TypeVar

from jamboree import __version__
from jamboree.coach.review import can_review
from jamboree.core.errors import BadJournal
from jamboree.core.game import AnyGame, Eye, Viewer
from jamboree.core.journal import About, write
from jamboree.core.words import Language

from ..analysis import current_work, visible_analysis
from ..errors import Refused
from ..fair_queue import Requester
from ..live.registry import Registry
from ..live.replay import has_begun, has_deltas, journal_of, log_of, paintings_of, replay_of, views_of, with_deltas
from ..live.state import TableState
from ..live.table import Table
from ..live.visibility import check_view
from ..protocol.bodies import FairnessInfo
from ..protocol.terms import UNDER_WAY, Status
from ..protocol.wire import encode
from ..store import Record

T = TypeVar("T")


class Log(NamedTuple):
    """A table's log as JSON; during a game, a player's has secrets."""

    content: bytes
    is_public: bool


async def log(registry: Registry, table: Table, person: str | None, language: Language, seat: int | None) -> Log:
    """The log as a person witnessed it, or after the game as a `seat` did."""
    game, eyes, is_over = await table.read(lambda state: (_rules(state), _viewing_seat(state, person), _is_over(state)))
    viewer = eyes if seat is None else await _seat(table, seat)
    history = await registry.store.history(table.code)
    content = await registry.offload.run(log_of, history, game, viewer, language, eyes)
    return Log(content, is_over or viewer is None)


async def fairness(table: Table) -> FairnessInfo:
    return await table.read(_fairness)


async def journal(registry: Registry, table: Table) -> bytes:
    """The journal of a game that is over, deflated."""
    about = await table.read(_about)
    return await registry.offload.run(_journal, await registry.store.history(table.code), table.code, about)


async def replay(registry: Registry, table: Table, seat: int | None, *, deltas: bool) -> bytes:
    """The views of all steps, as `deltas` after the first; deflated."""
    await check_finished(table)
    viewer = Eye.ALL if seat is None else await _seat(table, seat)
    stored = await registry.store.replay(table.code) if seat is None else None
    if stored is None or not has_deltas(stored):
        stored = await _replayed(registry, table, viewer, stored)
    return stored if deltas else await registry.offload.run(views_of, stored)


async def paintings(registry: Registry, table: Table, language: Language, seat: int | None) -> bytes:
    """Every step as text, deflated."""
    await check_finished(table)
    viewer = Eye.ALL if seat is None else await _seat(table, seat)
    game, avatars = await table.read(lambda state: (_rules(state), state.roster.avatars.by_seat))
    history = await registry.store.history(table.code)
    return await registry.offload.run(_replaying, partial(paintings_of, history, game, avatars, language, viewer))


async def analysis(registry: Registry, table: Table, person: str | None, language: Language, seat: int | None) -> bytes:
    """The analysis of a finished game, as far as it is done and as a person may see it."""
    await check_finished(table)
    game, eyes, roster = await table.read(lambda state: (_rules(state), _viewing_seat(state, person), state.roster))
    work = current_work(await registry.store.analysis(table.code), registry.analyst.work(table.code))
    whose = seat if seat is not None and 0 <= seat < roster.seats else eyes
    journal = partial(journal_of, await registry.store.history(table.code))
    found = partial(visible_analysis, work, journal, game, roster.avatars.by_seat, eyes, whose, language)
    return await registry.offload.run(lambda: encode(_replaying(found)))


async def begin_analysis(registry: Registry, table: Table, requester: Requester) -> None:
    """Queue the analysis of a finished game."""
    if not can_review(await table.read(_rules)):
        raise Refused("no-analysis", "This game can't be reviewed here.")
    work = current_work(await registry.store.analysis(table.code), registry.analyst.work(table.code))
    if work.state != "done":
        history = await registry.store.history(table.code)
        line = await registry.offload.run(lambda: encode(journal_of(history)))
        keep = partial(registry.store.save_analysis, table.code)
        registry.analyst.begin(table.code, line, keep, work.found, requester)


async def check_finished(table: Table) -> None:
    if await table.read(lambda state: state.roster.status) != Status.FINISHED:
        raise _not_finished()


async def _seat(table: Table, seat: int) -> int:
    """Validate the requested seat of a finished game."""
    await check_finished(table)
    seats = await table.read(lambda state: state.roster.seats)
    if not 0 <= seat < seats:
        raise Refused("no-seat", f"This table has seats 0 to {seats - 1}.")
    return seat


async def _replayed(registry: Registry, table: Table, viewer: Viewer, stored: bytes | None) -> bytes:
    """Replay a game; if its rules are outdated, convert an old stored replay, which may lack newer fields."""
    try:
        game, history = await table.read(_rules), await registry.store.history(table.code)
        return await registry.offload.run(_replaying, partial(replay_of, history, game, viewer))
    except Refused as refusal:
        if stored is None or refusal.code != "outdated":
            raise
        return await registry.offload.run(with_deltas, stored)


def _replaying(work: Callable[[], T]) -> T:
    """Run work that replays a journal; refuse it if the rules lead elsewhere now."""
    try:
        return work()
    except BadJournal as error:
        raise Refused("outdated", str(error)) from None


def _journal(history: Sequence[Record], table: str, about: About) -> bytes:
    if not has_begun(history):
        raise _not_finished()
    return zlib.compress(write(journal_of(history, table, about)).encode())


def _viewing_seat(state: TableState, person: str | None) -> int | None:
    """The seat from which a person may view the table; None for spectators."""
    check_view(state.roster, person)
    return state.roster.seat_of(person)


def _fairness(state: TableState) -> FairnessInfo:
    luck, roster = state.luck, state.roster
    if not luck.secret or roster.status in UNDER_WAY:
        return FairnessInfo(luck.commitment)
    return FairnessInfo(luck.commitment, luck.secret, list(luck.seeds), roster.turned)


def _about(state: TableState) -> About:
    """The journal's metadata: when the game ended, and its outcome if its rules are installed."""
    if not _is_over(state):
        raise _not_finished()
    day = datetime.fromtimestamp(state.touched, UTC).date().isoformat()
    return About(__version__, day, state.outcome)


def _is_over(state: TableState) -> bool:
    """Whether the whole game is public for everyone with the code."""
    return state.roster.status not in UNDER_WAY and not state.roster.learning


def _rules(state: TableState) -> AnyGame:
    state.check_rules()
    return state.game


def _not_finished() -> Refused:
    return Refused("not-finished", "A game can be seen from every seat once it is over.")
