"""The page without a server: files from `python -m http.server`, and whatever may go wrong in a browser."""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from .bench.alone import STATIC, PersonAlone, static_files
from .bench.person import PHONE
from .games.bebop import by_mouse

TITLES = {"bebop": "Bebop!", "bpm": "BPMs per minute", "boogie": "Boogie Beasts"}
AT_ONCE = """localStorage.setItem('jamboree.settings', '{"firsts":false,"pace":"instant"}');"""
QUICK = AT_ONCE.replace("instant", "quick")  # in a plane full of bots that are ready at once nobody can press anything
KILLS = int(os.environ.get("JAMBOREE_BROWSER_KILLS", "2"))
NO_STORAGE = "Object.defineProperty(self, 'indexedDB', { value: undefined });\n"
FULL_STORAGE = """
let full = false;
new BroadcastChannel('full').onmessage = ({ data }) => (full = data);
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...row) {
  if (full) throw new DOMException('', 'QuotaExceededError');
  return put.apply(this, row);
};
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page under a path of a static host."""
    folder = tmp_path_factory.mktemp("host")
    (folder / "festival").symlink_to(STATIC)
    with static_files(folder) as url:
        yield f"{url}/festival/"


def arrives(browser: Browser, address: str, **options: Any) -> PersonAlone:
    """Somebody whose bots don't hesitate."""
    me = PersonAlone(browser, address, **options)
    me.context.add_init_script(AT_ONCE)
    return me


def plays_on(me: PersonAlone, game: str, most: int = 10_000) -> None:
    hands = import_module(f"tests.browser.games.{game}")
    if hasattr(hands, "plays"):  # several act at once
        hands.plays(me, hands.by_mouse, random.Random(1), lambda: me.is_over)
    else:
        me.plays(getattr(hands, "once", lambda hand: hand)(hands.by_mouse), random.Random(1), most)


@pytest.mark.parametrize("game", ["bebop", "boogie"])
def test_a_game_is_played_to_its_end_without_a_server(browser: Browser, address: str, game: str) -> None:
    me = arrives(browser, address)
    if game == "boogie":
        me.context.add_init_script(QUICK)
    requests: list[str] = []
    me.page.on("request", lambda request: requests.append(request.url))
    me.opens_a_game_against_bots(TITLES[game])
    plays_on(me, game)
    expect(me.page.get_by_role("region", name="The end of the game")).to_be_visible()
    code = me.page.url.rpartition("/")[2]
    me.page.goto(f"./#/fairness/{code}")
    with me.page.expect_download() as saved:
        me.button("Download the record").click()
    assert json.loads(saved.value.path().read_bytes())["header"]["game"] == game
    assert not [url for url in requests if "/api/" in url]
    me.leaves()


def test_a_reload_loses_nothing(browser: Browser, address: str) -> None:
    me = arrives(browser, address)
    me.opens_a_game_against_bots(TITLES["bebop"])
    for _ in range(3):
        plays_on(me, "bebop", 3)
        before = me.seq
        me.page.reload()
        me.wait(lambda: me.received[-1]["type"] == "welcome", "for the game after a reload")
        assert me.seq >= before, "what was acknowledged is there"
    me.leaves()


def test_a_game_is_played_to_its_end_with_the_network_off(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "festival").symlink_to(STATIC)
    with static_files(tmp_path) as url:
        me = arrives(browser, f"{url}/festival/", service_workers="allow")
        me.page.goto("./")
        me.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    me.page.reload()
    me.opens_a_game_against_bots(TITLES["bpm"])
    plays_on(me, "bpm")
    expect(me.page.get_by_role("region", name="The end of the game")).to_be_visible()
    me.context.close()


def test_lessons_hints_and_rules_work_without_a_server(browser: Browser, address: str) -> None:
    me = arrives(browser, address, **PHONE)
    me.page.goto("#/rules/bebop")
    expect(me.page.get_by_role("heading", level=1).first).to_be_visible()
    me.page.goto("#/learn/bebop")
    me.wait(lambda: me.position is not None, "for the first lesson")
    me.page.goto("./")
    me.opens_a_game_against_bots(TITLES["bebop"])
    me.wait(lambda: bool(me.legal), "for my turn")
    me.button("Hint").click()
    me.button("Go on").click()
    me.wait(lambda: any(each["type"] == "hint" for each in me.received), "for a hint")
    me.leaves()


def test_only_one_window_has_the_tables(browser: Browser, address: str) -> None:
    me = arrives(browser, address)
    me.opens_a_game_against_bots(TITLES["bebop"])
    other = me.context.new_page()
    other.goto(me.page.url)
    expect(other.get_by_role("heading", name="Open in another tab")).to_be_visible()
    me.page.close()
    expect(other.locator("main.table")).to_be_visible()
    me.context.close()


def changed_worker(me: PersonAlone, beginning: str) -> None:
    """Have the worker begin with other code."""

    def fulfil(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=beginning + response.text())

    me.context.route(re.compile(r"/tables-\w+/worker\.js$"), fulfil)


def test_a_private_window_forgets_and_says_so(browser: Browser, address: str) -> None:
    me = arrives(browser, address)
    changed_worker(me, NO_STORAGE)
    me.opens_a_game_against_bots(TITLES["bebop"])
    me.button("In this page").click()
    expect(me.page.get_by_text("A private window forgets")).to_be_visible()
    me.context.close()


def test_a_move_that_cannot_be_kept_is_not_played(browser: Browser, address: str) -> None:
    me = arrives(browser, address)
    changed_worker(me, FULL_STORAGE)
    me.opens_a_game_against_bots(TITLES["bebop"])
    me.wait(lambda: bool(me.legal), "for my turn")
    tell = "full => { const channel = new BroadcastChannel('full'); channel.postMessage(full); channel.close(); }"
    me.page.evaluate(tell, True)
    me.page.wait_for_timeout(200)
    before = me.seq
    by_mouse(me, me.legal[0])
    expect(me.page.get_by_text("keep the move").first).to_be_visible()
    assert me.seq == before
    me.page.evaluate(tell, False)
    me.page.reload()
    me.wait(lambda: me.received[-1]["type"] == "welcome", "for the game after a reload")
    plays_on(me, "bebop", 4)
    assert me.seq > before
    me.context.close()


def test_what_needs_a_server_is_not_offered(browser: Browser, address: str) -> None:
    me = arrives(browser, address)
    me.page.goto("./")
    expect(me.page.get_by_text("This page plays without a server")).to_be_visible()
    expect(me.page.get_by_role("link", name="big screen")).to_have_count(0)
    me.page.get_by_role("region", name="Bebop!").get_by_role("button", name="On this device").click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    me.context.close()


def test_a_killed_browser_loses_nothing_acknowledged(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.browser.bench.kill_alone", str(tmp_path), str(KILLS)]
    ran = subprocess.run(command, cwd=STATIC.parent, capture_output=True, text=True, timeout=120 * KILLS, check=True)
    kills = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(kills) == KILLS
    assert any(acknowledged for acknowledged, _ in kills), "something was acknowledged"
    for acknowledged, there in kills:
        assert there >= acknowledged
