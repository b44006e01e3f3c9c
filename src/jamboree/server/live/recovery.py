"""Event sourcing, the reading side: the last snapshot, and the records since, folded into the state of a table."""

import logging
from collections.abc import Iterable
from contextlib import suppress

import msgspec

from jamboree.core.game import AnyGame
from jamboree.core.rulesets import Rulesets

from ..errors import trace
from ..offload import Offload
from ..protocol.terms import Status
from ..store import Record, Stored, StoreError, TableStore
from .positions import shared_options
from .records import Acted, AnyRecord, Opened, Undone, read
from .roster import Roster
from .state import CHANGED, Outdated, StateSnapshot, TableState

log = logging.getLogger(__name__)


async def recover(store: TableStore, table: str, games: Rulesets, offload: Offload) -> TableState:
    """Load a table. Unusable snapshots are skipped; without matching rules only the roster is loaded."""
    stored = await store.load(table)
    with suppress(Outdated):
        return await offload.run_for_table(rebuild, stored, games)
    records = (await store.history(table))[: stored.seq]
    whole = msgspec.structs.replace(stored, snapshot=None, records=records)
    return await offload.run_for_table(_rebuild_or_roster, whole, games)


def _rebuild_or_roster(whole: Stored, games: Rulesets) -> TableState:
    try:
        return rebuild(whole, games)
    except Outdated as error:
        return _without_rules(whole, str(error))


async def recover_at(store: TableStore, table: str, games: Rulesets, seq: int, offload: Offload) -> TableState:
    """The state of a table after a record."""
    stored, records = await store.load(table), (await store.history(table))[:seq]
    earlier = msgspec.structs.replace(stored, seq=seq, snapshot=None, records=records)
    try:
        return await offload.run_for_table(rebuild, earlier, games)
    except Outdated as error:
        raise StoreError(str(error)) from None


def rebuild(stored: Stored, games: Rulesets) -> TableState:
    """Rebuild the state from stored records; raise Outdated if the rules lead to another position."""
    try:
        state = _begun(stored, games)
        records = list(enumerate(map(read, _after_the_first(stored)), state.seq + 1))
        gone = undone_records(records)
        for seq, record in records:
            if seq in gone:
                state.fold_roster(record)
            else:
                state.fold(record, checked=False)
        state.check_position()
    except Outdated:
        raise
    except Exception as error:  # other rules may fail in any way
        log.warning("a stored game does not match its rules: %s", trace(error))
        raise Outdated(CHANGED) from None
    return _completed(state, stored)


def undone_records(records: Iterable[tuple[int, AnyRecord]]) -> set[int]:
    """The numbers of undone actions, and of the undos that were undone."""
    gone, since = set[int](), list[int]()
    for seq, record in records:
        if isinstance(record, Undone):
            gone.update(each for each in since if each > record.to)
        if isinstance(record, Acted | Undone):
            since.append(seq)
    return gone


def _begun(stored: Stored, games: Rulesets) -> TableState:
    """The initial state, from the snapshot or the first record."""
    if stored.snapshot is None:
        roster = _opened(stored)
        return TableState(_rules(roster, games), roster, seq=1)
    snapshot = msgspec.json.decode(stored.snapshot.body, type=StateSnapshot)
    snapshot.roster.options = shared_options(snapshot.roster.options)
    state = TableState(_rules(snapshot.roster, games), snapshot.roster, seq=stored.snapshot.seq)
    state.restore(snapshot)
    return state


def _opened(stored: Stored) -> Roster:
    first = read(stored.records[0])
    assert isinstance(first, Opened), "a table begins by being opened"
    return Roster.opened(first)


def _after_the_first(stored: Stored) -> list[Record]:
    return stored.records[0 if stored.snapshot else 1 :]


def _rules(roster: Roster, games: Rulesets) -> AnyGame:
    game = games.version(roster.game, roster.rules)
    if game is None:
        raise Outdated(f"This table uses version {roster.rules} of its rules, which this server does not have.")
    return game


def _without_rules(whole: Stored, why: str) -> TableState:
    """Rebuild only the roster, as far as its records are known: a newer server may have written others."""
    try:
        state = TableState(None, _opened(whole), seq=1)
    except msgspec.ValidationError:
        raise StoreError("This table was opened by a server that is newer than this one.") from None
    for seq, record in enumerate(_after_the_first(whole), 2):
        with suppress(Exception):
            state.fold_roster(read(record))
        state.seq = seq  # also for a record that can't be decoded here
    state.roster.status, state.outdated = Status(whole.listing.status), why
    return _completed(state, whole)


def _completed(state: TableState, stored: Stored) -> TableState:
    if state.seq != stored.seq:
        raise StoreError(f"This table should have {stored.seq} records, but has {state.seq}.")
    state.apply_stored(stored)
    return state
