"""The declaration of BPMs Per Minute."""

from jamboree.core.game import GameInfo
from jamboree.core.kit.game import RuledGame

from .bots.players import BOTS
from .box.components import BOX, PLAYER_COUNTS
from .box.crate_csv import own_crate
from .box.texts import refuse
from .rules.actions import AnyAction
from .rules.events import AnyEvent
from .rules.rulebook import RULEBOOK
from .rules.setup import Options
from .rules.state import State
from .visibility.restore import VISIBILITY
from .visibility.views import View
from .words.prompts import WORDS

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
        list_position=2,
        avatars=max(PLAYER_COUNTS),  # a token each
        begins=lambda state: state.first,
    ),
    words=WORDS,
    rulebook=RULEBOOK,
    visibility=VISIBILITY,
    players=BOTS,
    spectator_refusal=lambda: refuse("round", "only-watching"),
)
