"""The shell's pages with a game that the client does not know: no poster, no theme, no table UI."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from ..bench.person import DESKTOP, PHONE, Person
from ..bench.screen_checks import clipped, violations
from ..bench.serving import Server, a_server

TITLE = "High Card"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with a_server(tmp_path_factory.mktemp("unknown"), "tests.browser.games.serve_unknown") as server:
        yield server


@pytest.mark.parametrize(("device", "theme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"])
def test_a_game_without_a_table_ui_is_listed_set_up_and_explained(
    browser: Browser, server: Server, device: dict[str, Any], theme: str
) -> None:
    me = Person(browser, server.url, color_scheme=theme, **device)
    me.page.goto("/")
    regions = me.page.locator(".posters section")
    expect(regions).to_have_count(4)
    expect(regions.last).to_have_attribute("aria-label", TITLE)
    expect(regions.last.locator(".art")).to_contain_text("HighCard")
    assert violations(me.page) == []

    me.invites(TITLE, seats=3)
    expect(me.page.get_by_role("heading", level=1)).to_contain_text(TITLE)
    me.page.evaluate("document.querySelector('details').open = true")
    me.page.get_by_role("switch", name="Timed").click()
    me.wait(lambda: (me.received[-1].get("table") or {}).get("options") == {"timed": True}, "for the option")
    assert violations(me.page) == []
    assert clipped(me.page) == []

    me.page.goto("/")
    mine = me.page.get_by_role("link", name=TITLE)
    expect(mine.first).to_be_visible()
    expect(me.page.locator("li", has=mine).first.locator("[aria-hidden=true]")).to_have_text("H")

    me.page.goto("/#/rules/high-card")
    expect(me.page.get_by_role("heading", level=1).first).to_have_text(TITLE)
    assert violations(me.page) == []
    me.leaves()
