"""Deleting what is kept of one person: their names, and what was said by, to or about them. Their moves stay."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from .connection import Connection
from .contract import Forget

NAMED = "SELECT seq, body, personal FROM records WHERE table_id = ? AND personal IS NOT NULL ORDER BY seq"
CALL = "UPDATE records SET personal = ? WHERE table_id = ? AND seq = ?"
SAID = "SELECT number, body FROM talk WHERE table_id = ?"
UNSAY = "DELETE FROM talk WHERE table_id = ? AND number = ?"
EVERYBODY = "SELECT table_id, seq, body, personal FROM records WHERE personal IS NOT NULL ORDER BY table_id, seq"
decode = msgspec.json.decode


class Person(NamedTuple):
    """Somebody at a table; `tokens` are hashed."""

    table: str
    key: str
    names: frozenset[str]
    tokens: frozenset[str]


def forget(connection: Connection, forgotten: Forget) -> None:
    """Call somebody by a number wherever their name stands at a table. Others keep what they said of other things."""
    table, guest = forgotten.table, f"Guest {forgotten.person[1:]}"
    rows = [(seq, decode(body), decode(personal)) for seq, body, personal in connection.rows(NAMED, table)]
    mine = [(seq, body, personal["name"]) for seq, body, personal in rows if body.get("person") == forgotten.person]
    tokens = {token for _, body, _ in mine for token in body.get("tokens", ())}
    banned = [
        (seq, each["name"]) for seq, body, each in rows if tokens & {*body.get("tokens", ())} and "person" not in body
    ]
    names = {name for _, _, name in mine if name} | {name for _, name in banned if name}
    for seq in [*(seq for seq, _, _ in mine), *(seq for seq, _ in banned)]:
        connection.change(CALL, _json({"name": guest}), table, seq)
    for number, body in connection.rows(SAID, table):
        if _is_about(decode(body), forgotten.person, names):
            connection.change(UNSAY, table, number)
    connection.change("DELETE FROM snapshots WHERE table_id = ?", table)
    for (card,) in connection.rows("SELECT card FROM tables WHERE id = ?", table):
        connection.change("UPDATE tables SET card = ? WHERE id = ?", _json(_without(decode(card), names, guest)), table)


def find(connection: Connection, name: str, table: str | None = None) -> list[Person]:
    """Find everybody who was ever called by a name, and the same people at other tables by their tokens."""
    people = list(_people(connection))
    called = [each for each in people if _look(name) in map(_look, each.names) and table in (None, each.table)]
    tokens = {token for each in called for token in each.tokens}
    return [each for each in people if each in called or tokens & each.tokens]


def _people(connection: Connection) -> Iterator[Person]:
    found: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
    for table, _, body, personal in connection.rows(EVERYBODY):
        fields = decode(body)
        if "person" in fields:
            names, tokens = found.setdefault((table, fields["person"]), (set(), set()))
            names.add(decode(personal)["name"])
            tokens.update(fields.get("tokens", ()))
    for (table, key), (names, tokens) in found.items():
        yield Person(table, key, frozenset(names), frozenset(tokens))


def _is_about(line: dict[str, Any], person: str, names: set[str]) -> bool:
    return person in (line["person"], line.get("to")) or any(_mentions(line["text"], name) for name in names)


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(_look(name))}(?!\w)", _look(text)) is not None


def _without(card: dict[str, Any], names: set[str], guest: str) -> dict[str, Any]:
    """Replace somebody's names on the card by which a table is found."""
    winners = [guest if name in names else name for name in card.get("winners", [])]
    host = guest if card.get("host") in names else card.get("host")
    return {**card, **({"host": host} if "host" in card else {}), **({"winners": winners} if "winners" in card else {})}


def _look(name: str) -> str:
    return name.strip().casefold()


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
