"""Avatars: the colours, animals or tokens that players choose. A context variable holds the current choice."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from .game import AnyGame

_AVATARS: ContextVar[Sequence[int]] = ContextVar("avatars", default=())


def avatar_names(game: AnyGame, lang: str) -> list[str]:
    """Return the names of a game's avatars; those without a name in the catalogue are numbered."""
    return [game.words.text(f"web.seat.{avatar}", lang) or str(avatar + 1) for avatar in range(game.info.avatars)]


def avatar_of(seat: int) -> int:
    """Return a seat's avatar: the chosen one, or the default of its seat number."""
    avatars = _AVATARS.get()
    return avatars[seat] if seat < len(avatars) else seat


def set_avatars(avatars: Sequence[int]) -> None:
    """Set the avatars of all seats for the current context."""
    _AVATARS.set(avatars)


@contextmanager
def using_avatars(avatars: Sequence[int]) -> Iterator[None]:
    """Set the avatars of all seats within a `with` block."""
    before = _AVATARS.set(avatars)
    try:
        yield
    finally:
        _AVATARS.reset(before)
