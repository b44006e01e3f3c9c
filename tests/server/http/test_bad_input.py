"""Every refusal, over HTTP and over the socket: by its code, and without a trace in the store."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, get_args

import apsw
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from jamboree.server.edge.rate_limits import Rate, RateLimits
from jamboree.server.live import session
from jamboree.server.store.store import Store

from ..bench.online import ADMIN_TOKEN, Online, Player, online
from .promised import document

TABLES = "/api/v1/tables"
FOREIGN = "https://elsewhere.example"
LAY, TWICE, NOWHERE = {"type": "Lay", "slot": 0}, {"type": "Lay", "slot": 1}, {"type": "Lay", "slot": 9}


class Scene(NamedTuple):
    """A running table whose first seat has played its card, one before its game, and another one."""

    server: Online
    running: list[dict[str, Any]]
    gathering: list[dict[str, Any]]
    elsewhere: list[dict[str, Any]]

    def path(self, what: str) -> str:
        return f"{TABLES}/{self.running[0]['table']}/{what}"


def everything(store_file: Path) -> str:
    """Dump what is stored about tables, by the store's own SQLite: two in one process do not see each other's locks."""
    connection = apsw.Connection(str(store_file), flags=apsw.SQLITE_OPEN_READONLY)
    tables = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        if name != "session"  # which counts commits
    ]
    stored = "\n".join(f"{name}: {row}" for name in tables for row in connection.execute(f'SELECT * FROM "{name}"'))
    connection.close()
    return stored


@asynccontextmanager
async def scene(store: Store, **more: Any) -> AsyncIterator[Scene]:
    async with online(store, **more) as server:
        tickets = [await server.seated(), await server.seated(start=False), await server.seated()]
        async with server.socket(tickets[0][0]["table"]) as socket:
            ada = Player(socket)
            await ada.hello(tickets[0][0]["token"])
            assert (await ada.act(LAY, "first"))["type"] == "ack"
        yield Scene(server, *tickets)


def bearer(ticket: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {ticket['token']}"}


Ask = Callable[[Scene], Awaitable[Any]]
OPEN = {"game": "high-card", "seats": 2, "name": "Eve"}
OVER_HTTP: dict[str, tuple[int, str, Ask]] = {
    "no JSON": (400, "malformed", lambda s: s.server.post(TABLES, b"{")),
    "no text": (400, "malformed", lambda s: s.server.post(TABLES, b"\xff\xfe")),
    "nothing": (400, "malformed", lambda s: s.server.post(TABLES)),
    "a wrong type": (400, "malformed", lambda s: s.server.post(TABLES, {**OPEN, "seats": "two"})),
    "a field too many": (400, "malformed", lambda s: s.server.post(TABLES, {**OPEN, "admin": True})),
    "very deep": (400, "malformed", lambda s: s.server.post(TABLES, b"[" * 30_000)),
    "a step no range can hold": (
        400,
        "malformed",
        lambda s: s.server.post(s.path("fork"), {"step": 1 << 63}, **bearer(s.running[0])),
    ),
    "a seat no database can hold": (
        400,
        "malformed",
        lambda s: s.server.post(s.path("join"), {"name": "Eve", "seat": 1 << 63}),
    ),
    "bots on such seats": (
        400,
        "malformed",
        lambda s: s.server.post(TABLES, {**OPEN, "bots": {1 << 63: "rookie"}}),
    ),
    "no code of a table": (404, "unknown-table", lambda s: s.server.get(f"{TABLES}/%00")),
    "a code in no letters of ours": (404, "unknown-table", lambda s: s.server.get(f"{TABLES}/%ff%fe")),
    "an unknown status": (400, "malformed", lambda s: s.server.get(f"{TABLES}?status=asleep")),
    "the rest of a path as a parameter": (
        400,
        "malformed",
        lambda s: s.server.post(s.path("leave?/lessons"), **bearer(s.running[0])),
    ),
    "a parameter with a value": (400, "malformed", lambda s: s.server.post(f"{TABLES}?keep=cookie", OPEN)),
    "an unknown parameter beside a known one": (
        400,
        "malformed",
        lambda s: s.server.post(s.path("rematch?start=true&x"), **bearer(s.running[0])),
    ),
    "a parameter without a name": (
        400,
        "malformed",
        lambda s: s.server.post(s.path("leave?="), **bearer(s.running[0])),
    ),
    "a parameter given twice": (
        400,
        "malformed",
        lambda s: s.server.post(s.path("rematch?start=true&start=false"), **bearer(s.running[0])),
    ),
    "an encoded slash in a code": (
        400,
        "malformed",
        lambda s: s.server.post(f"{TABLES}/{s.running[0]['table']}%2Fleave", **bearer(s.running[0])),
    ),
    "an encoded backslash in a code": (
        400,
        "malformed",
        lambda s: s.server.post(f"{TABLES}/..%5c{s.running[0]['table']}/leave", **bearer(s.running[0])),
    ),
    "oversized": (413, "too-big", lambda s: s.server.post(TABLES, {**OPEN, "name": "x" * 70_000})),
    "a form that is JSON": (415, "not-json", lambda s: s.server.post(TABLES, OPEN, **{"content-type": "text/plain"})),
    "no type of the body": (415, "not-json", lambda s: s.server.post(TABLES, OPEN, **{"content-type": ""})),
    "a type that begins like JSON": (
        415,
        "not-json",
        lambda s: s.server.post(TABLES, OPEN, **{"content-type": "application/jsonp"}),
    ),
    "an unknown game": (422, "unknown-game", lambda s: s.server.post(TABLES, {**OPEN, "game": "chess"})),
    "too many seats": (422, "bad-options", lambda s: s.server.post(TABLES, {**OPEN, "seats": 99})),
    "illegal options": (422, "bad-options", lambda s: s.server.post(TABLES, {**OPEN, "options": {"timed": 7}})),
    "no name": (422, "bad-name", lambda s: s.server.post(TABLES, {**OPEN, "name": " \u200b "})),
    "out of turn": (409, "started", lambda s: s.server.post(s.path("start"), **bearer(s.running[0]))),
    "not the host": (403, "host-only", lambda s: s.server.post(s.path("start"), **bearer(s.running[1]))),
    "too early": (409, "not-finished", lambda s: s.server.post(s.path("rematch"), **bearer(s.running[0]))),
    "the eyes of another seat in a running game": (
        409,
        "not-finished",
        lambda s: s.server.get(s.path("log?seat=1"), **bearer(s.running[0])),
    ),
    "the journal of a running game": (409, "not-finished", lambda s: s.server.get(s.path("journal"))),
    "a seat that is taken": (
        409,
        "full",
        lambda s: s.server.post(f"{TABLES}/{s.gathering[0]['table']}/join", {"name": "Eve", "seat": 0}),
    ),
    "no token": (401, "no-token", lambda s: s.server.post(s.path("leave"))),
    "a wrong token": (403, "wrong-token", lambda s: s.server.post(s.path("leave"), authorization="Bearer wrong")),
    "a token of another table": (
        403,
        "wrong-token",
        lambda s: s.server.post(s.path("leave"), **bearer(s.elsewhere[0])),
    ),
    "a wrong link": (403, "wrong-token", lambda s: s.server.post(s.path("links/redeem"), {"link": "wrong"})),
    "the log with a wrong token": (403, "wrong-token", lambda s: s.server.get(s.path("log"), authorization="Bearer x")),
    "a foreign origin": (403, "foreign-origin", lambda s: s.server.post(TABLES, OPEN, origin=FOREIGN)),
    "a foreign origin with a cookie": (
        403,
        "foreign-origin",
        lambda s: s.server.post(s.path("leave"), origin=FOREIGN, cookie=f"jamboree-x={s.running[0]['token']}"),
    ),
    "a cookie without an origin": (
        403,
        "foreign-origin",
        lambda s: s.server.post(s.path("leave"), cookie=f"jamboree-x={s.running[0]['token']}"),
    ),
    "an unknown table": (
        404,
        "unknown-table",
        lambda s: s.server.post(f"{TABLES}/nowhere/join", {"name": "Eve"}),
    ),
    "an unknown person": (
        404,
        "unknown-person",
        lambda s: s.server.post(s.path("mute"), {"person": "p9"}, **bearer(s.running[0])),
    ),
    "an unknown place": (404, "not-found", lambda s: s.server.post("/api/v1/nothing", {})),
    "an unknown method": (405, "not-found", lambda s: s.server.post("/api/v1/games", {})),
}


@pytest.mark.parametrize("case", OVER_HTTP)
async def test_invalid_requests_are_refused_over_http(store: Store, tmp_path: Path, case: str) -> None:
    status, code, ask = OVER_HTTP[case]
    async with scene(store) as found:
        before = everything(tmp_path / "tables.db")
        answer = await ask(found)
        assert (answer.status, answer.body["code"]) == (status, code), answer
        assert answer.body["sentence"].endswith((".", ")")) or answer.body["sentence"]
        assert everything(tmp_path / "tables.db") == before


async def test_every_route_with_a_body_refuses_what_is_not_declared_as_json(store: Store, tmp_path: Path) -> None:
    async with scene(store) as found:
        before, operations = everything(tmp_path / "tables.db"), document()["paths"]
        taking = [path for path, methods in operations.items() if "requestBody" in methods.get("post", {})]
        assert len(taking) > 20
        shown = {"authorization": f"Bearer {ADMIN_TOKEN}"}
        for path in [*taking, "/api/v1/journals/watch"]:
            for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
                answer = await found.server.post(
                    re.sub(r"{\w+}", "abcdef", path), OPEN, **shown, **{"content-type": kind}
                )
                assert (answer.status, answer.body["code"]) == (415, "not-json"), path
        assert everything(tmp_path / "tables.db") == before


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
async def test_a_body_may_name_its_charset(store: Store, kind: str) -> None:
    async with scene(store) as found:
        assert (await found.server.post(TABLES, OPEN, **{"content-type": kind})).status == 201
        bare = await found.server.post(
            found.path("leave"), **bearer(found.running[0]), **{"content-type": "text/plain"}
        )
        assert bare.status == 204, "there is no body, so there is nothing to declare"


async def test_every_route_that_changes_something_refuses_unknown_parameters(store: Store, tmp_path: Path) -> None:
    async with scene(store) as found:
        app, before = found.server.app, everything(tmp_path / "tables.db")
        shown = {"authorization": f"Bearer {ADMIN_TOKEN}", "content-type": "application/json"}
        changing = [
            (method, route.path_format)
            for route in app.routes
            for method in getattr(route, "methods", ())
            if method not in ("GET", "HEAD", "OPTIONS")
        ]
        assert len(changing) > 30
        for method, path in changing:
            named = path.format(code=found.running[0]["table"], key="high-card", name="any")
            headers = shown if "/admin/" in path else bearer(found.running[0])
            answer = await asyncio.to_thread(found.server.call, method, f"{named}?/lessons", {}, headers)
            assert (answer.status, answer.body["code"]) == (400, "malformed"), (method, path, answer)
            assert "no parameter '/lessons'" in answer.body["sentence"]
        assert everything(tmp_path / "tables.db") == before


async def test_admin_routes_do_not_reveal_themselves_by_their_parameters(store: Store) -> None:
    async with scene(store) as found:
        assert (await found.server.post("/api/v1/admin/bans?x=1", {})).status == 404


async def test_get_requests_ignore_unknown_parameters(store: Store) -> None:
    async with scene(store) as found:
        assert (await found.server.get("/api/v1/games?utm_source=mail")).status == 200


async def test_a_socket_takes_no_parameters(store: Store) -> None:
    async with scene(store) as found:
        with pytest.raises(InvalidStatus) as refused:
            async with found.server.socket(f"{found.running[0]['table']}/socket?x="):
                pass
        assert refused.value.response.status_code == 403


async def test_http_requests_are_rate_limited(store: Store, tmp_path: Path) -> None:
    async with scene(store, limits=RateLimits(openings=Rate(3, 600.0))) as found:
        before = everything(tmp_path / "tables.db")
        answer = await found.server.post(TABLES, OPEN)
        assert (answer.status, answer.body["code"]) == (429, "too-fast")
        assert everything(tmp_path / "tables.db") == before


async def heard_of(found: Scene, ticket: dict[str, Any], *frames: Any, hello: bool = True) -> list[Any]:
    """Send frames from a seat of the running table; return the error codes and the close code, if any."""
    codes: list[Any] = []
    async with found.server.socket(found.running[0]["table"]) as socket:
        player = Player(socket)
        if hello:
            await player.send(type="hello", token=ticket["token"])
        for frame in frames:
            await (socket.send(frame) if isinstance(frame, str | bytes) else player.send(**frame))
        try:
            await player.send(type="ping", id="end")
            while (message := await player.take())["type"] != "pong":
                codes += [message["code"]] if message["type"] == "error" else []
                if message.get("id") == "end":
                    break
        except ConnectionClosed as closed:
            codes.append(closed.rcvd and closed.rcvd.code)
    return codes


def act(action: Any) -> dict[str, Any]:
    return {"type": "act", "id": "x", "action": action}


OVER_THE_SOCKET: dict[str, tuple[list[Any], int, list[Any]]] = {
    "no JSON": (["malformed"], 1, ["{"]),
    "an unknown type": (["malformed"], 1, [{"type": "win", "id": "x"}]),
    "a field too many": (["malformed"], 1, [{"type": "ready", "id": "x", "admin": True}]),
    "no action of the game": (["malformed"], 1, [act({"type": "Castle"})]),
    "an endless id": (["malformed"], 1, [{"type": "ready", "id": "x" * 65}]),
    "oversized": (["too-big", 1009], 1, [{"type": "say", "id": "x", "text": "y" * 9000}]),
    "out of turn": (["not-your-turn"], 0, [act(TWICE)]),
    "illegal": (["illegal"], 1, [act(NOWHERE)]),
    "illegal, looked ahead to": (["illegal"], 1, [{"type": "preview", "id": "x", "action": NOWHERE}]),
    "hello again": (["second-hello"], 1, [{"type": "hello"}]),
    "a person who is not there": (["unknown-person"], 1, [{"type": "say", "id": "x", "text": "psst", "to": "p9"}]),
    "nothing to say": (["malformed"], 1, [{"type": "say", "id": "x", "text": "\u202e"}]),
    "nothing to take back": (["no-undo"], 1, [{"type": "undo", "id": "x"}]),
    "nobody asks": (["not-asked"], 1, [{"type": "answer-undo", "id": "x", "agrees": True}]),
    "nothing to withdraw": (["not-asked"], 1, [{"type": "withdraw-undo", "id": "x"}]),
    "a seed after the start": (["no-seeds"], 1, [{"type": "seed", "id": "x", "seed": "00"}]),
    "a pause by a guest": (["host-only"], 1, [{"type": "pause", "id": "x"}]),
}


@pytest.mark.parametrize("case", OVER_THE_SOCKET)
async def test_invalid_messages_are_refused_over_the_socket(store: Store, tmp_path: Path, case: str) -> None:
    codes, seat, frames = OVER_THE_SOCKET[case]
    async with scene(store) as found:
        before = everything(tmp_path / "tables.db")
        assert await heard_of(found, found.running[seat], *frames) == codes
        assert everything(tmp_path / "tables.db") == before


async def test_socket_messages_are_rate_limited(store: Store, tmp_path: Path) -> None:
    async with scene(store) as found:
        before = everything(tmp_path / "tables.db")
        codes = await heard_of(found, found.running[1], *[act(NOWHERE)] * 101)
        assert codes[-2:] == ["too-fast", 1008]
        assert set(codes[:-2]) <= {"illegal"}
        assert everything(tmp_path / "tables.db") == before


async def test_the_number_of_sockets_is_limited(store: Store) -> None:
    async with scene(store, limits=RateLimits(requests=Rate(10, 60.0))) as found:
        with pytest.raises(InvalidStatus):
            for _ in range(10):
                async with found.server.socket(found.running[0]["table"]):
                    pass


@pytest.mark.parametrize("who", ["a wrong token", "a token of another table"])
async def test_a_wrong_token_ends_the_connection_at_hello(store: Store, tmp_path: Path, who: str) -> None:
    async with scene(store) as found:
        before = everything(tmp_path / "tables.db")
        ticket = {"token": "wrong"} if who == "a wrong token" else found.elsewhere[0]
        assert await heard_of(found, ticket, act(LAY)) == ["wrong-token", "no-hello", "no-hello"]
        assert everything(tmp_path / "tables.db") == before


async def test_a_foreign_origin_or_unknown_table_gets_no_socket(store: Store, tmp_path: Path) -> None:
    async with scene(store) as found:
        before = everything(tmp_path / "tables.db")
        for table, headers in (
            (found.running[0]["table"], {"origin": FOREIGN}),
            (found.running[0]["table"], {"cookie": f"jamboree-x={found.running[0]['token']}"}),
            ("nowhere", {}),
        ):
            with pytest.raises(InvalidStatus) as refused:
                async with found.server.socket(table, **headers):
                    pass
            assert refused.value.response.status_code == 403
        assert everything(tmp_path / "tables.db") == before


ONE_OF_EACH: dict[str, dict[str, Any]] = {
    "act": {"action": TWICE},
    "preview": {"action": TWICE},
    "why-not": {"action": TWICE},
    "say": {"text": "Hello!"},
    "phrase": {"phrase": "hello"},
    "report-peek": {},
    "ready": {},
    "undo": {},
    "answer-undo": {"agrees": True},
    "withdraw-undo": {},
    "pause": {},
    "seed": {"seed": "00"},
    "activity": {},
    "hurry": {},
    "hint": {},
    "resync": {},
    "nudge": {"person": "p1"},
    "vote": {"person": "p1"},
    "lesson": {"lesson": 0},
    "retry": {},
    "show-move": {},
    "ping": {},
}
HARMLESS = {"ping", "activity", "resync"}


def test_every_message_type_is_tried() -> None:
    assert {str(kind.__struct_config__.tag) for kind in get_args(session.ClientMessage)} == {"hello", *ONE_OF_EACH}


@pytest.mark.parametrize("kind", ONE_OF_EACH)
@pytest.mark.parametrize("who", ["watcher", "stranger", "nobody"])
async def test_no_message_acts_for_another_person(store: Store, tmp_path: Path, who: str, kind: str) -> None:
    async with scene(store) as found:
        before = everything(tmp_path / "tables.db")
        ticket = {"watcher": {"token": None}, "stranger": found.elsewhere[1], "nobody": {"token": None}}[who]
        message = {"type": kind, "id": "x", **ONE_OF_EACH[kind]}
        codes = await heard_of(found, ticket, message, hello=who != "nobody")
        expected: Any = {"watcher": [] if kind in HARMLESS else 1, "stranger": 3, "nobody": 2}[who]
        assert len(codes) == expected or codes == expected, codes
        assert everything(tmp_path / "tables.db") == before
