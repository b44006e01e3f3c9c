"""A table's memory made of what the store has: the last snapshot, and the records since."""

import asyncio
import logging
from collections.abc import Callable, Iterable

import msgspec

from jamboree.core.game import AnyGame

from .errors import trace
from .lobby import Lobby, Status
from .memory import CHANGED, Games, Kept, Memory, Outdated
from .records import Acted, AnyRecord, Opened, Undone, read
from .store import Store, Stored, StoreError

log = logging.getLogger(__name__)


async def recall(store: Store, table: str, games: Games) -> Memory:
    """Read a table. A snapshot that an upgrade made useless is left aside."""
    stored = await store.load(table)
    memory = remember(stored, games)
    if memory.outdated and stored.snapshot:
        records = (await store.history(table))[: stored.seq]
        memory = remember(msgspec.structs.replace(stored, snapshot=None, records=records), games)
    return memory


def remember(stored: Stored, games: Games) -> Memory:
    """Make a table's memory of what was stored. A game that the rules can't go on with is `outdated`."""
    try:
        memory = _begun(stored, lambda lobby: _playable(lobby, games))
        records = list(enumerate(_after_the_first(stored), memory.seq + 1))
        gone = taken_back(records)
        for seq, record in records:
            (memory.take_in if seq in gone else memory.replay)(record)
    except Outdated as error:
        memory = _without_rules(stored, str(error))
    except Exception as error:  # rules that have changed may break on an old game in any way
        log.warning("a game can't go on: %s", trace(error))
        memory = _without_rules(stored, CHANGED)
    if memory.seq != stored.seq:
        raise StoreError(f"This table should have {stored.seq} records and has {memory.seq}.")
    memory.epoch, memory.clock, memory.touched = stored.epoch, stored.clock, stored.listing.touched
    for line in stored.talk:
        memory.talk.add(line)
    return memory


async def recall_at(store: Store, table: str, games: Games, seq: int) -> Memory:
    """Read a table as it was after a record."""
    stored, records = await store.load(table), (await store.history(table))[:seq]
    earlier = msgspec.structs.replace(stored, seq=seq, snapshot=None, records=records)
    return await asyncio.to_thread(remember, earlier, games)


def taken_back(records: Iterable[tuple[int, AnyRecord]]) -> set[int]:
    """Number what no longer holds: actions, and to have taken some of them back."""
    gone, since = set[int](), list[int]()
    for seq, record in records:
        if isinstance(record, Undone):
            gone.update(each for each in since if each > record.to)
        if isinstance(record, Acted | Undone):
            since.append(seq)
    return gone


def _begun(stored: Stored, rules: Callable[[Lobby], AnyGame | None]) -> Memory:
    """Begin with the snapshot, or with the first record."""
    if stored.snapshot is None:
        first = read(stored.records[0])
        assert isinstance(first, Opened), "a table begins by being opened"
        lobby = Lobby.opened(first)
        return Memory(rules(lobby), lobby, seq=1)
    kept = msgspec.json.decode(stored.snapshot.body, type=Kept)
    memory = Memory(rules(kept.lobby), kept.lobby, seq=stored.snapshot.seq)
    if memory.has_rules:
        memory.restore(kept)
    return memory


def _after_the_first(stored: Stored) -> list[AnyRecord]:
    return [read(kept) for kept in stored.records[0 if stored.snapshot else 1 :]]


def _playable(lobby: Lobby, games: Games) -> AnyGame:
    game = games.get(lobby.game)
    if game is None or game.info.rules_version != lobby.rules:
        raise Outdated(f"This table plays version {lobby.rules} of {lobby.game}, which this server does not know.")
    return game


def _without_rules(stored: Stored, why: str) -> Memory:
    """Remember the people of a table and not its game."""
    memory = _begun(stored, lambda lobby: None)
    for record in _after_the_first(stored):
        memory.take_in(record)
    memory.lobby.status, memory.outdated = Status(stored.listing.status), why
    return memory
