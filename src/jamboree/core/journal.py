"""Journals: a game as one JSON document (event sourcing) that replays to the same final position."""

import hashlib
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from .chance import Pick, Replayed
from .errors import UNREADABLE, BadJournal, BadOptions, ChangedJournal, Illegal
from .game import Actor, AnyGame, Outcome, dump, read_action
from .table_options import read_options

FORMAT: Final = "jamboree journal"
VERSION: Final = 1


class Header(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal["jamboree journal"]
    version: Literal[1]
    game: str
    rules: int
    seats: int
    names: list[str]
    options: dict[str, Any]  # contents, such as a whole board, never a path


class Entry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An action with its random picks, or an undo: then the action is empty, and the steps after `undo` are void."""

    actor: Actor
    action: dict[str, Any]
    picks: list[Pick]
    undo: int | None = None  # the step to return to


class Fairness(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The seeds from which the picks of a served game derive, from step `since` until the next such part."""

    table: str
    since: int  # the first step; 0 is the set-up
    commitment: str
    secret: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]  # the server's seed
    seeds: list[Annotated[str, Meta(pattern=r"^[0-9a-f]{0,64}\Z")]]  # by seat; empty where none was added
    turned: int = 0  # by how many seats the players were rotated after adding their seeds


class About(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Metadata: date, program version and result; for a terminal game also the person's seat and the bots."""

    program: str = ""  # the version that wrote the journal
    date: str = ""  # the day it was last played, like 2026-11-16
    result: Outcome | None = None  # None while the game is running
    seat: int | None = None  # where a person sat among bots
    bots: list[str] = []  # the names of those bots, in the order of their seats
    people: int = 0  # how many people shared the terminal; they have the first seats
    language: str = ""  # in which it was played


class Journal(msgspec.Struct, forbid_unknown_fields=True):
    header: Header
    setup: list[Pick]
    entries: list[Entry]
    fairness: list[Fairness] = []  # a local game has none
    about: About | None = None  # earlier versions wrote none
    state: str = ""  # hash of the state after the last entry
    seal: str = ""  # hash of everything above: detects accidental edits

    def close(self, state: object) -> None:
        self.state = state_hash(state)
        self.seal = self.expected_seal()

    def expected_seal(self) -> str:
        about = () if self.about is None else (self.about,)  # keeps the seals of earlier journals valid
        sealed = (self.header, self.setup, self.entries, *self.fairness, *about, self.state)
        return hashlib.sha256(msgspec.json.encode(sealed, order="deterministic")).hexdigest()


def state_hash(state: object) -> str:
    return hashlib.sha256(dump(state)).hexdigest()


def write(journal: Journal) -> str:
    """Serialise a journal as JSON, one entry per line."""
    entries = ",\n".join(_json(entry) for entry in journal.entries)
    fairness = f'"fairness": {_json(journal.fairness)},\n' if journal.fairness else ""
    about = f'"about": {_json(journal.about)},\n' if journal.about else ""
    return (
        f'{{"header": {_json(journal.header)},\n"setup": {_json(journal.setup)},\n'
        f'"entries": [\n{entries}\n],\n{fairness}{about}'
        f'"state": {_json(journal.state)},\n"seal": {_json(journal.seal)}}}\n'
    )


def read(data: bytes) -> Journal:
    """Parse a journal; raise BadJournal with one clear sentence for anything else."""
    try:
        document = msgspec.json.decode(data)
    except UNREADABLE as error:
        raise BadJournal(f"This is not a whole JSON document ({error}); was the file cut short?") from None
    if not isinstance(document, dict) or "header" not in document or "entries" not in document:
        raise BadJournal("This file is JSON, but not a Jamboree journal.")
    _check_version(document["header"])
    try:
        journal = msgspec.convert(document, Journal)
        seal = journal.expected_seal()
    except UNREADABLE as error:
        raise BadJournal(f"This is not a Jamboree journal as this version writes it: {error}.") from None
    if journal.seal != seal:
        raise ChangedJournal("This journal was changed after it was written: its seal does not fit its contents.")
    return journal


def _check_version(header: object) -> None:
    """Distinguish a journal of another format version from a file that is not a journal."""
    if isinstance(header, dict) and header.get("format") == FORMAT and header.get("version") != VERSION:
        raise BadJournal(
            f"This journal is written in version {header.get('version')!r} of its format;"
            f" this program reads version {VERSION}."
        )


class Step(msgspec.Struct):
    """One step of a replay: the state after an entry, and the events of that entry."""

    number: int  # 0 is the set-up
    entry: Entry | None
    state: Any
    events: list[Any]


def steps(journal: Journal, game: AnyGame) -> Iterator[Step]:
    """Replay a journal by the values of its picks. The yielded state is mutated by later steps."""
    state = _set_up(journal, game)
    yield Step(0, None, state, [])
    wanted, earlier = {entry.undo for entry in journal.entries}, {0: state.clone()}
    for number, entry in enumerate(journal.entries, 1):
        events: list[Any] = []
        if entry.undo is None:
            _repeat(number, entry, state, game, events)
        else:
            state = _earlier(number, entry, earlier, journal.header.seats)
        if number in wanted:
            earlier[number] = state.clone()
        yield Step(number, entry, state, events)


def _repeat(number: int, entry: Entry, state: Any, game: AnyGame, events: list[Any]) -> None:
    chance = Replayed(entry.picks)
    try:
        action = read_action(game, entry.action)
        game.apply(state, entry.actor, action, chance, events.append)
    except (Illegal, BadJournal, *UNREADABLE) as error:
        raise BadJournal(f"This journal is not sound at step {number}: {_plain(error)}.") from None
    if not chance.spent:
        raise BadJournal(f"This journal is not sound at step {number}: it records more picks than were made.")


def _earlier(number: int, entry: Entry, earlier: dict[int, Any], seats: int) -> Any:
    if entry.undo not in earlier or entry.actor not in range(seats) or entry.action or entry.picks:
        raise BadJournal(f"This journal is not sound at step {number}: it takes back what can't be taken back.")
    return earlier[entry.undo].clone()


def check(journal: Journal, game: AnyGame) -> bool:
    """Replay a whole journal and return whether the game is over; raise BadJournal if it is invalid."""
    *_, last = steps(journal, game)
    return check_end(journal, game, last.state)


def check_end(journal: Journal, game: AnyGame, state: Any) -> bool:
    """Verify the final position of a replay and return whether the game is over."""
    if state_hash(state) != journal.state:
        raise BadJournal("This journal replays to another position than the one it recorded.")
    outcome = game.outcome(state)
    if journal.about and journal.about.result not in (None, outcome):
        raise BadJournal("This journal says that the game ended in another way than it did.")
    return outcome is not None


def _set_up(journal: Journal, game: AnyGame) -> Any:
    header = journal.header
    if header.rules != game.info.rules_version:
        raise BadJournal(
            f"This journal was played by version {header.rules} of the {game.info.title} rules;"
            f" this program plays version {game.info.rules_version}."
        )
    if len(header.names) != header.seats:
        raise BadJournal(f"This journal names {len(header.names)} players for {header.seats} seats.")
    chance = Replayed(journal.setup)
    try:
        options = msgspec.convert(header.options, game.info.options)
        if read_options(game, options) != options:
            raise BadOptions("it has the name of a text where the text itself belongs")
        state = game.setup(header.seats, options, chance)
    except (BadJournal, BadOptions, *UNREADABLE) as error:
        raise BadJournal(f"This journal's set-up is not sound: {_plain(error)}.") from None
    if not chance.spent:
        raise BadJournal("This journal's set-up is not sound: it records more picks than were made.")
    return state


def _plain(error: Exception) -> str:
    """Return an error's text without its full stop, for use within a sentence."""
    return str(error).removesuffix(".")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
