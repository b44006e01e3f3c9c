"""A journal of somebody's own as it looked after every step, within bounds that no real game comes near."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from jamboree.core.errors import BadJournal
from jamboree.core.game import AnyGame, Viewer
from jamboree.core.journal import Journal, Step, check_end, steps
from jamboree.core.words import Language

from ...errors import Refused
from ...protocol.bodies import LogStep
from ...protocol.journals import WatchedJournal
from ...protocol.wire import encode
from ..replay import changing_views
from ..roster import LONGEST_NAME, clean
from .painting import picture

MOST_STEPS = 4_000  # a game of eight with all they did has some thousand
MOST_TAKEN_BACK = 200  # each of which keeps a position
LONGEST = 4.0  # seconds of work; that game takes less than one
LARGEST_OPTIONS = 64 * 1024  # bytes: what a table can be opened with


class Watching(NamedTuple):
    """By whose eyes a journal is watched, in which language, and whether it is painted, too."""

    viewer: Viewer
    language: Language
    painted: bool


def watched(journal: Journal, game: AnyGame, wanted: Watching) -> WatchedJournal:
    """Replay a journal and tell what happened; refuse one that is not sound, or has more in it than a game."""
    _check_size(journal)
    try:
        return Replaying(journal, game, wanted).watched()
    except BadJournal as error:
        raise Refused("unsound-journal", str(error)) from None
    except Refused:
        raise
    except Exception as error:  # rules are written for values that rules have made
        raise Refused("unsound-journal", "This journal is not sound: its game can't be replayed.") from error


def _check_size(journal: Journal) -> None:
    """Refuse what no game has, before any of it is looked at."""
    taken_back = sum(entry.undo is not None for entry in journal.entries)
    if len(journal.entries) > MOST_STEPS or taken_back > MOST_TAKEN_BACK:
        raise Refused("unsound-journal", f"This journal has more steps than a game: {MOST_STEPS} can be watched.")
    if len(encode(journal.header.options)) > LARGEST_OPTIONS:
        raise Refused("bad-options", f"The options of a game have at most {LARGEST_OPTIONS} bytes.")


class Replaying:
    """One journal, replayed once; of every position only what has changed is remembered."""

    def __init__(self, journal: Journal, game: AnyGame, wanted: Watching) -> None:
        self.journal, self.game, self.wanted = journal, game, wanted
        written = journal.header.names
        self.names = [clean(name, LONGEST_NAME) or f"{seat}" for seat, name in enumerate(written, 1)]
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
            views=views,
            log=self.log,
            paintings=self.paintings,
        )

    def _views(self) -> Iterator[Any]:
        began = time.thread_time()
        for step in steps(self.journal, self.game):
            if time.thread_time() - began > LONGEST:
                raise Refused("unsound-journal", "It takes too long to replay this journal.")
            view, self.last = self.game.view(step.state, self.wanted.viewer), step.state
            if step.entry:
                self.log.append(self._told(step))
            if self.wanted.painted:
                painting = picture(self.game, view, self.names, self.wanted.language)
                self.paintings.append(msgspec.Raw(encode(painting)))
            yield view

    def _told(self, step: Step) -> LogStep:
        """Tell a step as the viewer witnessed it."""
        assert step.entry, "a set-up is not told"
        seen = (self.game.witness(event, self.wanted.viewer) for event in step.events)
        rendered = [(self._sentence(event), event) for event in seen if event is not None]
        lines = [(sentence, event) for sentence, event in rendered if sentence]
        sentences, events = [sentence for sentence, _ in lines], [event for _, event in lines]
        return LogStep(step.number, step.number, step.entry.actor, sentences, events, undone=False)

    def _sentence(self, event: Any) -> str:
        return self.game.words.sentence(event, self.names, self.wanted.language)
