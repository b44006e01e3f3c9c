"""The declaration of Boogie Beasts."""

from jamboree.core.game import GameInfo
from jamboree.core.kit.game import RuledGame
from jamboree.core.options import Flag

from .bots.deals import DealReplies, credible_offers
from .bots.players import BOTS
from .box.components import BOX, FEWEST, MOST
from .box.texts import refuse
from .rules.actions import AnyAction
from .rules.events import AnyEvent
from .rules.phases import agreed
from .rules.rulebook import RULEBOOK
from .rules.setup import Options
from .rules.state import State
from .visibility.restore import VISIBILITY
from .visibility.review import PROMISES, without_private_promises
from .visibility.views import View
from .words.prompts import WORDS

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
        list_position=3,
        flags={
            "pace": Flag(values={"timed": "standard"}),
            "plane_seconds": Flag(implies={"pace": "own"}),
            "jump_seconds": Flag(implies={"pace": "own"}),
        },
        party={"pace": "standard"},  # the big screen counts the minute down
        avatars=len(BOX.animals),
        begins=lambda state: state.jumpmaster,
        undo=False,  # a word that was said and a card that was laid are final
    ),
    words=WORDS,
    rulebook=RULEBOOK,
    visibility=VISIBILITY,
    players=BOTS,
    spectator_refusal=lambda: refuse("players", "only-watching"),
    review=[PROMISES],
    private_talk=without_private_promises,
    sensible=credible_offers,
    replies=DealReplies,
    agreement=agreed,
    foresees_steps=False,  # a phase ends with hidden cards dealt or turned
)
