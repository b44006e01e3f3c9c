"""What a table tells a client. What is not a field here never leaves the server."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jamboree.coach import Worded
from jamboree.core.undo import Undo

from .parts import ClockSeen, Events, Note, Step, TableSeen, You
from .terms import ChatLine, UndoSeen

NULL = msgspec.Raw(b"null")
PositionOrNull = Annotated[  # of all unions msgspec reads none with raw JSON in it
    msgspec.Raw, Meta(extra_json_schema={"anyOf": [{"$ref": "#/$defs/Position"}, {"type": "null"}]})
]

ActionsOrNull = Annotated[
    msgspec.Raw,
    Meta(extra_json_schema={"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/ActionGroup"}}, {"type": "null"}]}),
]
ChangeOrNull = Annotated[  # as difference.py writes it
    msgspec.Raw, Meta(extra_json_schema={"anyOf": [{"$ref": "#/$defs/ChangedParts"}, {"type": "null"}]})
]


class FromServer(msgspec.Struct, frozen=True, tag_field="type"):
    pass


class Welcome(FromServer, frozen=True, tag="welcome"):
    """Everything anew: the answer to hello, and what is sent to somebody who could not keep up."""

    seq: int
    you: You
    table: TableSeen
    position: PositionOrNull
    actions: ActionsOrNull  # all there can be in this game, for those who have a seat
    missed: list[Step] | None  # since what was seen; None: not known any more
    talk: list[ChatLine]  # the last lines this viewer may read; it takes the place of all heard before
    clock: ClockSeen | None
    undo: UndoSeen | None
    stood_in: int  # how many moves a bot has made for you since you were here


class TableChanged(FromServer, frozen=True, tag="table"):
    seq: int
    table: TableSeen


class Update(FromServer, frozen=True, tag="update"):
    """One step of the game. The position is the truth, the events are the story.

    A position comes as what has changed since the one before, or whole: then `change` is null.
    """

    seq: int
    events: Events
    sentences: list[str]
    position: PositionOrNull
    change: ChangeOrNull
    check: str  # of the position that this leads to
    clock: ClockSeen | None
    undo: UndoSeen | None
    note: Note | None = None  # to be told first
    at: int | UnsetType = UNSET  # at a party: when all devices tell what they tell together, on the clock of `pong`


class ClockChanged(FromServer, frozen=True, tag="clock"):
    """Nothing but the clock has changed: it stopped, or runs again, or waits for somebody."""

    seq: int
    clock: ClockSeen | None


class Said(FromServer, frozen=True, tag="said"):
    line: ChatLine


class Nudged(FromServer, frozen=True, tag="nudged"):
    """Somebody at the table asks you whether you are still there."""

    person: str


class Pong(FromServer, frozen=True, tag="pong"):
    id: str
    time: int  # the server's clock in milliseconds, which counts from some moment or other


class Bye(FromServer, frozen=True, tag="bye"):
    """The server goes down; come back in a moment."""

    sentence: str


class Ack(FromServer, frozen=True, tag="ack"):
    """What was asked under this id is done and kept, as record `seq`."""

    id: str
    seq: int


class Previewed(FromServer, frozen=True, tag="previewed"):
    id: str
    events: Events
    sentences: list[str]
    points: list[int]
    chance_follows: bool
    undo: Undo  # what could be done about the move once it is made


class Hint(FromServer, frozen=True, tag="hinted"):
    """The best actions for who asked, best first; chances go from 0 to 1, and are null where nothing was tried out."""

    id: str
    moves: list[Worded]
    chance: float | None  # to win with the obvious action
    error: float  # by which chances may be off
    playouts: int
    soon: bool  # nothing was searched yet, because that is being compiled: ask again in a while


class WhyNot(FromServer, frozen=True, tag="why"):
    """Which rule forbids an action; `key` and `params` fill a text of the game."""

    id: str
    allowed: bool
    sentence: str
    detail: dict[str, Any] | None


class Error(FromServer, frozen=True, tag="error"):
    """A message was refused and changed nothing."""

    id: str | None
    code: str
    sentence: str
    detail: dict[str, Any] | None = None


ServerMessage = (
    Welcome
    | TableChanged
    | Update
    | ClockChanged
    | Said
    | Nudged
    | Ack
    | Previewed
    | Hint
    | WhyNot
    | Pong
    | Error
    | Bye
)
