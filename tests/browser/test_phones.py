"""The fullest tables on the smallest screens."""

import random

import pytest
from playwright.sync_api import Browser, expect

from .bench.looks import clipped, scrolls
from .bench.person import PHONE, Person
from .bench.serving import Server
from .bench.touch import overlapping, small
from .games.boogie import by_touch, opens, plays, reaches

SIZES = {"upright": (360, 740), "on its side": (740, 360)}


def a_phone(size: str) -> dict[str, object]:
    width, height = SIZES[size]
    return {**PHONE, "viewport": {"width": width, "height": height}}


@pytest.mark.parametrize("size", SIZES)
def test_eight_jump_on_a_small_phone(browser: Browser, server: Server, size: str) -> None:
    me = Person(browser, server.url, **a_phone(size))
    opens(me, seats=8, bots=7)
    for scene in ("plane", "jump"):
        plays(me, by_touch, random.Random(8), reaches(me, scene))
        assert not scrolls(me.page)
        assert clipped(me.page) == []
    me.page.locator(".tray [data-card]").first.wait_for()
    assert small(me.page) == []
    assert overlapping(me.page) == []
    for name in me.page.locator(".zone.solo .owner b").all():
        expect(name).to_be_in_viewport(ratio=1)
    me.leaves()


@pytest.mark.parametrize("size", SIZES)
def test_a_setlist_is_chosen_on_a_small_phone_without_a_tap_to_read(
    browser: Browser, server: Server, size: str
) -> None:
    me = Person(browser, server.url, **a_phone(size))
    me.opens_a_game_against_bots("BPMs per minute")
    me.wait(lambda: bool(me.legal), "for the setlist")
    for part in (".bpm", ".action", ".caption b", ".artist", ".date"):
        written = me.page.locator(f".setlist {part}")
        expect(written).to_have_count(10)
        for one in written.all():
            expect(one).to_be_in_viewport(ratio=1)
    assert not scrolls(me.page)
    assert small(me.page) == []
    assert overlapping(me.page) == []
    me.leaves()
