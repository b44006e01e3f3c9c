"""Who may come to a table and who may watch: the host's lock, bans, and the choice of spectators."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from jamboree.core.chance import Chance

from ..errors import Refused
from ..memory.lobby import Lobby
from ..memory.memory import Memory
from ..memory.records import AccessSet, AnyRecord, BanLifted, Banned, PaceSet, Removed, SignedOut
from ..protocol.terms import BotPace, Spectators, Status
from .bot_seats import seated
from .command import Decision, host_only, present

MOST_BANS = 64
NOBODY_WATCHES = "The host lets nobody watch this game."
BANNED = "The host has banned you from this table."


class SetAccess(msgspec.Struct, frozen=True):
    """Lock or unlock the table, choose who may watch and whether bots make room; None leaves that as it is."""

    person: str
    locked: bool | None = None
    spectators: Spectators | None = None
    latecomers: bool | None = None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        host_only(memory, self.person)
        if lobby.learning:
            raise Refused("lesson", "A lesson is for one person: nobody else can come in.")
        now = AccessSet(lobby.locked, lobby.spectators, lobby.latecomers)
        changes = {name: value for name in now.__struct_fields__ if (value := getattr(self, name)) is not None}
        wanted = msgspec.structs.replace(now, **changes)
        return Decision([] if wanted == now else [wanted])


class SetPace(msgspec.Struct, frozen=True):
    """Choose how long bots take over their moves, before the game or during it."""

    person: str
    pace: BotPace

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        return Decision([] if memory.lobby.pace == self.pace else [PaceSet(self.pace)])


class Remove(msgspec.Struct, frozen=True):
    """Show somebody out, or ban them as well. A bot plays for the rest of the game in place of a player."""

    person: str
    who: str
    ban: bool = False

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        host_only(memory, self.person)
        present(memory, self.who)
        if self.who == self.person:
            raise Refused("yourself", "You can't send yourself away; leave the table instead.")
        if self.ban and len(lobby.bans) >= MOST_BANS:
            raise Refused("full", "This table has as many bans as it can keep; lock it instead.")
        person = lobby.people[self.who]
        records: list[AnyRecord] = [Banned(list(person.tokens), person.name)] if self.ban else []
        records.append(Removed(self.who))
        if lobby.status in (Status.SEEDING, Status.PLAYING) and person.seat is not None:
            records.append(seated(lobby, person.seat, "regular"))
        return Decision(records)


class LiftBan(msgspec.Struct, frozen=True):
    person: str
    ban: int

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        if self.ban not in memory.lobby.bans:
            raise Refused("unknown-person", "There is no such ban.")
        return Decision([BanLifted(self.ban)])


def bans(memory: Memory, person: str) -> Mapping[int, str]:
    """Name the banned, by the numbers of their bans; for the host."""
    host_only(memory, person)
    return {number: ban.name for number, ban in memory.lobby.bans.items()}


def check_view(lobby: Lobby, person: str | None, screen: bool = False) -> None:
    """Refuse who may not look at this table. Before the game everybody with the link may, unless it is locked.

    The big screen of a party is always let in: nobody who locks the door means that the board goes dark.
    """
    if screen and lobby.party:
        return
    if person is None and lobby.locked:
        raise Refused("locked", "The host has locked this table: only those who were here before can come in.")
    if lobby.status == Status.GATHERING or person == lobby.host:
        return
    if person is None and lobby.spectators != Spectators.EVERYBODY:
        if lobby.spectators == Spectators.JOINED:
            raise Refused("join-to-watch", "To watch this game, join it with a name.")
        raise Refused("no-spectators", NOBODY_WATCHES)
    if person and lobby.people[person].seat is None and lobby.spectators == Spectators.NOBODY:
        raise Refused("no-spectators", NOBODY_WATCHES)


def farewell(
    lobby: Lobby,
    person: str | None,
    device: str,
    records: Sequence[AnyRecord],
    company: Collection[str] = (),
    screen: bool = False,
) -> Refused | None:
    """Say why somebody can't stay after what has just happened; None if they can, or others on their device."""
    for record in records:
        match record:
            case Removed() if record.person == person:
                banned = isinstance(records[0], Banned)
                return Refused("banned", BANNED) if banned else Refused("removed", "The host has sent you away.")
            case SignedOut() if record.person == person and record.besides != device:
                return Refused("signed-out", "This device was signed out on another one of yours.")
    if person and lobby.people[person].away_for_good:
        return Refused("wrong-token", "This token does not belong to anybody at this table.")
    company = [key for key in company if not lobby.people[key].away_for_good]
    try:
        check_view(lobby, person or min(company, default=None), screen)
    except Refused as refusal:
        return refusal
    return None
