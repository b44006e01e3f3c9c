from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from .chromium import a_browser
from .serving import Server, a_server

PATIENCE = 20_000  # milliseconds for anything to appear


@pytest.fixture(scope="module")  # it holds an event loop as long as it is open
def browser() -> Iterator[Browser]:
    with a_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with a_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def page(browser: Browser, server: Server, tmp_path: Path) -> Iterator[Page]:
    """A desktop page of somebody new; anything that goes wrong in it fails the test."""
    context = browser.new_context(base_url=server.url, viewport={"width": 1440, "height": 900}, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, errors
