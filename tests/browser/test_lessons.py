"""Lessons that are resumed, and lessons on small screens."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from .bench.person import PHONE, Person
from .bench.screen_checks import LAID_OUT
from .bench.serving import Server
from .test_learning import MOUSE, TITLES, TOUCH, arrives_at, begins, does_what_is_asked, learner, lesson, settles

MIDDLE = {"bebop": 2, "bpm": 3, "boogie": 2}  # lessons of several steps
SIZES: list[ViewportSize] = [{"width": 390, "height": 844}, {"width": 360, "height": 740}]


def asked(person: Person) -> str:
    return person.page.locator(".prompt").inner_text()


@pytest.mark.parametrize("game", TITLES)
def test_a_lesson_goes_on_after_a_restart_and_for_those_who_come_back(
    browser: Browser, server: Server, game: str
) -> None:
    with learner(browser, server) as me:
        begins(me, game)
        me.page.locator(".road button").nth(MIDDLE[game]).click()
        arrives_at(me, MIDDLE[game])
        does_what_is_asked(me, game, MOUSE[game])
        at, goal = lesson(me), asked(me)
        assert at["step"] == 1
        server.end()
        server.start()
        expect(me.page.locator(".prompt")).not_to_have_class(re.compile("down"), timeout=30_000)
        me.page.get_by_role("link", name=me.word("learn.leave")).click()
        me.received.clear()
        begins(me, game)
        settles(me)
        assert (lesson(me), asked(me)) == (at, goal)
        does_what_is_asked(me, game, MOUSE[game])
        assert (lesson(me)["step"], lesson(me)["stage"]) in [(2, "asking"), (1, "right")]


@pytest.mark.parametrize("game", TITLES)
def test_a_coach_on_a_phone_speaks_below_the_board(browser: Browser, server: Server, game: str) -> None:
    with learner(browser, server, **PHONE) as me:
        begins(me, game)
        settles(me)
        for size in SIZES:
            me.page.set_viewport_size(size)
            me.page.evaluate(LAID_OUT)
            board, bubble = (me.page.locator(each).bounding_box() for each in ("section.board", ".bubble"))
            assert board and bubble
            assert board["y"] + board["height"] <= bubble["y"]
            assert board["height"] > 0.3 * size["height"]
        if game == "bebop":  # the coach calls hexes by names, and a phone's board has none
            expect(me.page.locator("[data-named]")).to_have_text(["c5", "d5"])


def skips_to(person: Person, number: int) -> None:
    """Skip all lessons before this one."""
    for past in range(number):
        person.page.get_by_role("button", name=person.word("learn.skip")).click()
        arrives_at(person, past + 1)


NEIGHBOURS = """() => {
  const fan = [...document.querySelectorAll('.songs button')].map((song) => song.getBoundingClientRect());
  const lit = [...document.querySelectorAll('[data-spot^="song-"]')];
  const overlaps = (from, to, ring) => Math.min(to, ring.right) - Math.max(from, ring.left);
  return lit.flatMap((path) => {
    const ring = path.getBoundingClientRect();
    const slot = Number(path.dataset.spot.split('-')[1]);
    const visible = (song) => [fan[song].left, fan[song + 1]?.left ?? fan[song].right];
    const neighbours = [slot - 1, slot + 1].filter((song) => song in fan);
    return neighbours.filter((song) => overlaps(...visible(song), ring) > 1).map((song) => `${slot} ${song}`);
  });
}"""


@pytest.mark.parametrize("device", [PHONE, {}], ids=["phone", "desktop"])
def test_the_light_on_songs_leaves_their_neighbours_dark(
    browser: Browser, server: Server, device: dict[str, Any]
) -> None:
    with learner(browser, server, **device) as me:
        begins(me, "bpm")
        skips_to(me, 2)
        expect(me.page.locator('[data-spot^="song-"]')).to_have_count(3)
        assert me.page.evaluate(NEIGHBOURS) == []


def test_the_last_count_leaves_the_board_in_sight_on_a_phone(browser: Browser, server: Server) -> None:
    with learner(browser, server, **PHONE) as me:
        begins(me, "bebop")
        skips_to(me, 11)
        expect(me.page.locator('[data-named$="-k4"]')).to_have_count(1)
        me.at("hand-2").tap()
        me.page.locator('[data-hex="k4"]').tap()
        sheet = me.page.get_by_role("region", name=me.word("table.inspector"))
        expect(sheet).to_contain_text("+12 at the last count")
        expect(me.page.locator('[data-named$="-k4"]')).to_have_count(0)  # it lies below the sheet
        me.page.evaluate(LAID_OUT)
        board, top = me.page.locator("section.board").bounding_box(), sheet.bounding_box()
        assert board and top
        assert top["y"] > board["y"] + 0.7 * board["height"]


DROP = """() => {
  const box = (one) => one.getBoundingClientRect();
  const tap = box(document.querySelector('.drop .go-on'));
  const over = [...document.querySelectorAll('.drop li :is(.who, .caption)')].filter(
    (one) => box(one).bottom > tap.top && box(one).right > tap.left && box(one).left < tap.right);
  const cut = [...document.querySelectorAll('.drop .artist')].filter((one) => one.scrollWidth > one.clientWidth + 1);
  return [...over, ...cut].map((one) => one.textContent.trim());
}"""


def test_names_and_artists_are_read_in_the_drop_of_a_lesson_on_a_phone(browser: Browser, server: Server) -> None:
    with learner(browser, server, **PHONE) as me:
        begins(me, "bpm")
        skips_to(me, 1)
        does_what_is_asked(me, "bpm", TOUCH["bpm"])
        me.at("song-4").tap(position={"x": 12, "y": 30})  # the next song lies over the rest of it
        me.page.locator(".inspector .primary").tap()
        me.page.locator(".drop .go-on").wait_for()
        assert me.page.evaluate(DROP) == []


def test_a_button_that_completes_a_choice_is_lit(browser: Browser, server: Server) -> None:
    with learner(browser, server, **PHONE) as me:
        begins(me, "bpm")
        skips_to(me, 1)
        me.at("song-0").tap()
        expect(me.page.locator('[data-spot="seal"]')).to_have_count(0)
        me.at("song-1").tap()
        expect(me.page.locator('[data-spot="seal"]')).to_have_count(1)
        begins(me, "boogie")
        skips_to(me, 3)
        does_what_is_asked(me, "boogie", TOUCH["boogie"])
        me.page.locator('[data-card="bluff"]').tap()
        me.at("seat-0").tap()  # a second animal
        for button in ("keep-it", "lay-it"):
            expect(me.page.locator(f'[data-spot="{button}"]')).to_have_count(1)


STANDS_OUT = """() => {
  const ground = (one) => getComputedStyle(one).backgroundColor;
  const next = document.querySelector('.bubble .button.primary');
  return [...document.querySelectorAll('.button.primary')].filter((one) => ground(one) === ground(next)).length;
}"""


def test_one_button_stands_out_when_a_lesson_is_done(browser: Browser, server: Server) -> None:
    with learner(browser, server, **PHONE) as me:
        begins(me, "boogie")
        skips_to(me, 1)
        for _ in range(2):
            does_what_is_asked(me, "boogie", TOUCH["boogie"])
        expect(me.page.locator(".coach")).to_have_attribute("data-stage", "right")
        expect(me.at("ready")).to_be_visible()
        assert me.page.evaluate(STANDS_OUT) == 1


def test_a_mode_that_a_lesson_chooses_considers_no_move(browser: Browser, server: Server) -> None:
    with learner(browser, server, **PHONE) as me:
        begins(me, "bpm")
        skips_to(me, 2)
        does_what_is_asked(me, "bpm", TOUCH["bpm"])
        expect(me.at("mode-place")).to_have_attribute("aria-pressed", "true")
        expect(me.at("mode-place")).to_be_in_viewport()
        expect(me.page.locator(".inspector.empty")).to_have_count(1)
        assert not me.page.evaluate("document.activeElement.dataset?.at?.startsWith('cell-') ?? false")


GAP = """() => {
  const show = document.querySelector('.show');
  const box = (one) => show.querySelector(one).getBoundingClientRect();
  const [heading, cards] = ['header', 'li'].map((one) => box(`.part:nth-child(2) ${one}`));
  const roll = show.lastElementChild.getBoundingClientRect();
  return (cards.top - heading.bottom + roll.top - cards.bottom) / show.clientHeight;
}"""


def test_the_jury_of_a_phone_has_no_gap_around_few_cards(browser: Browser, server: Server) -> None:
    with learner(browser, server, **{**PHONE, "viewport": {"width": 390, "height": 1000}}) as me:
        begins(me, "boogie")
        skips_to(me, 1)
        for _ in range(2):
            does_what_is_asked(me, "boogie", TOUCH["boogie"])
        expect(me.at("ready")).to_be_visible()
        me.page.evaluate(LAID_OUT)
        assert me.page.evaluate(GAP) < 0.1
