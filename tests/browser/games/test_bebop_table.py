"""The cost and the contents of Bebop's table while a player thinks."""

from playwright.sync_api import Browser

from ..bench.person import Person
from ..bench.serving import Server

ENDLESS = """() => document.getAnimations()
  .filter((one) => one.playState === 'running' && one.effect.getTiming().iterations === Infinity)
  .map((one) => one.animationName)"""
OUTLINE = "element => getComputedStyle(element).outlineStyle"


def test_a_waiting_table_has_no_animations(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, reduced_motion="no-preference")
    me.opens_a_game_against_bots("Bebop!")
    me.wait(lambda: any(each["type"] == "ClaimSeat" for each in me.legal), "for my turn")
    me.reads("")
    me.at("supply-basic").click()
    assert me.page.locator(".ring").count() > 12
    assert me.page.evaluate(ENDLESS) == []
    me.leaves()


def test_the_selected_piece_is_visible_in_forced_colours(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, forced_colors="active")
    me.opens_a_game_against_bots("Bebop!")
    me.wait(lambda: any(each["type"] == "ClaimSeat" for each in me.legal), "for my turn")
    me.reads("")
    me.at("supply-basic").click()
    assert me.at("supply-basic").evaluate(OUTLINE) == "solid"
    assert me.at("supply-vip").evaluate(OUTLINE) == "none"
    assert me.page.locator(".backdrop").is_hidden(), "icons stand on the ground the reader chose"
    me.leaves()
