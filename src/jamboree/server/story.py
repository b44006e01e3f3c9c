"""A game told from its beginning, as one viewer witnessed it."""

from collections.abc import Sequence

import msgspec

from jamboree.core.game import Actor, AnyGame
from jamboree.core.words import Language

from .errors import Refused
from .lobby import Lobby
from .memory import Memory, Outdated
from .records import Acted, Opened, read
from .speech import Speech, witnessed
from .store import Record


class LogStep(msgspec.Struct, frozen=True):
    """What a viewer witnessed of one action. Who acted is left out where that was not to be seen."""

    seq: int
    step: int  # the set-up is 0
    actor: Actor | None
    sentences: list[str]
    undone: bool


def story(history: Sequence[Record], game: AnyGame, seat: int | None, language: Language) -> list[LogStep]:
    """Play a game again and tell every step of it, with the names people have now."""
    records = [read(kept) for kept in history]
    opened = records[0]
    assert isinstance(opened, Opened), "a table begins by being opened"
    memory, played = Memory(game, Lobby.opened(opened), seq=1), list[tuple[Acted, int, list[object]]]()
    try:
        for record in records[1:]:
            memory.replay(record)
            if isinstance(record, Acted):
                played.append((record, memory.seq, witnessed(memory, memory.told[-1].events, seat)))
    except Outdated as error:
        raise Refused("outdated", str(error)) from None
    speech = Speech(memory, language)
    return [
        LogStep(
            seq=seq,
            step=step,
            actor=record.actor if events or record.actor == seat else None,
            sentences=[sentence for sentence in speech.told(events) if sentence],
            undone=False,
        )
        for step, (record, seq, events) in enumerate(played, 1)
    ]
