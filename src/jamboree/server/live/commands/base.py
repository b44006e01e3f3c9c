"""Commands: each decides by the state of the table, and returns records to store or raises a refusal.

A command is its wire type. A `Message` arrives over the socket under its tag and is answered with an `Ack`; a class
decorated with `posted` is the body of `POST /tables/{code}/{path}`. Both are described to clients by their fields.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from jamboree.core.chance import Chance

from ...errors import Refused
from ...protocol.terms import Status
from ...tokens import new_seed
from ..positions import NextPosition
from ..records import AnyRecord, ChatLine
from ..roster import Roster
from ..state import TableState

Id = Annotated[str, Meta(min_length=1, max_length=64, description="the client's own name for what it asks")]
Action = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/$defs/AnyAction"})]


class Decision(NamedTuple):
    """The result of a command. Only folding its records changes the state."""

    records: list[AnyRecord]
    answer: Any = None
    talk: Sequence[ChatLine] = ()  # chat lines to store
    then: NextPosition | None = None  # the position after these records
    needs_state_after: int | None = None  # deciding needs the state after this record, in `Context.earlier`

    def fold_into(self, state: TableState) -> None:
        for record in self.records:
            state.fold(record, self.then)


class Context(NamedTuple):
    """What a command decides by: the state, chance, the requester, and what only a live table knows."""

    state: TableState
    chance: Chance = Chance()
    person: str | None = None  # the requester; None: an anonymous spectator, or the server
    device: str = ""  # the hashed token of the request
    here: frozenset[str] = frozenset()  # people with a connection
    away_for: Callable[[str], float] = lambda _: 0.0  # seconds since a person was connected
    pause_spent: float = 0.0  # seconds of this and all earlier pauses
    is_late: bool = False  # the requester's time for the decision has expired
    new_secret: Callable[[], str] = new_seed  # the server's seed, to which it commits
    earlier: TableState | None = None  # the state before the move to undo, once it was loaded

    @property
    def roster(self) -> Roster:
        return self.state.roster

    @property
    def asker(self) -> str:
        assert self.person is not None, "only people at the table can send this"
        return self.person

    def present(self, key: str | None) -> str:
        """Refuse a person who is not at the table."""
        if key not in self.roster.people or self.roster.people[key].gone:
            raise unknown_person()
        return key

    def check_playing(self) -> None:
        if self.roster.status != Status.PLAYING:
            raise not_playing()

    def host_only(self) -> None:
        if self.person != self.roster.host:
            raise Refused("host-only", "Only the host of the table can do this.")

    def player(self) -> tuple[str, int]:
        """The requester and their seat; refuse spectators, and players who have left."""
        person = self.roster.people.get(self.person or "")
        if self.person is None or person is None or person.seat is None:
            raise Refused("players-only", "Spectators can't do this.")
        if person.gone:
            raise Refused("left", "You have left this table; reconnect to come back.")
        return self.person, person.seat


def unknown_person() -> Refused:
    return Refused("unknown-person", "There is no such person at this table.")


def not_playing() -> Refused:
    return Refused("not-playing", "No game is being played here now.")


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to a table."""

    def decide(self, ctx: Context) -> Decision:
        """Decide without changing the state."""
        raise NotImplementedError


class HostCommand(Command, frozen=True):
    """A request that only the host may make."""

    def decide(self, ctx: Context) -> Decision:
        ctx.host_only()
        return Decision(self.changes(ctx))

    def changes(self, ctx: Context) -> list[AnyRecord]:
        """The records to store."""
        raise NotImplementedError


class Message(Command, frozen=True, tag_field="type", kw_only=True):
    """A command that arrives over the socket."""

    id: Id


class Route(NamedTuple):
    """How a command is posted to a table."""

    path: str
    command: type[Command]
    refusals: tuple[str, ...]
    tag: str  # its group in the OpenAPI document


ROUTES: list[Route] = []
TABLE = ("unknown-table", "incomplete", "not-saved", "table-stopped")
CHANGE = (*TABLE, "outdated")
PERSON = (*CHANGE, "banned", "no-token", "wrong-token", "foreign-origin")
HOST = (*PERSON, "host-only")
BODY = ("too-big", "not-json")
Posted = TypeVar("Posted", bound=type[Command])


def posted(path: str, *refusals: str, tag: str = "people") -> Callable[[Posted], Posted]:
    """Serve a command under `POST /tables/{code}/{path}`, with the refusals of its own that OpenAPI names."""

    def register(command: Posted) -> Posted:
        common = HOST if issubclass(command, HostCommand) else PERSON
        body = BODY if command.__struct_fields__ else ()
        ROUTES.append(Route(path, command, (*common, *refusals, *body), tag))
        return command

    return register
