"""Journals and replays of finished games, made of the records of a table."""

import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import msgspec

from jamboree.core.game import AnyGame, Eye, Viewer
from jamboree.core.journal import FORMAT, About, Entry, Fairness, Header, Journal, steps

from ..protocol.delta import apply_delta, delta_between
from ..store import Record
from .records import Acted, AnyRecord, Forked, Opened, Started, Undone, read
from .roster import Roster
from .state import Luck

PIECE = 64 * 1024  # bytes of a replay that are decompressed at a time
BEGINNING = b"[\n"


def replay_of(history: Sequence[Record], game: AnyGame, viewer: Viewer = Eye.ALL) -> bytes:
    """Replay a game; return a viewer's first view and the delta of each step, deflated."""
    return packed(changing_views(game.view(step.state, viewer) for step in steps(journal_of(history), game)))


def packed(values: Iterable[Any]) -> bytes:
    """Deflate values incrementally as a JSON array with one value per line."""
    packing, pieces = zlib.compressobj(), list[bytes]()
    for value in values:
        pieces.append(packing.compress((b",\n" if pieces else BEGINNING) + msgspec.json.encode(value)))
    return b"".join([*pieces, packing.compress(b"\n]"), packing.flush()])


def unpacked(array: bytes) -> Iterator[bytes]:
    """Decompress an array piece by piece."""
    unpacking = zlib.decompressobj()
    while array:
        yield unpacking.decompress(array, PIECE)
        array = unpacking.unconsumed_tail
    yield unpacking.flush()


def is_short(replay: bytes) -> bool:
    """Whether a replay has deltas; old ones have whole views, in one line."""
    return zlib.decompressobj().decompress(replay, len(BEGINNING)) == BEGINNING


def shortened(replay: bytes) -> bytes:
    """Convert an old replay to deltas."""
    return packed(changing_views(msgspec.json.decode(b"".join(unpacked(replay)))))


def views_of(replay: bytes) -> bytes:
    """Convert deltas to whole views."""
    return packed(accumulate(msgspec.json.decode(b"".join(unpacked(replay))), apply_delta))


def changing_views(views: Iterable[Any]) -> Iterator[Any]:
    """The first view, and deltas of the others."""
    before = b""
    for view in views:
        text = msgspec.json.encode(view)
        yield msgspec.Raw(delta_between(before, text) if before else text)
        before = text


def has_begun(history: Sequence[Record]) -> bool:
    return any(isinstance(read(kept), Started) for kept in history)


def journal_of(history: Sequence[Record], table: str = "", about: About | None = None) -> Journal:
    """The journal of a table's game with its seeds, so only for ended games."""
    records = [read(kept) for kept in history]
    opened = records[0]
    assert isinstance(opened, Opened), "a table begins by being opened"
    roster = Roster.opened(opened)
    for seq, record in enumerate(records[1:], 2):
        roster.fold(record, seq)
    header = Header(FORMAT, 1, opened.game, opened.rules, roster.seats, roster.names(), roster.options)
    started = next(record for record in records if isinstance(record, Started))
    last = next(record for record in reversed(records) if isinstance(record, Started | Acted | Undone))
    copied = next((record for record in records if isinstance(record, Forked)), None)
    setup, earlier = (copied.setup, copied.entries) if copied else (started.picks, [])
    fairness = [*(copied.fairness if copied else []), _fairness(records, roster, table)]
    journal = Journal(header, setup, [*earlier, *_entries(records, len(earlier))], fairness, about, last.state)
    journal.seal = journal.expected_seal()
    return journal


def _fairness(records: Sequence[AnyRecord], roster: Roster, table: str) -> Fairness:
    luck = Luck()
    for record in records:
        luck.fold(record, roster.seats)
    since = roster.forked_from.step + 1 if roster.forked_from else 0
    return Fairness(table, since, luck.commitment, luck.secret, luck.seeds, roster.turned)


def _entries(records: Sequence[AnyRecord], earlier: int) -> list[Entry]:
    """The journal entries of a table, after the steps copied from another one."""
    entries, seqs = list[Entry](), list[int]()
    for seq, record in enumerate(records, 1):
        if isinstance(record, Acted):
            entries.append(Entry(record.actor, record.action, record.picks))
        elif isinstance(record, Undone):
            entries.append(Entry(record.actor, {}, [], undo=earlier + bisect_right(seqs, record.to)))
        seqs += [seq] * (len(entries) - len(seqs))
    return entries
