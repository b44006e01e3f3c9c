"""Event sourcing: the records of a table, and their stored form. The state of a table is the fold of its records."""

from collections.abc import Iterable
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import Any, Literal

import msgspec

from jamboree.core.chance import Pick
from jamboree.core.game import Actor
from jamboree.core.journal import Entry, Fairness
from jamboree.core.learning import CourseKind, Progress

from ..protocol.terms import BotPace, EveningGame, HouseRules, Spectators, TableSettings
from ..store import Record

Because = Literal["time", "away"]  # why a bot made a move for a player: their time was up, or they were absent
StandIn = Because | Literal["unsaid"]  # old records do not give the reason


class TableRecord(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    pass


class StoredSettings(TableSettings, kw_only=True):
    house_rules: HouseRules = msgspec.field(default=HouseRules(), name="house")


class GameSettings(StoredSettings):
    """A game, the version of its rules, and the settings of the table."""

    game: str
    rules: int


class Opened(GameSettings, tag=True, kw_only=True):
    party: bool = False  # people play on their phones, before a big screen


class SeatReclaimRequested(TableRecord, frozen=True, tag="BackAsked"):
    """A person with a new phone asked for the seat of a player whose phone is lost, or withdrew the request."""

    person: str
    player: str | None
    granted: bool = False


class Arranged(StoredSettings, tag=True, kw_only=True):
    """The host changed the settings."""

    first: int | None = None  # the seat that begins; None: any


class Joined(TableRecord, frozen=True):
    person: str
    seat: int | None  # None: to watch
    tokens: list[str]  # hashed
    name: str = ""
    invited: bool = False  # by a rematch, and not connected yet


class SeatChanged(TableRecord, frozen=True, tag="Moved"):
    """A person moved to another seat, swapping with its player, or became a spectator."""

    person: str
    seat: int | None


class AvatarTaken(TableRecord, frozen=True, tag="LookTaken"):
    """A seat got another avatar, in exchange with the seat that had it."""

    seat: int
    avatar: int = msgspec.field(name="look")


class AvatarRequested(TableRecord, frozen=True, tag="LookAsked"):
    """A player asked another one to swap avatars, or withdrew the request."""

    person: str
    avatar: int | None = msgspec.field(name="look")


class SeatRequested(TableRecord, frozen=True, tag="SeatAsked"):
    """A spectator asked for the seat of a bot during the game, or withdrew the request."""

    person: str
    seat: int | None


class Left(TableRecord, frozen=True):
    person: str


class Returned(TableRecord, frozen=True):
    """A player who had left, or was invited to a rematch, connected."""

    person: str


class BotSeated(TableRecord, frozen=True):
    """A bot took a seat: a free one, another bot's, or that of a player who was removed during the game."""

    seat: int
    level: str
    called: str


class BotRemoved(TableRecord, frozen=True, tag="BotSent"):
    """A bot was removed, before the game or for a latecomer."""

    seat: int


class Paused(TableRecord, frozen=True):
    """The host requested a pause, which begins with the next turn or phase, or ended it."""

    paused: bool
    spent: float = 0.0  # seconds of this and all earlier pauses


class HostPassed(TableRecord, frozen=True):
    person: str


class Removed(TableRecord, frozen=True):
    """The host removed a person."""

    person: str


class Banned(TableRecord, frozen=True):
    """The host banned a person, who is recognised by tokens and name."""

    tokens: list[str]  # hashed
    name: str = ""


class BanLifted(TableRecord, frozen=True):
    ban: int  # the number of the record


class AccessSet(TableRecord, frozen=True):
    """The host chose whether new people may join, and who may watch."""

    locked: bool
    spectators: Spectators
    latecomers: bool = False  # whether spectators may take the seats of bots during the game


class PaceSet(TableRecord, frozen=True):
    """The host chose how long bots take for their moves."""

    pace: BotPace


class HintGiven(TableRecord, frozen=True):
    """A player got the first hint of a game, which makes it a practice game."""

    person: str


class Renamed(TableRecord, frozen=True):
    person: str
    name: str = ""


class NameRefused(TableRecord, frozen=True):
    person: str


class Muted(TableRecord, frozen=True):
    person: str
    muted: bool


class Readied(TableRecord, frozen=True):
    person: str
    ready: bool


class LinkMinted(TableRecord, frozen=True):
    """A person got a link for another device."""

    person: str
    link: str  # hashed


class LinkUsed(TableRecord, frozen=True):
    person: str
    token: str  # hashed


class SignedOut(TableRecord, frozen=True):
    """A person signed out their other devices."""

    person: str
    besides: str  # the token that stays valid, hashed


class Rematched(TableRecord, frozen=True):
    table: str
    by: str = ""  # the person who requested it


class EveningContinued(TableRecord, frozen=True):
    """This table has the next game of a party; people are named by their ids here, so that names can be erased."""

    games: list[EveningGame]  # the earlier ones


class EveningScoreShown(TableRecord, frozen=True):
    """The host had the big screen show the score of the evening, or hide it again."""

    shown: bool


class EveningEnded(TableRecord, frozen=True):
    """The host ended a party after its last game."""


class Forked(TableRecord, frozen=True):
    """This table continues the game of another one from a step."""

    table: str
    step: int
    setup: list[Pick]
    entries: list[Entry]
    fairness: list[Fairness]
    state: str  # its hash


class Committed(TableRecord, frozen=True):
    """The host started the game: the server is committed to its seed, which stays secret until the end."""

    commitment: str
    secret: str


class SeedAdded(TableRecord, frozen=True):
    seat: int
    seed: str


class Started(TableRecord, frozen=True):
    picks: list[Pick]
    state: str  # its hash
    turned: int = 0  # by how many seats everyone moved up, so that the chosen player has the seat that begins


class Acted(TableRecord, frozen=True):
    actor: Actor
    action: dict[str, Any]
    picks: list[Pick]
    state: str  # its hash
    person: str | None = None
    id: str | None = None  # the client's request id
    stood_in: bool = False  # a bot did it for a player
    because: Because | None = None

    @property
    def stand_in(self) -> StandIn | None:
        return self.because or ("unsaid" if self.stood_in else None)


class Undone(TableRecord, frozen=True):
    """A move was undone. Its records stay, and chance does not repeat its picks."""

    to: int  # the sequence number of the last record that still holds
    actor: int  # the seat that requested it
    state: str  # its hash
    person: str
    id: str  # the client's request id
    agreed: list[str] = []  # the people who agreed


class UndoRequested(TableRecord, frozen=True, tag="UndoWished"):
    """A player asked the others to agree to an undo."""

    person: str
    id: str  # the client's request id


class UndoAnswered(TableRecord, frozen=True):
    person: str
    agrees: bool


class UndoDropped(TableRecord, frozen=True):
    """An undo request was withdrawn, or connected players did not answer in time."""

    late: bool = False  # not answered in time


class Closed(TableRecord, frozen=True):
    reason: str


class Circle(StrEnum):
    """Who may read a chat line."""

    ALL = "all"
    WATCHERS = "watchers"  # spectators, during a game
    WHISPER = "whisper"


class ChatLine(msgspec.Struct, frozen=True):
    """A chat line. It is stored beside the records."""

    id: str
    person: str
    text: str
    circle: Circle
    to: str | None = None
    phrase: str = ""  # the key of a canned phrase
    bot: str = ""  # the name of the bot that said it; then there is no person


class LessonSetUp(TableRecord, frozen=True, tag="LessonLaid"):
    """A lesson or one of its steps was set up: the drawn position, and the moves so far."""

    lesson: int
    at: Progress
    position: str
    moves: list[Entry]
    state: str  # its hash
    course: CourseKind = "basics"


class LessonTurned(TableRecord, frozen=True):
    """The result of the next recorded move in the lesson."""

    at: Progress


PRIVATE = (LinkMinted, LinkUsed)  # records that no viewer witnesses
AnyRecord = TableRecord | Opened | Arranged
_decode = msgspec.json.Decoder(reduce(or_, (Opened, Arranged, *TableRecord.__subclasses__()))).decode
PERSONAL = ("name",)  # fields that are stored separately, so that they can be erased


def written(record: AnyRecord) -> Record:
    if not any(name in record.__struct_fields__ for name in PERSONAL):
        return Record(_json(record), None)
    fields = msgspec.to_builtins(record)
    personal = {name: fields.pop(name) for name in PERSONAL if name in fields}
    return Record(_json(fields), _json(personal) if personal else None)


def read(stored: Record) -> AnyRecord:
    found: AnyRecord = _decode(f"{stored.body[:-1]},{stored.personal[1:]}" if stored.personal else stored.body)
    return found


def undone_records(records: Iterable[tuple[int, AnyRecord]]) -> set[int]:
    """The numbers of undone actions, and of the undos that were undone."""
    gone, since = set[int](), list[int]()
    for seq, record in records:
        if isinstance(record, Undone):
            gone.update(each for each in since if each > record.to)
        if isinstance(record, Acted | Undone):
            since.append(seq)
    return gone


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
