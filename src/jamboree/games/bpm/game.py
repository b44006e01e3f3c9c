"""BPMs Per Minute, as it declares itself."""

from jamboree.core.game import GameInfo
from jamboree.core.kit.game import RuledGame

from .bots.players import BOTS
from .box.components import BOX, PLAYER_COUNTS
from .box.samples import own_crate
from .box.texts import refuse
from .rules.actions import AnyAction
from .rules.events import AnyEvent
from .rules.rulebook import RULEBOOK
from .rules.setup import Options
from .rules.state import State
from .seen.restore import VISIBILITY
from .seen.views import View
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
        avatars=max(PLAYER_COUNTS),  # a token each
        begins=lambda state: state.first,
    ),
    words=WORDS,
    rulebook=RULEBOOK,
    visibility=VISIBILITY,
    players=BOTS,
    spectator_refusal=lambda: refuse("round", "only-watching"),
)
