"""The parts of frames and responses: tables, positions and steps as a viewer sees them."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jamboree.core.game import Actor, Outcome
from jamboree.core.learning import CourseKind, LessonStage
from jamboree.core.words import Span

from .actions import Legal
from .terms import BotPace, Consent, EveningGame, ForkedFrom, HouseRules, Pause, Spectators, Status, UndoFailed

Events = Annotated[list[Any], Meta(extra_json_schema={"items": {"$ref": "#/$defs/AnyEvent"}})]
ViewSeen = Annotated[msgspec.Raw, Meta(extra_json_schema={"$ref": "#/$defs/AnyView"})]


class PersonInfo(msgspec.Struct, frozen=True):
    person: str
    name: str
    seat: int | None
    connected: bool
    ready: bool
    muted: bool
    bot_plays: bool  # a bot plays for them at the moment
    inactive: bool  # the table waits for them without a clock, and they are not active
    bot_in: float | None  # seconds until a bot plays for an absent player; null if none will
    votes: list[str]  # people who want a bot to play for them
    left: bool  # for good, though they may come back
    invited: bool  # copied to a rematch, and not here yet
    wants_avatar: int | None  # an avatar that somebody else has
    wants_seat: int | None  # the seat of a bot, during the game
    reclaims: str | None  # a player: they claim to be this person, whose device is lost


class BotInfo(msgspec.Struct, frozen=True):
    """A bot with a seat of its own."""

    seat: int
    level: str
    name: str


ClockKind = Literal["phase", "decision", "grace", "pause"]


class ClockInfo(msgspec.Struct, frozen=True):
    """The running countdown: of a phase, a decision, the wait for an absent player, or a pause."""

    kind: ClockKind
    left: float  # seconds
    of: float
    running: bool
    seats: list[int]  # the seats it concerns


class UndoAsked(msgspec.Struct, frozen=True):
    """A request to undo a move, on which the others vote."""

    person: str
    agreed: list[str]
    refused: list[str]
    needed: list[str]  # people whose consent is needed, absent ones included


class LessonInfo(msgspec.Struct, frozen=True):
    """The progress in a lesson; the texts are at `/games/{key}/lessons`."""

    lesson: int
    step: int
    stage: LessonStage
    say: str  # the text that explains a mistake
    done: list[int]  # completed lessons
    course: CourseKind


class Queued(msgspec.Struct, frozen=True):
    """A bot that has waited for more than a second; bots of all tables share a few processes."""

    seat: int
    before: int  # bots before it in the queue, of any table


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The public state of a table."""

    table: str
    game: str
    rules: int  # the version of the game's rules
    status: Status
    seats: int
    options: dict[str, Any] | UnsetType = UNSET  # left out if unchanged since the last frame
    listed: bool
    people: list[PersonInfo]
    host: str
    reason: str  # why it was closed, or why this server can't run it
    rematch: str  # the table of the rematch
    rematch_by: str  # the person who asked for it
    bots: list[BotInfo]
    paused: Pause
    pause_over: bool  # the time for pauses is used up: any player may resume
    locked: bool  # nobody new may join
    spectators: Spectators
    latecomers: bool  # people who join during the game may take the seat of a bot
    guests: int  # connections of spectators who have not joined; 99: at least that many
    pace: BotPace  # of bots
    practice: bool  # somebody had a hint in this game
    seconds: int | None  # per decision
    consent: Consent  # whose consent an undo needs
    house_rules: HouseRules
    commitment: str  # the commitment to the server's seed; empty before the start
    undo_asked: UndoAsked | None
    undo_failed: UndoFailed | None  # the last failed request, until the next one or the next move
    forked_from: ForkedFrom | None
    avatars: list[int]  # by seat: its avatar among the game's colours, animals or tokens; then the free ones
    first: int | None  # the seat that begins, chosen by the host; null: any
    lesson: LessonInfo | None  # at a table of lessons
    party: bool  # people play on their phones in front of a big screen
    screens: int  # big screens that show this table now
    ended_by_bots: list[int]  # after the game: seats whose last move a bot made for somebody who was away
    evening: list[EveningGame]  # the finished games of a party, in their order
    evening_shown: bool  # big screens show the score of the evening
    evening_over: bool  # the host ended the party after its last game
    queue: list[Queued]  # bots that wait for a process


class TableDetails(TableInfo, frozen=True, kw_only=True):
    """A table with the viewer's identity, the actors to move, and the outcome."""

    you: "You"
    actors: list[Actor]
    outcome: Outcome | None
    touched: int  # the time of the last change that everybody may see (of moves, to the minute), in Unix seconds
    device: list[str] = []  # the people of this table who share the requesting device


class MenuGroup(msgspec.Struct, frozen=True):
    """Legal actions of one kind, as a menu; `indices` number the legal actions."""

    title: str
    targets: list[str]  # the label of each; empty if there is nothing to choose
    indices: list[int]


class Painting(msgspec.Struct, frozen=True):
    """A position as text for clients without a table UI of the game, made from the view alone."""

    lines: list[list[Span]]
    menu: list[MenuGroup]
    scores: list[int]  # by seat, as far as the viewer may know


class Position(msgspec.Struct, frozen=True):
    """A game as one viewer sees it, with the viewer's legal actions."""

    view: ViewSeen
    actors: list[Actor]
    legal: Legal
    outcome: Outcome | None
    question: str  # what this viewer has to decide
    decided: str = ""  # what decided the game, once it is over
    painting: Painting | UnsetType = UNSET  # for clients that requested it


class Note(msgspec.Struct, frozen=True):
    """A sentence about a choice that a bot made for a player."""

    seat: int  # of the player
    sentence: str


class StepInfo(msgspec.Struct, frozen=True):
    """The part of a record that a viewer witnessed."""

    seq: int
    events: Events
    sentences: list[str]  # one per event; none without a language
    note: Note | None = None  # to be shown first


class You(msgspec.Struct, frozen=True):
    person: str | None
    seat: int | None
