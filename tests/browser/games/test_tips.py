"""First-time tips, why-nots and tooltips cover nothing that can be pressed and nothing that they are about."""

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, ViewportSize, expect

from ..bench.person import PHONE, Person
from ..bench.serving import Server
from . import bebop, boogie, bpm

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
TIP = '[aria-label="New to you"]'
WATCH = """
window.tips = { seen: [], covered: [] };
const PRESSED = 'button, a, input, summary, [role=button], [role=gridcell], [data-ring]';
const at = (element) => element.getBoundingClientRect();
const overlaps = (one, other) =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
setInterval(() => document.querySelectorAll('TIP, .toast p').forEach((tip) => {
  if (tip.getAnimations({ subtree: true }).length) return;
  const [box, text] = [at(tip), tip.innerText.split('\\n')[0]];
  const found = [...document.querySelectorAll('main :is(' + PRESSED + ')')].filter((element) => {
    const { width, height } = at(element);
    const seen = width > 2 && height > 2 && element.checkVisibility() && getComputedStyle(element).clipPath === 'none';
    return seen && !tip.contains(element) && overlaps(box, at(element));
  }).map((element) => element.dataset.at || element.dataset.ring || element.innerText || element.ariaLabel);
  const outside = box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
  const high = innerWidth < 500 && box.height > 56;
  const wrong = [...found, ...(outside ? ['outside'] : []), ...(high ? ['more than two lines'] : [])];
  if (tip.matches('TIP') && !window.tips.seen.includes(text)) window.tips.seen.push(text);
  if (wrong.length) window.tips.covered.push(text + ': ' + wrong.join(', '));
}), 40);
""".replace("TIP", TIP)
LINGERS = 450  # ms that a player reads before a move

GAMES: dict[str, tuple[Any, Any, int, set[str]]] = {
    "bebop": (bebop.by_mouse, bebop.by_touch, 16, {"queue", "reroll"}),
    "bpm": (bpm.once(bpm.by_mouse), bpm.once(bpm.by_touch), 7, {"setlist", "quest", "hype"}),
}


@pytest.mark.parametrize("device", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("game", GAMES)
def test_a_tip_covers_nothing_that_can_be_pressed(
    browser: Browser, server: Server, game: str, device: dict[str, Any]
) -> None:
    by_mouse, by_touch, moves, certain = GAMES[game]
    me = a_reader(browser, server, device)
    boogie.opens(me, 3, 2, game)
    hand = by_touch if device is PHONE else by_mouse

    def slowly(person: Person, action: dict[str, Any]) -> None:
        person.page.wait_for_timeout(LINGERS)
        hand(person, action)

    me.plays(slowly, random.Random(5), moves)
    expect_nothing_covered(me, {me.word(f"web.moment.{key}", game) for key in certain})
    me.leaves()


@pytest.mark.parametrize("device", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_tip_covers_nothing_in_the_plane_the_jump_and_after_the_jury(
    browser: Browser, server: Server, device: dict[str, Any]
) -> None:
    me = a_reader(browser, server, device)
    boogie.opens(me, 3, 2)
    hand = boogie.by_touch if device is PHONE else boogie.by_mouse

    def slowly(person: Person, move: dict[str, Any]) -> None:
        person.page.wait_for_timeout(LINGERS)
        hand(person, move)

    boogie.plays(me, slowly, Silent(6), lambda: boogie.view_of(me)["jumprun"] == 2)
    boogie.plays(me, slowly, Silent(7), boogie.reaches(me, "jump"))
    expect_nothing_covered(me, {me.word(f"web.moment.{key}", "boogie") for key in ("laying", "promising")})
    me.leaves()


class Silent(random.Random):
    """Promises nothing, and lays all cards."""

    def random(self) -> float:
        return 0.99


def a_reader(browser: Browser, server: Server, device: dict[str, Any]) -> Person:
    """A new person, whose page notes whatever a tip lies over."""
    me = Person(browser, server.url, new=True, **device)
    me.context.add_init_script(WATCH)
    return me


def expect_nothing_covered(me: Person, certain: set[str]) -> None:
    found = me.page.evaluate("window.tips")
    assert found["covered"] == []
    assert {text for text in certain if not any(seen.startswith(text) for seen in found["seen"])} == set()


def test_while_a_clock_runs_a_tip_stays_folded_beside_it(browser: Browser, server: Server) -> None:
    me = a_reader(browser, server, PHONE)
    boogie.opens(me, 3, 2, pace="own", plane_seconds=300, jump_seconds=300)
    tip, folded = me.page.locator(TIP), me.button("1 tip")
    expect(tip).to_contain_text("face down")  # told before the clock matters
    boogie.does(me, boogie.by_touch, {"type": "SayReady"})
    boogie.waits_for(me, "plane")
    expect(folded).to_be_visible()
    expect(tip).to_have_count(0)
    me.at("ready").focus()
    me.page.keyboard.press("?")
    expect(tip).to_contain_text("Promise something")
    expect(folded).to_have_count(0)
    assert me.page.evaluate("document.activeElement.dataset.at") == "ready", "the focus stays where it was"
    me.page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    boogie.does(me, boogie.by_touch, {"type": "SayReady"})
    boogie.waits_for(me, "jump")
    expect(tip).to_have_count(0)
    expect_nothing_covered(me, set())
    me.leaves()


@pytest.mark.parametrize("device", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_why_not_stands_above_the_hand_until_the_next_press(
    browser: Browser, server: Server, device: dict[str, Any]
) -> None:
    me = Person(browser, server.url, **device)
    me.opens_a_game_against_bots("Bebop!")
    me.wait(lambda: bool(me.legal), "for my turn")
    line = me.page.locator(".hand-line")
    before = line.bounding_box()

    def press(place: Locator) -> None:
        if device is PHONE:
            place.tap()
        else:
            place.click()

    press(me.at("supply-vip"))
    expect(line).to_contain_text("VIP")
    press(bebop.hex_at(me, "a1"))
    expect(line).to_contain_text("VIP hex")
    expect(me.page.locator(".refused")).to_have_count(1)
    assert line.bounding_box() == before, "nothing jumps"
    hand = me.page.locator('.hand [data-at^="supply-"]')
    assert all(hand.evaluate_all(ON_TOP)), "the hand can be pressed meanwhile"
    press(me.at("supply-basic"))
    expect(me.page.locator(".refused")).to_have_count(0)
    me.leaves()


ON_TOP = """all => all.map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
})"""
HEIGHTS = (640, 720, 800)


def test_a_tip_fits_under_the_inspector_at_any_height(browser: Browser, server: Server) -> None:
    me = a_reader(browser, server, LAPTOP)
    boogie.opens(me, 4, 3, "bpm")
    expect(me.page.locator(TIP)).to_be_visible()
    for height in HEIGHTS:
        size: ViewportSize = {"width": 1280, "height": height}
        me.page.set_viewport_size(size)
        me.page.wait_for_timeout(200)
    expect_nothing_covered(me, set())
    me.leaves()
