"""The messages between a client and a table. What is not a field here never leaves the server."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jamboree.core.game import Actor, Outcome
from jamboree.core.offers import Caution, Offer
from jamboree.core.undo import Undo
from jamboree.core.words import Language, Span

from .terms import Consent, ForkedFrom, Line, Pause, Spectators, Status, UndoFailed, UndoSeen

Id = Annotated[str, Meta(min_length=1, max_length=64, description="the client's own name for what it asks")]

Action = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/$defs/AnyAction"})]
Events = Annotated[list[Any], Meta(extra_json_schema={"items": {"$ref": "#/$defs/AnyEvent"}})]
ViewSeen = Annotated[msgspec.Raw, Meta(extra_json_schema={"$ref": "#/$defs/AnyView"})]
PositionSeen = Annotated[msgspec.Raw, Meta(extra_json_schema={"$ref": "#/$defs/Position"})]
NULL = msgspec.Raw(b"null")
PositionOrNull = Annotated[  # of all unions msgspec reads none with raw JSON in it
    msgspec.Raw, Meta(extra_json_schema={"anyOf": [{"$ref": "#/$defs/Position"}, {"type": "null"}]})
]


class FromClient(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


class Hello(FromClient, frozen=True, tag="hello"):
    """The first message. Without a token one watches; `seen` asks for what happened after that number.

    With a language every frame carries its sentences; for another language a client connects anew. A client that can't
    draw a game asks to have its positions `painted`.
    """

    token: Annotated[str, Meta(max_length=128)] | None = None
    seen: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    language: Language | None = None
    painted: bool = False


class Act(FromClient, frozen=True, tag="act"):
    """Take an action. Sent again under the same id, it is not taken again."""

    id: Id
    action: Action


class AskPreview(FromClient, frozen=True, tag="preview"):
    """Ask what is certain to follow an action."""

    id: Id
    action: Action


class AskWhyNot(FromClient, frozen=True, tag="why-not"):
    """Ask which rule forbids an action."""

    id: Id
    action: Action


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


class Withdraw(FromClient, frozen=True, tag="withdraw"):
    """Stop asking the others whether a move may be taken back."""

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


class AskPause(FromClient, frozen=True, tag="pause"):
    """Pause the game, or go on; for the host."""

    id: Id
    paused: bool = True


ClientMessage = (
    Hello | Act | AskPreview | AskWhyNot | Say | Ready | TakeBack | Withdraw | Agree | AddSeed | AskPause | Ping
)


class FromServer(msgspec.Struct, frozen=True, tag_field="type"):
    pass


class Seated(msgspec.Struct, frozen=True):
    person: str
    name: str
    seat: int | None
    here: bool
    ready: bool
    muted: bool
    stood_in: bool  # a bot plays for them at the moment
    left: bool  # for good, though they may come back
    invited: bool  # brought along to a rematch, and not come yet


class BotSeen(msgspec.Struct, frozen=True):
    """A bot that has a seat for good."""

    seat: int
    level: str
    name: str


ClockKind = Literal["phase", "decision", "grace", "pause"]


class ClockSeen(msgspec.Struct, frozen=True):
    """What runs down: the game's own phase, a decision, the time the table waits for somebody away, or a pause."""

    kind: ClockKind
    left: float  # seconds
    of: float
    running: bool
    seats: list[int]  # whom it is about


class UndoAsked(msgspec.Struct, frozen=True):
    """Somebody asks the others to agree that a move is taken back."""

    person: str
    agreed: list[str]
    refused: list[str]
    needed: list[str]  # whose say it is, also of those who are away


class TableSeen(msgspec.Struct, frozen=True):
    """A table as everybody may see it."""

    table: str
    game: str
    rules: int  # the version of the game's rules it is played by
    status: Status
    seats: int
    options: dict[str, Any]
    listed: bool
    people: list[Seated]
    host: str
    reason: str  # why it was closed, or why this server leaves it alone
    rematch: str  # the table where they play again
    bots: list[BotSeen]
    paused: Pause
    pause_over: bool  # the time for pauses is used up: any player may go on
    locked: bool  # nobody new comes in
    spectators: Spectators
    seconds: int | None  # per decision
    consent: Consent  # what it takes to have a move taken back that others have answered
    commitment: str  # what binds the server to its seed; empty before the start
    undo_asked: UndoAsked | None
    undo_failed: UndoFailed | None  # the last time, until somebody asks again or moves
    forked_from: ForkedFrom | None


class TableLooked(TableSeen, frozen=True):
    """A table for who passes by: who that is, whose turn it is, and how it ended."""

    you: "You"
    actors: list[Actor]
    outcome: Outcome | None


class Warned(msgspec.Struct, frozen=True):
    """A warning on a legal action: it is allowed and will cost something by this rule."""

    rule: str
    key: str
    params: dict[str, Any]
    sentence: str


class OfferGroup(msgspec.Struct, frozen=True):
    """Legal actions of one type: a row has the values of the fields, in their order."""

    action: str
    fields: list[str]
    rows: list[list[Any]]
    cautions: dict[int, list[Warned]]  # by row: what to warn about


class MenuGroup(msgspec.Struct, frozen=True):
    """Legal actions of one kind, as a person picks them; `places` counts through the rows of all groups of `legal`."""

    title: str
    targets: list[str]  # what each is about; empty where there is nothing to choose
    places: list[int]


class Painting(msgspec.Struct, frozen=True):
    """A position for clients that can't draw its game: made of the view alone, as a terminal shows it."""

    lines: list[list[Span]]
    menu: list[MenuGroup]
    scores: list[int]  # by seat, as far as the viewer knows


class Position(msgspec.Struct, frozen=True):
    """A game as one viewer sees it, and what that viewer may do."""

    view: ViewSeen
    actors: list[Actor]
    legal: list[OfferGroup]
    outcome: Outcome | None
    question: str  # what is asked of this viewer
    painting: Painting | UnsetType = UNSET  # for clients that asked for it


class Note(msgspec.Struct, frozen=True):
    """That a bot chose for somebody, in a sentence."""

    seat: int  # of that player
    sentence: str


class Step(msgspec.Struct, frozen=True):
    """What a viewer witnessed of one record."""

    seq: int
    events: Events
    sentences: list[str]  # one an event; none without a language
    note: Note | None = None  # to be told first


class You(msgspec.Struct, frozen=True):
    person: str | None
    seat: int | None


class Welcome(FromServer, frozen=True, tag="welcome"):
    """Everything anew: the answer to hello, and what is sent to somebody who could not keep up."""

    seq: int
    you: You
    table: TableSeen
    position: PositionOrNull
    missed: list[Step] | None  # since what was seen; None: not known any more
    talk: list[Line]  # the last lines this viewer may read; it takes the place of all heard before
    clock: ClockSeen | None
    undo: UndoSeen | None


class TableChanged(FromServer, frozen=True, tag="table"):
    seq: int
    table: TableSeen


class Update(FromServer, frozen=True, tag="update"):
    """One step of the game. The position is the truth, the events are the story."""

    seq: int
    events: Events
    sentences: list[str]
    position: PositionSeen
    clock: ClockSeen | None
    undo: UndoSeen | None
    note: Note | None = None  # to be told first


class ClockChanged(FromServer, frozen=True, tag="clock"):
    """Nothing but the clock has changed: it stopped, or runs again, or waits for somebody."""

    seq: int
    clock: ClockSeen | None


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
    events: Events
    sentences: list[str]
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


ServerMessage = Welcome | TableChanged | Update | ClockChanged | Said | Ack | Previewed | WhyNot | Pong | Error | Bye

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(ClientMessage).decode


def grouped(offers: Sequence[Offer[Any]], say: Callable[[Caution], str]) -> list[OfferGroup]:
    """Lay offers out by type: a claim on a large board has hundreds."""
    return [_group(kind, fields, rows, say) for (kind, *fields), rows in by_type(offers).items()]


def by_type(offers: Iterable[Offer[Any]]) -> dict[tuple[str, ...], list[tuple[Offer[Any], list[Any]]]]:
    """Sort offers by their type and the names of their fields, each with the values of its fields."""
    groups: dict[tuple[str, ...], list[tuple[Offer[Any], list[Any]]]] = {}
    for offer in offers:
        fields = msgspec.to_builtins(offer.action)
        groups.setdefault((fields.pop("type"), *fields), []).append((offer, list(fields.values())))
    return groups


def _group(
    kind: str, fields: list[str], rows: list[tuple[Offer[Any], list[Any]]], say: Callable[[Caution], str]
) -> OfferGroup:
    warned = {
        number: [Warned(caution.rule, caution.key, caution.params, say(caution)) for caution in offer.cautions]
        for number, (offer, _) in enumerate(rows)
        if offer.cautions
    }
    return OfferGroup(kind, fields, [values for _, values in rows], warned)
