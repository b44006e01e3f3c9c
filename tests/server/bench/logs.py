"""The log of a game, decoded."""

from collections.abc import Sequence

import msgspec

from jamboree.core.game import AnyGame
from jamboree.core.words import Language
from jamboree.server.live.replay import log_of
from jamboree.server.protocol.bodies import LogStep
from jamboree.server.store import Record


def log_steps(
    history: Sequence[Record], game: AnyGame, seat: int | None, language: Language, reader: int | None = None
) -> list[LogStep]:
    return msgspec.json.decode(log_of(history, game, seat, language, reader), type=list[LogStep])
