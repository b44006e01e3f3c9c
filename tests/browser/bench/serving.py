"""The production server for the browser tests: a separate process with its own database."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

METRICS_TOKEN = "for those who look at figures"
SITE = Path(__file__).parents[3] / "src" / "jamboree" / "server" / "site" / "index.html"


class Server:
    """A server that can be stopped, killed and started again at the same address."""

    def __init__(
        self, folder: Path, program: str = "tests.browser.bench.serve_me", environment: dict[str, str] | None = None
    ) -> None:
        self.folder, self.program, self.port, self.environment = folder, program, 0, environment
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        database = str(self.folder / "tables.db")
        command = [sys.executable, "-m", self.program, database, str(self.port)]
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=self.environment
            )
        assert self.process.stdout
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                return
        raise AssertionError(f"the server did not start: {(self.folder / 'server.log').read_text()}")

    def figure(self, name: str) -> float:
        """Read one of the server's metrics; a restart sets it back."""
        answer = httpx.get(f"{self.url}/metrics", headers={"authorization": f"Bearer {METRICS_TOKEN}"})
        found = re.search(rf"^jamboree_{name} (\S+)$", answer.text, re.MULTILINE)
        assert found, answer.text
        return float(found[1])

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process:
            self.process.send_signal(how)
            self.process.wait(30)
            assert self.process.stdout
            self.process.stdout.close()
            self.process = None


@contextmanager
def a_server(
    folder: Path, program: str = "tests.browser.bench.serve_me", environment: dict[str, str] | None = None
) -> Iterator[Server]:
    assert SITE.exists(), "the web client is not built: run `make site`"
    server = Server(folder, program, environment)
    server.start()
    try:
        yield server
    finally:
        server.end()
