"""Pearl Divers, as it declares itself."""

from jamboree.core.game import GameInfo
from jamboree.core.kit.game import RuledGame

from .bots import Greedy
from .rules import ACTIONS, RULEBOOK, AnyAction, AnyEvent, Options, State, census, outcome, scores, set_up
from .seen import View, imagine, restore, reveals, view, witness
from .texts import refuse
from .words import WORDS

game: RuledGame[State, AnyAction, AnyEvent, View, Options] = RuledGame(
    info=GameInfo(
        key="pearls",
        title="Pearl Divers",
        rules_version=1,
        seats=(2, 5),
        minutes=(5, 10),
        options=Options,
        action=AnyAction,
        event=AnyEvent,
        view=View,
        samples=(Options(), Options(turns=1)),
    ),
    words=WORDS,
    rulebook=RULEBOOK,
    set_up=set_up,
    actions=lambda state: ACTIONS,
    view=view,
    witness=witness,
    reveals=reveals,
    restore=restore,
    imagine=imagine,
    scores=scores,
    outcome=outcome,
    census=census,
    players={"greedy": Greedy},
    watching=lambda: refuse("turn", "only-watching"),
)
