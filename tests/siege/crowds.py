"""Large numbers of legitimate clients."""

import asyncio
import json
import re
import time
from typing import Any

from websockets.asyncio.client import connect

from tests.server.bench.local import actions

from .field import BYSTANDER, Field, connected, somewhere
from .flood import flood

CONNECTIONS = 6  # that a browser opens to one server
MOVES = 5
SCHOOL = somewhere(40_000)


async def browsers(field: Field, size: int) -> None:
    """Arrive together, each with the page and everything in it."""
    page = (await fetched(field, somewhere(0), ["/"]))[0]
    files = [f"/{name}" for name in re.findall(r'(?:src|href)="/?(assets/[^"]+)"', page.decode())]
    took = await asyncio.gather(*[_browse(field, somewhere(number), files) for number in range(size)])
    field.note(f"all {size} served, the last after {max(took):.2f} s")
    await asyncio.Event().wait()


async def _browse(field: Field, source: str, files: list[str]) -> float:
    began = time.perf_counter()
    shares = [["/", "/api/v1/tables"], *[files[at::CONNECTIONS] for at in range(CONNECTIONS)]]
    await asyncio.gather(*[fetched(field, source, share) for share in shares])
    return time.perf_counter() - began


async def fetched(field: Field, source: str, paths: list[str]) -> list[bytes]:
    """Fetch files over one connection."""
    bodies = []
    async with connected(field, source) as (reader, writer):
        for path in paths:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {BYSTANDER}\r\n\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            assert head.startswith("HTTP/1.1 200"), head
            bodies.append(await reader.readexactly(int(head.lower().partition("content-length:")[2].split()[0])))
    return bodies


async def school(field: Field, size: int) -> None:
    """Play by twos behind one address, while one of them floods the server from there."""
    pupils = asyncio.gather(*[_lesson(field, number) for number in range(size // 2)])
    bully = asyncio.create_task(flood(field, 20, SCHOOL))
    try:
        moves = sum(await pupils)
    finally:
        bully.cancel()
        await asyncio.gather(bully, return_exceptions=True)
    field.note(f"{size} players made {moves} moves")
    await asyncio.Event().wait()


async def _lesson(field: Field, number: int) -> int:
    """Open a table, fill it, play some moves, and count them."""
    opened = await post(field, "/api/v1/tables", {"game": "bebop", "seats": 2, "name": f"Ada {number}"})
    code = opened["table"]
    joined = await post(field, f"/api/v1/tables/{code}/join", {"name": f"Bob {number}"})
    where = f"ws://{BYSTANDER}:{field.port}/api/v1/tables/{code}/socket"
    source = (SCHOOL, 0)
    async with (
        connect(where, proxy=None, local_addr=source) as ada,
        connect(where, proxy=None, local_addr=source) as bob,
    ):
        for socket, ticket in ((ada, opened), (bob, joined)):
            await socket.send(json.dumps({"type": "hello", "token": ticket["token"]}))
        await post(field, f"/api/v1/tables/{code}/start", None, opened["token"])
        made = [0]
        players = [asyncio.create_task(_plays(socket, made)) for socket in (ada, bob)]
        try:
            await asyncio.wait(players, timeout=60, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for player in players:
                player.cancel()
            ends = await asyncio.gather(*players, return_exceptions=True)
        assert None in ends, ends
        return made[0]


async def _plays(socket: Any, made: list[int]) -> None:
    """Make legal moves whenever there are some, until both have made enough."""
    groups: Any = None
    while made[0] < MOVES:
        message = json.loads(await socket.recv())
        position, groups = message.get("position"), message.get("actions") or groups
        if message["type"] == "error":
            raise AssertionError(message)
        if message["type"] in ("welcome", "update") and position and (legal := actions(groups, position["legal"])):
            await socket.send(json.dumps({"type": "act", "id": f"{made[0]}", "action": legal[0]}))
            made[0] += 1


async def post(field: Field, path: str, body: Any, token: str = "") -> Any:
    data = b"" if body is None else json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {BYSTANDER}\r\nConnection: close\r\nContent-Type: application/json\r\n"
    who = f"Authorization: Bearer {token}\r\n" if token else ""
    async with connected(field, SCHOOL) as (reader, writer):
        writer.write(f"{head}{who}Content-Length: {len(data)}\r\n\r\n".encode() + data)
        answer = await reader.read()
    top, _, content = answer.partition(b"\r\n\r\n")
    assert top.startswith(b"HTTP/1.1 2"), answer[:300]
    return json.loads(content) if content else None


async def spectators(field: Field, size: int) -> None:
    """Watch one table, all of them."""
    code, _ = await asyncio.to_thread(field.table)
    where = f"ws://{BYSTANDER}:{field.port}/api/v1/tables/{code}/socket"
    there = [0]

    async def watch(number: int) -> None:
        async with connect(where, proxy=None, compression=None, local_addr=(somewhere(number), 0)) as socket:
            await socket.send('{"type": "hello"}')
            await socket.recv()
            there[0] += 1
            async for _ in socket:
                pass

    tasks = []
    try:
        for number in range(size):
            tasks.append(asyncio.create_task(watch(number)))
            if number % 50 == 49:
                await asyncio.sleep(0.1)
        await asyncio.Event().wait()
    finally:
        field.note(f"{there[0]} of {size} were let in")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
