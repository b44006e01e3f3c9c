"""Bebop in a real browser, from the first click to the last."""

import random
import signal
from typing import Any

from playwright.sync_api import Browser, expect

from ..bench.person import PATIENCE, PHONE, Person
from ..bench.programs import LATE, fast_forward
from ..bench.serving import Server
from .bebop import by_keys, by_mouse, by_touch, by_walking, keys_for

KEYS = 6  # a decision takes on average, at most
LOST = """() => {
  window.lost = [];
  let had = false;
  const check = () => {
    const here = document.activeElement !== document.body;
    if (had && !here) window.lost.push(document.querySelector('.prompt')?.textContent);
    had ||= here;
    requestAnimationFrame(check);
  };
  check();
}"""


def test_a_whole_game_against_bots_by_mouse(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    me.plays(by_mouse, random.Random(1), 8)
    fast_forward(server, me, LATE["bebop"])
    assert me.plays(by_mouse, random.Random(1)) > 0
    expect(me.page.get_by_role("region", name="The end of the game")).to_be_visible(timeout=PATIENCE * 1000)
    me.leaves()


def test_a_whole_game_against_bots_by_keyboard_alone(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.page.goto("/")
    me.page.keyboard.press("Tab")
    me.opens_a_game_against_bots("Bebop!")
    me.page.evaluate(LOST)
    typed = 0

    def counted(person: Person, action: dict[str, Any]) -> None:
        nonlocal typed
        typed += len(keys_for(person, action))
        by_keys(person, action)

    decisions = me.plays(counted, random.Random(2), 20)
    assert me.page.evaluate("window.lost") == [], "the focus is always somewhere"
    fast_forward(server, me, LATE["bebop"])
    me.page.keyboard.press("Tab")
    me.page.evaluate(LOST)
    decisions += me.plays(counted, random.Random(2))
    assert decisions > 20
    assert typed / decisions <= KEYS, f"{typed / decisions:.1f} keys a decision"
    assert me.page.evaluate("window.lost") == [], "the focus is always somewhere"
    me.leaves()


def test_the_keyboard_also_walks_from_piece_to_hex(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    me.plays(by_walking, random.Random(2), 8)
    me.leaves()


def test_a_game_on_a_phone_by_touch(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, **PHONE)
    me.opens_a_game_against_bots("Bebop!")
    me.plays(by_touch, random.Random(3), 25)
    assert me.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight"), "a table does not scroll"
    me.leaves()


def test_reload_and_lost_connection_in_the_middle_lose_nothing(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    me.plays(by_mouse, random.Random(4), 4)
    me.page.reload()
    me.plays(by_mouse, random.Random(5), 4)
    server.end(signal.SIGKILL)
    me.page.wait_for_timeout(300)
    server.start()
    me.wait(lambda: me.received[-1]["type"] in ("welcome", "update", "table", "clock"), "to be back")
    me.plays(by_mouse, random.Random(6), 4)
    assert sum(step["actor"] == 0 for step in me.log()) == 12, "every move is there, and once"
    me.leaves()


def test_two_people_in_two_browsers_play_a_whole_game(browser: Browser, server: Server) -> None:
    ada, bob = Person(browser, server.url), Person(browser, server.url)
    bob.joins(ada.invites("Bebop!", seats=2), "Bob")
    ada.starts()
    rng = random.Random(7)
    while not ada.is_over:
        for person in (ada, bob):
            person.page.wait_for_timeout(5)
            if person.legal:
                person.plays(by_mouse, rng, 1)
    assert_hidden_dice_stay_hidden(ada, other=1)
    assert_hidden_dice_stay_hidden(bob, other=0)
    assert ada.resyncs == bob.resyncs == server.figure("resyncs_total") == 0
    ada.leaves()
    bob.leaves()


def assert_hidden_dice_stay_hidden(person: Person, other: int) -> None:
    """With two players hands are hidden: nothing that came to the browser before the end names the other's dice."""
    seen = 0
    for frame in person.received:
        view = (frame.get("position") or {}).get("view")
        if view and view["phase"] != "over":
            seen += 1
            assert view["hidden_hands"]
            assert view["hands"][other]["dice"] is None
        for event in frame.get("events", []):
            if event["type"] in ("DieDrawn", "DieRerolled") and event["seat"] == other:
                assert not any(event.get(field) for field in ("die", "before", "after")), event
    assert seen > 50
