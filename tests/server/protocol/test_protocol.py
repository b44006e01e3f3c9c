"""docs/protocol.md names everything a client can meet."""

import re
from pathlib import Path
from runpy import run_path
from typing import Any, get_args

import msgspec
import pytest

from jamboree.games import all_games
from jamboree.server.edge import connection_limits, http, outbox, rate_limits
from jamboree.server.http import error_responses, sockets
from jamboree.server.http.schema import document
from jamboree.server.live import scheduler, session
from jamboree.server.protocol import frames

ROOT = Path(__file__).parents[3]
http_table = run_path(str(ROOT / "scripts" / "http_table.py"))
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"[`\"]([\w-]+)\??[`\"]", PAGE))
SOURCES = sorted((ROOT / "src" / "jamboree" / "server").rglob("*.py"))
GAMES = all_games()
SCHEMA = document(GAMES)
OURS = {
    name: schema
    for name, schema in SCHEMA["$defs"].items()
    if not name.startswith(("Any", *(key.capitalize() for key in GAMES)))
}


SENT, HEARD = PAGE[PAGE.index("### Client messages") :].split("### Server messages")
MESSAGES = [(SENT, message) for message in get_args(session.ClientMessage)]
MESSAGES += [(HEARD, message) for message in get_args(frames.ServerMessage)]


@pytest.mark.parametrize(("section", "message"), MESSAGES, ids=lambda given: getattr(given, "__name__", ""))
def test_every_message_is_documented_with_its_fields(section: str, message: type[msgspec.Struct]) -> None:
    (row, *_) = [line for line in section.splitlines() if line.startswith(f"| `{message.__struct_config__.tag}` |")]
    assert [name for name in message.__struct_fields__ if f"`{name}`" not in row] == []


@pytest.mark.parametrize("name", [name for name, schema in OURS.items() if "properties" in schema])
def test_every_field_is_documented(name: str) -> None:
    assert sorted(set(OURS[name]["properties"]) - NAMED - {"type"}) == []


@pytest.mark.parametrize("name", [name for name, schema in OURS.items() if "enum" in schema])
def test_every_enum_value_is_documented(name: str) -> None:
    assert sorted(set(OURS[name]["enum"]) - NAMED) == []


def test_the_route_tables_match_openapi() -> None:
    """`make docs` writes them."""
    assert http_table["with_routes"](PAGE) == PAGE
    assert {row.split("`")[1].partition("?")[0] for row in PAGE.splitlines() if row.startswith("| `")} >= {
        *SCHEMA["properties"]["http"]["properties"]
    }


def test_every_refusal_is_documented() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    codes = set(re.findall(r'(?:Refused|_refuse|Problem)\(\s*"([a-z-]+)"', text))
    assert len(codes) > 20
    assert sorted(code for code in codes if f"`{code}`" not in PAGE) == []


def test_every_documented_refusal_exists() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    table = PAGE.partition("| code | it means |")[2].partition("\n\n")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row]
    listed = {code for codes in rows for code in re.findall(r"`([a-z-]+)`", codes)}
    assert sorted(code for code in listed if f'"{code}"' not in text) == []


LIMITS: list[tuple[Any, str]] = [
    (sockets.MAX_FRAME // 1024, "at most {} KiB; send"),
    (sockets.MAX_MESSAGES, "send at most {} in"),
    (sockets.WINDOW, "in {:.0f} seconds. The first"),
    (sockets.HELLO_TIMEOUT, "within {:.0f} seconds"),
    (outbox.MAX_PER_READER // 1024, "At most {} KiB wait"),
    (error_responses.MAX_BODY // 1024, "A body has at most {} KiB"),
    (rate_limits.OF_A_SEAT.limit, "{} requests per minute"),
    (rate_limits.OPENINGS_OF_A_SEAT.limit, "open {} tables in ten"),
    (rate_limits.REQUESTS.limit, "{} requests and"),
    (rate_limits.OPENINGS.limit, "and {} tables"),
    (rate_limits.PARTIES.limit, "counted separately, {} in ten minutes"),
    (rate_limits.GUARANTEED_OF_A_SEAT.limit, "{} requests and 3 tables are guaranteed"),
    (rate_limits.GUARANTEED_OPENINGS_OF_A_SEAT.limit, "and {} tables are guaranteed"),
    (rate_limits.OF_SEATS.limit, "which have {} and"),
    (rate_limits.OPENINGS_OF_SEATS.limit, "and {} together"),
    (rate_limits.JOINING.limit, "{} people may join"),
    (rate_limits.JOINING_FROM.limit, "{} of them from one address"),
    (rate_limits.JOINS.limit, "{} people without a seat"),
    (rate_limits.JOINS_OF_A_SEAT.limit, "join {} tables"),
    (connection_limits.BY_PERSON, "{} per person"),
    (connection_limits.SEATED_BY_ADDRESS, "{} of people"),
    (connection_limits.SPECTATORS_BY_ADDRESS, "and {} of spectators without"),
    (connection_limits.SPECTATORS_BY_TABLE, "{} spectators per table"),
    (connection_limits.MAX_SPECTATORS, "of which {} of spectators"),
    (http.HEAD_TIMEOUT, "{:.0f} seconds for the head"),
    (http.BODY_TIMEOUT, "and {:.0f} for the body"),
    (http.IDLE_TIMEOUT, "{:.0f} seconds between two requests"),
    (http.MAX_HEAD // 1024, "{} KiB for the head"),
    *((code, "{}:") for code in (sockets.POLICY, sockets.TOO_BIG, sockets.RESTART)),
]


@pytest.mark.parametrize(("value", "documented"), LIMITS)
def test_documented_limits_are_right(value: Any, documented: str) -> None:
    assert documented.format(value) in " ".join(PAGE.split())


def test_the_documented_wait_for_seeds_is_right() -> None:
    assert scheduler.SEED_PATIENCE == 5.0
    assert "at most five seconds" in PAGE
