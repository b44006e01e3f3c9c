"""Fuzzing of HTTP: every response conforms to the OpenAPI document and reveals no secret.

Nothing breaks, and nothing that is refused changes anything.
"""

import asyncio
import http.client
import json
import os
import random
from typing import Any
from urllib.parse import quote

from jamboree.server.http.schema import document
from jamboree.server.live.registry import Registry
from jamboree.server.store.store import Store

from ..bench.local import EVERY
from ..bench.online import HOST, online
from .promised import broken_promises

REQUESTS = int(os.environ.get("JAMBOREE_HTTP_FUZZ", "400"))
SCHEMA = document(EVERY)
OPERATIONS = [operation.split(" ") for operation in SCHEMA["properties"]["http"]["properties"]]
ODD = ["", "x", "nowhere", "..", "%", "p9", "\0", "é", "a" * 3000, "{code}", "null", "1", "'; drop table records; --"]
VALUES: list[Any] = [None, True, -1, 0, 1, 2, 7, 2**70, 1.5, [], {}, {"a": [{}]}, *ODD]
LANGUAGES = ["", "?language=nl", "?language=tlh", "?status=playing", "?status=%00", "?step=-1", "?x[]=1&x[]=2"]
FIELDS = sorted(
    {name for part in SCHEMA["$defs"].values() for name in part.get("properties", {}) if name != "type"} | {"more"}
)
PEOPLE = 7  # who are there from the beginning; as many who came last are known too
GOOD: list[dict[str, Any]] = [
    {"game": "high-card", "seats": 2, "name": "Ada"},
    {"name": "Bob"},
    {"seat": 1},
    {"person": "p2"},
    {"link": "x"},
    {"step": 1},
    {"seat": 1, "level": "rookie"},
]


class Fuzzer:
    """One connection that asks for anything."""

    def __init__(self, port: int, tickets: list[dict[str, Any]], rng: random.Random) -> None:
        self.connection, self.tickets, self.rng = http.client.HTTPConnection(HOST, port, timeout=30), tickets, rng

    def ask(self) -> tuple[str, int, bytes]:
        method, path = self.method_and_path()
        body, headers = self.body(), self.headers()
        try:
            status, answer = self.send(method, path, body, headers)
        except (ConnectionError, http.client.HTTPException):  # a connection may end after any answer, not before it
            self.connection.close()
            status, answer = self.send(method, path, body, headers)
        return f"{method} {path[:200]} {headers} {body[:200]!r}", status, answer

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        self.connection.request(method, path, body if method == "POST" else None, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        assert broken_promises(method, path, answer, content) == [], (method, path[:200], headers, body[:200])
        return answer.status, content

    def method_and_path(self) -> tuple[str, str]:
        rng = self.rng
        method, path = rng.choice(OPERATIONS)
        code = rng.choice([ticket["table"] for ticket in self.tickets]) if rng.random() < 0.8 else rng.choice(ODD)
        key = rng.choice([*EVERY, *ODD])
        path = path.replace("{code}", quote(code, safe="")).replace("{key}", quote(key, safe=""))
        if rng.random() < 0.05:
            path = "/" + "".join(rng.choice("abc/.%5c20-~") for _ in range(rng.randrange(40)))
        if rng.random() < 0.05:
            method = rng.choice(["PUT", "DELETE", "PATCH", "GET", "POST", "HEAD"])
        return method, path + rng.choice(LANGUAGES)

    def headers(self) -> dict[str, str]:
        rng, headers = (
            self.rng,
            {"content-type": self.rng.choice(["application/json", "application/json", "text/plain"])},
        )
        token = rng.choice([*(ticket["token"] for ticket in self.tickets), "wrong", ""])
        if rng.random() < 0.6:
            headers["authorization"] = rng.choice(["Bearer ", "bearer ", "Basic "]) + token
        if rng.random() < 0.2:
            headers["cookie"] = f"jamboree-x={token}"
        if rng.random() < 0.2:
            headers["origin"] = rng.choice(["null", "https://elsewhere.example", f"http://{HOST}", "://"])
        return headers

    def body(self) -> bytes:
        rng = self.rng
        fields = dict(rng.choice(GOOD)) if rng.random() < 0.7 else {}
        for _ in range(rng.choice([0, 0, 1, 3])):
            fields[rng.choice(FIELDS)] = rng.choice(VALUES)
        data = bytearray(json.dumps(fields).encode())
        for _ in range(rng.choice([0, 0, 0, 1, 6])):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)


def stored(registry: Registry) -> dict[str, tuple[int, int]]:
    """Say how far every table is."""
    return {code: (table.state.seq, len(table.state.talk)) for code, table in registry.tables.items()}


def secrets_in(answer: bytes, tickets: list[dict[str, Any]]) -> list[str]:
    return [ticket["token"] for ticket in tickets if ticket["token"].encode() in answer]


async def test_random_requests_are_answered_and_change_nothing(store: Store) -> None:
    async with online(store, games=EVERY) as server:
        tickets = [*await server.seated(), *await server.seated("bebop", 3), *await server.seated(start=False)]
        fuzzer = Fuzzer(server.port, tickets, random.Random(REQUESTS))

        def run() -> dict[int, int]:
            statuses: dict[int, int] = {}
            for _ in range(REQUESTS):
                before = stored(server.registry)
                asked, status, answer = fuzzer.ask()
                statuses[status] = statuses.get(status, 0) + 1
                assert status < 500, (asked, status, answer)
                assert secrets_in(answer, tickets) == [], asked
                if status == 201 and b'"token":"' in answer:
                    tickets[PEOPLE:] = [*tickets[PEOPLE:], json.loads(answer)][-PEOPLE:]
                if status >= 400:
                    assert stored(server.registry) == before, (asked, status, answer)
                    assert not answer or json.loads(answer)["code"], asked
            fuzzer.connection.close()
            return statuses

        statuses = await asyncio.to_thread(run)
        assert {200, 400, 401, 403, 404, 409} <= set(statuses), statuses
        assert (await server.get("/ready")).status == 200
