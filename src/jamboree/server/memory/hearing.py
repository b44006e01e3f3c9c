"""What was said, as far as somebody can still read it. Everybody has a window of their own: what others whisper takes
no room in it."""

from collections import deque

import msgspec

from ..protocol.terms import ChatLine, Circle, Status
from .lobby import Lobby

WINDOW = 100  # lines that somebody who comes can read


class Hearing:
    """The lines of a table by whose ears they are for: the last of each circle, and of each person's whispers."""

    __slots__ = ("_count", "_ears", "_said")

    def __init__(self) -> None:
        self._said: dict[int, tuple[str, ChatLine]] = {}  # by number; as written, and read
        self._ears: dict[str, deque[int]] = {}
        self._count = 0

    def __len__(self) -> int:
        return len(self._said)

    def add(self, written: str) -> None:
        line = msgspec.json.decode(written, type=ChatLine)
        self._count += 1
        self._said[self._count] = (written, line)
        for ear in _ears(line):
            self._ears.setdefault(ear, deque(maxlen=WINDOW)).append(self._count)

    def last(self, count: int) -> tuple[str, ...]:
        """Give the last lines as they were written."""
        written = [text for text, _ in self._said.values()]
        return tuple(written[len(written) - count :])

    def heard(self, person: str | None, lobby: Lobby) -> list[ChatLine]:
        """Give the last lines somebody may read."""
        numbers = {number for ear in _ears_of(person, lobby) for number in self._ears.get(ear, ())}
        return [self._said[number][1] for number in sorted(numbers)[-WINDOW:]]

    def forget(self, lobby: Lobby) -> list[str]:
        """Let go of what nobody can read any more, and give it as it was written."""
        for person in [key for key, each in lobby.people.items() if each.away_for_good]:
            self._ears.pop(person, None)
        read = {number for ear in self._ears.values() for number in ear}
        return [self._said.pop(number)[0] for number in [*self._said] if number not in read]


def may_hear(line: ChatLine, person: str | None, lobby: Lobby) -> bool:
    """Tell whether somebody may read a line."""
    return not _ears_of(person, lobby).isdisjoint(_ears(line))


def _ears(line: ChatLine) -> set[str]:
    return {line.person, line.to or line.person} if line.circle == Circle.WHISPER else {line.circle}


def _ears_of(person: str | None, lobby: Lobby) -> set[str]:
    """Name what somebody hears; those who have not joined hear only what is said to all."""
    if person is None:
        return {Circle.ALL}
    plays = lobby.status == Status.PLAYING and lobby.people[person].seat is not None
    return {Circle.ALL, person} if plays else {Circle.ALL, Circle.WATCHERS, person}
