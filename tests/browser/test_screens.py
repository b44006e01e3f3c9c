"""Every screen in every theme: axe finds nothing, tables do not scroll, nothing is clipped."""

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize

from .bench.person import DESKTOP, PHONE, Gesture, Person
from .bench.programs import LATE, fast_forward
from .bench.screen_checks import misfits, violations
from .bench.serving import Server
from .games import bebop, bpm

THEMES = ("light", "dark")
DEVICES: dict[str, tuple[dict[str, Any], list[ViewportSize]]] = {
    "phone": (PHONE, [{"width": 390, "height": 844}, {"width": 360, "height": 740}, {"width": 740, "height": 360}]),
    "desktop": (DESKTOP, [{"width": 1440, "height": 900}, {"width": 820, "height": 1180}]),
}
TITLES = ("Bebop!", "BPMs per minute", "Boogie Beasts")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("device", DEVICES)
def test_home_lobby_and_rules_are_accessible(browser: Browser, server: Server, theme: str, device: str) -> None:
    me = Person(browser, server.url, color_scheme=theme, **DEVICES[device][0])
    me.page.goto("/")
    me.page.get_by_role("region", name="Boogie Beasts").wait_for()
    assert violations(me.page) == []
    me.button("Settings").click()
    assert violations(me.page) == []
    me.page.keyboard.press("Escape")
    me.page.goto("/#/rules/bebop")
    me.page.get_by_role("heading", level=1).first.wait_for()
    assert violations(me.page) == []
    for title in TITLES:
        me.invites(title, seats=3)
        me.page.locator("img[src*=invite]").wait_for()
        assert violations(me.page) == []
        me.received.clear()
    me.leaves()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("title", TITLES)
def test_tables_are_accessible(browser: Browser, server: Server, title: str, theme: str) -> None:
    me = Person(browser, server.url, color_scheme=theme)
    me.opens_a_game_against_bots(title)
    me.wait(lambda: bool(me.legal), "for my turn")
    me.page.wait_for_timeout(500)
    assert violations(me.page) == []
    me.leaves()


@pytest.mark.parametrize("language", ["en-GB", "nl-NL"])
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("title", TITLES)
def test_a_table_fits_its_screen(browser: Browser, server: Server, title: str, device: str, language: str) -> None:
    options, sizes = DEVICES[device]
    me = Person(browser, server.url, locale=language, **options)
    me.opens_a_game_against_bots(title)
    me.wait(lambda: bool(me.legal), "for my turn")
    assert misfits(me.page, sizes) == {}
    me.leaves()


@pytest.mark.parametrize(
    ("game", "title", "gesture"),
    [("bebop", "Bebop!", bebop.by_mouse), ("bpm", "BPMs per minute", bpm.once(bpm.by_mouse))],
)
def test_a_full_table_still_fits(browser: Browser, server: Server, game: str, title: str, gesture: Gesture) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots(title)
    fast_forward(server, me, LATE[game])
    me.plays(gesture, random.Random(4), 1)
    me.wait(lambda: bool(me.legal), "for my turn")
    assert misfits(me.page, [size for _, sizes in DEVICES.values() for size in sizes]) == {}
    me.leaves()
