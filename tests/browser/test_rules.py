"""The rules pages in a real browser: on paper, an example played by hand, and a quick reference at the table."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from .bench.person import DESKTOP, PATIENCE, PHONE, Person
from .bench.screen_checks import violations
from .bench.serving import Server

SHEETS = 2
PAGES = re.compile(rb"/Type\s*/Page\b")
EXAMPLES = {"bebop": 5, "bpm": 5, "boogie": 4}
LOCALES = {"en": "en-GB", "nl": "nl-NL"}


def opened(browser: Browser, server: Server, path: str, language: str = "en", **options: Any) -> Page:
    context = browser.new_context(base_url=server.url, locale=LOCALES[language], reduced_motion="reduce", **options)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto(f"/#/rules/{path}")
    return page


@pytest.mark.parametrize("game", EXAMPLES)
def test_the_rules_fit_on_two_sheets(browser: Browser, server: Server, game: str) -> None:
    for language in LOCALES:
        page = opened(browser, server, game, language, color_scheme="dark")
        expect(page.locator("figure.example .picture svg:visible").first).to_be_attached()
        expect(page.locator("figure.example")).to_have_count(EXAMPLES[game])
        printed = page.pdf(prefer_css_page_size=True, print_background=True)
        assert len(PAGES.findall(printed)) == SHEETS
        assert page.evaluate("document.documentElement.dataset.theme") == "dark", "as it was before printing"
        page.context.close()


@pytest.mark.parametrize("device", [DESKTOP, PHONE | {"color_scheme": "dark"}], ids=["desktop", "phone"])
def test_an_example_is_tried_by_hand(browser: Browser, server: Server, device: dict[str, Any]) -> None:
    page = opened(browser, server, "bebop/families", **device)
    example = page.locator("figure.example", has_text="Book one of your dice")
    expect(example.get_by_role("img", name=re.compile("A small festival"))).to_be_visible()
    press = Locator.click if device is DESKTOP else Locator.tap
    press(example.get_by_role("button", name="Try it"))
    press(example.locator("[data-at='hand-0']"))
    press(example.locator("[data-hex='e6']"))
    if device is not DESKTOP:
        press(example.get_by_role("button", name="Book it"))  # a finger is asked again
    expect(example.locator(".outcome")).to_contain_text("You score 3 points")
    assert violations(page) == []
    example.get_by_role("button", name="Start again").click()
    expect(example.locator("ul.outcome")).to_have_count(0)
    page.context.close()


def test_a_quick_reference_opens_at_the_table(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    me.page.keyboard.press("?")
    panel = me.page.get_by_role("region", name="Rules")
    expect(panel.get_by_role("heading", name="Bebop at a glance")).to_be_visible()
    assert violations(me.page) == []
    me.page.set_viewport_size({"width": 390, "height": 844})
    expect(me.page.get_by_role("dialog", name="Rules").get_by_text("Your turn")).to_be_visible()
    me.page.keyboard.press("?")
    expect(me.page.get_by_role("dialog", name="Rules")).to_have_count(0)
    me.leaves()
