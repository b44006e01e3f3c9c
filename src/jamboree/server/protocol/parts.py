"""What tables and games look like to somebody: the parts that messages are made of."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jamboree.core.game import Actor, Outcome
from jamboree.core.learning import Stage
from jamboree.core.words import Span

from .actions import Legal
from .terms import BotPace, Consent, ForkedFrom, HouseRules, Pause, Spectators, Status, UndoFailed

Events = Annotated[list[Any], Meta(extra_json_schema={"items": {"$ref": "#/$defs/AnyEvent"}})]
ViewSeen = Annotated[msgspec.Raw, Meta(extra_json_schema={"$ref": "#/$defs/AnyView"})]


class Seated(msgspec.Struct, frozen=True):
    person: str
    name: str
    seat: int | None
    here: bool
    ready: bool
    muted: bool
    stood_in: bool  # a bot plays for them at the moment
    quiet: bool  # the table waits for them, no clock runs, and they give no sign of life
    bot_in: float | None  # seconds until a bot plays for somebody who is away; null for others, and where it never will
    votes: list[str]  # who wants a bot to play for them
    left: bool  # for good, though they may come back
    invited: bool  # brought along to a rematch, and not come yet
    asks_for: int | None  # a look that somebody else has
    asks_seat: int | None  # the seat of a bot, during the game
    asks_back: str | None  # a player: they say that they are this person, whose phone is lost


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


class LessonSeen(msgspec.Struct, frozen=True):
    """How far a learner is: the texts are at `/games/{key}/lessons`."""

    lesson: int
    step: int
    stage: Stage
    say: str  # which text explains a mistake
    done: list[int]  # lessons that were learnt


class Queued(msgspec.Struct, frozen=True):
    """A bot that has waited for more than a second: it shares the processes that bots think in with other tables."""

    seat: int
    before: int  # bots that think first, at this table or another


class TableSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A table as everybody may see it."""

    table: str
    game: str
    rules: int  # the version of the game's rules it is played by
    status: Status
    seats: int
    options: dict[str, Any] | UnsetType = UNSET  # left out where they are as they were told before
    listed: bool
    people: list[Seated]
    host: str
    reason: str  # why it was closed, or why this server leaves it alone
    rematch: str  # the table where they play again
    rematch_by: str  # the person who asked for it
    bots: list[BotSeen]
    paused: Pause
    pause_over: bool  # the time for pauses is used up: any player may go on
    locked: bool  # nobody new comes in
    spectators: Spectators
    latecomers: bool  # somebody who comes during the game may take the seat of a bot
    guests: int  # connections of spectators who have not joined; 99: at least so many
    pace: BotPace  # of bots
    practice: bool  # somebody had a hint in this game
    seconds: int | None  # per decision
    consent: Consent  # what it takes to have a move taken back that others have answered
    house: HouseRules
    commitment: str  # what binds the server to its seed; empty before the start
    undo_asked: UndoAsked | None
    undo_failed: UndoFailed | None  # the last time, until somebody asks again or moves
    forked_from: ForkedFrom | None
    looks: list[int]  # by seat: which of the game's colours, animals or tokens it has; behind them the others
    first: int | None  # the seat that begins, as the host named it; null: any
    lesson: LessonSeen | None  # where somebody learns
    party: bool  # people play on their phones, before a big screen
    screens: int  # big screens that show this table now
    queue: list[Queued]  # bots that wait for a turn to think


class TableLooked(TableSeen, frozen=True, kw_only=True):
    """A table for who passes by: who that is, whose turn it is, and how it ended."""

    you: "You"
    actors: list[Actor]
    outcome: Outcome | None
    device: list[str] = []  # everybody of this table who plays on the device that asks


class MenuGroup(msgspec.Struct, frozen=True):
    """Legal actions of one kind, as a person picks them; `places` counts through the legal actions, from 0."""

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
    legal: Legal
    outcome: Outcome | None
    question: str  # what is asked of this viewer
    decided: str = ""  # what decided the game, once it is over
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
