"""Frames for everybody at a table: written once a kind of viewer, and handed out in slices between other work."""

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

from jamboree.core.words import Language

from .showing import Watcher

SLICE = 50  # connections that are handed a frame in one go
MOST_GUESTS = 99  # that are counted: of a large audience nobody is told whenever somebody comes
NOBODY: frozenset[str] = frozenset()  # one for all tables
MOST_DUE = 16  # rounds of frames that may wait; then those who wait are told everything anew


class Kind(NamedTuple):
    """What decides which frames a connection gets: whose it is, and what it asked for. It stays the same."""

    person: str | None
    language: Language | None
    painted: bool = False
    whole: bool = False
    screen: bool = False


Frames = dict[Kind, bytes]


class Round(NamedTuple):
    number: int
    frames: Frames
    besides: Watcher | None


class Crowd:
    """Connections by their kinds; of each it is known since which round it listens."""

    __slots__ = ("_shared", "answering", "guests", "here", "kinds", "round", "screens")

    def __init__(self) -> None:
        self.kinds: dict[Kind, dict[Watcher, int]] = {}
        self.here = NOBODY  # people with a connection, or on a device that has one
        self.answering = NOBODY  # people with a connection of their own
        self._shared: dict[Watcher, frozenset[str]] = {}  # who plays on which device
        self.guests = 0  # connections of nobody in particular, as far as they are counted
        self.screens = 0  # big ones, which are no guests
        self.round = 0

    def add(self, watcher: Watcher) -> None:
        """Let a connection hear of everything from now on, and of nothing before."""
        self.kinds.setdefault(kind_of(watcher), {})[watcher] = self.round
        if watcher.company:
            self._shared[watcher] = watcher.company
        self._count()

    def remove(self, watcher: Watcher) -> None:
        kind = kind_of(watcher)
        self.kinds[kind].pop(watcher)
        if not self.kinds[kind]:
            del self.kinds[kind]
        self._shared.pop(watcher, None)
        self._count()

    def __contains__(self, watcher: Watcher) -> bool:
        return watcher in self.kinds.get(kind_of(watcher), ())

    def __iter__(self) -> Iterator[Watcher]:
        return iter([watcher for watchers in self.kinds.values() for watcher in watchers])

    def __len__(self) -> int:
        return sum(map(len, self.kinds.values()))

    def opened(self) -> list[Watcher]:
        """List the lines on shared devices that show what one person may see."""
        return [watcher for watcher in self._shared if watcher.person]

    def listening(self) -> list[Kind]:
        """Name the kinds of those who take what they are told; who could not keep up is welcomed anew some time."""
        return [kind for kind, watchers in self.kinds.items() if any(not each.behind for each in watchers)]

    def deliver(self, due: Round) -> Iterator[None]:
        """Hand out the frames of a round one by one to those who listened when it began."""
        for kind, frame in due.frames.items():
            watchers = self.kinds.get(kind, {})
            for watcher in list(watchers):
                is_meant = watchers.get(watcher, due.number) < due.number and watcher is not due.besides
                if is_meant and not watcher.behind:
                    watcher.deliver(frame)
                    yield

    def _count(self) -> None:
        self.answering = frozenset(kind.person for kind in self.kinds if kind.person) or NOBODY
        self.here = self.answering.union(*self._shared.values()) if self._shared else self.answering
        nobodys = sum(watcher.person is None for watcher in self._shared)  # they stand for people who are counted
        strangers = {kind: len(watchers) for kind, watchers in self.kinds.items() if not kind.person}
        screens = sum(many for kind, many in strangers.items() if kind.screen)
        self.guests = min(sum(strangers.values()) - nobodys - screens, MOST_GUESTS)
        self.screens = min(screens, MOST_GUESTS)


class Lane:
    """Rounds on their way, one after the other. What a slice can't hold goes out while others have their turns."""

    __slots__ = ("_due", "_work", "crowd")

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self._due: list[Round] = []
        self._work: asyncio.Task[None] | None = None

    @property
    def overfull(self) -> bool:
        return len(self._due) >= MOST_DUE

    def send(self, due: Round) -> None:
        reached = sum(len(self.crowd.kinds.get(kind, ())) for kind in due.frames)
        if not self._due and reached <= SLICE:
            for _ in self.crowd.deliver(due):
                pass
        else:
            self._due.append(due)
            self._work = self._work or asyncio.create_task(self._hand_out(), name="broadcast")

    def drop(self) -> None:
        """Forget what waits: everybody will be told anew."""
        self._due.clear()

    def stop(self) -> None:
        self.drop()
        if self._work:
            self._work.cancel()

    async def _hand_out(self) -> None:
        while self._due:
            due = self._due[0]
            for count, _ in enumerate(self.crowd.deliver(due), 1):
                if count % SLICE == 0:
                    await asyncio.sleep(0)
                if not self._due or self._due[0] is not due:  # dropped
                    break
            else:
                del self._due[0]
        self._work = None


def kind_of(watcher: Watcher) -> Kind:
    return Kind(watcher.person, watcher.language, watcher.painted, watcher.whole, watcher.screen)
