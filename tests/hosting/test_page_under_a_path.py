"""The web client under a path of another site: it loads, plays and requests nothing outside."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from jamboree.server.serve import free_port
from tests.browser.bench.chromium import a_browser
from tests.browser.bench.serving import SITE
from tests.server.bench.online import HOST
from tests.server.edge.proxies import wait_for

from .front import in_front


@contextmanager
def serving(database: Path, port: int, url: str) -> Iterator[None]:
    """Run a server for others at an address with a path."""
    arguments = ["--db", str(database), "--port", str(port), "--public-url", url, "--trust-proxy", HOST]
    program = subprocess.Popen([sys.executable, "-m", "jamboree", "serve", *arguments], stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield
    finally:
        program.terminate()
        program.wait(30)


def test_a_game_starts_under_a_path(tmp_path: Path) -> None:
    assert SITE.exists(), "the web client is not built: run `make site`"
    port, server = free_port(HOST, 0), free_port(HOST, 0)
    url = f"https://{HOST}:{port}/jam"
    with (
        serving(tmp_path / "tables.db", server, url),
        in_front("nginx", "under-a-path.conf", server, tmp_path, HOST, port),
        a_browser() as browser,
    ):
        context = browser.new_context(ignore_https_errors=True)
        page, asked = context.new_page(), list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url.replace("wss://", "https://")))
        page.goto(f"{url}/")
        page.get_by_role("region", name="Boogie Beasts").locator(".art").click()
        expect(page).to_have_url(re.compile(rf"^{re.escape(url)}/#/t/\w+"), timeout=30_000)
        expect(page.locator(".prompt").first).to_be_visible(timeout=30_000)
        page.reload()
        expect(page.locator(".prompt").first).to_be_visible(timeout=30_000)
        assert any(each.endswith("/socket") for each in asked)
        assert [each for each in asked if not each.startswith((f"{url}/", "data:"))] == []
        page.screenshot(path=str(tmp_path / "page.png"))
