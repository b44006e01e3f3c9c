"""Play all games in a page's server as Pyodide runs it: without threads, processes, and packages that need either.

Run by `test_page_server.py` in a process of its own.
"""

import asyncio
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

MISSING = (
    "litestar",
    "uvicorn",
    "apsw",
    "psycopg",
    "numpy",
    "numba",
    "httptools",
    "websockets",
    "segno",
    "yaml",
    "fcntl",
)


class PageLoop(asyncio.SelectorEventLoop):
    """Work for another thread is done at once, as in Pyodide."""

    def run_in_executor(self, executor: Any, work: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        done = self.create_future()
        try:
            done.set_result(work(*args))
        except Exception as error:
            done.set_exception(error)
        return done


def refuse(*_: Any, **__: Any) -> None:
    raise RuntimeError("A page has neither threads nor processes.")


async def main() -> dict[str, Any]:
    from jamboree.server.live.clock import Tempo
    from jamboree.server.page.disk import MemoryDisk
    from jamboree.server.page.server import PageServer
    from tests.server.page.client import PageClient, ask, opened

    results: dict[str, Any] = {}
    tempo = Tempo(thinking=(0.0, 0.0), forced=(0.0, 0.0), by_the_clock=False)
    async with PageServer(MemoryDisk(), tempo) as server:
        for card in await ask(server, "GET", "games"):
            game, seats = card["key"], card["seats"][0]
            client = await PageClient(server, await opened(server, game, seats)).open()
            moves = await client.play_on(random.Random(7))
            replay = await ask(server, "GET", f"tables/{client.code}/replay", changes="true")
            journal = await ask(server, "GET", f"tables/{client.code}/journal")
            watched = await ask(server, "POST", "journals/watch", journal)
            assert len(watched["views"]) == len(replay), watched
            results[game] = {"moves": moves, "steps": len(replay), "bots": card["bots"], "kinds": client.kinds}
            await server.hang_up(client.number)
    return results


if __name__ == "__main__":
    sys.modules.update(dict.fromkeys(MISSING))  # type: ignore[arg-type]
    del time.thread_time, time.CLOCK_BOOTTIME  # which Emscripten lacks
    threading.Thread.start = refuse  # type: ignore[method-assign]
    subprocess.Popen.__init__ = refuse  # type: ignore[method-assign]
    with asyncio.Runner(loop_factory=PageLoop) as runner:
        print(json.dumps(runner.run(main())))
