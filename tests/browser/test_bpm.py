"""BPMs Per Minute in a real browser, from the setlist to the last combo."""

import random
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, expect

from .bpm import by_keys, by_mouse, by_touch, drags_or_clicks, kept, once
from .looks import troubles
from .person import PHONE, Person
from .serving import Server

TITLE = "BPMs per minute"


class Keen(random.Random):
    """Chooses among what is done on the floor, where that is possible."""

    def choice(self, actions: Sequence[Any]) -> Any:
        moving = [each for each in actions if each["type"] == "SwapDancers"]
        doing = [each for each in actions if each["type"] not in ("FinishSong", "Decline")]
        return super().choice(moving or doing or actions)


def test_a_whole_game_against_bots_by_mouse(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots(TITLE)
    assert me.plays(once(by_mouse), random.Random(1)) > 16
    expect(me.page.get_by_role("region", name="The end of the game")).to_contain_text("Headliner")
    assert troubles(me.page) == []
    me.leaves()


def test_a_whole_game_against_bots_by_keyboard_alone(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots(TITLE)
    assert me.plays(once(by_keys), random.Random(2)) > 16
    expect(me.page.get_by_role("region", name="The end of the game")).to_be_visible()
    me.leaves()


def test_a_game_on_a_phone_by_touch(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, **PHONE)
    me.opens_a_game_against_bots(TITLE)
    assert me.plays(once(by_touch), Keen(3), 25) > 20
    assert me.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight"), "a table does not scroll"
    me.leaves()


def test_dragging_a_dancer_onto_another_swaps_them(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots(TITLE)
    me.plays(once(drags_or_clicks), Keen(4), 16)
    assert sum(action["type"] == "SwapDancers" for action in kept(me)) >= 2
    me.leaves()
