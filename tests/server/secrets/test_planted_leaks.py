"""The non-interference check passes, and finds every planted leak."""

import zlib
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jamboree.core.errors import Illegal
from jamboree.core.game import Eye, SharedView
from jamboree.core.words import Span
from jamboree.server.errors import IllegalAction, Refused
from jamboree.server.live import rendering, replay, state, table, visibility
from jamboree.server.live.commands import base, playing
from jamboree.server.live.records import ChatLine
from jamboree.server.live.rendering import Sentences
from jamboree.server.live.state import TableState
from jamboree.server.live.viewers import frame_builder, position_cache, subscribers
from jamboree.server.live.viewers.frame_builder import FrameBuilder
from jamboree.server.live.viewers.position_cache import PositionCache, Written
from jamboree.server.live.visibility import GameStep, LengthPadding, StepForViewers, Viewer, Witnesses
from jamboree.server.protocol import parts, wire
from jamboree.server.protocol.actions import Legal, Warned
from jamboree.server.protocol.wire import MixedFrame, PublicText
from jamboree.server.service import history

from ..bench import local
from . import planted_compression as packing
from .paired_tables import leaks

Plant = Callable[[pytest.MonkeyPatch], None]


async def test_the_server_has_no_leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await leaks(tmp_path, monkeypatch) == []


def raw_events(patch: pytest.MonkeyPatch) -> None:
    """Send events as they happened."""
    patch.setattr(visibility, "witnessed", lambda game, events, viewer: list(events))


def raw_sentences(patch: pytest.MonkeyPatch) -> None:
    """Send the witnessed events with the sentences of the unredacted ones."""
    step = FrameBuilder._step

    def loud(self: FrameBuilder, game_step: GameStep, who: Viewer) -> parts.StepInfo:
        sentences = Sentences(self.state, who.language).of_events(game_step.events)
        return msgspec.structs.replace(step(self, game_step, who), sentences=sentences)

    patch.setattr(FrameBuilder, "_step", loud)


def raw_missed(patch: pytest.MonkeyPatch) -> None:
    """Resend missed events without redaction."""

    def repeated(self: FrameBuilder, who: Viewer, seen: int | None) -> list[GameStep] | None:
        return None if seen is None else list(self.state.witnesses.recent(0).steps)

    patch.setattr(FrameBuilder, "_missed", repeated)
    patch.setattr(
        FrameBuilder, "_step", lambda self, game_step, who: parts.StepInfo(game_step.seq, game_step.events, [])
    )


def open_view(patch: pytest.MonkeyPatch) -> None:
    """Show every viewer the all-seeing view."""
    look = PositionCache._shared_view

    def everything(self: PositionCache) -> SharedView[Any]:
        shown = look(self)
        return SharedView(shown.view, shown.common, lambda seat: shown.own(Eye.ALL))

    patch.setattr(PositionCache, "_shared_view", everything)


def open_painting(patch: pytest.MonkeyPatch) -> None:
    """Paint what the all-seeing eye sees."""

    def everything(state: TableState, view: Any, *rest: Any) -> parts.Painting:
        return rendering.painted(state, state.game.view(state.position, Eye.ALL), *rest)

    patch.setattr(position_cache, "painted", everything)


def scores_from_the_state(patch: pytest.MonkeyPatch) -> None:
    """Compute points from hidden information."""
    paint = rendering.painted

    def counted(state: TableState, *rest: Any) -> parts.Painting:
        return msgspec.structs.replace(paint(state, *rest), scores=[sum(hand) for hand in state.position.hands])

    patch.setattr(position_cache, "painted", counted)


def a_painting_without_room(patch: pytest.MonkeyPatch) -> None:
    """Do not pad drawings."""
    paint = rendering.painted

    def longer(state: TableState, view: Any, *rest: Any) -> parts.Painting:
        return msgspec.structs.replace(paint(state, view, *rest), lines=[[Span("x" * 3000 * (1 + view.mine))]])

    patch.setattr(position_cache, "painted", longer)
    patch.setattr(LengthPadding, "_painting_length", lambda self, viewer: 0)


def mixed_up_cache(patch: pytest.MonkeyPatch) -> None:
    """Send every viewer the first encoded position."""
    of = PositionCache.of
    patch.setattr(PositionCache, "of", lambda self, who: of(self, next(iter(self._written), who)))


def _unchecked(patch: pytest.MonkeyPatch) -> None:
    """Disable the clients' checks, so that only the comparison of bytes can find the fault."""
    patch.setattr(local, "apply_verified", lambda before, change, check: before)


def a_change_for_another(patch: pytest.MonkeyPatch) -> None:
    """Send every viewer the first viewer's delta."""
    _unchecked(patch)
    change = PositionCache.delta
    patch.setattr(
        PositionCache, "delta", lambda self, who: next(iter(self._deltas.values()), None) or change(self, who)
    )


def a_check_of_the_state(patch: pytest.MonkeyPatch) -> None:
    """Compute the checksum from the state."""
    _unchecked(patch)
    of = PositionCache.of

    def game_step(self: PositionCache, who: Viewer) -> Written:
        class Forged(Written):
            check = self.state.hash[:8]

        return Forged(*of(self, who))

    patch.setattr(PositionCache, "of", game_step)


def a_check_as_long_as_it_is(patch: pytest.MonkeyPatch) -> None:
    """Write what a position is checked by in as many digits as it has."""
    _unchecked(patch)
    patch.setattr(position_cache, "checksum", lambda text, before: "1" * (zlib.crc32(text, before) % 97))


def telling_question(patch: pytest.MonkeyPatch) -> None:
    """Include a word of the state in the question."""
    patch.setattr(Sentences, "question", lambda self, view, asked: f"Which card? {self.state.position.hands[0]}")


def an_early_verdict(patch: pytest.MonkeyPatch) -> None:
    """Say what will decide the game before it is over."""
    patch.setattr(Sentences, "decided", lambda self, view, outcome: f"The {self.state.position.hands[0]} decides it.")


def telling_warnings(patch: pytest.MonkeyPatch) -> None:
    """Include the first seat's choice in a warning."""
    write = PositionCache._write

    def seen(self: PositionCache, who: Viewer) -> Written:
        warned = Warned("lay", "laid", {"slot": self.state.position.laid[0]}, "", "")
        now = write(self, who)
        return now._replace(beside={**now.beside, b'"legal":': wire.encode(Legal("", [warned]))})

    patch.setattr(PositionCache, "_write", seen)


def places_by_what_is_laid(patch: pytest.MonkeyPatch) -> None:
    """Remove the first seat's choice from everyone's legal actions."""
    write = PositionCache._write

    def seen(self: PositionCache, who: Viewer) -> Written:
        now, laid = write(self, who), self.state.position.laid[0]
        legal = Legal(self.action_index.mask_text(0b111 & ~(1 << max(0, laid))), [])
        return now._replace(beside={**now.beside, b'"legal":': wire.encode(legal)})

    patch.setattr(PositionCache, "_write", seen)


def bare_frames(patch: pytest.MonkeyPatch) -> None:
    """Send frames as long as they are."""
    patch.setattr(LengthPadding, "of_position", lambda self, *given: b"")
    patch.setattr(LengthPadding, "of_delta", lambda self, *given: b"")
    _wordy(patch)


def a_bare_change(patch: pytest.MonkeyPatch) -> None:
    """Fill up whole positions only."""
    patch.setattr(LengthPadding, "of_delta", lambda self, *given: b"")
    _wordy(patch)


def an_unpadded_welcome(patch: pytest.MonkeyPatch) -> None:
    """Pad updates, but not welcomes."""
    welcome = FrameBuilder.welcome
    patch.setattr(FrameBuilder, "welcome", lambda self, *about: welcome(self, *about).rstrip())
    _wordy(patch)


def packed_secrets(patch: pytest.MonkeyPatch) -> None:
    """Compress long frames, padded ones included."""
    patch.setattr(FrameBuilder, "_is_public", lambda self, who, steps: True)
    _wordy(patch)


def packed_positions(patch: pytest.MonkeyPatch) -> None:
    """Decide on compression by the events only, not by the position."""
    patch.setattr(frame_builder, "has_private_part", lambda view: False)
    patch.setattr(StepForViewers, "hides", False)
    _wordy(patch)


def packed_as_it_goes(patch: pytest.MonkeyPatch) -> None:
    """Compress in the transport, which does not know the content."""
    patch.setattr(wire, "for_client", lambda frame, packed: MixedFrame([PublicText(frame)]).packed if packed else frame)
    _wordy(patch)


def bare_answers(patch: pytest.MonkeyPatch) -> None:
    """Let previews be as long as they are."""
    patch.setattr(LengthPadding, "of_answer", lambda self, frame, seat: frame)
    _wordy(patch)


def a_bare_log(patch: pytest.MonkeyPatch) -> None:
    """Let the log be as long as it is."""
    patch.setattr(LengthPadding, "of_log", lambda self, *given: b"")
    _wordy(patch)


def padded_afterwards(patch: pytest.MonkeyPatch) -> None:
    """Pad frames by the choice made, not by the possible ones."""
    patch.setattr(visibility, "_spaces", lambda rooms: b" " * (-sum(length for _, length in rooms) % 8))
    _wordy(patch)


def too_little_room(patch: pytest.MonkeyPatch) -> None:
    """Leave less room than a choice may take."""
    patch.setattr(LengthPadding, "_step_length", lambda self, seat: 16)
    patch.setattr(LengthPadding, "_position_length", lambda self, seat: 64)
    patch.setattr(LengthPadding, "_private_length", lambda self, seat: 64)
    _wordy(patch)


def _wordy(patch: pytest.MonkeyPatch) -> None:
    """Let sentences be longer for one card than for another."""
    render = Sentences.of_events

    def longer(self: Sentences, events: Any) -> list[str]:
        return [sentence.replace("'two'", "'two of them, or so'") for sentence in render(self, events)]

    patch.setattr(Sentences, "of_events", longer)


def why_not_from_the_state(patch: pytest.MonkeyPatch) -> None:
    """Explain a refusal by what the asker can't know."""

    def why_not(state: TableState, view: Any, action: Any) -> Refused:
        params = {"highest": max(state.position.hands[0])}
        return IllegalAction(Illegal("lay", "not-now", params, "Somebody has a better card."))

    patch.setattr(playing, "_why_not", why_not)


def errors_with_a_hash(patch: pytest.MonkeyPatch) -> None:
    """Add to a refusal something to find the fault by."""
    forbidden = playing._forbidden

    def marked(state: TableState, seat: int, action: Any) -> Refused:
        refusal = forbidden(state, seat, action)
        return Refused(refusal.code, refusal.sentence, {"state": state.hash})

    patch.setattr(playing, "_forbidden", marked)


def preview_from_the_state(patch: pytest.MonkeyPatch) -> None:
    """Look ahead with the cards that lie there."""
    decide = playing.AskPreview.decide

    def foresee(self: playing.AskPreview, ctx: base.Context) -> base.Decision:
        decision, state = decide(self, ctx), ctx.state
        laid = [state.position.hands[0][slot] for slot in state.position.laid[:1] if slot >= 0]
        preview = msgspec.structs.replace(decision.answer.preview, points=laid or [0])
        return decision._replace(answer=decision.answer._replace(preview=preview))

    patch.setattr(playing.AskPreview, "decide", foresee)


def log_of_another_seat(patch: pytest.MonkeyPatch) -> None:
    """Send every viewer the first seat's log."""

    def log_of(history: Any, game: Any, seat: int | None, language: Any, reader: int | None) -> bytes:
        return replay.log_of(history, game, 0, language, reader)

    patch.setattr(history, "log_of", log_of)


def loud_whispers(patch: pytest.MonkeyPatch) -> None:
    """Send whispers to everyone."""
    patch.setattr(subscribers, "may_hear", lambda line, person, roster: True)


def whispers_on_coming_back(patch: pytest.MonkeyPatch) -> None:
    """Resend whispers to later connections."""
    patch.setattr(state, "readable_channels", lambda person, roster: {"all", "watchers", *roster.people})


def tokens_in_the_table(patch: pytest.MonkeyPatch) -> None:
    """Include a token in the list of people."""
    table_info, known, shown = FrameBuilder.table_info, table.Table.authenticate, dict[str, str]()

    def authenticate(self: table.Table, token: str) -> str:
        person = known(self, token)
        shown.setdefault(person, token)
        return person

    def leaking(self: FrameBuilder, *about: Any) -> parts.TableInfo:
        return msgspec.structs.replace(table_info(self, *about), reason=shown.get("p1", ""))

    patch.setattr(table.Table, "authenticate", authenticate)
    patch.setattr(FrameBuilder, "table_info", leaking)


def an_early_seed(patch: pytest.MonkeyPatch) -> None:
    """Reveal the seed of a running game."""
    patch.setattr(history, "UNDER_WAY", ())


def an_empty_update(patch: pytest.MonkeyPatch) -> None:
    """Send every viewer an update for every step, even an empty one."""
    show = subscribers.Subscribers._show_step

    async def loud(self: subscribers.Subscribers) -> None:
        assert self.state.last_step
        self.state.last_step = self.state.last_step._replace(unseen_by=())
        await show(self)

    patch.setattr(subscribers.Subscribers, "_show_step", loud)


def a_skipped_number(patch: pytest.MonkeyPatch) -> None:
    """Send the numbers of the records."""
    patch.setattr(Witnesses, "number", lambda self, viewer, seq: seq)


def a_null_line_in_the_log(patch: pytest.MonkeyPatch) -> None:
    """Include empty entries for unwitnessed steps in the log."""
    repeated = replay._replayed_steps
    patch.setattr(
        replay, "_replayed_steps", lambda *given: (game_step._replace(unseen_by=()) for game_step in repeated(*given))
    )


def a_clock_on_a_secret_step(patch: pytest.MonkeyPatch) -> None:
    """Show the clock anew after every step."""
    show = subscribers.Subscribers.show

    async def ticking(self: subscribers.Subscribers, records: Any, is_known: bool = False) -> None:
        await show(self, records, is_known)
        self._shown_clock = ()
        self.show_clock()

    patch.setattr(subscribers.Subscribers, "show", ticking)


def a_touch(patch: pytest.MonkeyPatch) -> None:
    """Say of a table when it was last written."""
    patch.setattr(TableState, "touched", property(lambda self: self.seq, lambda self, at: None), raising=False)


def a_pause_that_begins(patch: pytest.MonkeyPatch) -> None:
    """Begin a pause with the next step, even a private one."""
    update = TableState._update_pending
    patch.setattr(TableState, "_update_pending", lambda self, record, silent: update(self, record, False))


def steps_of_the_journal(patch: pytest.MonkeyPatch) -> None:
    """Number the log like the journal of a game that still runs."""
    patch.setattr(replay, "UNDER_WAY", ())


def undo_by_all_steps(patch: pytest.MonkeyPatch) -> None:
    """Count all steps that would be taken back."""
    patch.setattr(Witnesses, "count", lambda self, viewer, records: len(records))


def whispers_in_the_window(patch: pytest.MonkeyPatch) -> None:
    """Limit chat to the last lines before filtering them by audience."""

    def received(self: state.ChatLog, person: str | None, roster: Any) -> list[ChatLine]:
        lines = [line for _, line in self._lines.values()][-3:]
        return [line for line in lines if visibility.may_hear(line, person, roster)]

    patch.setattr(state.ChatLog, "readable_by", received)


def both(plant: Plant, besides: Plant) -> Plant:
    """Plant something that needs something else to be found."""

    @wraps(plant)
    def planted(patch: pytest.MonkeyPatch) -> None:
        besides(patch)
        plant(patch)

    return planted


SEAT, LOOK, LENGTH = "hidden card: the second seat", "hidden card: a spectator", "sealed choice: a length"
SPECTATOR = "sealed choice: a spectator"
PACKING = "hidden card: what packing reveals"
MIND, PROMISE = "change of mind: seat 1", "promise: seat 2"
PLANTS: dict[Plant, str] = {
    raw_events: SPECTATOR,
    raw_sentences: SPECTATOR,
    raw_missed: SPECTATOR,
    open_view: LOOK,
    open_painting: "hidden card: a painted screen",
    scores_from_the_state: "hidden card: a painted screen",
    a_painting_without_room: LENGTH,
    mixed_up_cache: LOOK,
    a_change_for_another: LOOK,
    a_check_of_the_state: SEAT,
    a_check_as_long_as_it_is: LENGTH,
    a_bare_change: LENGTH,
    telling_question: SEAT,
    an_early_verdict: SEAT,
    telling_warnings: "sealed choice: the second seat",
    places_by_what_is_laid: "sealed choice: the second seat",
    bare_frames: LENGTH,
    padded_afterwards: LENGTH,
    too_little_room: LENGTH,
    why_not_from_the_state: SEAT,
    errors_with_a_hash: "hidden card: the state to the second seat",
    preview_from_the_state: "sealed choice: the second seat",
    log_of_another_seat: "sealed choice: an address",
    loud_whispers: LOOK,
    whispers_on_coming_back: LOOK,
    tokens_in_the_table: "hidden card: a token to a spectator",
    an_early_seed: "hidden card: the seed to an address",
    an_unpadded_welcome: LENGTH,
    bare_answers: LENGTH,
    a_bare_log: LENGTH,
    packed_secrets: LENGTH,
    packed_positions: LENGTH,
    packed_as_it_goes: LENGTH,
    packing.one_context: PACKING,
    packing.own_parts_by_themselves: PACKING,
    packing.words_that_others_know: PACKING,
    packing.own_parts_that_look_public: PACKING,
    packing.packed_talk: PACKING,
    both(packing.packed_filling, _wordy): LENGTH,
    both(packing.a_packed_log, _wordy): LENGTH,
    both(packing.a_check_of_every_hand, _unchecked): SEAT,
    both(packing.a_remembered_difference, _unchecked): SEAT,
    both(packing.a_change_that_weighs_all_hands, _unchecked): LOOK,
    an_empty_update: MIND,
    a_skipped_number: PROMISE,
    a_null_line_in_the_log: "promise: an address 2",
    a_clock_on_a_secret_step: MIND,
    a_touch: "promise: an address None",
    a_pause_that_begins: MIND,
    steps_of_the_journal: "change of mind: an address 1",
    undo_by_all_steps: "change of mind: late 1",
    whispers_in_the_window: "promise: late 2",
}


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__.replace("_", " "))
async def test_a_planted_leak_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plant: Plant) -> None:
    plant(monkeypatch)
    found = await leaks(tmp_path, monkeypatch, f"a {PLANTS[plant].partition(':')[0]}")
    assert any(PLANTS[plant] in leak for leak in found), found


async def test_longer_public_sentences_are_not_leaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _wordy(monkeypatch)
    assert await leaks(tmp_path, monkeypatch) == []
