"""Sizes of screens and fonts at which a table must show everything."""

import random
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, FloatRect, Locator

import jamboree.games.bebop

from .bench.person import PHONE, Person
from .bench.screen_checks import clipped
from .bench.serving import Server
from .games.bebop import by_mouse, by_touch
from .games.boogie import by_mouse as by_mouse_in_the_sky
from .games.boogie import opens, plays, reaches

LONGCHAIN = Path(jamboree.games.bebop.__file__).parent / "box" / "data" / "boards" / "longchain.txt"
WHOLE = "all => all.every((one) => one.scrollWidth <= one.clientWidth + 1)"


def at_bebop(browser: Browser, server: Server, options: dict[str, Any], board: Path | None = None) -> Person:
    """Play Bebop against three bots, on a screen like this."""
    me = Person(browser, server.url, **options)
    if board:
        opens(me, seats=4, bots=3, game="bebop", board=board.read_text("utf-8"))
    else:
        me.opens_a_game_against_bots("Bebop!")
    me.wait(lambda: bool(me.legal), "for my turn")
    me.reads("")
    return me


def box(thing: Locator) -> FloatRect:
    found = thing.bounding_box()
    assert found
    return found


def test_the_event_panel_hides_no_hex_on_a_small_phone(browser: Browser, server: Server) -> None:
    me = at_bebop(browser, server, {**PHONE, "viewport": {"width": 360, "height": 740}})
    me.plays(by_touch, random.Random(3), 4)
    me.wait(lambda: bool(me.legal), "for my turn")
    me.reads("")
    pill = box(me.page.locator(".since"))
    for area in me.page.locator(".hit .area").all():
        place = box(area)
        meet_across = pill["x"] < place["x"] + place["width"] and place["x"] < pill["x"] + pill["width"]
        meet_along = pill["y"] < place["y"] + place["height"] and place["y"] < pill["y"] + pill["height"]
        assert not (meet_across and meet_along)
    me.leaves()


def test_enlarged_letters_keep_seats_distinguishable(browser: Browser, server: Server) -> None:
    me = at_bebop(browser, server, {"viewport": {"width": 720, "height": 450}, "device_scale_factor": 2})
    for seat in me.page.locator(".seats [data-at^=supply-] svg").all():
        assert box(seat)["width"] >= 24
    me.plays(by_mouse, random.Random(3), 2)
    assert me.page.locator("article .points").evaluate_all(WHOLE)
    me.leaves()


def test_a_wide_board_uses_the_height_of_a_desktop(browser: Browser, server: Server) -> None:
    me = at_bebop(browser, server, {"viewport": {"width": 1440, "height": 900}}, LONGCHAIN)
    hexes = [box(area) for area in me.page.locator(".hit .area").all()]
    height = max(one["y"] + one["height"] for one in hexes) - min(one["y"] for one in hexes)
    assert height >= 0.85 * box(me.page.locator(".place"))["height"]
    assert hexes[0]["width"] >= 50
    me.leaves()


def test_a_board_with_three_beasts_fills_a_large_screen(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, viewport={"width": 1920, "height": 1080})
    opens(me, seats=3, bots=2)
    plays(me, by_mouse_in_the_sky, random.Random(3), reaches(me, "plane"))
    assert box(me.page.locator(".plan .sign").first)["width"] >= 65  # bots promise more or less below it
    plays(me, by_mouse_in_the_sky, random.Random(3), reaches(me, "preparation"))
    assert box(me.page.locator(".show .flip").first)["width"] >= 120
    me.leaves()


def test_composing_a_promise_causes_no_layout_shift(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    opens(me, seats=8, bots=7, pace="untimed")
    plays(me, by_mouse_in_the_sky, random.Random(3), reaches(me, "plane"))
    form, mine = me.page.locator(".composer"), me.page.get_by_role("group", name="I promise")
    parts = [form.locator(".one").first, mine.get_by_role("button", name="figures"), form.locator(".make"), form]
    before = [box(part) for part in parts]
    steps = [parts[0], form.locator(".toggle"), parts[1], mine.get_by_role("button", name="One more")]
    for step in [*steps, me.page.get_by_role("group", name="I want").get_by_role("button", name="figures")]:
        step.click()
        places = [box(part) for part in parts]
        assert [place["y"] for place in places] == [place["y"] for place in before]
        assert [place["x"] for place in (*places[:2], places[3])] == [place["x"] for place in (*before[:2], before[3])]
    assert clipped(me.page) == []
    me.leaves()
