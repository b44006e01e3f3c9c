"""Event sourcing, the reading side: the last snapshot, and the records since, folded into the state of a table."""

import logging
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from jamboree.core.game import AnyGame
from jamboree.core.rulesets import Rulesets

from ..errors import trace
from ..offload import Offload
from ..protocol.terms import Status
from ..store import Record, Stored, StoreError, TableStore
from .positions import shared_options
from .records import read, undone_records
from .roster import Roster
from .state import CHANGED, Outdated, StateSnapshot, TableState

log = logging.getLogger(__name__)


async def recover(store: TableStore, table: str, games: Rulesets, offload: Offload) -> TableState:
    """Load a table. Unusable snapshots are skipped; without matching rules only the roster is loaded."""
    stored = await store.load(table)
    with suppress(Outdated):
        return await offload.run_for_table(rebuild, stored, games)
    whole = await whole_history(store, table, stored, stored.seq)
    try:
        return await offload.run_for_table(rebuild, whole, games)
    except Outdated as error:
        return await offload.run_for_table(_without_rules, whole, str(error))


async def whole_history(store: TableStore, table: str, stored: Stored, seq: int) -> Stored:
    """All records of a table up to one, instead of the last snapshot."""
    return replace(stored, seq=seq, snapshot=None, records=(await store.history(table))[:seq])


def rebuild(stored: Stored, games: Rulesets) -> TableState:
    """Rebuild the state from stored records; raise Outdated if the rules lead to another position."""
    try:
        state, later = _begun(stored, games)
        records = list(enumerate(map(read, later), state.seq + 1))
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


def _begun(stored: Stored, games: Rulesets) -> tuple[TableState, list[Record]]:
    """The initial state, from the snapshot or the first record; and the records since."""
    if stored.snapshot is None:
        roster = Roster.opened(read(stored.records[0]))
        return TableState(_rules(roster, games), roster, seq=1), stored.records[1:]
    snapshot = msgspec.json.decode(stored.snapshot.body, type=StateSnapshot)
    snapshot.roster.options = shared_options(snapshot.roster.options)
    state = TableState(_rules(snapshot.roster, games), snapshot.roster, seq=stored.snapshot.seq)
    state.restore(snapshot)
    return state, stored.records


def _rules(roster: Roster, games: Rulesets) -> AnyGame:
    game = games.version(roster.game, roster.rules)
    if game is None:
        raise Outdated(f"This table uses version {roster.rules} of its rules, which this server does not have.")
    return game


def _without_rules(whole: Stored, why: str) -> TableState:
    """Rebuild only the roster, as far as its records are known: a newer server may have written others."""
    try:
        state = TableState(None, Roster.opened(read(whole.records[0])), seq=1)
    except msgspec.ValidationError:
        raise StoreError("This table was opened by a server that is newer than this one.") from None
    for seq, record in enumerate(whole.records[1:], 2):
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
