"""The declaration of Bebop."""

from jamboree.core.game import GameInfo
from jamboree.core.kit.game import RuledGame
from jamboree.core.options import Design, Flag

from .bots.players import BOTS
from .box.board import BOARD_FILES, festivals, load
from .box.board_check import examine
from .box.components import MINUTES, PLAYER_COUNTS, SEAT_COLOURS
from .box.texts import refuse
from .rules.actions import AnyAction
from .rules.events import AnyEvent
from .rules.rulebook import RULEBOOK
from .rules.setup import Options
from .rules.state import State
from .visibility.restore import VISIBILITY
from .visibility.views import View
from .words.painting import paint_source
from .words.prompts import WORDS

game: RuledGame[State, AnyAction, AnyEvent, View, Options] = RuledGame(
    info=GameInfo(
        key="bebop",
        title="Bebop",
        rules_version=1,
        seats=(min(PLAYER_COUNTS), max(PLAYER_COUNTS)),
        minutes=MINUTES,
        options=Options,
        action=AnyAction,
        event=AnyEvent,
        view=View,
        samples=(
            *(Options(board=load(festival).source) for festival in festivals()),
            Options(star=True),
            Options(hidden_hands=True),
        ),
        list_position=1,
        avatars=len(SEAT_COLOURS),
        begins=lambda state: state.turn,
        flags={"hidden_hands": Flag(also=("hidden",))},
        party={"hidden_hands": True},
        designs={"board": Design(examine, paint_source, BOARD_FILES)},
    ),
    words=WORDS,
    rulebook=RULEBOOK,
    visibility=VISIBILITY,
    players=BOTS,
    spectator_refusal=lambda: refuse("turn", "only-watching"),
)
