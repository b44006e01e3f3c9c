"""The first page: one press to play, Learn in sight, options that cover nothing, and own games first."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from .bench.finished import a_finished_game
from .bench.person import DESKTOP, PHONE, Person
from .bench.serving import Server
from .first_look import first_look

SCREENS: dict[str, dict[str, Any]] = {
    "desktop": DESKTOP,
    "laptop": {"viewport": {"width": 1280, "height": 720}},
    "phone": PHONE,
    "small phone": {**PHONE, "viewport": {"width": 360, "height": 740}},
    "phone on its side": {**PHONE, "viewport": {"width": 844, "height": 390}},
}
FOCUSED = "() => (document.activeElement.ariaLabel || document.activeElement.innerText).replaceAll('\\n', ' ').trim()"


@pytest.mark.parametrize("locale", ["en-GB", "nl-NL"])
@pytest.mark.parametrize("screen", list(SCREENS))
def test_play_and_learn_of_every_game_are_in_sight(browser: Browser, server: Server, screen: str, locale: str) -> None:
    me = Person(browser, server.url, locale=locale, **SCREENS[screen])
    me.page.goto("/")
    expect(me.page.locator("section .learn")).to_have_count(3)
    me.page.evaluate("document.fonts.ready")
    height = SCREENS[screen]["viewport"]["height"]
    for kind in ("play", "learn"):
        for button in me.page.locator(f"section .{kind}").all():
            box = button.bounding_box()
            assert box
            assert box["y"] + box["height"] <= height, (kind, box)
    assert me.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing lies beside the page"
    me.leaves()


def test_the_column_answers_to_change_and_covers_nothing(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.page.goto("/")
    poster = me.page.get_by_role("region", name="Bebop!", exact=True)
    expect(me.page.locator("section .play")).to_have_count(3)
    me.page.evaluate("document.fonts.ready")
    before = [each.bounding_box() for each in me.page.locator("section .play").all()]
    poster.get_by_role("button", name="change players").click()
    panel = me.page.get_by_role("region", name="Bebop! for you")
    panel.get_by_text("Star", exact=True).click()
    panel.get_by_text("4", exact=True).click()
    expect(poster.get_by_role("button", name="Play Bebop! against three Stars")).to_be_visible()
    assert [each.bounding_box() for each in me.page.locator(".posters .play").all()] == before
    me.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(poster.get_by_role("button", name="change players")).to_be_focused()
    me.page.reload()
    expect(poster.get_by_text("You and three Stars")).to_be_visible()
    me.leaves()


def test_a_phone_answers_with_a_sheet_that_plays(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, **PHONE)
    me.page.goto("/")
    me.page.get_by_role("region", name="Bebop!").get_by_role("button", name="change players").tap()
    sheet = me.page.get_by_role("dialog", name="Bebop! for you")
    expect(sheet.get_by_role("button", name="With friends")).to_be_in_viewport()
    box = sheet.bounding_box()
    assert box
    assert box["y"] + box["height"] == PHONE["viewport"]["height"]
    sheet.get_by_text("Regular", exact=True).tap()
    sheet.get_by_role("button", name="Play Bebop! against two Regulars").tap()
    me.wait(lambda: me.position is not None, "for the game to begin")
    me.leaves()


def test_the_keyboard_goes_through_own_games_then_the_posters_then_the_column(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    me.wait(lambda: bool(me.legal), "for my turn")
    me.page.goto("/")
    expect(me.page.get_by_role("heading", level=1)).to_have_text("A table waits for you")
    me.page.get_by_role("button", name="Settings").focus()
    order = list[str]()
    for _ in range(14):
        me.page.keyboard.press("Tab")
        order.append(me.page.evaluate(FOCUSED))
    assert order[0].startswith("Go: Your turn")
    assert order[1:5] == [
        "Play Bebop! against two Rookies",
        "You and two Rookies change players",
        "Learn in 5 minutes",
        "Invite friends",
    ]
    assert order[5].startswith("Play BPMs")
    assert order[13] == me.page.get_by_label("Got a code?").evaluate(FOCUSED)
    me.leaves()


def test_a_first_page_asks_for_little_and_nothing_moves_when_its_fonts_come(browser: Browser, server: Server) -> None:
    for _ in range(4):  # a list that makes the page longer when it comes
        a_finished_game(server.url, "bpm", 2)
    for screen in (SCREENS["small phone"], DESKTOP):
        load = first_look(browser, server.url, **screen)
        assert load.requests < 15, load
        assert load.needed < 80_000, load
        assert 20_000 < load.fonts < 60_000, load
        assert load.shifts < 0.001, load
