"""The JSON Schema of the protocol: complete, deterministic, and valid for real messages."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from jamboree.cli.app import app
from jamboree.core.words import LANGUAGES
from jamboree.games import all_games
from jamboree.server.http.schema import Definitions, DuplicateName, document
from jamboree.server.live import session
from jamboree.server.live.records import Arranged, Opened
from jamboree.server.live.roster import Roster
from jamboree.server.protocol import frames
from jamboree.server.protocol.bodies import OpenTable, SetUpTable
from jamboree.server.protocol.delta import delta_between
from jamboree.server.protocol.parts import TableInfo
from jamboree.server.protocol.terms import TableSettings
from jamboree.server.store.store import Store

from ..bench.local import Client, a_registry, play_on
from ..bench.online import online
from ..live.viewers.test_language import spoken

ALL = all_games()
SCHEMA = document(ALL)
DEFS = SCHEMA["$defs"]
NAMES = st.text("abc", max_size=2)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.text("xyz", max_size=20),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(NAMES, parts, max_size=4),
)


def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": DEFS})


def complaints(name: str, value: Any) -> list[str]:
    return [error.message[:200] for error in validator(name).iter_errors(value)]


def test_the_schema_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_references_resolve_and_definitions_are_used() -> None:
    types = Definitions()
    types.defs = DEFS
    assert types.reachable(SCHEMA["properties"]) == set(DEFS)


@pytest.mark.parametrize("name", DEFS)
def test_titles_of_definitions_are_their_names(name: str) -> None:
    assert DEFS[name]["title"] == name
    assert name.isidentifier()


def test_messages_are_discriminated_by_a_constant_type() -> None:
    for name, union in (("ClientMessage", session.ClientMessage), ("ServerMessage", frames.ServerMessage)):
        members = [DEFS[each["$ref"].rpartition("/")[2]] for each in DEFS[name]["anyOf"]]
        tags = {kind.__struct_config__.tag for kind in get_args(union)}
        assert {member["properties"]["type"]["const"] for member in members} == tags
        assert all("type" in member["required"] for member in members)


@pytest.mark.parametrize("key", ALL)
def test_each_game_has_its_actions_events_view_and_options(key: str) -> None:
    prefix = key.capitalize()
    assert set(SCHEMA["properties"]["games"]["properties"][key]["properties"]) == {"view", "action", "event", "options"}
    actions = {each["$ref"].rpartition("/")[2] for each in DEFS[f"{prefix}Action"]["anyOf"]}
    assert actions == {f"{prefix}{kind.__name__}" for kind in get_args(ALL[key].info.action)}
    assert {f"{prefix}View", f"{prefix}Options", f"{prefix}Event"} <= set(DEFS)


def test_duplicate_type_names_are_detected() -> None:
    types = Definitions()
    types.add([msgspec.defstruct("Card", [("suit", str)])])
    with pytest.raises(DuplicateName):
        types.add([msgspec.defstruct("Card", [("rank", int)])])


@pytest.mark.parametrize("key", ALL)
async def test_frames_match_the_schema(store: Store, key: str) -> None:
    async with a_registry(store, ALL, seed=9) as registry:
        clients = await spoken(registry, key, 3, ["en", "nl", None])
        subscriber = Client(registry, clients[0].session.code, None, "nl")
        await subscriber.hello()
        await play_on(clients, random.Random(7), 60)
        await clients[0].send(type="say", id="s", text="Hello!")
        await clients[0].send(type="ping", id="p")
        await clients[0].act({"type": "Nothing"}, "n")
        able = next(client for client in clients if client.legal())
        await able.send(type="preview", id="v", action=able.legal()[0])
        await able.send(type="why-not", id="w", action=able.legal()[0])
        back = Client(registry, able.session.code, able.token, "en")
        await back.hello(0)
        received = [message for client in [*clients, subscriber, back] for message in client.received]
        assert {"welcome", "update", "chat", "ack", "error", "pong", "preview", "why-not"} <= {
            m["type"] for m in received
        }
        server, view = validator("ServerMessage"), f"{key.capitalize()}View"
        for message in _some_of_each(received):
            assert server.is_valid(message), complaints("ServerMessage", message)
        assert complaints(view, able.position["view"]) == []


@pytest.mark.parametrize("key", ALL)
async def test_deltas_of_every_game_match_the_schema(store: Store, key: str) -> None:
    async with a_registry(store, ALL, seed=9) as registry:
        clients = await spoken(registry, key, 3, ["en", "nl", None])
        await play_on(clients, random.Random(7), 60)
        changes = [message["change"] for client in clients for message in client.received if message.get("change")]
    described = validator("ChangedParts")
    assert len(changes) > 60
    assert all(map(described.is_valid, changes))
    known = {form: validator(form).is_valid for form in ("NewValue", "Splice", "ChangedParts")}
    forms = {form for change in _within(changes) for form, fits in known.items() if fits(change)}
    assert forms == {*known}, "changes of every form occurred"


def _within(changes: list[Any]) -> Iterator[Any]:
    """Return changes and those that they are made of."""
    for change in changes:
        yield change
        if isinstance(change, dict):
            yield from _within([each for each in change.values() if each])


@pytest.mark.parametrize(
    "malformed",
    [
        [1],
        [0, 1, []],
        [],
        "view",
        {"view": 3},
        {"view": None},
        {"view": "new"},
        {"view": [1, 2]},
        {"view": [0, 1, "new"]},
        {"view": [0, -1, []]},
        {"view": [0.5, 1, []]},
        {"view": [0, 1, [], []]},
        {"view": {"hands": {"0": {"cards": [1, 2]}}}},
        {"view": {"hands": {"0": True}}},
    ],
    ids=str,
)
def test_an_invalid_delta_is_rejected_by_the_schema(malformed: Any) -> None:
    assert complaints("ChangedParts", malformed)
    frame = {"type": "update", "seq": 1, "events": [], "sentences": [], "position": None, "check": "0" * 8}
    frame |= {"clock": None, "undo": None, "note": None}
    assert complaints("ServerMessage", frame | {"change": {"view": {"bag": [39], "gone": []}}}) == []
    assert complaints("ServerMessage", frame | {"change": malformed})


@given(before=JSON, after=JSON)
def test_every_kind_of_delta_matches_the_schema(before: Any, after: Any) -> None:
    change = msgspec.json.decode(delta_between(msgspec.json.encode(before), msgspec.json.encode(after)))
    assert validator("Change").is_valid(change)


def test_a_watched_journal_consists_of_a_view_and_deltas() -> None:
    assert DEFS["WatchedJournal"]["properties"]["views"] == {
        "type": "array",
        "prefixItems": [{"$ref": "#/$defs/AnyView"}],
        "items": {"$ref": "#/$defs/Change"},
    }


def _some_of_each(received: list[dict[str, Any]], most: int = 8) -> list[dict[str, Any]]:
    """Pick messages of every type; to check one against all views of all games takes its time."""
    kinds = sorted({message["type"] for message in received})
    alike = [[message for message in received if message["type"] == kind] for kind in kinds]
    return [message for messages in alike for message in random.Random(1).sample(messages, min(most, len(messages)))]


async def test_responses_match_the_schema(store: Store) -> None:
    async with online(store, games=ALL) as server:
        tickets = await server.seated("bebop", 2)
        code = tickets[0]["table"]
        for name, path in {"GameCard": "/games", "TableCard": "/tables?status=playing"}.items():
            for card in (await server.get(f"/api/v1{path}")).body:
                assert complaints(name, card) == []
        assert complaints("TableDetails", (await server.get(f"/api/v1/tables/{code}")).body) == []
        assert complaints("Credentials", tickets[0]) == []
        assert complaints("Problem", (await server.get("/api/v1/tables/nowhere")).body) == []


def test_every_route_is_in_the_schema() -> None:
    operations = SCHEMA["properties"]["http"]["properties"]
    assert operations["POST /api/v1/tables"]["properties"] == {
        "body": {"$ref": "#/$defs/OpenTable"},
        "answer": {"$ref": "#/$defs/Credentials"},
    }
    assert operations["GET /api/v1/tables/{code}/log"]["properties"]["answer"]["items"] == {"$ref": "#/$defs/LogStep"}


def test_every_setting_can_be_chosen_when_opening_changed_before_the_game_and_is_seen_in_frames() -> None:
    settings = set(TableSettings.__struct_fields__)
    for struct in (OpenTable, SetUpTable, TableInfo, Opened, Arranged, Roster):
        assert settings <= set(struct.__struct_fields__), struct.__name__


def test_fields_with_defaults_are_optional_for_clients_and_always_sent() -> None:
    assert DEFS["Hello"]["required"] == ["type"]
    assert DEFS["Hello"]["properties"]["language"]["anyOf"][0]["enum"] == sorted(LANGUAGES)
    assert "detail" in DEFS["Error"]["required"]


def test_the_schema_is_deterministic(tmp_path: Path) -> None:
    texts = []
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "jamboree", "schema"]
        done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
        texts.append(done.stdout)
    assert texts[0] == texts[1]
    assert json.loads(texts[0]) == SCHEMA
    file = tmp_path / "schema.json"
    assert CliRunner().invoke(app, ["schema", "--out", str(file)]).exit_code == 0
    assert file.read_bytes() == texts[0]
    nowhere = CliRunner().invoke(app, ["schema", "--out", str(tmp_path / "no" / "file")])
    assert (nowhere.exit_code, "can't be written" in nowhere.stderr) == (2, True)
