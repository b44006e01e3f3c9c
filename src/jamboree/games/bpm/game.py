"""BPMs Per Minute, as it declares itself."""

from jamboree.core.game import GameInfo
from jamboree.core.kit.game import RuledGame

from .bots.greedy import BOTS
from .box.components import BOX, PLAYER_COUNTS
from .box.samples import own_crate
from .rules.actions import AnyAction, repertoire
from .rules.census import census
from .rules.endgame import outcome, scores
from .rules.events import AnyEvent
from .rules.rulebook import RULEBOOK
from .rules.setup import Options, set_up
from .rules.state import State
from .seen.restore import imagine, restore
from .seen.views import View, known_points, look, reveals, view, witness
from .texts import refuse
from .words.text import WORDS

game: RuledGame[State, AnyAction, AnyEvent, View, Options] = RuledGame(
    info=GameInfo(
        key="bpm",
        title="BPMs Per Minute",
        rules_version=1,
        seats=(min(PLAYER_COUNTS), max(PLAYER_COUNTS)),
        minutes=BOX.minutes,
        options=Options,
        action=AnyAction,
        event=AnyEvent,
        view=View,
        samples=(Options(), Options(hypemaster=True), Options(songs=own_crate())),
        place=2,
    ),
    words=WORDS,
    rulebook=RULEBOOK,
    set_up=set_up,
    actions=lambda state: repertoire(state.room).all,
    view=view,
    look=look,
    witness=witness,
    reveals=reveals,
    restore=restore,
    imagine=imagine,
    scores=lambda state: tuple(scores(state)),
    known_scores=known_points,
    outcome=outcome,
    census=census,
    players=BOTS,
    watching=lambda: refuse("round", "only-watching"),
)
