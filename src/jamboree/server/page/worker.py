"""The Python half of the web worker that runs a page's tables. `web/src/page/worker.ts` calls it."""

import json
from collections.abc import Mapping
from typing import Any, Protocol

from .disk import Disk, DiskFailed, Guard, GuardFailed, MemoryDisk
from .server import PageServer
from .thinker import Search

GUARD_FAILED = "GuardFailed"  # the name of the error that the disk throws


class BrowserRows(Protocol):
    """`web/src/page/disk.ts`, as Pyodide presents it."""

    async def read(self, beginning: str) -> Any: ...
    async def write(self, rows: Any, guard: Any) -> None: ...


class BrowserDisk(Disk):
    """IndexedDB."""

    def __init__(self, rows: BrowserRows) -> None:
        self._rows = rows

    async def read(self, beginning: str) -> dict[str, bytes]:
        found = await self._rows.read(beginning)
        return {key: bytes(value) for key, value in found.to_py()}

    async def write(self, rows: Mapping[str, bytes | None], guard: Guard | None = None) -> None:
        from pyodide.ffi import JsException, to_js  # type: ignore[import-not-found]

        try:
            await self._rows.write(to_js([*rows.items()]), to_js(guard))
        except JsException as error:
            raise GuardFailed if error.name == GUARD_FAILED else DiskFailed(error.name) from None


server: PageServer


def _searching(search: Any) -> Search:
    async def carry_out(worker: int, game: str, task: dict[str, Any]) -> Any:
        from js import Object  # type: ignore[import-not-found]
        from pyodide.ffi import to_js

        found = await search(worker, game, to_js(task, dict_converter=Object.fromEntries))
        return found.to_py()

    return carry_out


async def start(rows: BrowserRows | None, search: Any) -> None:
    """Open the tables; without `rows` they are gone when the page is closed. `search` posts tasks to other workers."""
    global server
    server = PageServer(BrowserDisk(rows) if rows else MemoryDisk(), search=_searching(search))
    await server.__aenter__()


async def request(method: str, path: str, query: str, acting_as: str, body: Any) -> tuple[bool, bytes]:
    """The answer to a request: whether it was granted, and its body."""
    content = body.encode() if isinstance(body, str) else bytes(body.to_py())
    answer = await server.request(method, path, json.loads(query), acting_as, content)
    return answer.ok, answer.body


async def connect(number: int, code: str, post: Any) -> None:
    await server.connect(number, code, lambda frame: post(number, frame))


def receive(number: int, text: str) -> None:
    server.receive(number, text)


async def hang_up(number: int) -> None:
    await server.hang_up(number)
