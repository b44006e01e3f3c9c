"""The page after a game, on every screen: complete, with a legible chart."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from .bench.finished import a_finished_game
from .bench.person import DESKTOP, PHONE, Person
from .bench.screen_checks import clipped, scrolls
from .bench.serving import Server

SMALL = {**PHONE, "viewport": {"width": 360, "height": 740}}
DEVICES: dict[str, dict[str, Any]] = {"phone": PHONE, "small": SMALL, "desktop": DESKTOP}
GAMES = {"bebop": 2, "bpm": 2, "boogie": 3}
VIEWS = """async (table) => {
  const answer = await fetch(`/api/v1/tables/${table}/replay`);
  return (await answer.json()).length;
}"""
OUTSIDE = """() => [...document.querySelectorAll('.ending *')].filter((element) => {
  if (element.closest('svg') || !element.checkVisibility() || !element.clientWidth) return false;
  const { left, right } = element.getBoundingClientRect();
  return left < -1 || right > innerWidth + 1;
}).map((element) => element.outerHTML.slice(0, 120))"""


def assert_in_reach(ending: Locator) -> None:
    """The last button is seen by those who scroll to the end, and by those who come there by the keyboard."""
    last = ending.get_by_role("link").last
    ending.evaluate("element => element.scrollTo(0, element.scrollHeight)")
    expect(last).to_be_in_viewport(ratio=0.99)
    ending.evaluate("element => element.scrollTo(0, 0)")
    last.focus()
    expect(last).to_be_in_viewport(ratio=0.99)


@pytest.fixture(scope="module", params=GAMES)
def table(request: pytest.FixtureRequest, server: Server) -> str:
    return a_finished_game(server.url, request.param, GAMES[request.param]).table


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("language", ["en", "nl"])
def test_the_end_is_not_cut_off(browser: Browser, server: Server, table: str, device: str, language: str) -> None:
    me = Person(browser, server.url, **DEVICES[device], locale=language)
    me.page.goto(f"/#/t/{table}")
    ending = me.page.locator(".ending")
    ending.wait_for()
    chart = ending.locator("figure svg[role=img]")
    chart.wait_for()
    assert me.page.evaluate(OUTSIDE) == []
    assert clipped(me.page) == []
    assert not scrolls(me.page)
    assert_in_reach(ending)
    points = [int(text) for text in chart.locator("text.points").all_text_contents()]
    steps = chart.locator("text.step").all_text_contents()
    assert points == sorted(points)
    assert 0 in points
    assert len(points) > 1, "an axis of points"
    assert steps[0] == "0"
    assert len(steps) > 2, "an axis of steps, and its name"
    me.leaves()


def test_a_replay_has_every_step(browser: Browser, server: Server, table: str) -> None:
    me = Person(browser, server.url, **PHONE)
    me.page.goto(f"/#/replay/{table}")
    scrubber = me.page.locator(".scrubber")
    scrubber.wait_for()
    last = me.page.evaluate(VIEWS, table) - 1
    expect(scrubber.get_by_role("slider")).to_have_attribute("max", f"{last}")
    expect(scrubber.locator(".played")).to_have_text(re.compile(r"^\d+ \w+ 20\d\d · .*Ada\s-?\d+"))
    scrubber.get_by_role("slider").press("End")
    expect(scrubber.locator(".count")).to_have_text(f"{last}/{last}")
    me.leaves()


def test_the_list_of_replays_has_days_players_and_scores(browser: Browser, server: Server) -> None:
    entry = a_finished_game(server.url, "bpm", 2)
    me = Person(browser, server.url)
    me.context.set_extra_http_headers({"authorization": f"Bearer {entry.token}"})
    me.page.goto("/")
    me.page.evaluate(
        "code => localStorage.setItem('jamboree.tables', JSON.stringify([{ code, game: 'bpm' }]))", entry.table
    )
    me.page.reload()
    listed = me.page.get_by_role("region", name="Replays").get_by_role("listitem").first
    expect(listed).to_contain_text(re.compile(r"BPMs.* · \d+ \w+ 20\d\d · .*\bYou\s-?\d+"))
    me.leaves()


def test_a_review_says_at_once_what_is_being_done(browser: Browser, server: Server) -> None:
    entry = a_finished_game(server.url, "bpm", 2)
    me = Person(browser, server.url, **PHONE)
    me.context.set_extra_http_headers({"authorization": f"Bearer {entry.token}"})
    begun = {"state": "working", "done": 0, "steps": 0, "moments": []}
    me.page.route(re.compile("/analysis"), lambda route: route.fulfill(json=begun))
    me.page.goto(f"/#/analysis/{entry.table}")
    expect(me.page.locator(".state [role=status]")).to_contain_text("In a few seconds it draws")
    expect(me.page.get_by_role("progressbar")).not_to_have_attribute("value", re.compile(".*"))
    me.leaves()
