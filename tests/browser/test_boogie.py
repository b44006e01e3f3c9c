"""Boogie Beasts in a real browser: all at once, face down, and against the clock."""

import random

from playwright.sync_api import Browser, expect

from .boogie import by_keys, by_mouse, by_touch, opens, phase, plays
from .looks import clipped, scrolls
from .person import PHONE, Person
from .serving import Server


def test_a_whole_game_against_bots_by_mouse(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    opens(me, seats=3, bots=2)
    assert plays(me, by_mouse, random.Random(1), lambda: me.is_over) > 20
    expect(me.page.get_by_role("region", name="The end of the game")).to_be_visible()
    me.leaves()


def test_a_whole_game_against_bots_by_keyboard_alone(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    opens(me, seats=4, bots=3)
    assert plays(me, by_keys, random.Random(2), lambda: me.is_over) > 20
    expect(me.page.get_by_role("region", name="The end of the game")).to_be_visible()
    me.leaves()


def test_eight_play_on_a_phone_by_touch(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, **PHONE)
    opens(me, seats=8, bots=7)
    for scene in ("preparation", "plane", "jump", "preparation", "plane"):
        plays(me, by_touch, random.Random(3), lambda scene=scene: phase(me) == scene)
        assert not scrolls(me.page)
        assert clipped(me.page) == []
    me.leaves()
