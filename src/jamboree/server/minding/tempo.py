"""How long a server waits, and how fast its bots are."""

import msgspec

Span = tuple[float, float]


class Tempo(msgspec.Struct, frozen=True, kw_only=True):
    """In seconds."""

    grace: float = 30.0  # that a player may be away before a bot stands in
    patience: float = 300.0  # without a step, after which a bot takes a decision for players who are there
    thinking: Span = (0.8, 2.5)  # of a bot over a choice: a human's pace
    forced: Span = (0.3, 0.8)  # of a bot that has no choice
    bot_limit: float = 5.0  # after which a bot that has not answered is stopped, and any legal move is made
    again: float = 5.0  # until something is tried again that could not be kept
    keep_clock: float = 1.0  # between two notes of the time left
