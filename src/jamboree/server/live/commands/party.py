"""Commands of a party before a big screen: its evening, and moving a player to a new phone."""

from jamboree.core.game import Outcome

from ...errors import Refused
from ...protocol.terms import UNDER_WAY, EveningGame, Status
from ..records import AnyRecord, Closed, EveningEnded, EveningScoreShown, SeatReclaimRequested
from ..roster import MOST_TOKENS, Roster
from ..state import TableState
from .base import Command, Context, Decision, HostCommand, posted
from .host import REMOTE_GRACE


@posted("end", "no-party", tag="parties")
class EndParty(HostCommand, frozen=True):
    """End a party at any time, during a game or after it; for its host."""

    def changes(self, ctx: Context) -> list[AnyRecord]:
        _check_party(ctx.roster)
        if ctx.roster.status in UNDER_WAY:
            return [Closed("The host has ended the party.")]
        going_on = ctx.roster.evening_over or ctx.roster.rematch or ctx.roster.status != Status.FINISHED
        return [] if going_on else [EveningEnded()]


@posted("evening", "no-party", tag="parties")
class ShowEvening(HostCommand, frozen=True):
    """Have big screens show the score of the evening, or hide it again; for the host."""

    shown: bool = True

    def changes(self, ctx: Context) -> list[AnyRecord]:
        _check_party(ctx.roster)
        return [] if ctx.roster.evening_shown == self.shown else [EveningScoreShown(self.shown)]


def games_of(state: TableState) -> list[EveningGame]:
    """The finished games of a party, this one included."""
    roster = state.roster
    outcome = state.outcome if roster.party and roster.status == Status.FINISHED else None
    return [*roster.evening, _result(roster, outcome)] if outcome else roster.evening


def _result(roster: Roster, outcome: Outcome) -> EveningGame:
    points = {key: points_of(outcome, person.seat) for key, person in roster.people.items() if person.seat is not None}
    watched = [key for key, person in roster.people.items() if person.seat is None and not person.gone]
    return EveningGame(roster.game, roster.seats, points, watched)


def points_of(outcome: Outcome, seat: int) -> int:
    """How many seats a seat has beaten; winning a tie on points counts, an unbroken tie does not."""
    standing = [(other in outcome.winners, score) for other, score in enumerate(outcome.scores)]
    return sum(standing[seat] > other for other in standing)


def check_next_game(ctx: Context) -> None:
    """Refuse the next game of a party to others than its host, to a host who has left, and while a game is played."""
    ctx.host_only()
    _check_party(ctx.roster)
    if ctx.roster.people[ctx.asker].gone:
        raise Refused("left", "You have left this table; reconnect to come back.")
    if ctx.roster.status not in (Status.GATHERING, Status.FINISHED):
        raise Refused("not-finished", "The next game can begin when this one is over.")


@posted("seat/reclaim", "no-party", "taken", "too-many-devices", "unknown-person", "yourself", tag="parties")
class ReclaimSeat(Command, frozen=True):
    """Ask for the seat of a player (`person`) whose phone has no connection; null withdraws the request.

    The request comes from a new phone, which has joined as a spectator.
    """

    person: str | None  # the player; None withdraws the request

    def decide(self, ctx: Context) -> Decision:
        roster = ctx.roster
        _check_party(roster)
        asker = ctx.present(ctx.person)
        if self.person is None:
            return Decision([SeatReclaimRequested(asker, None)] if roster.people[asker].reclaims else [])
        if roster.people[asker].seat is not None:
            raise Refused("yourself", "You have a seat already.")
        _check_reclaim(ctx, asker, self.person)
        return Decision([SeatReclaimRequested(asker, self.person)])


@posted(
    "seat/reclaim/answer",
    *("host-only", "not-asked", "not-lost", "taken", "too-many-devices", "unknown-person", "yourself"),
    tag="parties",
)
class AnswerReclaim(Command, frozen=True):
    """Grant or refuse a request for the seat of a player whose phone is lost; for the host.

    If it is the host's own phone, or that one has been away for half a minute, every other player may answer. They, and
    a host without a seat, may answer about a phone that has been away as long; earlier it is refused as `not-lost`.
    `player` is the player whose seat was seen requested; if the request has changed since, it is `not-asked`.
    """

    person: str  # the requester
    agrees: bool
    player: str | None = None  # the requested player; None: any

    def decide(self, ctx: Context) -> Decision:
        self._check_answerer(ctx)
        ctx.present(self.person)
        player = ctx.roster.people[self.person].reclaims
        if player is None or self.player not in (None, player):
            raise Refused("not-asked", "They have not asked for the seat of that player.")
        if not self.agrees:
            return Decision([SeatReclaimRequested(self.person, None)])
        _check_reclaim(ctx, self.person, player)
        return Decision([SeatReclaimRequested(self.person, player, granted=True)])

    def _check_answerer(self, ctx: Context) -> None:
        """Refuse all but the host, or the other players while the host is away.

        These, and a host without a seat, may only answer about a phone that has been away for a while: anybody could
        have a second phone, and take the seat of a player who locked the screen for a moment.
        """
        me = ctx.roster.people.get(ctx.person) if ctx.person else None
        asked, host = ctx.roster.people.get(self.person), ctx.roster.host
        lost = (asked and asked.reclaims) or host
        plays = me is not None and me.seat is not None and not me.gone
        may_stand_in = ctx.roster.party and plays and (lost == host or ctx.away_for(host) >= REMOTE_GRACE)
        if not may_stand_in:
            ctx.host_only()
        is_trusted = ctx.person == host and (plays or self.person == host or not ctx.roster.party)
        if not is_trusted and ctx.away_for(lost) < REMOTE_GRACE:
            raise Refused("not-lost", "This phone may come back: it has not been away for half a minute.")


def _check_party(roster: Roster) -> None:
    if not roster.party:
        raise Refused("no-party", "This table is no party with a big screen.")


def _check_reclaim(ctx: Context, asker: str, who: str) -> None:
    """Refuse the host, who would answer their own request, and the seat of a player who is connected.

    Also refuse more devices than allowed, rather than sign the player's own ones out silently.
    """
    people = ctx.roster.people
    if asker == ctx.roster.host:
        raise Refused("yourself", "You have the remote, so you would ask yourself. Give it to another player first.")
    if who not in people or people[who].seat is None:
        raise Refused("unknown-person", "There is no such player at this table.")
    if who in ctx.here:
        raise Refused("taken", "Their phone is at the table: this seat is not lost.")
    if len(people[who].tokens) + len(people[asker].tokens) > MOST_TOKENS:
        raise Refused("too-many-devices", f"A person plays on at most {MOST_TOKENS} devices; together you have more.")
