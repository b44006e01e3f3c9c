"""A game on a state without a table: decisions are folded at once."""

from typing import Any

from jamboree.core.chance import Chance, Recorded
from jamboree.core.game import Actor
from jamboree.server.live.commands.base import Context
from jamboree.server.live.commands.playing import acted
from jamboree.server.live.records import Because, Started
from jamboree.server.live.state import TableState


def begin(state: TableState, chance: Chance) -> None:
    recorded = Recorded(chance)
    then = state.begun(recorded)
    state.fold(Started(recorded.take_picks(), then.hash), then)


def act(state: TableState, actor: Actor, action: Any, chance: Chance, because: Because | None = None) -> None:
    acted(Context(state, chance), actor, action, because=because).fold_into(state)
