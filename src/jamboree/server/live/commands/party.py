"""Commands of a party before a big screen: ending it, and moving a player to a new phone."""

from collections.abc import Collection

from ...errors import Refused
from ...protocol.terms import UNDER_WAY
from ..records import Closed, SeatReclaimRequested
from ..roster import MOST_TOKENS, Roster
from .base import HOST, PERSON, Command, Context, Decision, posted


@posted("end", *HOST, "no-party", tag="parties")
class EndParty(Command, frozen=True):
    """End a party at any time; for its host."""

    def decide(self, ctx: Context) -> Decision:
        ctx.host_only()
        _check_party(ctx.roster)
        return Decision([Closed("The host has ended the party.")] if ctx.roster.status in UNDER_WAY else [])


@posted("seat/reclaim", *PERSON, "no-party", "taken", "too-many-devices", "unknown-person", "yourself", tag="parties")
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
        _check_other(roster, asker)
        _check_lost(roster, self.person, ctx.here)
        return Decision([SeatReclaimRequested(asker, self.person)])


@posted(
    "seat/reclaim/answer", *HOST, "not-asked", "taken", "too-many-devices", "unknown-person", "yourself", tag="parties"
)
class AnswerReclaim(Command, frozen=True):
    """Grant or refuse a request for the seat of a player whose phone is lost; for the host.

    `player` is the player whose seat the host saw requested; if the request has changed since, it is refused as
    `not-asked`.
    """

    person: str  # the requester
    agrees: bool
    player: str | None = None  # the requested player; None: any

    def decide(self, ctx: Context) -> Decision:
        ctx.host_only()
        ctx.present(self.person)
        player = ctx.roster.people[self.person].reclaims
        if player is None or self.player not in (None, player):
            raise Refused("not-asked", "They have not asked for the seat of that player.")
        if not self.agrees:
            return Decision([SeatReclaimRequested(self.person, None)])
        _check_other(ctx.roster, self.person)
        _check_lost(ctx.roster, player, ctx.here)
        return Decision([SeatReclaimRequested(self.person, player, granted=True)])


def _check_party(roster: Roster) -> None:
    if not roster.party:
        raise Refused("no-party", "This table is no party with a big screen.")


def _check_other(roster: Roster, who: str) -> None:
    """Refuse the host, who would answer their own request."""
    if who == roster.host:
        raise Refused("yourself", "You have the remote, so you would ask yourself. Give it to another player first.")


def _check_lost(roster: Roster, who: str, here: Collection[str]) -> None:
    """Refuse the seat of a player who is connected."""
    player = roster.people.get(who)
    if player is None or player.seat is None:
        raise Refused("unknown-person", "There is no such player at this table.")
    if who in here:
        raise Refused("taken", "Their phone is at the table: this seat is not lost.")
    if len(player.tokens) >= MOST_TOKENS:
        raise Refused("too-many-devices", f"They already play on {MOST_TOKENS} devices.")
