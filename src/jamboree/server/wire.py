"""The messages between a client and a table. What is not a field here never leaves the server."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jamboree.core.game import Actor, Outcome
from jamboree.core.offers import Caution, Offer
from jamboree.core.undo import Undo

from .lobby import ForkedFrom, Status
from .outlook import UndoSeen
from .talk import Line

Id = Annotated[str, Meta(min_length=1, max_length=64, description="the client's own name for what it asks")]


class FromClient(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


class Hello(FromClient, frozen=True, tag="hello"):
    """The first message. Without a token one watches; `seen` asks for what happened after that number."""

    token: Annotated[str, Meta(max_length=128)] | None = None
    seen: Annotated[int, Meta(ge=0)] | None = None


class Act(FromClient, frozen=True, tag="act"):
    """Take an action. Sent again under the same id, it is not taken again."""

    id: Id
    action: dict[str, Any]


class AskPreview(FromClient, frozen=True, tag="preview"):
    """Ask what is certain to follow an action."""

    id: Id
    action: dict[str, Any]


class AskWhyNot(FromClient, frozen=True, tag="why-not"):
    """Ask which rule forbids an action."""

    id: Id
    action: dict[str, Any]


class Say(FromClient, frozen=True, tag="say"):
    """Speak to all, or whisper to one person."""

    id: Id
    text: Annotated[str, Meta(max_length=2000)]
    to: str | None = None


class Ready(FromClient, frozen=True, tag="ready"):
    id: Id
    ready: bool = True


class TakeBack(FromClient, frozen=True, tag="undo"):
    """Take my last move back, or ask the others whether that may be."""

    id: Id


class Agree(FromClient, frozen=True, tag="agree"):
    """Answer somebody who asks to take a move back."""

    id: Id
    agree: bool


class AddSeed(FromClient, frozen=True, tag="seed"):
    """Add one's part to the luck of the game that begins, as hexadecimal digits."""

    id: Id
    seed: Annotated[str, Meta(max_length=64)]


class Ping(FromClient, frozen=True, tag="ping"):
    id: Id


ClientMessage = Hello | Act | AskPreview | AskWhyNot | Say | Ready | TakeBack | Agree | AddSeed | Ping


class FromServer(msgspec.Struct, frozen=True, tag_field="type"):
    pass


class Seated(msgspec.Struct, frozen=True):
    person: str
    name: str
    seat: int | None
    here: bool
    ready: bool
    muted: bool


class UndoAsked(msgspec.Struct, frozen=True):
    """Somebody asks the others to agree that a move is taken back."""

    person: str
    agreed: list[str]
    needed: list[str]


class TableSeen(msgspec.Struct, frozen=True):
    """A table as everybody may see it."""

    table: str
    game: str
    status: Status
    seats: int
    options: dict[str, Any]
    people: list[Seated]
    host: str
    reason: str  # why it was closed
    rematch: str  # the table where they play again
    commitment: str  # what binds the server to its seed; empty before the start
    undo_asked: UndoAsked | None
    forked_from: ForkedFrom | None


class OfferGroup(msgspec.Struct, frozen=True):
    """Legal actions of one type: a row has the values of the fields, in their order."""

    action: str
    fields: list[str]
    rows: list[list[Any]]
    cautions: dict[int, tuple[Caution, ...]]  # by row: what to warn about


class Position(msgspec.Struct, frozen=True):
    """A game as one viewer sees it, and what that viewer may do."""

    view: msgspec.Raw
    actors: list[Actor]
    legal: list[OfferGroup]
    outcome: Outcome | None


class Step(msgspec.Struct, frozen=True):
    """What a viewer witnessed of one record."""

    seq: int
    events: list[Any]


class You(msgspec.Struct, frozen=True):
    person: str | None
    seat: int | None


class Welcome(FromServer, frozen=True, tag="welcome"):
    """Everything anew: the answer to hello, and what is sent to somebody who could not keep up."""

    seq: int
    you: You
    table: TableSeen
    position: msgspec.Raw | None
    missed: list[Step] | None  # since what was seen; None: not known any more
    talk: list[Line]  # the last lines this viewer may read; it takes the place of all heard before
    undo: UndoSeen | None


class TableChanged(FromServer, frozen=True, tag="table"):
    seq: int
    table: TableSeen


class Update(FromServer, frozen=True, tag="update"):
    """One step of the game. The position is the truth, the events are the story."""

    seq: int
    events: list[Any]
    position: msgspec.Raw
    undo: UndoSeen | None


class Said(FromServer, frozen=True, tag="said"):
    line: Line


class Pong(FromServer, frozen=True, tag="pong"):
    id: str


class Bye(FromServer, frozen=True, tag="bye"):
    """The server goes down; come back in a moment."""

    sentence: str


class Ack(FromServer, frozen=True, tag="ack"):
    """What was asked under this id is done and kept, as record `seq`."""

    id: str
    seq: int


class Previewed(FromServer, frozen=True, tag="previewed"):
    id: str
    events: list[Any]
    points: list[int]
    chance_follows: bool
    undo: Undo  # what could be done about the move once it is made


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


ServerMessage = Welcome | TableChanged | Update | Said | Ack | Previewed | WhyNot | Pong | Error | Bye

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(ClientMessage).decode


def grouped(offers: Sequence[Offer[Any]]) -> list[OfferGroup]:
    """Lay offers out by type: a claim in Bebop has hundreds."""
    groups: dict[tuple[str, ...], OfferGroup] = {}
    for offer, fields in zip(offers, _as_fields(offers), strict=True):
        kind = fields.pop("type")
        group = groups.setdefault((kind, *fields), OfferGroup(kind, list(fields), [], {}))
        if offer.cautions:
            group.cautions[len(group.rows)] = offer.cautions
        group.rows.append(list(fields.values()))
    return list(groups.values())


def _as_fields(offers: Iterable[Offer[Any]]) -> Iterable[dict[str, Any]]:
    return (msgspec.to_builtins(offer.action) for offer in offers)
