"""Erases one person's data: names, and chat by, to or about them. Their moves stay."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from .connection import DatabaseConnection
from .contract import Conflict, ErasePerson, Record

SELECT_EPOCH = "SELECT 1 FROM tables WHERE id = ? AND epoch = ?"
SELECT_NAMED = "SELECT seq, body, personal FROM records WHERE table_id = ? AND personal IS NOT NULL ORDER BY seq"
UPDATE_NAME = "UPDATE records SET personal = ? WHERE table_id = ? AND seq = ?"
SELECT_TALK = "SELECT number, body FROM talk WHERE table_id = ?"
DELETE_TALK = "DELETE FROM talk WHERE table_id = ? AND number = ?"
SELECT_ALL_NAMED = "SELECT table_id, seq, body, personal FROM records WHERE personal IS NOT NULL ORDER BY table_id, seq"
SELECT_REMATCHES, REMATCH_PATTERN = "SELECT table_id, body FROM records WHERE body LIKE ?", '%"Rematched"%'
decode = msgspec.json.decode


class NameRecord(NamedTuple):
    """A record with a name: of a person who joined, was renamed, or was banned."""

    seq: int
    fields: dict[str, Any]
    name: str

    @property
    def person(self) -> str:
        """The person's id; empty for a ban."""
        return str(self.fields.get("person", ""))

    @property
    def tokens(self) -> set[str]:
        return {*self.fields.get("tokens", ())}


class PersonTrace(NamedTuple):
    """A person's data at a table; the key is empty for someone who is only mentioned. Tokens are hashed."""

    table: str
    key: str
    names: frozenset[str]
    tokens: frozenset[str]


class Erasure(NamedTuple):
    """What is changed to erase a person: names by record, chat lines, and names that lists show."""

    names: dict[int, str]  # by the number of the record: the pseudonym, in the form of its personal part
    keys: set[str]
    spoken_of: set[str]
    shown: dict[str, str]

    def mentions(self, chat_line: str) -> bool:
        return mentions_person(chat_line, self.keys, self.spoken_of)

    def anonymized(self, card: str) -> str:
        return _json(_anonymized(decode(card), self.shown))


def plan_erasure(rows: Sequence[NameRecord], request: ErasePerson) -> Erasure:
    """Decide what to change, by a table's records with names."""
    mine = records_of_person(rows, request.tokens, request.person)
    keys = {each.person for each in mine if each.person}
    first = min(keys, default="")
    others = _folded_all(each.name for each in rows if each not in mine)
    names = {each.name for each in mine if each.name}
    return Erasure(
        {each.seq: _json({"name": _pseudonym(each.person or first, others)}) for each in mine},
        keys,
        names | {name for name in request.names if _ping(name) not in others},
        {name: _pseudonym(first, others) for name in names if _ping(name) not in others},
    )


def erase(connection: DatabaseConnection, request: ErasePerson) -> Conflict | None:
    """Replace a person's names at a table by a pseudonym, and delete the chat that concerns them."""
    table = request.table
    if request.epoch is not None and not connection.rows(SELECT_EPOCH, table, request.epoch):
        return Conflict("This table was changed or taken over by somebody else.")
    erasure = plan_erasure([_naming(*row) for row in connection.rows(SELECT_NAMED, table)], request)
    for seq, name in erasure.names.items():
        connection.change(UPDATE_NAME, name, table, seq)
    for number, body in connection.rows(SELECT_TALK, table):
        if erasure.mentions(body):
            connection.change(DELETE_TALK, table, number)
    connection.change("DELETE FROM snapshots WHERE table_id = ?", table)
    for (card,) in connection.rows("SELECT card FROM tables WHERE id = ?", table):
        connection.change("UPDATE tables SET card = ? WHERE id = ?", erasure.anonymized(card), table)
    return None


def name_records(history: Sequence[Record]) -> list[NameRecord]:
    """The records of a table that contain a name."""
    return [_naming(seq, each.body, each.personal) for seq, each in enumerate(history, 1) if each.personal]


def records_of_person(rows: Sequence[NameRecord], tokens: Collection[str], person: str = "") -> list[NameRecord]:
    """A person's name records, following shared tokens: someone who came back on another device has two ids."""
    keys, known, found = {person} - {""}, {*tokens}, list[NameRecord]()
    while True:
        new = [row for row in rows if row.person in keys or known & row.tokens]
        if len(new) == len(found):
            return new
        found = new
        keys.update(row.person for row in new if row.person)
        known.update(token for row in new for token in row.tokens)


def mentions_person(chat_line: str, keys: Collection[str], names: Iterable[str]) -> bool:
    """Whether a chat line is by or to a person, or mentions one of the names."""
    line = decode(chat_line)
    return line["person"] in keys or line.get("to") in keys or any(_contains_name(line["text"], name) for name in names)


def find_people(connection: DatabaseConnection, name: str, table: str | None = None) -> list[PersonTrace]:
    """Find the people who used a name, the same people at other tables, and rematches where they are mentioned."""
    people = list(_people(connection))
    called = [each for each in people if _ping(name) in _folded_all(each.names) and table in (None, each.table)]
    tokens = {token for each in called for token in each.tokens}
    found = [each for each in people if each in called or tokens & each.tokens]
    return [*found, *_mentioned_at_rematches(connection, found)]


def _people(connection: DatabaseConnection) -> Iterator[PersonTrace]:
    """Everyone who was ever at a table, or banned from one."""
    for table, rows in groupby(connection.rows(SELECT_ALL_NAMED), lambda row: str(row[0])):
        left = [_naming(*row[1:]) for row in rows]
        while left:
            first = left[0]
            same = records_of_person(left, first.tokens, first.person)
            key = next((each.person for each in same if each.person), "")
            names, tokens = (each.name for each in same), (token for each in same for token in each.tokens)
            yield PersonTrace(table, key, frozenset(names), frozenset(tokens))
            left = [each for each in left if each is not first and each not in same]


def _mentioned_at_rematches(connection: DatabaseConnection, found: Sequence[PersonTrace]) -> Iterator[PersonTrace]:
    """Rematches that people did not join, but to which chat that mentions them was copied."""
    following: dict[str, str] = {
        table: decode(body)["table"] for table, body in connection.rows(SELECT_REMATCHES, REMATCH_PATTERN)
    }
    there = {each.table for each in found}
    for person in found:
        table = person.table
        while (table := following.get(table, "")) and table not in there:
            lines = [body for _, body in connection.rows(SELECT_TALK, table)]
            if any(mentions_person(line, (), person.names) for line in lines):
                yield person._replace(table=table, key="")


def _naming(seq: int, body: str, personal: str | None) -> NameRecord:
    return NameRecord(seq, decode(body), decode(personal or '{"name":""}')["name"])


def _pseudonym(key: str, others: Collection[str]) -> str:
    """A name that no other person there has."""
    guest = f"Guest {key[1:]}".strip()
    while _ping(guest) in others:
        guest += " 2"
    return guest


def _contains_name(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(_ping(name))}(?!\w)", _ping(text)) is not None


def _anonymized(card: dict[str, Any], shown: dict[str, str]) -> dict[str, Any]:
    """A listing card with names replaced."""
    changed = dict(card)
    if "host" in card:
        changed["host"] = shown.get(card["host"], card["host"])
    for key in ("winners", "players"):
        if key in card:
            changed[key] = [shown.get(name, name) for name in card[key]]
    return changed


def _ping(name: str) -> str:
    return name.strip().casefold()


def _folded_all(names: Iterable[str]) -> set[str]:
    return {_ping(name) for name in names}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
