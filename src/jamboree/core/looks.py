"""The colours, animals or tokens that players choose: what they are called, and who has which while somebody speaks."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from .game import AnyGame

_WORN: ContextVar[Sequence[int]] = ContextVar("worn", default=())


def look_names(game: AnyGame, lang: str) -> list[str]:
    """Name what players choose from to be told apart by; what the catalogue has no name for has a number."""
    return [game.words.text(f"web.seat.{look}", lang) or str(look + 1) for look in range(game.info.looks)]


def look_of(seat: int) -> int:
    """Tell which look a seat has; where nothing was chosen it is that of the box."""
    worn = _WORN.get()
    return worn[seat] if seat < len(worn) else seat


def wear(looks: Sequence[int]) -> None:
    """Give every seat its look from now on."""
    _WORN.set(looks)


@contextmanager
def wearing(looks: Sequence[int]) -> Iterator[None]:
    """Give every seat its look for a while."""
    before = _WORN.set(looks)
    try:
        yield
    finally:
        _WORN.reset(before)
