"""The frames that a server sends. Only these fields ever leave the server."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jamboree.coach import MoveText
from jamboree.core.undo import Undo

from .parts import ClockInfo, Events, Note, StepInfo, TableInfo, You
from .terms import ChatMessage, UndoInfo

NULL = msgspec.Raw(b"null")
PositionOrNull = Annotated[  # msgspec can't decode unions with raw JSON
    msgspec.Raw, Meta(extra_json_schema={"anyOf": [{"$ref": "#/$defs/Position"}, {"type": "null"}]})
]

ActionsOrNull = Annotated[
    msgspec.Raw,
    Meta(extra_json_schema={"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/ActionGroup"}}, {"type": "null"}]}),
]
ChangeOrNull = Annotated[  # see delta.py
    msgspec.Raw, Meta(extra_json_schema={"anyOf": [{"$ref": "#/$defs/ChangedParts"}, {"type": "null"}]})
]


class FromServer(msgspec.Struct, frozen=True, tag_field="type"):
    pass


class Welcome(FromServer, frozen=True, tag="welcome"):
    """The whole position: the answer to hello, and to a resync or an overflow."""

    seq: int
    you: You
    table: TableInfo
    position: PositionOrNull
    actions: ActionsOrNull  # all actions of the game, for viewers with a seat
    missed: list[StepInfo] | None  # steps since the last one seen; null: not available any more
    chat: list[ChatMessage]  # the last messages; they replace all earlier ones
    clock: ClockInfo | None
    undo: UndoInfo | None
    bot_moves: int  # moves that a bot has made for you while you were away


class TableChanged(FromServer, frozen=True, tag="table"):
    seq: int
    table: TableInfo


class Update(FromServer, frozen=True, tag="update"):
    """One step of the game: its events, and the position that they lead to.

    The position is sent as a delta in `change`, or whole: then `change` is null.
    """

    seq: int
    events: Events
    sentences: list[str]
    position: PositionOrNull
    change: ChangeOrNull
    check: str  # the checksum of the resulting position
    clock: ClockInfo | None
    undo: UndoInfo | None
    note: Note | None = None  # to be shown first
    at: int | UnsetType = UNSET  # at a party: when all devices show this step, on the clock of `pong`


class ClockChanged(FromServer, frozen=True, tag="clock"):
    """Only the clock has changed: it stopped, resumed, or waits for somebody."""

    seq: int
    clock: ClockInfo | None


class Chat(FromServer, frozen=True, tag="chat"):
    message: ChatMessage


class Nudged(FromServer, frozen=True, tag="nudge"):
    """Somebody at the table asks whether you are still there."""

    person: str


class Pong(FromServer, frozen=True, tag="pong"):
    id: str
    time: int  # the server's monotonic clock in milliseconds


class Bye(FromServer, frozen=True, tag="bye"):
    """The server shuts down; reconnect in a moment."""

    sentence: str


class Ack(FromServer, frozen=True, tag="ack"):
    """The request with this id is carried out and durable, as record `seq`."""

    id: str
    seq: int


class Previewed(FromServer, frozen=True, tag="preview"):
    id: str
    events: Events
    sentences: list[str]
    points: list[int]
    chance_follows: bool
    undo: Undo  # whether the move could be undone


class Hint(FromServer, frozen=True, tag="hint"):
    """The best actions, best first; chances go from 0 to 1, and are null without a search."""

    id: str
    moves: list[MoveText]
    chance: float | None  # to win, with the obvious action
    error: float  # standard error of the chances
    playouts: int
    soon: bool  # the search is still being compiled: ask again in a while


class WhyNot(FromServer, frozen=True, tag="why-not"):
    """The rule that forbids an action; `key` and `params` fill a text of the game."""

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
    | Chat
    | Nudged
    | Ack
    | Previewed
    | Hint
    | WhyNot
    | Pong
    | Error
    | Bye
)
