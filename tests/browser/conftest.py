from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from .bench.chromium import a_browser
from .bench.person import PATIENCE
from .bench.serving import Server, a_server

expect.set_options(timeout=PATIENCE * 1000)  # five seconds, as it is by itself, are not enough on a busy machine


@pytest.fixture(scope="module")  # it holds an event loop as long as it is open
def browser() -> Iterator[Browser]:
    with a_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with a_server(tmp_path_factory.mktemp("server")) as server:
        yield server
        assert server.figure("resyncs_total") == 0, "no client had to ask for a whole position"
