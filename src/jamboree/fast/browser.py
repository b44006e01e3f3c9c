"""Twins in a real browser: runs compiled WebAssembly modules in Chromium or Firefox, for benchmarks and comparisons.

No driver is needed. A page of a local server asks for tasks, runs them in the client's worker, and sends the results.
"""

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any, NamedTuple

from jamboree.core.errors import JamboreeError

CHROMIUM = ("chromium-headless-shell", "chromium", "google-chrome")
FIREFOX = ("firefox-esr", "firefox")
CHROMIUM_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)
PATIENCE = 120.0  # seconds for one task
PAGE = "browser_page.html"
WORKER = Path(__file__).parents[1] / "server" / "site" / "twin-worker.js"  # built with the web client


class NoBrowser(JamboreeError):
    """No browser that can be started is installed."""

    def __init__(self) -> None:
        super().__init__("No browser was found; install Chromium or Firefox.")


class Played(NamedTuple):
    """Games from their set-up to their ends."""

    moves: int
    games: int
    seconds: float
    masks: bytes
    smalls: bytes


class Searched(NamedTuple):
    """A search, with the fields of its findings."""

    findings: dict[str, Any]
    seconds: float


class BrowserTwin:
    """A twin in a browser's worker."""

    def __init__(self, tasks: "Queue[bytes]", answers: "Queue[dict[str, Any]]") -> None:
        self._tasks, self._answers = tasks, answers

    def load(self, code: bytes) -> float:
        """Compile and instantiate a module; return the seconds that took."""
        return float(self._ask(type="load", code=code)["milliseconds"]) / 1000

    def call(self, loop: str, arguments: Sequence[Any]) -> tuple[int, list[Any]]:
        """Call a loop with numbers and numpy arrays; return its result and the arrays as they are afterwards."""
        sent = [value if isinstance(value, int | float) else _described(value) for value in arguments]
        answer = self._ask(type="call", loop=loop, arguments=sent)
        arrays = [value for value in arguments if not isinstance(value, int | float)]
        changed = [_like(array, _bytes(new)) for array, new in zip(arrays, answer["arrays"], strict=True)]
        return answer["result"], changed

    def play(self, table: Any, games: int, seed: int, greedy: bool = False, seconds: float = 0.0) -> Played:
        """Play batches of games to their ends until the time is over; return the rows of the last batch."""
        answer = self._ask(
            type="play", table=table.tobytes(), games=games, seed=seed, greedy=greedy, seconds=seconds, limit=seconds
        )
        rows = _bytes(answer["masks"]), _bytes(answer["smalls"])
        return Played(answer["moves"], answer["games"], answer["milliseconds"] / 1000, *rows)

    def search(self, request: Mapping[str, Any]) -> Searched:
        """Run a search, given by the fields of its request."""
        answer = self._ask(type="search", request=request, limit=request["seconds"] or 0.0)
        return Searched(answer["findings"], answer["milliseconds"] / 1000)

    def _ask(self, **task: Any) -> dict[str, Any]:
        self._tasks.put(json.dumps(task, default=_encoded).encode())
        try:
            answer = self._answers.get(timeout=PATIENCE + task.get("limit", 0.0))
        except Empty:
            raise JamboreeError(f"The browser has not answered for {PATIENCE:.0f} s.") from None
        if answer["type"] == "failed":
            raise JamboreeError(f"In the browser: {answer['reason']}")
        return answer


def find_browser(names: Sequence[str] = (*CHROMIUM, *FIREFOX)) -> str:
    """Return the path of an installed browser."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise NoBrowser
    return found


@contextmanager
def browser_twin(browser: str, worker: Path = WORKER) -> Iterator[BrowserTwin]:
    """Start a browser, given by the path of its program."""
    if not worker.is_file():
        raise JamboreeError("The web client has not been built; run `make site`.")
    tasks, answers = Queue[bytes](), Queue[dict[str, Any]]()
    contents = {"/": files(__package__).joinpath(PAGE).read_bytes(), "/worker.js": worker.read_bytes()}
    server = _serve(contents, tasks, answers)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            _command(browser, profile, f"http://127.0.0.1:{server.server_port}/"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield BrowserTwin(tasks, answers)
        finally:
            tasks.put(b"")  # the page stops asking
            os.killpg(process.pid, signal.SIGKILL)  # it leads a group of processes
            process.wait()
            server.shutdown()
            server.server_close()


def _command(browser: str, profile: str, url: str) -> list[str]:
    if Path(browser).name.startswith("firefox"):
        return [browser, "--headless", "--no-remote", "--profile", profile, url]
    return [browser, *CHROMIUM_FLAGS, "--remote-debugging-port=0", f"--user-data-dir={profile}", url]


def _serve(contents: dict[str, bytes], tasks: "Queue[bytes]", answers: "Queue[dict[str, Any]]") -> ThreadingHTTPServer:
    """Serve the page, the worker and the tasks on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # headers and body are sent separately, and small

        def do_GET(self) -> None:
            if self.path == "/task":
                self._send(tasks.get())
            elif self.path in contents:
                self._send(contents[self.path], "text/javascript" if self.path.endswith(".js") else "text/html")
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            answers.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self._send(b"")

        def _send(self, body: bytes, kind: str = "application/json") -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def _described(array: Any) -> dict[str, Any]:
    kinds = {"int64": "i8", "int16": "i2", "float64": "f8", "bool": "b1"}
    return {"kind": kinds[str(array.dtype)], "shape": list(array.shape), "bytes": array.tobytes()}


def _like(array: Any, data: bytes) -> Any:
    import numpy

    return numpy.frombuffer(data, array.dtype).reshape(array.shape)


def _encoded(value: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(value).decode()}


def _bytes(value: dict[str, str]) -> bytes:
    return base64.b64decode(value["base64"])
