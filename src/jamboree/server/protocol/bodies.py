"""What goes in and out of the HTTP API."""

from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jamboree.bots import Level
from jamboree.core.game import Actor

from .terms import BotPace, Consent, HouseRules

Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]  # of a seat or a step: what every database and range can hold
Name = Annotated[str, Meta(max_length=200, description="what to be called at the table")]
Seconds = Annotated[int, Meta(ge=5, le=3600, description="per decision")]


class Keeping(StrEnum):
    """Where a client keeps its token: programs show it as a bearer, for browsers it is a cookie scripts can't read."""

    BEARER = "bearer"
    COOKIE = "cookie"


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class OpenTable(Body, frozen=True):
    game: str
    seats: Number
    name: Name
    options: dict[str, Any] = {}
    listed: bool = True
    keep: Keeping = Keeping.BEARER
    bots: dict[Number, Level] = {}  # by seat
    seconds: Seconds | None = None
    consent: Consent = Consent.EVERYBODY
    pace: BotPace = BotPace.RELAXED  # of bots
    house: HouseRules | None = None  # as usual: two minutes to come back where no clock runs, else 30 seconds
    start: bool = False  # at once, if bots have every other seat


class OpenParty(Body, frozen=True):
    """Open a table for a big screen, where nobody sits yet; without seats it has as many as the game allows."""

    game: str
    seats: Number | None = None
    options: dict[str, Any] = {}


class LearnGame(Body, frozen=True):
    """Open a table for oneself where a game is learnt."""

    name: Name
    lesson: Annotated[int, Meta(ge=0, le=99)] = 0
    keep: Keeping = Keeping.BEARER


class StepCard(msgspec.Struct, frozen=True):
    """One move of a lesson: what the coach says before it, and to mistakes."""

    text: str  # with **stress**
    goal: str
    wrong: dict[str, str]  # by what a table's lesson says
    spot: list[str]  # places by the names they have in the game's face: where to look, where to press


class LessonCard(msgspec.Struct, frozen=True):
    name: str
    title: str
    praise: str
    steps: list[StepCard]


class Lessons(msgspec.Struct, frozen=True):
    """The lessons of a game, in a language."""

    coach: str  # who speaks
    road: str  # over the list of lessons
    end: str  # what is said when all is learnt
    seats: int  # of the free game that follows
    lessons: list[LessonCard]


class SetUpTable(Body, frozen=True):
    """Changes of a table before its game; what is not named stays."""

    seats: Number | UnsetType = UNSET
    options: dict[str, Any] | UnsetType = UNSET
    listed: bool | UnsetType = UNSET
    seconds: Seconds | UnsetType | None = UNSET
    consent: Consent | UnsetType = UNSET
    house: HouseRules | UnsetType = UNSET
    first: Number | UnsetType | None = UNSET  # the seat that begins; null: any


class JoinTable(Body, frozen=True):
    name: Name
    seat: Number | None = None
    watch: bool = False
    keep: Keeping = Keeping.BEARER
    beside: bool = False  # another person on the same device: its other cookies stay


class BanSeen(msgspec.Struct, frozen=True):
    ban: int
    name: str


class RedeemLink(Body, frozen=True):
    link: Annotated[str, Meta(max_length=128)]
    keep: Keeping = Keeping.BEARER


class Entry(msgspec.Struct, frozen=True):
    """A place at a table. The token is missing where it went into a cookie."""

    table: str
    person: str
    seat: int | None
    token: str | None


class Link(msgspec.Struct, frozen=True):
    """A way back on another device. It works once; put it behind a # so that no server logs it."""

    link: str
    address: str  # of the table with that secret, as other devices reach it
    picture: str  # the address as a QR code, an SVG; empty where the server's name is too long for one


class ForkTable(Body, frozen=True):
    step: Number  # as in the journal; 0 is the set-up


class Invite(msgspec.Struct, frozen=True):
    """The way to a table for everybody; it gives no seat away."""

    link: str


class NextTable(msgspec.Struct, frozen=True):
    table: str


class FairnessSeen(msgspec.Struct, frozen=True):
    """What binds the server to its seed; when the game is over, the seeds themselves. docs/fairness.md explains it."""

    commitment: str  # empty before the start
    secret: str | None = None  # the server's seed
    seeds: list[str] | None = None  # by seat; empty where none was added
    turned: int = 0  # by how many seats everybody moved up after adding their seeds


class GameCard(msgspec.Struct, frozen=True):
    key: str
    title: str
    name: dict[str, str]  # by language: as its poster has it
    line: dict[str, str]  # by language: what it is about, in a few words; may be empty
    rules_version: int
    seats: tuple[int, int]
    minutes: tuple[int, int]  # with few players, with many
    options: dict[str, Any]  # a JSON Schema
    help: dict[str, dict[str, str]]  # by language and option: one line
    labels: dict[str, dict[str, str]]  # by language: the name of each `option`, and of each `option.value` to choose
    bots: list[Level]
    undo: bool  # whether moves can be taken back at all
    looks: dict[str, list[str]]  # by language: the colours, animals or tokens that players choose from; may be empty
    lessons: int  # how many there are; 0: this game can't be learnt here
    begins: dict[str, str] | None  # by language: how the rulebook asks who begins, or ""; null: nobody can be named


class OptionProblem(msgspec.Struct, frozen=True):
    """What is wrong with an option; line 0 means the option as a whole."""

    line: int
    sentence: str


class Checked(msgspec.Struct, frozen=True):
    """Whether a game can be set up with options; the remarks say what was decided about what they left open."""

    ok: bool
    problems: list[OptionProblem]
    remarks: list[str]


class TableCard(msgspec.Struct, frozen=True):
    table: str
    game: str
    status: str
    seats: int
    free: int
    host: str
    touched: int
    winners: list[str]  # by name; none before the end


class LogStep(msgspec.Struct, frozen=True):
    """What a viewer witnessed of one action; there is none for what this viewer did not see."""

    seq: int
    step: int | None  # as in the journal, where the set-up is 0; null until there is one
    actor: Actor
    sentences: list[str]
    events: list[dict[str, Any] | None]  # what each sentence renders; null for a note that a bot chose for the actor
    undone: bool


class Problem(msgspec.Struct, frozen=True):
    """What went wrong: a code for programs, a sentence for people."""

    code: str
    sentence: str
    detail: dict[str, Any] | None = None


class Readiness(msgspec.Struct, frozen=True, omit_defaults=True):
    ready: bool
    sentence: str
    version: str  # of the program that runs, which an update may have replaced on the disk
    problems: list[str] = []  # sentences, for everybody
    tables: dict[str, str] = {}  # those with missing records, and which; only for whoever runs the server
