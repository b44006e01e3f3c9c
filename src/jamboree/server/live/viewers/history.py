"""A game told from its beginning, as one viewer witnessed it."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple

from jamboree.core.game import AnyGame
from jamboree.core.words import Language

from ...errors import Refused
from ...protocol.bodies import LogStep
from ...protocol.terms import UNDER_WAY
from ...protocol.wire import encode
from ...store import Record
from ..lesson import LessonLaid
from ..positions import NextPosition, PastAction
from ..records import Acted, AnyRecord, Forked, Opened, Started, Undone, read
from ..recovery import taken_back
from ..roster import Roster
from ..state import Outdated, TableState
from ..visibility import BLOCK, GameStep, LengthPadding, is_noted, shows_more, spaces, witnessed
from .step_for_viewers import Sentences

OWN_STEP = 4 * BLOCK  # for the sentences and events of one choice


class Played(NamedTuple):
    """One action, and what the viewer saw of it."""

    seq: int
    number: int
    told: GameStep
    events: list[Any]
    noted: bool  # that a bot stood in


class Moment(NamedTuple):
    """A position that somebody may have gone back to."""

    state: Any
    course: list[PastAction]
    hash: str


def log_of(history: Sequence[Record], game: AnyGame, seat: int | None, language: Language, reader: int | None) -> bytes:
    """Write a game as a viewer saw it; the player at the seat `reader` is “you”.

    While the game is played, the length does not tell what they chose in secret.
    """
    state, played = _played(history, game, seat)
    steps = _steps(state, played, history, seat, Sentences(state, language, reader))
    if seat is None or state.roster.status not in UNDER_WAY or not LengthPadding(state).needed():
        return encode(steps)
    own = [shows_more(each.told, seat, each.events, witnessed(state, each.told.events, None)) for each in played]
    lengths = [len(encode((step.sentences, step.events))) for step in compress(steps, own)]
    return encode(steps) + spaces([(OWN_STEP, length) for length in lengths])


def told_steps(
    history: Sequence[Record], game: AnyGame, seat: int | None, language: Language, reader: int | None = None
) -> list[LogStep]:
    """Play a game again and tell every step of it that a viewer saw, with the names people have now."""
    state, played = _played(history, game, seat)
    return _steps(state, played, history, seat, Sentences(state, language, reader))


def _played(history: Sequence[Record], game: AnyGame, seat: int | None) -> tuple[TableState, list[Played]]:
    """Play a game again, and give all that a viewer saw of it."""
    records = [read(kept) for kept in history]
    opened = records[0]
    assert isinstance(opened, Opened), "a table begins by being opened"
    state, played = TableState(game, Roster.opened(opened), seq=1), list[Played]()
    before = next((record.step for record in records if isinstance(record, Forked)), 0)
    entries = [seq for seq, record in enumerate(records, 1) if isinstance(record, Acted | Undone)]
    gone = _of_other_lessons(records)
    try:
        for told in _repeated(state, records[1:]):
            if seat in told.unseen_by or state.seq in gone:
                continue
            seen, noted = witnessed(state, told.events, seat), is_noted(state, told, seat)
            played.append(Played(state.seq, before + bisect_right(entries, state.seq), told, seen, noted))
    except Outdated as error:
        raise Refused("outdated", str(error)) from None
    return state, played


def _of_other_lessons(records: Sequence[AnyRecord]) -> set[int]:
    """Number the moves that are not on the table: those of earlier lessons, and what missed the point or was shown."""
    gone, held = set[int](), list[int]()
    for seq, record in enumerate(records, 1):
        if isinstance(record, Acted):
            held.append(seq)
        elif isinstance(record, LessonLaid):
            gone.update(held[len(record.moves) :])
            held = held[: len(record.moves)]
    return gone


def _steps(
    state: TableState,
    played: Sequence[Played],
    history: Sequence[Record],
    seat: int | None,
    sentences: Sentences,
) -> list[LogStep]:
    gone = taken_back((seq, read(kept)) for seq, kept in enumerate(history, 1))
    over = state.roster.status not in UNDER_WAY  # before that, the steps of the journal would tell of those not seen
    lines = {step.seq: _lines(step, sentences) for step in played}
    return [
        LogStep(
            seq=state.number(seat, step.seq),
            step=step.number if over else None,
            actor=step.told.actor,
            sentences=[sentence for sentence, _ in lines[step.seq]],
            events=[event for _, event in lines[step.seq]],
            undone=step.seq in gone,
        )
        for step in played
    ]


def _lines(step: Played, sentences: Sentences) -> list[tuple[str, Any]]:
    """Return the sentences of a step, each with its event; the note that a bot chose has none."""
    note = [(sentences.note(step.told), None)] if step.noted else []
    rendered = zip(sentences.of_events(step.events), step.events, strict=True)
    return [*note, *((sentence, event) for sentence, event in rendered if sentence)]


def _taken_back(state: TableState, moment: Moment) -> NextPosition:
    return NextPosition(state.seq, moment.state.clone(), moment.hash, moment.course, state.pending)


def _repeated(state: TableState, records: Sequence[AnyRecord]) -> Iterator[GameStep]:
    """Repeat everything, also what was taken back later; give what came of each action when it is done."""
    moments = {state.seq: Moment(state.position, state.course, state.hash)}
    for record in records:
        state.fold(record, _taken_back(state, moments[record.to]) if isinstance(record, Undone) else None)
        if isinstance(record, Started | Acted | Undone):
            moments[state.seq] = Moment(state.position.clone(), state.course, state.hash)
        else:
            moments[state.seq] = moments[state.seq - 1]
        if isinstance(record, Acted) and state.told:
            yield state.told
