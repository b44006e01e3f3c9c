"""How long a server waits, and how fast its bots are."""

import msgspec

Span = tuple[float, float]


class Tempo(msgspec.Struct, frozen=True, kw_only=True):
    """In seconds."""

    patience: float = 120.0  # without a sign of a player whom the others wait for, before that player counts as quiet
    nudge: float = 10.0  # between two nudges of the same player
    thinking: Span = (0.8, 2.5)  # of a bot over a choice: a human's pace
    forced: Span = (0.3, 0.8)  # of a bot that has no choice
    quick: float = 0.3  # of that, where bots are to be quick
    by_the_clock: bool = True  # whether bots take the time that a phase gives them, or act once they have thought
    bot_limit: float = 5.0  # after which a bot that has not answered is stopped, and any legal move is made
    again: float = 5.0  # until something is tried again that could not be kept
    keep_clock: float = 1.0  # between two notes of the time left
