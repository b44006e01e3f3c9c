"""Pearl Divers: dive once more, or bring up what you have? Only you know which colour your buyer pays double for."""

from jamboree.core.game import GameInfo
from jamboree.core.kit.game import RuledGame

from .bots import Greedy
from .rules import RULEBOOK, AnyAction, AnyEvent, Options, State, refuse
from .views import VISIBILITY, View
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
    visibility=VISIBILITY,
    players={"greedy": lambda seed: Greedy()},
    spectator_refusal=lambda: refuse("turn", "only-watching"),
)
