"""The colours, animals or tokens that players choose: what they are called, and who has which while somebody speaks."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from .game import AnyGame

_AVATARS: ContextVar[Sequence[int]] = ContextVar("worn", default=())


def avatar_names(game: AnyGame, lang: str) -> list[str]:
    """Name what players choose from to be told apart by; what the catalogue has no name for has a number."""
    return [game.words.text(f"web.seat.{avatar}", lang) or str(avatar + 1) for avatar in range(game.info.avatars)]


def avatar_of(seat: int) -> int:
    """Tell which look a seat has; where nothing was chosen it is that of the box."""
    avatars = _AVATARS.get()
    return avatars[seat] if seat < len(avatars) else seat


def set_avatars(avatars: Sequence[int]) -> None:
    """Give every seat its look from now on."""
    _AVATARS.set(avatars)


@contextmanager
def using_avatars(avatars: Sequence[int]) -> Iterator[None]:
    """Give every seat its look for a while."""
    before = _AVATARS.set(avatars)
    try:
        yield
    finally:
        _AVATARS.reset(before)
