"""The roster of a table: people, bots, seats, avatars and rights, folded from the records."""

from collections.abc import Collection

import msgspec

from jamboree.core.journal import Entry
from jamboree.core.learning import CourseKind, LessonStage, Progress

from ..names import distinct_name
from ..protocol.terms import BotPace, Consent, EveningGame, ForkedFrom, Pause, Spectators, Status, UndoFailure
from . import records
from .positions import shared_options
from .records import AnyRecord, GameSettings, Opened


class FailedUndo(msgspec.Struct, frozen=True):
    """A failed undo request."""

    person: str
    reason: UndoFailure = msgspec.field(name="why")
    refused: list[str]


class UndoRequest(msgspec.Struct, frozen=True):
    """A request to undo a move, on which the other players vote."""

    person: str
    id: str  # the client's request id
    agreed: list[str] = []
    refused: list[str] = []

    def answered(self, person: str, agrees: bool) -> "UndoRequest":
        """The request with an answer, which replaces an earlier one of the same person."""
        agreed, refused = ([each for each in said if each != person] for said in (self.agreed, self.refused))
        (agreed if agrees else refused).append(person)
        return msgspec.structs.replace(self, agreed=agreed, refused=refused)

    def verdict(self, voters: Collection[str], consent: Consent) -> bool | None:
        """Whether it is granted; None while that depends on missing answers."""
        agreed, refused = (sum(each in voters for each in said) for said in (self.agreed, self.refused))
        if consent == Consent.EVERYBODY:
            return False if refused else True if agreed == len(voters) else None
        if 2 * agreed > len(voters) or not voters:
            return True
        return False if 2 * (len(voters) - refused) <= len(voters) else None


MOST_TOKENS = 8  # devices of one person
REMEMBERED = 64  # actions of a person that are recognised when they are sent again (idempotency)


class SeatedBot(msgspec.Struct, frozen=True):
    level: str
    name: str


class BannedPerson(msgspec.Struct, frozen=True):
    """What identifies a banned person."""

    name: str
    tokens: list[str]  # hashed


class Person(msgspec.Struct):
    name: str
    seat: int | None
    tokens: list[str]  # hashed
    gone: bool = False
    ready: bool = False
    muted: bool = False
    invited: bool = False  # copied to a rematch, and not connected yet
    link: str = ""  # hashed; works once
    reclaims: str | None = msgspec.field(default=None, name="asks_back")  # the player whose seat they ask for
    done: dict[str, int] = {}  # the records of the last actions, by request id

    @property
    def plays(self) -> bool:
        return self.seat is not None and not self.gone

    @property
    def away_for_good(self) -> bool:
        """Whether they left as a spectator or before the game; a player who left a game can come back."""
        return self.gone and self.seat is None

    def remember(self, done: str, seq: int) -> None:
        """Remember an action by its request id, and drop the oldest."""
        self.done[done] = seq
        while len(self.done) > REMEMBERED:
            self.done.pop(next(iter(self.done)))

    def adopt(self, tokens: list[str]) -> None:
        """Add the tokens of another device."""
        self.tokens = [*self.tokens, *tokens][-MOST_TOKENS:]


class Avatars(msgspec.Struct):
    """The avatar of every seat. No two seats have the same one: a seat that takes another's avatar gives it its own."""

    by_seat: list[int] = msgspec.field(default_factory=list, name="worn")  # then free ones that were exchanged
    asked: dict[str, int] = {}  # by person: an avatar of another seat that this person requested

    def of(self, seat: int) -> int:
        return self.by_seat[seat] if seat < len(self.by_seat) else seat

    def seat_with(self, avatar: int) -> int:
        """Return the seat that has an avatar; a free avatar has a number beyond all seats."""
        return self.by_seat.index(avatar) if avatar in self.by_seat else avatar

    def exchange(self, one: int, other: int) -> None:
        self.by_seat += range(len(self.by_seat), max(one, other) + 1)
        self.by_seat[one], self.by_seat[other] = self.by_seat[other], self.by_seat[one]

    def turn(self, by: int, seats: int) -> None:
        """Move avatars with their people, who move up by some seats."""
        before = [self.of(seat) for seat in range(max(seats, len(self.by_seat)))]
        self.by_seat = [*(before[(seat - by) % seats] for seat in range(seats)), *before[seats:]]


class Learning(msgspec.Struct):
    """Progress in a course of lessons."""

    lesson: int
    at: Progress
    position: str
    moves: list[Entry]  # of this lesson
    done: list[int] = []  # completed lessons
    course: CourseKind = "basics"

    def go_to(self, at: Progress) -> None:
        self.at = at
        if at.stage == LessonStage.RIGHT and self.lesson not in self.done:
            self.done = sorted([*self.done, self.lesson])


class Roster(GameSettings, forbid_unknown_fields=False):
    host: str = ""
    people: dict[str, Person] = msgspec.field(default_factory=dict)  # in the order they came
    status: Status = Status.GATHERING
    reason: str = ""  # why it was closed
    rematch: str = ""  # the table of the rematch
    rematch_by: str = ""  # who requested it
    forked_from: ForkedFrom | None = None
    bots: dict[int, SeatedBot] = msgspec.field(default_factory=dict)  # by seat
    paused: Pause = Pause.NO
    undo_asked: UndoRequest | None = None
    undo_failed: FailedUndo | None = None  # the last failed request, until the next request or move
    pause_spent: float = 0.0  # seconds of all ended pauses
    locked: bool = False  # new people cannot join
    spectators: Spectators = Spectators.EVERYBODY
    bans: dict[int, BannedPerson] = msgspec.field(default_factory=dict)  # by their numbers
    latecomers: bool = False  # whether spectators may take the seats of bots during the game
    seats_asked: dict[str, int] = msgspec.field(default_factory=dict)  # by person: the requested seat of a bot
    pace: BotPace = BotPace.RELAXED
    practice: bool = False  # a player got a hint
    avatars: Avatars = msgspec.field(default_factory=Avatars, name="looks")
    first: int | None = None  # the seat that begins; None: any
    turned: int = 0  # by how many seats everyone moved up when the game began
    learning: Learning | None = None  # the progress in a course, at a table for lessons
    party: bool = False  # people play on their phones, before a big screen
    evening: list[EveningGame] = msgspec.field(default_factory=list)  # the earlier games of a party
    evening_shown: bool = False  # the big screen shows the score of the evening
    evening_over: bool = False  # the host ended the party after its last game
    left_to_bots: list[int] = msgspec.field(default_factory=list)  # seats whose last move was a stand-in's

    @classmethod
    def opened(cls, record: AnyRecord) -> "Roster":
        """The roster after the first record."""
        assert isinstance(record, Opened), "a table begins by being opened"
        fields = {name: getattr(record, name) for name in record.__struct_fields__}
        return cls(**fields | {"options": shared_options(record.options)})

    def person_with_token(self, token: str) -> str | None:
        return next(
            (key for key, person in self.people.items() if token in person.tokens and not person.away_for_good), None
        )

    def banned(self, token: str) -> bool:
        return any(token in ban.tokens for ban in self.bans.values())

    def person_at(self, seat: int) -> str | None:
        return next((key for key, person in self.people.items() if person.seat == seat), None)

    def seat_of(self, person: str | None) -> int | None:
        return self.people[person].seat if person else None

    def players(self) -> list[str]:
        """The people with a seat who have not left."""
        return [key for key, person in self.people.items() if person.plays]

    def person_with_link(self, link: str) -> str | None:
        return next((key for key, person in self.people.items() if person.link == link), None)

    def seats_to_take(self) -> list[int]:
        """The seats for new people: free ones before the game, those of bots during it if latecomers are allowed."""
        if self.status == Status.PLAYING and self.latecomers:
            return sorted(self.bots)
        return self.free_seats() if self.status == Status.GATHERING else []

    def free_seats(self) -> list[int]:
        taken = {person.seat for person in self.people.values()} | self.bots.keys()
        return [seat for seat in range(self.seats) if seat not in taken]

    def names(self) -> list[str]:
        """Names by seat; an empty seat is called by its number."""
        seated = {seat: bot.name for seat, bot in self.bots.items()}
        seated |= {person.seat: person.name for person in self.people.values() if person.seat is not None}
        return [seated.get(seat) or f"Seat {seat + 1}" for seat in range(self.seats)]

    def taken_names(self, besides: str = "") -> list[str]:
        """All names at the table, except one person's."""
        people = [each.name for key, each in self.people.items() if key != besides and not each.away_for_good]
        return [*people, *(bot.name for bot in self.bots.values())]

    def heir(self) -> str | None:
        """The next host if the host leaves: the first who joined, players before spectators."""
        here = [key for key, person in self.people.items() if not person.gone and key != self.host]
        return min(here, key=lambda key: self.people[key].seat is None, default=None)

    def voters(self) -> list[str]:
        """The players who vote on an undo: all but the requester and those who left."""
        asker = self.undo_asked.person if self.undo_asked else None
        return [key for key in self.players() if key != asker]

    @property
    def undo_verdict(self) -> bool | None:
        """The result of the vote on an undo; None without a request, or while answers are missing."""
        return self.undo_asked.verdict(self.voters(), self.consent) if self.undo_asked else None

    def fold(self, record: AnyRecord, seq: int) -> None:
        """Apply record number `seq`."""
        self._fold_table(record, seq)
        if isinstance(record, records.Acted):  # most records are moves, which do not change people
            away = record.because == "away"
            if away != (record.actor in self.left_to_bots) and isinstance(record.actor, int):
                self.left_to_bots = sorted({*self.left_to_bots} ^ {record.actor})
        else:
            self._fold_people(record)
            self._fold_avatars(record)
            self._fold_latecomers(record)
        self._fold_undo(record)

    def _fold_table(self, record: AnyRecord, seq: int) -> None:
        match record:
            case records.Acted() | records.Undone() | records.UndoRequested() if (
                record.person is not None and record.id is not None
            ):
                self.people[record.person].remember(record.id, seq)
            case records.Arranged() | records.AccessSet() | records.PaceSet():  # they have fields of the same names
                for name in record.__struct_fields__:
                    setattr(self, name, getattr(record, name))
                self.options = shared_options(self.options)
            case records.BotSeated():
                self.bots[record.seat] = SeatedBot(record.level, record.called)
            case records.BotRemoved():
                del self.bots[record.seat]
            case records.Paused():
                self.paused = Pause.COMING if record.paused else Pause.NO
                self.pause_spent = max(self.pause_spent, record.spent)
            case records.HintGiven():
                self.practice = True
            case records.Banned():
                self.bans[seq] = BannedPerson(record.name, record.tokens)
            case records.BanLifted():
                self.bans.pop(record.ban, None)
            case records.Rematched():
                self.rematch, self.rematch_by = record.table, record.by
            case records.EveningContinued():
                self.evening = record.games
            case records.EveningScoreShown():
                self.evening_shown = record.shown
            case records.EveningEnded():
                self.evening_over = True
            case records.Forked():
                self.forked_from = ForkedFrom(record.table, record.step)
            case records.Committed():
                self.status = Status.SEEDING
            case records.Started():
                self.status = Status.PLAYING
                self._turn(record.turned)
            case records.Closed():
                self.status, self.reason = Status.CLOSED, record.reason
            case records.LessonSetUp():
                done = self.learning.done if self.learning else []
                self.learning = Learning(record.lesson, record.at, record.position, record.moves, done, record.course)
            case records.LessonTurned() if self.learning:
                self.learning.go_to(record.at)

    def _fold_avatars(self, record: AnyRecord) -> None:
        match record:
            case records.AvatarTaken():
                self.avatars.exchange(record.seat, self.avatars.seat_with(record.avatar))
            case records.AvatarRequested() if record.avatar is not None:
                self.avatars.asked[record.person] = record.avatar
            case records.AvatarRequested():
                self.avatars.asked.pop(record.person, None)
            case records.SeatChanged() | records.Left() | records.Removed() | records.Started() | records.Arranged():
                pass
            case _:
                return
        self.avatars.asked = {
            who: avatar for who, avatar in self.avatars.asked.items() if self.avatar_holder(avatar, who)
        }

    def avatar_holder(self, avatar: int, besides: str) -> str | None:
        """The other player who has an avatar and can be asked for it, before the game."""
        holder = self.person_at(self.avatars.seat_with(avatar))
        asks = self.status == Status.GATHERING and self.people[besides].seat is not None
        return holder if asks and holder != besides else None

    def _fold_latecomers(self, record: AnyRecord) -> None:
        """Requests for seats of bots; one ends when the spectator gets a seat or the bot loses it."""
        if isinstance(record, records.SeatRequested) and record.seat is not None:
            self.seats_asked[record.person] = record.seat
        elif isinstance(record, records.SeatRequested):
            self.seats_asked.pop(record.person, None)
        over = self.status == Status.CLOSED
        for who, seat in [*self.seats_asked.items()]:
            if over or seat not in self.bots or self.people[who].seat is not None or self.people[who].gone:
                del self.seats_asked[who]

    def _fold_undo(self, record: AnyRecord) -> None:
        match record:
            case records.UndoRequested():
                self.undo_asked, self.undo_failed = UndoRequest(record.person, record.id), None
            case records.UndoAnswered() if self.undo_asked:
                self.undo_asked = self.undo_asked.answered(record.person, record.agrees)
            case records.UndoDropped():
                self._fail_undo(UndoFailure.LATE if record.late else UndoFailure.WITHDRAWN)
            case records.Acted() | records.Undone() | records.Closed():  # a new move cancels the request
                self.undo_asked = self.undo_failed = None
        if self.undo_asked and self.people[self.undo_asked.person].gone:
            self._fail_undo(UndoFailure.WITHDRAWN)
        elif self.undo_verdict is False:
            self._fail_undo(UndoFailure.REFUSED)

    def _fail_undo(self, why: UndoFailure) -> None:
        if asked := self.undo_asked:
            self.undo_asked, self.undo_failed = None, FailedUndo(asked.person, why, asked.refused)

    def _fold_people(self, record: AnyRecord) -> None:
        match record:
            case records.Joined():
                joined = Person(record.name, record.seat, list(record.tokens), invited=record.invited)
                self.people[record.person] = joined
                self.host = self.host or record.person
            case records.SeatChanged():
                self._move(record.person, record.seat)
            case records.Left():
                person = self.people[record.person]
                person.gone, person.link = True, ""
                if self.status == Status.GATHERING:
                    self._follow(person.seat, None)
                    person.seat = None
            case records.Returned():
                self.people[record.person].gone = self.people[record.person].invited = False
            case records.HostPassed():
                self.host = record.person
            case records.Removed():
                self._remove(self.people[record.person])
            case records.SeatReclaimRequested():
                self.people[record.person].reclaims = record.player
                if record.player and record.granted:
                    self._give_back(record.player, record.person)
            case records.Renamed():
                self.people[record.person].name = record.name
            case records.NameRefused():
                others = self.taken_names(besides=record.person)
                self.people[record.person].name = distinct_name(f"Guest {record.person[1:]}", others)
            case records.Muted():
                self.people[record.person].muted = record.muted
            case records.Readied():
                self.people[record.person].ready = record.ready
            case records.LinkMinted():
                self.people[record.person].link = record.link
            case records.LinkUsed():
                self.people[record.person].link = ""
                self.people[record.person].adopt([record.token])
            case records.SignedOut():
                self.people[record.person].tokens = [record.besides]

    def _give_back(self, player: str, asker: str) -> None:
        """Give a player the device of a person who asked for their seat, and remove that person."""
        self.people[player].adopt(self.people[asker].tokens)
        for other in self.people.values():
            other.reclaims = None if other.reclaims == player else other.reclaims
        self._remove(self.people[asker])

    def _remove(self, person: Person) -> None:
        self._follow(person.seat, None)
        person.gone, person.seat, person.tokens, person.link = True, None, [], ""

    def _move(self, key: str, seat: int | None) -> None:
        person, other = self.people[key], None if seat is None else self.person_at(seat)
        self._follow(person.seat, seat)
        if other:
            self.people[other].seat = person.seat
        bot = self.bots.pop(seat, None) if seat is not None else None
        if bot and person.seat is not None:
            self.bots[person.seat] = bot
        person.seat, person.reclaims = seat, None

    def _follow(self, before: int | None, seat: int | None) -> None:
        """Move a person's avatar, and the right to begin, to another seat."""
        if before is None:
            return
        if seat is not None:
            self.avatars.exchange(before, seat)
        if self.first in (before, seat):
            self.first = seat if self.first == before else before

    def _turn(self, by: int) -> None:
        """Move everyone up by some seats, which keeps the order around the table."""
        self.turned, self.bots = by, {(seat + by) % self.seats: bot for seat, bot in self.bots.items()}
        for person in self.people.values():
            if person.seat is not None:
                person.seat = (person.seat + by) % self.seats
        self.avatars.turn(by, self.seats)
