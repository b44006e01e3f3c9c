"""Commands about joining and leaving: seats, names, avatars and devices."""

import msgspec

from ...errors import Refused
from ...names import alike, own_name
from ...protocol.bodies import Name
from ...protocol.terms import UNDER_WAY, Number, Spectators, Status
from ...tokens import hashed, new_token
from .. import records
from ..records import AnyRecord
from ..roster import MOST_TOKENS, Roster
from ..visibility import BANNED, NO_SPECTATORS
from .base import Command, Context, Decision, HostCommand, posted

MOST_PEOPLE = 64
MOST_EVER = 1000  # people who ever joined, beyond which no more spectators are admitted
MOST_EVER_SEATED = 5000  # the same for players, so that spectators who come and go do not fill the table
LONG_GONE = 60.0  # seconds after which an absent spectator can be replaced


class Ticket(msgspec.Struct, frozen=True):
    """The id of a person who joined, and the token that authenticates them."""

    person: str
    seat: int | None
    token: str


def check_name(roster: Roster, name: str) -> None:
    """Refuse the name of a banned person."""
    if any(alike(name, ban.name) for ban in roster.bans.values()):
        raise Refused("banned", "A person with this name was banned from this table.")


class Join(Command, frozen=True):
    """Join as a player or as a spectator."""

    name: str
    seat: int | None = None  # None: any free one
    watch: bool = False
    tokens: tuple[str, ...] = ()  # hashed: all tokens of the device

    def decide(self, ctx: Context) -> Decision:
        roster = ctx.roster
        self._check_access(roster)
        if len(roster.people) >= (MOST_EVER if self.watch else MOST_EVER_SEATED):
            raise Refused("full", "Too many people have joined this table.")
        seat = None if self.watch else self._seat(roster)
        leaving: list[AnyRecord] = [*self._make_room(ctx)]
        if seat is not None and seat in roster.bots:
            leaving.append(records.BotRemoved(seat))
        name = own_name(self.name, roster.taken_names())
        ticket = Ticket(f"p{len(roster.people) + 1}", seat, new_token())
        return Decision([*leaving, records.Joined(ticket.person, seat, [hashed(ticket.token)], name)], ticket)

    def _check_access(self, roster: Roster) -> None:
        if any(roster.banned(token) for token in self.tokens):
            raise Refused("banned", BANNED)
        check_name(roster, self.name)
        if roster.party and any(roster.person_with_token(token) for token in self.tokens):
            raise Refused("already-joined", "This phone has already joined the party.")
        if roster.locked:
            raise Refused("locked", "The host has locked this table: new people cannot join.")
        if self.watch and roster.spectators == Spectators.NOBODY:
            raise Refused("no-spectators", NO_SPECTATORS)

    def _make_room(self, ctx: Context) -> list[records.Left]:
        """At a full table, remove the longest absent spectator; for a player even the newest connected one."""
        roster = ctx.roster
        people = {key: person for key, person in roster.people.items() if not person.away_for_good}
        if len(people) < MOST_PEOPLE:
            return []
        watching = [key for key, person in people.items() if person.seat is None and key != roster.host]
        longest = max(reversed(watching), key=ctx.away_for, default="")
        if not longest or (self.watch and ctx.away_for(longest) <= LONG_GONE):
            raise Refused("full", "This table is full.")
        return [records.Left(longest)]

    def _seat(self, roster: Roster) -> int:
        free, playing = roster.seats_to_take(), roster.status == Status.PLAYING
        if roster.status != Status.GATHERING and not (playing and roster.latecomers):
            raise Refused("started", "This game has already begun.")
        if not free:
            raise Refused("full", "Every seat is taken.")
        if self.seat is not None and self.seat not in free:
            raise Refused("taken", "This seat is taken, or there is no such seat.")
        return free[0] if self.seat is None else self.seat


@posted("seat", "host-only", "started", "taken", "unknown-person", tag="tables")
class TakeSeat(Command, frozen=True):
    """Change seats before the game; a `seat` of null leaves yours to watch.

    The host may also move another `person`, and swap two players. During the game, a spectator may take the seat of a
    bot where latecomers are allowed.
    """

    seat: Number | None  # None: watch
    person: str | None = None  # None: the requester

    def decide(self, ctx: Context) -> Decision:
        roster, person = ctx.roster, ctx.present(self.person or ctx.person)
        watches = ctx.person == person and roster.people[person].seat is None
        if watches and roster.status == Status.PLAYING and self.seat in roster.seats_to_take():
            return Decision([records.SeatChanged(person, self.seat)])
        if roster.status != Status.GATHERING:
            raise Refused("started", "Seats can only be changed before the game.")
        if self.seat is not None and not 0 <= self.seat < roster.seats:
            raise Refused("taken", "There is no such seat.")
        others_seat = self.seat is not None and roster.person_at(self.seat) not in (None, person)
        if ctx.person != person or self.seat in roster.bots or others_seat:
            ctx.host_only()
        return Decision([records.SeatChanged(person, self.seat)])


@posted("leave", "unknown-person", tag="tables")
class Leave(Command, frozen=True):
    """Leave the table; a bot plays for a player who leaves during the game."""

    def decide(self, ctx: Context) -> Decision:
        roster, person = ctx.roster, ctx.present(ctx.person)
        leaving: list[AnyRecord] = [records.Left(person)]
        heir = roster.heir()
        if person == roster.host and heir:
            leaving.append(records.HostPassed(heir))
        others = [other for key, other in roster.people.items() if key != person and not other.gone]
        if not others and roster.status in UNDER_WAY:
            leaving.append(records.Closed("Everybody left."))
        return Decision(leaving)


@posted("seat/request", "not-playing", "taken", "unknown-person", tag="tables")
class RequestSeat(Command, frozen=True):
    """Ask the host for the seat of a bot during the game; null withdraws the request.

    Where latecomers are allowed, the seat is taken at once.
    """

    seat: Number | None  # None withdraws the request

    def decide(self, ctx: Context) -> Decision:
        roster, person = ctx.roster, ctx.present(ctx.person)
        if self.seat == roster.seats_asked.get(person):
            return Decision([])
        if self.seat is None:
            return Decision([records.SeatRequested(person, None)])
        ctx.check_playing()
        if roster.people[person].seat is not None:
            raise Refused("taken", "You already have a seat.")
        if self.seat not in roster.bots:
            raise Refused("taken", "No bot has this seat.")
        if roster.latecomers or person == roster.host:
            return Decision([records.SeatChanged(person, self.seat)])
        return Decision([records.SeatRequested(person, self.seat)])


@posted("seat/request/answer", "not-asked", "not-playing", tag="tables")
class AnswerSeatRequest(HostCommand, frozen=True):
    """Grant or refuse a spectator's request for the seat of a bot; for the host."""

    person: str
    agrees: bool

    def changes(self, ctx: Context) -> list[AnyRecord]:
        seat = ctx.roster.seats_asked.get(self.person)
        if seat is None:
            raise Refused("not-asked", "They don't ask for a seat.")
        ctx.check_playing()  # the result of a finished game belongs to those who played it
        return [records.SeatChanged(self.person, seat) if self.agrees else records.SeatRequested(self.person, None)]


@posted("avatar", "left", "no-avatar", "players-only", "started", tag="tables")
class ChooseAvatar(Command, frozen=True):
    """Choose an avatar before the game, by its number; for players.

    If another player has it, they are asked to swap. Choosing your own again withdraws the request.
    """

    avatar: Number

    def decide(self, ctx: Context) -> Decision:
        roster = ctx.roster
        person, seat = _before_game(ctx)
        if not 0 <= self.avatar < ctx.state.game.info.avatars:
            raise Refused("no-avatar", "This game has no such avatar.")
        if self.avatar == roster.avatars.of(seat):
            return Decision(_no_more(roster, person))
        if roster.avatar_holder(self.avatar, person) is None:
            return Decision([*_no_more(roster, person), records.AvatarTaken(seat, self.avatar)])
        known = roster.avatars.asked.get(person) == self.avatar
        return Decision([] if known else [records.AvatarRequested(person, self.avatar)])


@posted("avatar/answer", "left", "not-asked", "players-only", "started", tag="tables")
class AnswerAvatar(Command, frozen=True):
    """Swap avatars with a player who asked for yours, or refuse."""

    person: str
    agrees: bool

    def decide(self, ctx: Context) -> Decision:
        roster = ctx.roster
        _, seat = _before_game(ctx)
        if roster.avatars.asked.get(self.person) != roster.avatars.of(seat):
            raise Refused("not-asked", "They have not asked for your avatar.")
        if not self.agrees:
            return Decision([records.AvatarRequested(self.person, None)])
        their_seat = roster.seat_of(self.person)
        assert their_seat is not None, "the requester has a seat"
        return Decision([records.AvatarTaken(their_seat, roster.avatars.of(seat))])


def _no_more(roster: Roster, person: str) -> list[AnyRecord]:
    return [records.AvatarRequested(person, None)] if person in roster.avatars.asked else []


def _before_game(ctx: Context) -> tuple[str, int]:
    """The requester and their seat; refuse changes of avatars after the start."""
    person, seat = ctx.player()
    if ctx.roster.status != Status.GATHERING:
        raise Refused("started", "Avatars can only be changed before the game.")
    return person, seat


@posted("name", "bad-name", "muted", "unknown-person")
class Rename(Command, frozen=True):
    """Change your name at this table, at any time unless you are muted."""

    name: Name

    def decide(self, ctx: Context) -> Decision:
        key = ctx.present(ctx.person)
        person = ctx.roster.people[key]
        if person.muted:  # a name can carry a message, too
            raise Refused("muted", "The host has muted you.")
        check_name(ctx.roster, self.name)
        name = own_name(self.name, ctx.roster.taken_names(besides=key))
        return Decision([] if name == person.name else [records.Renamed(key, name)])


class MintLink(Command, frozen=True):
    """Create a one-time link for another device of this person."""

    def decide(self, ctx: Context) -> Decision:
        _check_devices(ctx.roster, ctx.asker)
        link = new_token()
        return Decision([records.LinkMinted(ctx.asker, hashed(link))], link)


class UseLink(Command, frozen=True):
    link: str

    def decide(self, ctx: Context) -> Decision:
        person = ctx.roster.person_with_link(hashed(self.link))
        if person is None:
            raise Refused("wrong-token", "This link has already been used, or is not valid.")
        _check_devices(ctx.roster, person)
        token = new_token()
        return Decision([records.LinkUsed(person, hashed(token))], Ticket(person, ctx.roster.seat_of(person), token))


@posted("sign-out")
class SignOut(Command, frozen=True):
    """Sign all your other devices out."""

    def decide(self, ctx: Context) -> Decision:
        alone = ctx.roster.people[ctx.asker].tokens == [ctx.device]
        return Decision([] if alone else [records.SignedOut(ctx.asker, ctx.device)])


def _check_devices(roster: Roster, person: str) -> None:
    """Refuse more devices than allowed, rather than sign one out silently."""
    if len(roster.people[person].tokens) >= MOST_TOKENS:
        raise Refused("too-many-devices", f"You already play on {MOST_TOKENS} devices. Sign the others out first.")


class Accept(Command, frozen=True):
    """Accept the invitation to a rematch."""

    tokens: list[str]  # hashed

    def decide(self, ctx: Context) -> Decision:
        keys = [key for key in map(ctx.roster.person_with_token, self.tokens) if key and ctx.roster.people[key].invited]
        return Decision([records.Returned(key) for key in keys[:1]])
