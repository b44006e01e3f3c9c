"""Journals, replays and logs of games, made from the records of a table."""

import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

from jamboree.core.avatars import using_avatars
from jamboree.core.game import AnyGame, Eye, Viewer
from jamboree.core.journal import FORMAT, About, Entry, Fairness, Header, Journal, steps
from jamboree.core.words import Language

from ..errors import Refused
from ..protocol.bodies import LogStep
from ..protocol.delta import apply_delta, delta_between
from ..protocol.terms import UNDER_WAY
from ..protocol.wire import encode
from ..store import Record
from .positions import NextPosition
from .records import Acted, AnyRecord, Forked, LessonSetUp, Started, Undone, read, undone_records
from .rendering import Sentences, picture
from .roster import Roster
from .state import Luck, Outdated, TableState
from .visibility import GameStep, LengthPadding, is_noted, witnessed

PIECE = 64 * 1024  # bytes of a replay that are decompressed at a time
BEGINNING = b"[\n"


def replay_of(history: Sequence[Record], game: AnyGame, viewer: Viewer = Eye.ALL) -> bytes:
    """Replay a game; return a viewer's first view and the delta of each step, deflated."""
    return packed(changing_views(game.view(step.state, viewer) for step in steps(journal_of(history), game)))


def paintings_of(
    history: Sequence[Record], game: AnyGame, avatars: Sequence[int], language: Language, viewer: Viewer = Eye.ALL
) -> bytes:
    """Paint every step of a finished game as a viewer sees it; deflated like its replay."""
    journal = journal_of(history)
    views = (game.view(step.state, viewer) for step in steps(journal, game))
    with using_avatars(avatars):
        return packed(picture(game, view, journal.header.names, language) for view in views)


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


def has_deltas(replay: bytes) -> bool:
    """Whether a replay has deltas; old ones have whole views, in one line."""
    return zlib.decompressobj().decompress(replay, len(BEGINNING)) == BEGINNING


def with_deltas(replay: bytes) -> bytes:
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
    return any(isinstance(read(record), Started) for record in history)


def journal_of(history: Sequence[Record], table: str = "", about: About | None = None) -> Journal:
    """The journal of a table's game with its seeds, so only for ended games."""
    records = [read(record) for record in history]
    roster = Roster.opened(records[0])
    for seq, record in enumerate(records[1:], 2):
        roster.fold(record, seq)
    header = Header(FORMAT, 1, roster.game, roster.rules, roster.seats, roster.names(), roster.options)
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


class WitnessedStep(NamedTuple):
    """One action, and what the viewer witnessed of it."""

    number: int  # as in the journal
    step: GameStep
    events: list[Any]
    noted: bool  # that a bot made it


def log_of(history: Sequence[Record], game: AnyGame, seat: int | None, language: Language, reader: int | None) -> bytes:
    """The log of a game as a viewer witnessed it, with the names of today; the player at the seat `reader` is “you”.

    While the game is played it is padded, so that its length does not reveal what the player chose in secret.
    """
    records = [read(stored) for stored in history]
    state, witnessed_steps = _witnessed_steps(records, game, seat)
    sentences = Sentences(state, language, reader)
    undone = undone_records(enumerate(records, 1))
    is_over = state.roster.status not in UNDER_WAY  # until then, journal numbers would reveal unseen steps
    steps = list[LogStep]()
    for number, step, events, noted in witnessed_steps:
        lines = [(sentences.note(step), None)] if noted else []
        lines += [line for line in zip(sentences.of_events(events), events, strict=True) if line[0]]
        steps.append(
            LogStep(
                seq=state.number(seat, step.seq),
                step=number if is_over else None,
                actor=step.actor,
                sentences=[sentence for sentence, _ in lines],
                events=[event for _, event in lines],
                undone=step.seq in undone,
            )
        )
    shown = zip((each.step for each in witnessed_steps), ((each.sentences, each.events) for each in steps), strict=True)
    return encode(steps) + LengthPadding(state).of_log(seat, shown)


def _witnessed_steps(
    records: Sequence[AnyRecord], game: AnyGame, seat: int | None
) -> tuple[TableState, list[WitnessedStep]]:
    """Replay a game; return its last state, and the steps that a viewer witnessed."""
    state, steps = TableState(game, Roster.opened(records[0]), seq=1), list[WitnessedStep]()
    before = next((record.step for record in records if isinstance(record, Forked)), 0)
    entries = [seq for seq, record in enumerate(records, 1) if isinstance(record, Acted | Undone)]
    dropped = _dropped_lesson_moves(records)
    try:
        for step in _replayed_steps(state, records[1:]):
            if seat in step.unseen_by or step.seq in dropped:
                continue
            number = before + bisect_right(entries, step.seq)
            events, noted = witnessed(game, step.events, seat), is_noted(state, step, seat)
            steps.append(WitnessedStep(number, step, events, noted))
    except Outdated as error:
        raise Refused("outdated", str(error)) from None
    return state, steps


def _dropped_lesson_moves(records: Sequence[AnyRecord]) -> set[int]:
    """The numbers of moves outside the current lesson's position: earlier lessons, wrong moves and demonstrations."""
    dropped, current = set[int](), list[int]()
    for seq, record in enumerate(records, 1):
        if isinstance(record, Acted):
            current.append(seq)
        elif isinstance(record, LessonSetUp):
            dropped.update(current[len(record.moves) :])
            current = current[: len(record.moves)]
    return dropped


def _replayed_steps(state: TableState, records: Sequence[AnyRecord]) -> Iterator[GameStep]:
    """Fold all records, and yield each step at the time of its record, also those that were undone later."""
    positions = {state.seq: NextPosition(state.seq, None, "", [], {})}  # to which an undo may return, by record
    for record in records:
        then = None
        if isinstance(record, Undone):
            earlier = positions[record.to]
            then = earlier._replace(after=state.seq, state=earlier.state.clone(), pending=state.pending)
        state.fold(record, then)
        positions[state.seq] = positions[state.seq - 1]
        if isinstance(record, Started | Acted | Undone):
            positions[state.seq] = NextPosition(state.seq, state.position.clone(), state.hash, state.course, {})
        if isinstance(record, Acted) and state.last_step:
            yield state.last_step
