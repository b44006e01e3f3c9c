"""Event sourcing: the records of a table, and how they are stored. A table is the fold of its records."""

from enum import StrEnum
from typing import Any, Literal

import msgspec

from jamboree.core.chance import Pick
from jamboree.core.game import Actor
from jamboree.core.journal import Entry, Fairness

from ..protocol.terms import BotPace, Consent, HouseRules, Spectators
from ..store import Record
from .lesson import LessonLaid, LessonTurned

Because = Literal["time", "away"]  # why a bot stood in: time was up, or nobody was there
StandIn = Because | Literal["unsaid"]  # as it can be told: records of former times do not say why


class TableEvent(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    pass


class TableSettings(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The settings of a table, which its host may change until the game begins."""

    seats: int
    options: dict[str, Any]  # of the game
    listed: bool  # in the public list of tables
    seconds: int | None = None  # per decision
    consent: Consent = Consent.EVERYBODY  # to undoing moves
    house_rules: HouseRules = msgspec.field(default=HouseRules(), name="house")


class GameSettings(TableSettings):
    """A game, the version of its rules, and the settings of the table."""

    game: str
    rules: int


class Opened(GameSettings, tag=True, kw_only=True):
    party: bool = False  # people play on their phones, before a big screen


class SeatReclaimRequested(TableEvent, frozen=True, tag="BackAsked"):
    """Somebody says that they are a player whose phone is lost, and if the host agrees they are; or no more."""

    person: str
    player: str | None
    granted: bool = False


class Arranged(TableSettings, tag=True, kw_only=True):
    """The host changed the settings of the table."""

    first: int | None = None  # the seat that begins; None: any


class Joined(TableEvent, frozen=True, tag=True):
    person: str
    seat: int | None  # None: to watch
    tokens: list[str]  # hashed
    name: str = ""
    invited: bool = False  # by a rematch: they have not come yet


class SeatChanged(TableEvent, frozen=True, tag="Moved"):
    """Somebody changed to another seat, or stood up to watch; who sat there took the seat left behind."""

    person: str
    seat: int | None


class AvatarTaken(TableEvent, frozen=True, tag="LookTaken"):
    """A seat got another look; the seat that had it got the one left behind."""

    seat: int
    look: int


class AvatarRequested(TableEvent, frozen=True, tag="LookAsked"):
    """Somebody would like to have the look of somebody else, or no longer."""

    person: str
    look: int | None


class SeatRequested(TableEvent, frozen=True, tag="SeatAsked"):
    """Somebody who watches a game would like to sit down for a bot, or no longer."""

    person: str
    seat: int | None


class Left(TableEvent, frozen=True, tag=True):
    person: str


class Returned(TableEvent, frozen=True, tag=True):
    """A player who had left came back, or one who was invited to a rematch came."""

    person: str


class BotSeated(TableEvent, frozen=True, tag=True):
    """A bot took a free seat, the seat of another bot, or that of somebody who was shown out of a game."""

    seat: int
    level: str
    called: str


class BotRemoved(TableEvent, frozen=True, tag="BotSent"):
    """A bot was sent away before the game, or made room during it for somebody who came late."""

    seat: int


class Paused(TableEvent, frozen=True, tag=True):
    """The host asked for a pause, which begins with the next turn or phase, or ended it."""

    paused: bool
    spent: float = 0.0  # seconds of this and all earlier pauses


class HostPassed(TableEvent, frozen=True, tag=True):
    person: str


class Removed(TableEvent, frozen=True, tag=True):
    """The host showed somebody out."""

    person: str


class Banned(TableEvent, frozen=True, tag=True):
    """Somebody may not come back, as far as they can be known again."""

    tokens: list[str]  # hashed
    name: str = ""


class BanLifted(TableEvent, frozen=True, tag=True):
    ban: int  # the number of the record


class AccessSet(TableEvent, frozen=True, tag=True):
    """The host chose whether anybody new may come in, and who may watch."""

    locked: bool
    spectators: Spectators
    latecomers: bool = False  # somebody who comes during the game may take the seat of a bot


class PaceSet(TableEvent, frozen=True, tag=True):
    """The host chose how long bots take over their moves."""

    pace: BotPace


class HintGiven(TableEvent, frozen=True, tag=True):
    """Somebody had the first hint of a game: it is one for practice."""

    person: str


class Renamed(TableEvent, frozen=True, tag=True):
    person: str
    name: str = ""


class NameRefused(TableEvent, frozen=True, tag=True):
    person: str


class Muted(TableEvent, frozen=True, tag=True):
    person: str
    muted: bool


class Readied(TableEvent, frozen=True, tag=True):
    person: str
    ready: bool


class LinkMinted(TableEvent, frozen=True, tag=True):
    """Somebody wants to come back on another device."""

    person: str
    link: str  # hashed


class LinkUsed(TableEvent, frozen=True, tag=True):
    person: str
    token: str  # hashed


class SignedOut(TableEvent, frozen=True, tag=True):
    """Somebody's other devices were signed out."""

    person: str
    besides: str  # the token that stays, hashed


class Rematched(TableEvent, frozen=True, tag=True):
    table: str
    by: str = ""  # the person who asked for it


class Forked(TableEvent, frozen=True, tag=True):
    """This table takes up the game of another one after a step of it."""

    table: str
    step: int
    setup: list[Pick]
    entries: list[Entry]
    fairness: list[Fairness]
    state: str  # its hash


class Committed(TableEvent, frozen=True, tag=True):
    """The host starts: from now on the server is bound to its seed, which nobody is shown before the end."""

    commitment: str
    secret: str


class SeedAdded(TableEvent, frozen=True, tag=True):
    seat: int
    seed: str


class Started(TableEvent, frozen=True, tag=True):
    picks: list[Pick]
    state: str  # its hash
    turned: int = 0  # by how many seats everybody moved up, so that the seat the dice chose is that of who begins


class Acted(TableEvent, frozen=True, tag=True):
    actor: Actor
    action: dict[str, Any]
    picks: list[Pick]
    state: str  # its hash
    person: str | None = None
    id: str | None = None  # the person's own name for this action
    stood_in: bool = False  # a bot did it for somebody who plays here
    because: Because | None = None

    @property
    def stand_in(self) -> StandIn | None:
        return self.because or ("unsaid" if self.stood_in else None)


class Undone(TableEvent, frozen=True, tag=True):
    """What the game came to after a record was taken back. The records stay, and picks that were made stay made."""

    to: int  # the sequence number of the last record that still holds
    actor: int  # who asked for it
    state: str  # its hash
    person: str
    id: str  # the person's own name for this request
    agreed: list[str] = []  # who was asked


class UndoRequested(TableEvent, frozen=True, tag="UndoWished"):
    """Somebody asked the others whether a move may be taken back."""

    person: str
    id: str  # the person's own name for this request


class UndoAnswered(TableEvent, frozen=True, tag=True):
    person: str
    agrees: bool


class UndoDropped(TableEvent, frozen=True, tag=True):
    """The request was withdrawn, or those who were there did not answer in time."""

    late: bool = False  # nobody withdrew it


class Closed(TableEvent, frozen=True, tag=True):
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


PRIVATE = (LinkMinted, LinkUsed)  # nobody at the table is shown anything of these
AnyRecord = (
    Opened
    | Arranged
    | Joined
    | SeatChanged
    | AvatarTaken
    | AvatarRequested
    | SeatRequested
    | SeatReclaimRequested
    | Left
    | Returned
    | BotSeated
    | BotRemoved
    | Paused
    | HostPassed
    | Removed
    | Banned
    | BanLifted
    | AccessSet
    | PaceSet
    | HintGiven
    | Renamed
    | NameRefused
    | Muted
    | Readied
    | LinkMinted
    | LinkUsed
    | SignedOut
    | Rematched
    | Forked
    | Committed
    | SeedAdded
    | Started
    | Acted
    | Undone
    | UndoRequested
    | UndoAnswered
    | UndoDropped
    | Closed
    | LessonLaid
    | LessonTurned
)
_decode = msgspec.json.Decoder(AnyRecord).decode
PERSONAL = ("name",)  # fields kept apart from the others, so that they can be erased


def written(record: AnyRecord) -> Record:
    if not any(name in record.__struct_fields__ for name in PERSONAL):
        return Record(_json(record), None)
    fields = msgspec.to_builtins(record)
    personal = {name: fields.pop(name) for name in PERSONAL if name in fields}
    return Record(_json(fields), _json(personal) if personal else None)


def read(kept: Record) -> AnyRecord:
    found: AnyRecord = _decode(f"{kept.body[:-1]},{kept.personal[1:]}" if kept.personal else kept.body)
    return found


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
