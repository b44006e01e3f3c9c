"""Deleting what is kept of one person: their names, and what was said by, to or about them. Their moves stay."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from .connection import Connection
from .contract import Conflict, Forget, Record

OURS = "SELECT 1 FROM tables WHERE id = ? AND epoch = ?"
NAMED = "SELECT seq, body, personal FROM records WHERE table_id = ? AND personal IS NOT NULL ORDER BY seq"
CALL = "UPDATE records SET personal = ? WHERE table_id = ? AND seq = ?"
SAID = "SELECT number, body FROM talk WHERE table_id = ?"
UNSAY = "DELETE FROM talk WHERE table_id = ? AND number = ?"
EVERYBODY = "SELECT table_id, seq, body, personal FROM records WHERE personal IS NOT NULL ORDER BY table_id, seq"
FOLLOWING, REMATCHED = "SELECT table_id, body FROM records WHERE body LIKE ?", '%"Rematched"%'
decode = msgspec.json.decode


class Naming(NamedTuple):
    """A record with a name in it: somebody joined, was renamed, or was banned."""

    seq: int
    fields: dict[str, Any]
    name: str

    @property
    def person(self) -> str:
        """Say who it is about; nobody who is at the table if they were banned."""
        return str(self.fields.get("person", ""))

    @property
    def tokens(self) -> set[str]:
        return {*self.fields.get("tokens", ())}


class Person(NamedTuple):
    """Somebody at a table, or somebody who is only spoken of there, without a key; `tokens` are hashed."""

    table: str
    key: str
    names: frozenset[str]
    tokens: frozenset[str]


def forget(connection: Connection, forgotten: Forget) -> Conflict | None:
    """Call somebody by a number wherever their name stands at a table. Others keep what they said of other things."""
    table = forgotten.table
    if forgotten.epoch is not None and not connection.rows(OURS, table, forgotten.epoch):
        return Conflict("This table was changed or taken over by somebody else.")
    rows = [_naming(*row) for row in connection.rows(NAMED, table)]
    mine = hers(rows, forgotten.tokens, forgotten.person)
    keys = {each.person for each in mine if each.person}
    others = _looks(each.name for each in rows if each not in mine)
    for each in mine:
        connection.change(CALL, _json({"name": _guest(each.person or min(keys, default=""), others)}), table, each.seq)
    names = {each.name for each in mine if each.name}
    spoken_of = names | {name for name in forgotten.names if _look(name) not in others}
    for number, body in connection.rows(SAID, table):
        if is_about(body, keys, spoken_of):
            connection.change(UNSAY, table, number)
    connection.change("DELETE FROM snapshots WHERE table_id = ?", table)
    shown = {name: _guest(min(keys, default=""), others) for name in names if _look(name) not in others}
    for (card,) in connection.rows("SELECT card FROM tables WHERE id = ?", table):
        connection.change("UPDATE tables SET card = ? WHERE id = ?", _json(_without(decode(card), shown)), table)
    return None


def namings(history: Sequence[Record]) -> list[Naming]:
    """Find the records of a table that have a name in them."""
    return [_naming(seq, each.body, each.personal) for seq, each in enumerate(history, 1) if each.personal]


def hers(rows: Sequence[Naming], tokens: Collection[str], person: str = "") -> list[Naming]:
    """Find what names somebody, whoever they were at a table: those who came back on another phone were two."""
    keys, known, found = {person} - {""}, {*tokens}, list[Naming]()
    while True:
        new = [row for row in rows if row.person in keys or known & row.tokens]
        if len(new) == len(found):
            return new
        found = new
        keys.update(row.person for row in new if row.person)
        known.update(token for row in new for token in row.tokens)


def is_about(said: str, keys: Collection[str], names: Iterable[str]) -> bool:
    """Tell whether a line is by or to somebody, or mentions them by a name."""
    line = decode(said)
    return line["person"] in keys or line.get("to") in keys or any(_mentions(line["text"], name) for name in names)


def find(connection: Connection, name: str, table: str | None = None) -> list[Person]:
    """Find everybody who was ever called by a name, the same people at other tables, and where others speak of them."""
    people = list(_people(connection))
    called = [each for each in people if _look(name) in _looks(each.names) and table in (None, each.table)]
    tokens = {token for each in called for token in each.tokens}
    found = [each for each in people if each in called or tokens & each.tokens]
    return [*found, *_spoken_of(connection, found)]


def _people(connection: Connection) -> Iterator[Person]:
    """List who was ever at a table, or banned from one."""
    for table, rows in groupby(connection.rows(EVERYBODY), lambda row: str(row[0])):
        left = [_naming(*row[1:]) for row in rows]
        while left:
            first = left[0]
            same = hers(left, first.tokens, first.person)
            key = next((each.person for each in same if each.person), "")
            names, tokens = (each.name for each in same), (token for each in same for token in each.tokens)
            yield Person(table, key, frozenset(names), frozenset(tokens))
            left = [each for each in left if each is not first and each not in same]


def _spoken_of(connection: Connection, found: Sequence[Person]) -> Iterator[Person]:
    """Follow people to rematches they did not go to, where what others said of them was taken along."""
    following: dict[str, str] = {table: decode(body)["table"] for table, body in connection.rows(FOLLOWING, REMATCHED)}
    there = {each.table for each in found}
    for person in found:
        table = person.table
        while (table := following.get(table, "")) and table not in there:
            lines = [body for _, body in connection.rows(SAID, table)]
            if any(is_about(line, (), person.names) for line in lines):
                yield person._replace(table=table, key="")


def _naming(seq: int, body: str, personal: str | None) -> Naming:
    return Naming(seq, decode(body), decode(personal or '{"name":""}')["name"])


def _guest(key: str, others: Collection[str]) -> str:
    """Call somebody by a number, as nobody else is called."""
    guest = f"Guest {key[1:]}".strip()
    while _look(guest) in others:
        guest += " 2"
    return guest


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(_look(name))}(?!\w)", _look(text)) is not None


def _without(card: dict[str, Any], shown: dict[str, str]) -> dict[str, Any]:
    """Replace somebody's names on the card by which a table is found."""
    winners = [shown.get(name, name) for name in card.get("winners", [])]
    host = shown.get(card.get("host", ""), card.get("host"))
    return {**card, **({"host": host} if "host" in card else {}), **({"winners": winners} if "winners" in card else {})}


def _look(name: str) -> str:
    return name.strip().casefold()


def _looks(names: Iterable[str]) -> set[str]:
    return {_look(name) for name in names}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
