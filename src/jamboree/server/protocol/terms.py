"""What a table is called in its states, as both sides know it."""

from enum import StrEnum
from typing import Literal

import msgspec

from jamboree.core.undo import Undo


class Status(StrEnum):
    GATHERING = "gathering"
    SEEDING = "seeding"  # players add their part to the luck
    PLAYING = "playing"
    FINISHED = "finished"
    CLOSED = "closed"


UNDER_WAY = (Status.GATHERING, Status.SEEDING, Status.PLAYING)


class Pause(StrEnum):
    NO = "no"
    COMING = "coming"  # with the next turn or phase
    YES = "yes"


class ForkedFrom(msgspec.Struct, frozen=True):
    """The table whose game is taken up here, and after which step."""

    table: str
    step: int


class Spectators(StrEnum):
    """Who may watch a game."""

    EVERYBODY = "everybody"  # with the link
    JOINED = "joined"  # only people who gave a name, so that the host sees them
    NOBODY = "nobody"


class Consent(StrEnum):
    """What it takes, as the host chose before the game."""

    EVERYBODY = "everybody"  # all players but the one who asks
    MAJORITY = "majority"  # more than half of them, counting those who have not answered as against it


class Seating(StrEnum):
    """Who sits where at a rematch."""

    SAME = "same"
    ROTATED = "rotated"  # everybody moves up by one
    SHUFFLED = "shuffled"


class Idle(StrEnum):
    """What the others may do about a player who is asked and gives no sign of life, where no clock runs."""

    WAIT = "wait"
    NUDGE = "nudge"  # wait, or ask that player
    VOTE = "vote"  # that, or have a bot play on if more than half of them want it


Wait = Literal[30, 120, 600] | None  # seconds; None: for ever


class BotPace(StrEnum):
    """How long bots take over their moves, as the host chose; where a game's own clock runs they take their time."""

    RELAXED = "relaxed"
    QUICK = "quick"
    INSTANT = "instant"


class HouseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table treats its people, as the host chose; the games' own rules know nothing of it."""

    wait: Wait = 30  # that somebody may be away before a bot plays on for them
    idle: Idle = Idle.VOTE
    hints: bool = False  # whether everybody may ask for hints; those who play with bots alone always may


class UndoFailure(StrEnum):
    """Why a move stays that somebody asked to take back."""

    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    LATE = "late"  # not everybody answered in time


class UndoFailed(msgspec.Struct, frozen=True):
    """What came of asking to take a move back, where it was not granted."""

    person: str  # who asked
    why: UndoFailure
    refused: list[str]


class UndoSeen(msgspec.Struct, frozen=True):
    """What would happen if this viewer asked now to take back the own last move; of the steps that would go it
    counts those this viewer saw."""

    rule: Undo
    steps: int


class Circle(StrEnum):
    ALL = "all"
    WATCHERS = "watchers"  # while a game runs those who watch speak among themselves
    WHISPER = "whisper"


class ChatLine(msgspec.Struct, frozen=True):
    id: str
    person: str
    text: str
    circle: Circle
    to: str | None = None
    phrase: str = ""  # what was said by its key, for clients that have words for it; the text says it in English
    bot: str = ""  # what the bot is called that said it; then there is no person
