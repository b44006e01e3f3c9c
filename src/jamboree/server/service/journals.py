"""The replay of an uploaded journal, within bounds that no real game comes near; nothing is stored."""

import time
import zlib
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import msgspec

from jamboree.core.errors import BadJournal, ChangedJournal
from jamboree.core.game import AnyGame, Eye, Viewer
from jamboree.core.journal import Journal, Step, check_end, read, steps
from jamboree.core.words import Language

from ..errors import Refused
from ..live.registry import Registry
from ..live.rendering import picture
from ..live.replay import changing_views
from ..live.visibility import witnessed
from ..names import LONGEST_NAME, clean
from ..protocol.bodies import LogStep
from ..protocol.journals import WatchedJournal
from ..protocol.wire import encode

LONGEST_DATE = len("2026-11-19")
MAX_STEPS = 4_000  # a game of eight with all annotations has about a thousand
MAX_UNDOS = 200  # each of which keeps a position
MAX_SECONDS = 4.0  # of replaying; such a game takes less than one
MAX_OPTIONS = 64 * 1024  # bytes, as for opening a table
MAX_JOURNAL = 256 * 1024  # bytes; a game of eight players has about half of that
PROCESSOR_TIME = getattr(time, "thread_time", time.process_time)  # a page has one thread, without a clock of its own


class Perspective(NamedTuple):
    """Whose view of a journal is wanted, and in what form."""

    viewer: Viewer
    language: Language
    painted: bool


async def watch_journal(
    registry: Registry, content: bytes, language: Language, seat: int | None, painted: bool
) -> bytes:
    """Validate and replay a journal; the deflated answer."""
    if len(content) > MAX_JOURNAL:
        raise Refused("too-big", f"A journal may have {MAX_JOURNAL} bytes.")
    journal = await registry.offload.run(_read, content)
    game = _rules(journal, registry)
    viewer = Eye.ALL if seat is None else _seat(seat, journal.header.seats)
    work = partial(_watched, journal, game, Perspective(viewer, language, painted))
    return await registry.offload.set_up(f"journals of {game.info.key}", work)


def _read(body: bytes) -> Journal:
    try:
        return read(body)
    except ChangedJournal as error:
        raise Refused("changed-journal", str(error)) from None
    except BadJournal as error:
        raise Refused("no-journal", str(error)) from None


def _rules(journal: Journal, registry: Registry) -> AnyGame:
    header = journal.header
    registry.current_rules(header.game)  # refuses an unknown game
    game = registry.games.version(header.game, header.rules)
    if game is None:
        raise Refused("other-rules", "This journal was played by rules that this server does not have.")
    return game


def _seat(seat: int, seats: int) -> int:
    if not 0 <= seat < seats:
        raise Refused("no-seat", f"This journal has seats 0 to {seats - 1}.")
    return seat


def _watched(journal: Journal, game: AnyGame, perspective: Perspective) -> bytes:
    """Replay a journal; refuse one that is invalid or larger than any game."""
    _check_size(journal)
    try:
        return zlib.compress(encode(JournalReplay(journal, game, perspective).watched()))
    except BadJournal as error:
        raise Refused("unsound-journal", str(error)) from None
    except Refused:
        raise
    except Exception as error:  # the rules expect values that they have made themselves
        raise Refused("unsound-journal", "This journal is not sound: its game can't be replayed.") from error


def _check_size(journal: Journal) -> None:
    """Refuse an oversized journal before any of it is replayed."""
    undos = sum(entry.undo is not None for entry in journal.entries)
    if len(journal.entries) > MAX_STEPS or undos > MAX_UNDOS:
        raise Refused("unsound-journal", f"This journal has more steps than a game: {MAX_STEPS} can be watched.")
    if len(encode(journal.header.options)) > MAX_OPTIONS:
        raise Refused("bad-options", f"The options of a game have at most {MAX_OPTIONS} bytes.")


class JournalReplay:
    """One replay of a journal. Positions are kept as deltas only."""

    def __init__(self, journal: Journal, game: AnyGame, perspective: Perspective) -> None:
        self.journal, self.game, self.perspective = journal, game, perspective
        self.names = [clean(name, LONGEST_NAME) or f"{seat}" for seat, name in enumerate(journal.header.names, 1)]
        self.log, self.paintings = list[LogStep](), list[Any]()
        self.last: Any = None

    def watched(self) -> WatchedJournal:
        views, header = list(changing_views(self._views())), self.journal.header
        over = check_end(self.journal, self.game, self.last)
        return WatchedJournal(
            game=header.game,
            rules=header.rules,
            seats=header.seats,
            names=self.names,
            options=header.options,
            outcome=self.game.outcome(self.last) if over else None,
            date=clean(self.journal.about.date, LONGEST_DATE) if self.journal.about else "",
            views=views,
            log=self.log,
            paintings=self.paintings,
        )

    def _views(self) -> Iterator[Any]:
        began = PROCESSOR_TIME()
        for step in steps(self.journal, self.game):
            if PROCESSOR_TIME() - began > MAX_SECONDS:
                raise Refused("unsound-journal", "It takes too long to replay this journal.")
            view, self.last = self.game.view(step.state, self.perspective.viewer), step.state
            if step.entry:
                self.log.append(self._log_step(step))
            if self.perspective.painted:
                painting = picture(self.game, view, self.names, self.perspective.language)
                self.paintings.append(msgspec.Raw(encode(painting)))
            yield view

    def _log_step(self, step: Step) -> LogStep:
        assert step.entry, "the setup is not logged"
        words, language = self.game.words, self.perspective.language
        events = witnessed(self.game, step.events, self.perspective.viewer)
        rendered = [(words.sentence(event, self.names, language), event) for event in events]
        lines = [(sentence, event) for sentence, event in rendered if sentence]
        sentences, shown = [sentence for sentence, _ in lines], [event for _, event in lines]
        return LogStep(step.number, step.number, step.entry.actor, sentences, shown, undone=False)
