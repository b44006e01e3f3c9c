"""Journals to upload: of the longest game, and made as expensive as possible."""

import random
from functools import cache
from typing import Any

import msgspec

from jamboree.bots import RandomBot
from jamboree.core.chance import Seeded
from jamboree.core.journal import Entry, Journal, write
from jamboree.core.play import Match, play
from jamboree.games import find
from jamboree.server.service.journals import MAX_STEPS, MAX_UNDOS

from .stage import crate


@cache
def long_game(seats: int = 8) -> bytes:
    """Play Boogie Beasts with as many as there can be."""
    return write(_played("boogie", seats)).encode()


@cache
def back_and_forth() -> bytes:
    """Take a game back to its beginning and play it again, as often as that is allowed."""
    journal = _played("bebop", 4)
    first, back = journal.entries[0], Entry(0, {}, [], undo=0)
    journal.entries = [entry for _ in range(MAX_UNDOS) for entry in (first, back)]
    return _sealed(journal)


@cache
def nothing_but_steps() -> bytes:
    journal = _played("bpm", 4)
    journal.entries = [Entry(0, {}, [])] * MAX_STEPS
    return _sealed(journal)


@cache
def many_songs() -> bytes:
    journal = _played("bpm", 4)
    journal.header.options = {"songs": crate()}
    return _sealed(journal)


def no_journal() -> bytes:
    return b"[" * 250_000


def _played(key: str, seats: int) -> Journal:
    game: Any = find(key)
    match = Match(game, seats, game.info.options(), Seeded(3), [f"Player {seat}" for seat in range(seats)])
    play(match, [RandomBot(seat) for seat in range(seats)], random.Random(1))
    return msgspec.convert(msgspec.to_builtins(match.journal()), Journal)


def _sealed(journal: Journal) -> bytes:
    journal.seal = journal.expected_seal()
    return write(journal).encode()
