"""The enums and small structures shared by tables and clients."""

from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jamboree.core.undo import Undo

Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]  # a seat or step; it fits into every integer type
Seconds = Annotated[int, Meta(ge=5, le=3600, description="per decision")]


class Status(StrEnum):
    GATHERING = "gathering"
    SEEDING = "seeding"  # players add their seeds
    PLAYING = "playing"
    FINISHED = "finished"
    CLOSED = "closed"


UNDER_WAY = (Status.GATHERING, Status.SEEDING, Status.PLAYING)


class Pause(StrEnum):
    NO = "no"
    COMING = "coming"  # at the next turn or phase
    YES = "yes"


class ForkedFrom(msgspec.Struct, frozen=True):
    """The table and step from which a game was forked."""

    table: str
    step: int


class EveningGame(msgspec.Struct, frozen=True):
    """A finished game of a party: one point for everybody a player beat; a tie beats nobody."""

    game: str
    players: int  # bots included
    points: dict[str, int]  # by person; bots get none
    watched: list[str]  # people who watched, and get neither points nor a zero


class Spectators(StrEnum):
    """Who may spectate."""

    EVERYBODY = "everybody"  # with the link
    JOINED = "joined"  # only people who joined with a name, so that the host sees them
    NOBODY = "nobody"


class Consent(StrEnum):
    """Whose consent an undo needs, as chosen by the host before the game."""

    EVERYBODY = "everybody"  # all other players
    MAJORITY = "majority"  # more than half of the others; no answer counts as no


class Seating(StrEnum):
    """The seating of a rematch."""

    SAME = "same"
    ROTATED = "rotated"  # everyone moves up by one seat
    SHUFFLED = "shuffled"


class Idle(StrEnum):
    """What the others may do about an inactive player at a table without a clock."""

    WAIT = "wait"
    NUDGE = "nudge"  # also nudge the player
    VOTE = "vote"  # also vote for a bot, by a majority


Wait = Literal[30, 120, 600] | None  # seconds; null: for ever


class BotPace(StrEnum):
    """How long bots take over their moves, as chosen by the host; under a game's own clock they take their time."""

    RELAXED = "relaxed"
    QUICK = "quick"
    INSTANT = "instant"


class HouseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules of the table about its people, as chosen by the host, independent of the game."""

    wait: Wait = 30  # how long a player may be away before a bot plays for them
    idle: Idle = Idle.VOTE
    hints: bool = False  # whether players may ask for hints; those who play against bots only always may


class TableSettings(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The settings of a table, which its host may change until the game begins."""

    seats: Number
    options: dict[str, Any] = {}  # of the game
    listed: bool = True  # in the public list of tables
    seconds: Seconds | None = None  # per decision
    consent: Consent = Consent.EVERYBODY  # whose consent an undo needs
    house_rules: HouseRules | None = None  # default: two minutes to come back without a clock, else 30 seconds

    def settings(self) -> dict[str, Any]:
        """The settings alone, without the fields that a subclass adds."""
        return {name: getattr(self, name) for name in TableSettings.__struct_fields__}


class UndoFailure(StrEnum):
    """Why an undo request failed."""

    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    LATE = "late"  # not everyone answered in time


class UndoFailed(msgspec.Struct, frozen=True):
    """A failed undo request."""

    person: str  # who requested it
    reason: UndoFailure
    refused: list[str]


class UndoInfo(msgspec.Struct, frozen=True):
    """What an undo request by this viewer would do now.

    `steps` counts the undone steps that this viewer saw, `later` the moves of others among them; it is absent if
    there are none.
    """

    rule: Undo
    steps: int
    later: int | UnsetType = UNSET


class Audience(StrEnum):
    ALL = "all"
    SPECTATORS = "spectators"  # during a game, spectators chat among themselves
    WHISPER = "whisper"


class ChatMessage(msgspec.Struct, frozen=True):
    id: str
    person: str
    text: str
    audience: Audience
    to: str | None = None
    phrase: str = ""  # the key of a canned phrase, for clients that translate it; the text is English
    bot: str = ""  # the name of the bot that said it; then there is no person
