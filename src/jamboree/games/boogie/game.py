"""Boogie Beasts, as it declares itself."""

from jamboree.core.game import GameInfo
from jamboree.core.kit.game import RuledGame
from jamboree.core.options import Flag

from .bots.greedy import BOTS
from .box.components import BOX, FEWEST, MOST
from .rules.actions import AnyAction, repertoire
from .rules.census import census
from .rules.endgame import outcome, scores
from .rules.events import AnyEvent
from .rules.rulebook import RULEBOOK
from .rules.setup import Options, set_up
from .rules.state import State
from .seen.restore import imagine, restore
from .seen.views import View, look, reveals, view, witness
from .texts import refuse
from .words.text import WORDS

game: RuledGame[State, AnyAction, AnyEvent, View, Options] = RuledGame(
    info=GameInfo(
        key="boogie",
        title="Boogie Beasts",
        rules_version=1,
        seats=(FEWEST, MOST),
        minutes=BOX.minutes,
        options=Options,
        action=AnyAction,
        event=AnyEvent,
        view=View,
        samples=(
            Options(),
            Options(pace="standard"),
            Options(pace="own", plane_seconds=30, jump_seconds=20, promises=False),
        ),
        place=3,
        flags={
            "pace": Flag(values={"timed": "standard"}),
            "plane_seconds": Flag(implies={"pace": "own"}),
            "jump_seconds": Flag(implies={"pace": "own"}),
        },
        undo=False,  # a word that was said and a card that was laid are final
    ),
    words=WORDS,
    rulebook=RULEBOOK,
    set_up=set_up,
    actions=lambda state: repertoire(state.seats).all,
    view=view,
    look=look,
    witness=witness,
    reveals=reveals,
    restore=restore,
    imagine=imagine,
    scores=scores,
    outcome=outcome,
    census=census,
    players=BOTS,
    watching=lambda: refuse("players", "only-watching"),
    foresees_steps=False,  # a phase ends with hidden cards dealt or turned
)
