"""The roster of a table: people, bots, seats, avatars, rights, and everything else but the game itself."""

from collections.abc import Collection, Mapping

import msgspec

from ..protocol.terms import (
    BotPace,
    Consent,
    ForkedFrom,
    Pause,
    Spectators,
    Status,
    UndoFailure,
)
from .lesson import Learning, followed
from .names import told_apart
from .positions import shared_options
from .records import (
    AccessSet,
    Acted,
    AnyRecord,
    Arranged,
    AvatarRequested,
    AvatarTaken,
    BanLifted,
    Banned,
    BotRemoved,
    BotSeated,
    Closed,
    Committed,
    Forked,
    GameSettings,
    HintGiven,
    HostPassed,
    Joined,
    Left,
    LinkMinted,
    LinkUsed,
    Muted,
    NameRefused,
    Opened,
    PaceSet,
    Paused,
    Readied,
    Rematched,
    Removed,
    Renamed,
    Returned,
    SeatChanged,
    SeatReclaimRequested,
    SeatRequested,
    SignedOut,
    Started,
    TableSettings,
    UndoAnswered,
    UndoDropped,
    Undone,
    UndoRequested,
)


class FailedUndo(msgspec.Struct, frozen=True):
    """A failed undo request."""

    person: str
    reason: UndoFailure = msgspec.field(name="why")
    refused: list[str]


class UndoRequest(msgspec.Struct, frozen=True):
    """Somebody asks the others whether a move may be taken back."""

    person: str
    id: str  # the person's own name for this request
    agreed: list[str] = []
    refused: list[str] = []

    def answered(self, person: str, agrees: bool) -> "UndoRequest":
        """Take in an answer. A second answer is a change of mind."""
        agreed, refused = ([each for each in said if each != person] for said in (self.agreed, self.refused))
        (agreed if agrees else refused).append(person)
        return msgspec.structs.replace(self, agreed=agreed, refused=refused)

    def failed(self, reason: UndoFailure) -> FailedUndo:
        """Say what came of it."""
        return FailedUndo(self.person, reason, self.refused)

    def verdict(self, voters: Collection[str], consent: Consent) -> bool | None:
        """Say whether it is granted; None while that depends on answers to come."""
        agreed, refused = (sum(each in voters for each in said) for said in (self.agreed, self.refused))
        if consent == Consent.EVERYBODY:
            return False if refused else True if agreed == len(voters) else None
        if 2 * agreed > len(voters) or not voters:
            return True
        return False if 2 * (len(voters) - refused) <= len(voters) else None


MOST_TOKENS = 8  # devices of one person
REMEMBERED = 64  # actions of a person that are known again when they are sent again


class Bot(msgspec.Struct, frozen=True):
    level: str
    name: str


class Ban(msgspec.Struct, frozen=True):
    """What is known of somebody who may not come back."""

    name: str
    tokens: list[str]  # hashed


class Person(msgspec.Struct):
    name: str
    seat: int | None
    tokens: list[str]  # hashed
    gone: bool = False
    ready: bool = False
    muted: bool = False
    invited: bool = False  # brought along to a rematch, and not come yet
    link: str = ""  # hashed; works once
    reclaims: str | None = msgspec.field(default=None, name="asks_back")  # the player they are, on another phone
    done: dict[str, int] = {}  # the last actions by their ids, and the sequence number of each

    @property
    def away_for_good(self) -> bool:
        """Tell who left before the game or after watching; a player who left it can come back."""
        return self.gone and self.seat is None

    def remember(self, done: str, seq: int) -> None:
        """Note an action by its id, and let go of one long ago."""
        self.done[done] = seq
        while len(self.done) > REMEMBERED:
            self.done.pop(next(iter(self.done)))

    def adopt(self, tokens: list[str]) -> None:
        """Go on with another device, too."""
        self.tokens = [*self.tokens, *tokens][-MOST_TOKENS:]

    def fold(self, record: Muted | Readied | LinkMinted | LinkUsed | SignedOut) -> None:
        match record:
            case Muted():
                self.muted = record.muted
            case Readied():
                self.ready = record.ready
            case LinkMinted():
                self.link = record.link
            case LinkUsed():
                self.link = ""
                self.adopt([record.token])  # once the first made room for the ninth
            case SignedOut():
                self.tokens = [record.besides]


def come_back(people: Mapping[str, Person], asker: str, player: str) -> Person:
    """Have a player go on with the phone of somebody who asked; give that one, who is not needed any more."""
    people[player].adopt(people[asker].tokens)
    for other in people.values():
        other.reclaims = None if other.reclaims == player else other.reclaims
    return people[asker]


class Avatars(msgspec.Struct):
    """The avatar of every seat. No two seats have the same one: a seat that takes another's avatar gives it its own."""

    by_seat: list[int] = msgspec.field(default_factory=list, name="worn")  # then free ones that were exchanged
    asked: dict[str, int] = {}  # by person: an avatar of another seat that this person requested

    def of(self, seat: int) -> int:
        return self.by_seat[seat] if seat < len(self.by_seat) else seat

    def seat_with(self, avatar: int) -> int:
        """Return the seat that has an avatar; a free avatar has a number beyond all seats."""
        return self.by_seat.index(avatar) if avatar in self.by_seat else avatar

    def take(self, seat: int, avatar: int) -> None:
        self.exchange(seat, self.seat_with(avatar))

    def exchange(self, one: int, other: int) -> None:
        self.by_seat += range(len(self.by_seat), max(one, other) + 1)
        self.by_seat[one], self.by_seat[other] = self.by_seat[other], self.by_seat[one]

    def turn(self, by: int, seats: int) -> None:
        """Move avatars with their people, who move up by some seats."""
        before = [self.of(seat) for seat in range(max(seats, len(self.by_seat)))]
        self.by_seat = [*(before[(seat - by) % seats] for seat in range(seats)), *before[seats:]]


class Roster(GameSettings, forbid_unknown_fields=False):
    host: str = ""
    people: dict[str, Person] = msgspec.field(default_factory=dict)  # in the order they came
    status: Status = Status.GATHERING
    reason: str = ""  # why it was closed
    rematch: str = ""  # the table where they play again
    rematch_by: str = ""  # who asked for it
    forked_from: ForkedFrom | None = None
    bots: dict[int, Bot] = msgspec.field(default_factory=dict)  # by the seats they have for good
    paused: Pause = Pause.NO
    undo_asked: UndoRequest | None = None
    undo_failed: FailedUndo | None = None  # the last time, until somebody asks again or moves
    pause_spent: float = 0.0  # seconds of all pauses that are over
    locked: bool = False  # nobody new comes in
    spectators: Spectators = Spectators.EVERYBODY
    bans: dict[int, Ban] = msgspec.field(default_factory=dict)  # by their numbers
    latecomers: bool = False  # somebody who comes during the game may take the seat of a bot
    seats_asked: dict[str, int] = msgspec.field(
        default_factory=dict
    )  # by person: the seat of a bot, which the host is asked for
    pace: BotPace = BotPace.RELAXED
    practice: bool = False  # somebody had a hint
    looks: Avatars = msgspec.field(default_factory=Avatars)
    first: int | None = None  # the seat that begins; None: any
    turned: int = 0  # by how many seats everybody moved up when the game began
    learning: Learning | None = None  # a lesson is given here, and no game played
    party: bool = False  # people play on their phones, before a big screen

    @classmethod
    def opened(cls, record: Opened) -> "Roster":
        fields = {name: getattr(record, name) for name in record.__struct_fields__}
        return cls(**fields | {"options": shared_options(record.options)})

    @property
    def settings(self) -> TableSettings:
        return TableSettings(**{name: getattr(self, name) for name in TableSettings.__struct_fields__})

    def who(self, token: str) -> str | None:
        """Find the person a hashed token belongs to."""
        return next(
            (key for key, person in self.people.items() if token in person.tokens and not person.away_for_good), None
        )

    def banned(self, token: str) -> bool:
        """Tell whether a hashed token belonged to somebody who may not come back."""
        return any(token in ban.tokens for ban in self.bans.values())

    def at(self, seat: int) -> str | None:
        """Find who sits on a seat."""
        return next((key for key, person in self.people.items() if person.seat == seat), None)

    def whose_link(self, link: str) -> str | None:
        return next((key for key, person in self.people.items() if person.link == link), None)

    def seats_to_take(self) -> list[int]:
        """List where somebody new could sit down: a free seat before the game, a bot's during it if the host likes."""
        if self.status == Status.PLAYING and self.latecomers:
            return sorted(self.bots)
        return self.free_seats() if self.status == Status.GATHERING else []

    def free_seats(self) -> list[int]:
        taken = {person.seat for person in self.people.values()} | self.bots.keys()
        return [seat for seat in range(self.seats) if seat not in taken]

    def names(self) -> list[str]:
        """Name who sits where; a seat without a name is called by its number."""
        seated = {seat: bot.name for seat, bot in self.bots.items()}
        seated |= {person.seat: person.name for person in self.people.values() if person.seat is not None}
        return [seated.get(seat) or f"Seat {seat + 1}" for seat in range(self.seats)]

    def taken_names(self, besides: str = "") -> list[str]:
        """List what is called something at the table, besides one person."""
        people = [each.name for key, each in self.people.items() if key != besides and not each.away_for_good]
        return [*people, *(bot.name for bot in self.bots.values())]

    def new_person(self) -> str:
        return f"p{len(self.people) + 1}"

    def heir(self) -> str | None:
        """Find who is host when the host is gone: the first who came, players before watchers."""
        here = [key for key, person in self.people.items() if not person.gone and key != self.host]
        return min(here, key=lambda key: self.people[key].seat is None, default=None)

    def voters(self) -> list[str]:
        """List whose say it is whether a move is taken back: the other players, but for those who left for good."""
        asker = self.undo_asked.person if self.undo_asked else None
        return [key for key, each in self.people.items() if key != asker and each.seat is not None and not each.gone]

    @property
    def undo_verdict(self) -> bool | None:
        """Say whether a move may be taken back; None while nobody asks or answers are missing."""
        return self.undo_asked.verdict(self.voters(), self.consent) if self.undo_asked else None

    def fold(self, record: AnyRecord, seq: int) -> None:
        """Take in what happened, as record number `seq`."""
        self._fold_table(record, seq)
        if not isinstance(record, Acted):  # most records are moves, which change nobody's place
            self._fold_people(record)
            self._fold_looks(record)
            self._fold_latecomers(record)
        self._fold_undo(record)
        self.learning = followed(self.learning, record)

    def _fold_table(self, record: AnyRecord, seq: int) -> None:
        match record:
            case Acted() | Undone() | UndoRequested() if record.person is not None and record.id is not None:
                self.people[record.person].remember(record.id, seq)
            case Arranged():
                for name in record.__struct_fields__:
                    setattr(self, name, getattr(record, name))
                self.options = shared_options(record.options)
            case BotSeated():
                self.bots[record.seat] = Bot(record.level, record.called)
            case BotRemoved():
                del self.bots[record.seat]
            case Paused():
                self.paused = Pause.COMING if record.paused else Pause.NO
                self.pause_spent = max(self.pause_spent, record.spent)
            case AccessSet():
                self.locked, self.spectators = record.locked, record.spectators
                self.latecomers = record.latecomers
            case PaceSet():
                self.pace = record.pace
            case HintGiven():
                self.practice = True
            case Banned():
                self.bans[seq] = Ban(record.name, record.tokens)
            case BanLifted():
                self.bans.pop(record.ban, None)
            case Rematched():
                self.rematch, self.rematch_by = record.table, record.by
            case Forked():
                self.forked_from = ForkedFrom(record.table, record.step)
            case Committed():
                self.status = Status.SEEDING
            case Started():
                self.status = Status.PLAYING
                self._turn(record.turned)
            case Closed():
                self.status, self.reason = Status.CLOSED, record.reason

    def _fold_looks(self, record: AnyRecord) -> None:
        match record:
            case AvatarTaken():
                self.looks.take(record.seat, record.look)
            case AvatarRequested() if record.look is not None:
                self.looks.asked[record.person] = record.look
            case AvatarRequested():
                self.looks.asked.pop(record.person, None)
            case SeatChanged() | Left() | Removed() | Started() | Arranged():
                pass
            case _:
                return
        self.looks.asked = {who: look for who, look in self.looks.asked.items() if self.owner(look, who)}

    def owner(self, look: int, besides: str) -> str | None:
        """Find who else has a look, of which one who sits here could be asked before the game."""
        holder = self.at(self.looks.seat_with(look))
        asks = self.status == Status.GATHERING and self.people[besides].seat is not None
        return holder if asks and holder != besides else None

    def _fold_latecomers(self, record: AnyRecord) -> None:
        """Note who asks for which seat, as long as they watch and a bot has it."""
        if isinstance(record, SeatRequested) and record.seat is not None:
            self.seats_asked[record.person] = record.seat
        elif isinstance(record, SeatRequested):
            self.seats_asked.pop(record.person, None)
        over = self.status == Status.CLOSED
        for who, seat in [*self.seats_asked.items()]:
            if over or seat not in self.bots or self.people[who].seat is not None or self.people[who].gone:
                del self.seats_asked[who]

    def _fold_undo(self, record: AnyRecord) -> None:
        match record:
            case UndoRequested():
                self.undo_asked, self.undo_failed = UndoRequest(record.person, record.id), None
            case UndoAnswered() if self.undo_asked:
                self.undo_asked = self.undo_asked.answered(record.person, record.agrees)
            case UndoDropped():
                self._fail_undo(UndoFailure.LATE if record.late else UndoFailure.WITHDRAWN)
            case Acted() | Undone() | Closed():  # a new move ends it, too
                self.undo_asked = self.undo_failed = None
        if self.undo_asked and self.people[self.undo_asked.person].gone:
            self._fail_undo(UndoFailure.WITHDRAWN)
        elif self.undo_verdict is False:
            self._fail_undo(UndoFailure.REFUSED)

    def _fail_undo(self, why: UndoFailure) -> None:
        asked, self.undo_asked = self.undo_asked, None
        if asked:
            self.undo_failed = asked.failed(why)

    def _fold_people(self, record: AnyRecord) -> None:
        match record:
            case Joined():
                self.people[record.person] = Person(
                    record.name, record.seat, list(record.tokens), invited=record.invited
                )
                self.host = self.host or record.person
            case SeatChanged():
                self._move(record.person, record.seat)
            case Left():
                self._leave(self.people[record.person])
            case Returned():
                self.people[record.person].gone = self.people[record.person].invited = False
            case HostPassed():
                self.host = record.person
            case Removed():
                self._remove(self.people[record.person])
            case SeatReclaimRequested():
                self.people[record.person].reclaims = record.player
                if record.player and record.granted:
                    self._remove(come_back(self.people, record.person, record.player))
            case Renamed():
                self.people[record.person].name = record.name
            case NameRefused():
                self._rename(record.person)
            case Muted() | Readied() | LinkMinted() | LinkUsed() | SignedOut():
                self.people[record.person].fold(record)

    def _rename(self, key: str) -> None:
        """Call somebody by a number, as nobody else is called."""
        self.people[key].name = told_apart(f"Guest {key[1:]}", self.taken_names(besides=key))

    def _remove(self, person: Person) -> None:
        self._follow(person.seat, None)
        person.gone, person.seat, person.tokens, person.link = True, None, [], ""

    def _move(self, key: str, seat: int | None) -> None:
        person, other = self.people[key], None if seat is None else self.at(seat)
        self._follow(person.seat, seat)
        if other:
            self.people[other].seat = person.seat
        bot = self.bots.pop(seat, None) if seat is not None else None
        if bot and person.seat is not None:
            self.bots[person.seat] = bot
        person.seat, person.reclaims = seat, None

    def _follow(self, before: int | None, seat: int | None) -> None:
        """Have a look, and the right to begin, go with somebody to another seat."""
        if before is None:
            return
        if seat is not None:
            self.looks.exchange(before, seat)
        if self.first in (before, seat):
            self.first = seat if self.first == before else before

    def _turn(self, by: int) -> None:
        """Move everybody up: the order around the table stays."""
        self.turned, self.bots = by, {(seat + by) % self.seats: bot for seat, bot in self.bots.items()}
        for person in self.people.values():
            if person.seat is not None:
                person.seat = (person.seat + by) % self.seats
        self.looks.turn(by, self.seats)

    def _leave(self, person: Person) -> None:
        person.gone, person.link = True, ""
        if self.status == Status.GATHERING:
            self._follow(person.seat, None)
            person.seat = None
