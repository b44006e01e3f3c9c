"""The fullest tables on the smallest screens."""

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from jamboree.games.bpm.box.crate import house_source
from jamboree.games.bpm.box.crate_csv import read

from ..bench.person import PHONE, Person
from ..bench.screen_checks import LAID_OUT, clipped, scrolls
from ..bench.serving import Server
from ..bench.touch import overlapping, small
from ..games.boogie import by_touch, opens, plays, reaches, view_of

SIZES = {"upright": (360, 740), "on its side": (740, 360)}
SPILLING = """songs => songs.filter((song) => {
  const [room, text] = [song, song.querySelector('.caption')].map((one) => one.getBoundingClientRect());
  return text.top < room.top - 1 || text.bottom > room.bottom + 1 || text.right > room.right + 1;
}).map((song) => song.textContent)"""
WRITTEN = "(all, text) => all.forEach((one) => { one.textContent = text; })"
SONGS = read(house_source()).songs
LONGEST = {
    ".caption b": max((song.title for song in SONGS), key=len),
    ".artist": max((song.artist for song in SONGS), key=len),
    ".date": "23 Sept 1991",
}
SAID = """plans => plans.map((plan) => {
  const edge = plan.getBoundingClientRect();
  const said = [...plan.querySelectorAll('.saying')].filter((one) => one.checkVisibility());
  const whole = said.filter((one) => {
    const { top, bottom, right } = one.getBoundingClientRect();
    return top >= edge.top && bottom <= edge.bottom && right <= edge.right;
  });
  const rest = Number(plan.querySelector('.rest')?.textContent ?? 0);
  return [said.length, whole.length, rest];
})"""


def a_phone(size: str) -> dict[str, Any]:
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
    me.page.route("**/*.woff2", lambda route: route.abort())  # a first visit: the letters are those of the system
    me.opens_a_game_against_bots("BPMs per minute")
    me.wait(lambda: bool(me.legal), "for the setlist")
    for part in (".bpm", ".action", ".caption b", ".artist", ".date"):
        written = me.page.locator(f".setlist {part}")
        expect(written).to_have_count(10)
        for one in written.all():
            expect(one).to_be_in_viewport(ratio=1)
    assert me.page.locator(".setlist .song").evaluate_all(SPILLING) == []
    for part, longest in LONGEST.items():
        me.page.locator(f".setlist {part}").evaluate_all(WRITTEN, longest)
    assert me.page.locator(".setlist .song").evaluate_all(SPILLING) == []
    assert not scrolls(me.page)
    assert small(me.page) == []
    assert overlapping(me.page) == []
    me.errors.clear()  # of the fonts
    me.leaves()


@pytest.mark.parametrize("seats", [5, 8])
def test_what_was_promised_stays_in_sight_while_a_deal_is_made(browser: Browser, server: Server, seats: int) -> None:
    me = Person(browser, server.url, **a_phone("upright"))
    opens(me, seats=seats, bots=seats - 1, pace="untimed")
    plays(me, by_touch, random.Random(8), reaches(me, "plane"))
    me.wait(lambda: len(view_of(me)["promises"]) >= seats + 1, "for promises")
    fold, whom = me.page.locator(".fold"), me.page.locator(".to .one").first
    fold.or_(whom).filter(visible=True).first.wait_for()
    if fold.is_visible():
        fold.tap()
    whom.tap()
    me.page.locator(".exchange .toggle").tap()
    me.page.get_by_role("group", name="I want").get_by_role("button", name="figures").tap()
    me.page.evaluate(LAID_OUT)
    plans = me.page.locator(".plan").evaluate_all(SAID)
    about = {(promised["seat"], str(promised["term"]["jump"])) for promised in view_of(me)["promises"]}
    assert sum(shown + rest for shown, _, rest in plans) == len(about), "the hidden ones are counted"
    assert [shown for shown, _, _ in plans] == [whole for _, whole, _ in plans], "what is shown is whole"
    assert not [rest for shown, _, rest in plans if rest and not shown], "something of each is in sight"
    expect(me.button("Offer this deal")).to_be_in_viewport(ratio=1)
    assert small(me.page) == []
    assert overlapping(me.page) == []
    me.leaves()
