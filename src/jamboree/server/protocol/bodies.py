"""The bodies of HTTP requests and responses."""

from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jamboree.bots import Level
from jamboree.core.game import Actor
from jamboree.core.learning import CourseKind

from .terms import BotPace, HouseRules, Number, TableSettings

Name = Annotated[str, Meta(max_length=200, description="the name at the table")]


class Keeping(StrEnum):
    """How a client stores its token: as a bearer token for programs, or as an HttpOnly cookie for browsers."""

    BEARER = "bearer"
    COOKIE = "cookie"


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class OpenTable(TableSettings, kw_only=True):
    game: str
    name: Name
    keep: Keeping = Keeping.BEARER
    bots: dict[Number, Level] = msgspec.field(default_factory=dict)  # by seat
    pace: BotPace = BotPace.RELAXED  # of bots
    start: bool = False  # at once, if bots have all other seats


class OpenParty(Body, frozen=True):
    """Open a table for a big screen, without players; by default with as many seats as the game allows."""

    game: str
    seats: Number | None = None
    options: dict[str, Any] = {}


class OpenNextGame(Body, frozen=True):
    """The next game of a party; by default the same one, with seats for everybody whom it allows."""

    game: str | None = None
    watching: Annotated[list[str], Meta(max_length=64)] = []  # people who get no seat


class LearnGame(Body, frozen=True):
    """Open a table with the lessons of a game, for one player."""

    name: Name
    course: CourseKind = "basics"
    lesson: Annotated[int, Meta(ge=0, le=99)] = 0
    keep: Keeping = Keeping.BEARER


class StepCard(msgspec.Struct, frozen=True):
    """One step of a lesson: the coach's text, the goal, and texts about mistakes."""

    text: str  # with **stress**
    goal: str
    wrong: dict[str, str]  # by the `say` of a table's lesson
    spot: list[str]  # places to highlight, by their names in the game's table UI
    costs: dict[str, int]  # percent of the chance to win that a mistake costs at least, by its `say`; or empty


class LessonCard(msgspec.Struct, frozen=True):
    name: str
    title: str
    praise: str
    steps: list[StepCard]


class Lessons(msgspec.Struct, frozen=True):
    """The lessons of a game, in a language."""

    coach: str  # the coach's name
    heading: str  # of the list of lessons
    end: str  # the text after the last lesson
    seats: int  # of the free game that follows
    lessons: list[LessonCard]


class ChangeableSettings(TableSettings, kw_only=True):
    """What a host may change until the game begins."""

    house_rules: HouseRules = HouseRules()
    first: Number | None = None  # the seat that begins; null: any


SetUpTable: Any = msgspec.defstruct(
    "SetUpTable",
    [(each.name, each.type | UnsetType, UNSET) for each in msgspec.structs.fields(ChangeableSettings)],
    bases=(Body,),
    namespace={"__doc__": "Changes of a table before its game; missing fields stay unchanged."},
    frozen=True,
)


class JoinTable(Body, frozen=True):
    name: Name
    seat: Number | None = None
    watch: bool = False
    keep: Keeping = Keeping.BEARER
    beside: bool = False  # another person on the same device, whose other cookies stay


class BanInfo(msgspec.Struct, frozen=True):
    ban: int
    name: str


class RedeemLink(Body, frozen=True):
    link: Annotated[str, Meta(max_length=128)]
    keep: Keeping = Keeping.BEARER


class Credentials(msgspec.Struct, frozen=True):
    """A person at a table, and the token that authenticates them; null if it went into a cookie."""

    table: str
    person: str
    seat: int | None
    token: str | None


class Link(msgspec.Struct, frozen=True):
    """A one-time link for another device. Put it into the URL fragment so that no server logs it."""

    link: str
    address: str  # the URL of the table with the secret, for other devices
    picture: str  # the URL as a QR code in SVG; empty if it is too long


class ForkTable(Body, frozen=True):
    step: Number  # as in the journal; 0 is the setup


class Invite(msgspec.Struct, frozen=True):
    """A public link to a table."""

    link: str


class NextTable(msgspec.Struct, frozen=True):
    table: str


class FairnessInfo(msgspec.Struct, frozen=True):
    """The commitment to the server's seed, and after the game the seeds themselves; see docs/fairness.md."""

    commitment: str  # empty before the start
    secret: str | None = None  # the server's seed
    seeds: list[str] | None = None  # by seat; empty where none was added
    turned: int = 0  # by how many seats everyone moved after adding their seeds


class GameCard(msgspec.Struct, frozen=True):
    key: str
    title: str
    name: dict[str, str]  # by language
    line: dict[str, str]  # by language: a short description, or empty
    rules_version: int
    seats: tuple[int, int]
    minutes: tuple[int, int]  # of a game with few and with many players
    options: dict[str, Any]  # a JSON Schema
    help: dict[str, dict[str, str]]  # by language and option: one line
    labels: dict[str, dict[str, str]]  # by language: the names of each `option` and of each `option.value`
    bots: list[Level]
    undo: bool  # whether the game supports undo
    avatars: dict[str, list[str]]  # by language: the avatars that players choose from, or empty
    lessons: int  # their number; 0: the game has none
    strategy: int  # the number of lessons in the second course, on strategy
    begins: dict[str, str] | None  # by language: the question who begins, or ""; null: it can't be chosen


class OptionProblem(msgspec.Struct, frozen=True):
    """An invalid option; line 0 means the option as a whole."""

    line: int
    sentence: str


class Checked(msgspec.Struct, frozen=True):
    """Whether options are valid; the remarks describe choices that the game made for missing ones."""

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
    winners: list[str]  # by name; empty before the end
    players: list[str] = []  # by seat; empty before the end, and for games that ended with an older version
    scores: list[int] = []  # by seat; as `players`


class LogStep(msgspec.Struct, frozen=True):
    """The part of an action that a viewer witnessed; unseen actions are left out."""

    seq: int
    step: int | None  # as in the journal, where the setup is 0; null before the start
    actor: Actor
    sentences: list[str]
    events: list[dict[str, Any] | None]  # what each sentence renders; null for a note that a bot chose for the actor
    undone: bool


class Problem(msgspec.Struct, frozen=True):
    """An error: a code for programs and a sentence for people."""

    code: str
    sentence: str
    detail: dict[str, Any] | None = None


class Readiness(msgspec.Struct, frozen=True, omit_defaults=True):
    ready: bool
    sentence: str
    version: str  # of the running program, which may differ from the installed one
    problems: list[str] = []  # sentences without details
    tables: dict[str, str] = {}  # tables with missing records, and their faults; only with the admin token
