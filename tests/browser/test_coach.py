"""Hints at a table and the game review, by hand: on a phone and a desktop, in both languages."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from .bench.finished import a_finished_game
from .bench.person import DESKTOP, PHONE, Person
from .bench.screen_checks import clipped, scrolls
from .bench.serving import Server

pytest.importorskip("numba")
OPEN = """async ([game, seats]) => {
  const bots = Object.fromEntries(Array.from({ length: seats - 1 }, (_, at) => [at + 1, 'regular']));
  const body = { game, seats, name: 'Ada', bots, start: true, keep: 'cookie', listed: false, pace: 'instant' };
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch('/api/v1/tables', { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()).table;
}"""
DEVICES: dict[str, dict[str, Any]] = {"phone": PHONE, "desktop": DESKTOP}
SECONDS = 60_000  # ms for a hint while twins are loaded


def advised(me: Person) -> None:
    """Wait for advice; while a process of the server is still starting it may have to be asked for again."""
    for _ in range(5):
        me.page.locator(".hint .move, .hint [role=alert]").first.wait_for(timeout=SECONDS)
        if me.page.locator(".hint .move").count():
            return
        me.page.wait_for_timeout(2500)
        me.page.locator(".hint .button.primary").click()
    raise AssertionError("there was no advice")


def at_a_table(me: Person, game: str, seats: int) -> str:
    me.page.goto("/")
    code = str(me.page.evaluate(OPEN, [game, seats]))
    me.page.goto(f"/#/t/{code}")
    me.page.locator("main.table").wait_for()
    return code


@pytest.mark.parametrize(("device", "language", "theme"), [("phone", "nl", "light"), ("desktop", "en", "dark")])
@pytest.mark.parametrize(("game", "seats"), [("bebop", 2), ("bpm", 2)])
def test_a_hint_is_shown_and_played(
    browser: Browser, server: Server, game: str, seats: int, device: str, language: str, theme: str
) -> None:
    me = Person(browser, server.url, **DEVICES[device], locale=language, color_scheme=theme)
    at_a_table(me, game, seats)
    bulb = me.page.get_by_role("button", name="Hint" if language == "en" else "Tip", exact=True)
    expect(bulb).to_be_enabled(timeout=SECONDS)
    expect(bulb).not_to_have_attribute("aria-disabled", "true", timeout=SECONDS)
    bulb.click()
    me.page.get_by_role("button", name="Go on" if language == "en" else "Doorgaan").click()
    advised(me)
    assert clipped(me.page) == []
    assert not scrolls(me.page)
    before = me.seq
    me.page.keyboard.press("1")
    me.page.keyboard.press("Enter")
    expect(me.page.locator(".hint")).to_have_count(0)
    expect(me.page.locator("main.table")).not_to_have_attribute("data-step", str(before), timeout=SECONDS)
    me.leaves()


@pytest.mark.parametrize(("game", "seats"), [("bpm", 2)])
def test_a_finished_game_is_reviewed(browser: Browser, server: Server, game: str, seats: int) -> None:
    entry = a_finished_game(server.url, game, seats)
    me = Person(browser, server.url)
    me.context.set_extra_http_headers({"authorization": f"Bearer {entry.token}"})
    me.page.goto(f"/#/analysis/{entry.table}")
    me.page.locator("figure svg[role=img]").wait_for(timeout=SECONDS)  # it begins by itself
    expect(me.page.locator(".state")).to_have_count(0, timeout=3 * SECONDS)
    expect(me.page.locator("header p")).to_have_text(re.compile(r"· \d+ \w+ 20\d\d · .*\bYou\s\d"))
    expect(me.page.get_by_text("Ada")).to_have_count(0)
    for point in me.page.locator("main li.panel").all():
        numbers = re.search(
            r"by ([+−]\d+) %: from (\d+) % to (\d+) %|cost (\d+) %: from (\d+) %.* to (\d+) %", point.inner_text()
        )
        assert numbers, point.inner_text()
        change, before, after = (int(each.replace("−", "-")) for each in numbers.groups() if each)
        assert abs(change) == abs(after - before), "the numbers of a sentence add up"
    assert not scrolls_sideways(me)
    me.page.set_viewport_size({"width": 390, "height": 844})
    assert not scrolls_sideways(me)
    again = me.page.get_by_role("button", name="Try it from here")
    if again.count():
        again.first.click()
        me.page.locator("main.table, .lobby, main").first.wait_for()
    me.leaves()


def scrolls_sideways(me: Person) -> bool:
    return bool(me.page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"))
