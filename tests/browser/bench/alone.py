"""A page without a server: served as files by Python's own server, and played by hand."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from jamboree.server.serve import free_port

from .person import Person

STATIC = Path(__file__).parents[3] / "static"
OVERHEAR = """
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({ data }) => data.type === 'frame' && window.heard(data.data));
  }
  postMessage(message, ...more) {
    if (message.type === 'send') window.said(message.text);
    super.postMessage(message, ...more);
  }
};
"""


def until_it_listens(port: int) -> None:
    for _ in range(600):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise TimeoutError("the server of files does not listen")


@contextmanager
def static_files(folder: Path, port: int = 0) -> Iterator[str]:
    """Serve a folder by `python -m http.server`, and return its address."""
    port = port or free_port("127.0.0.1", 0)
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until_it_listens(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


class PersonAlone(Person):
    """Hears what the page's worker posts, as there is no socket."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        super().__init__(browser, url, **options)
        self.page.expose_function("heard", lambda text: self._hear(json.loads(text)))
        self.page.expose_function("said", lambda text: self.sent.append(json.loads(text)))
        self.page.add_init_script(OVERHEAR)
