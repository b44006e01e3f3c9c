"""Lessons of every game, from the first page to the free game: by mouse, keyboard and touch."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from jamboree.core.learning import CourseKind, LessonStep, course_of
from jamboree.core.learning.course import matches
from jamboree.games import find

from .bench.person import PHONE, Gesture, Person
from .bench.screen_checks import clipped, scrolls, violations
from .bench.serving import Server
from .games import bebop, boogie, bpm

TITLES = {"bebop": "Bebop!", "bpm": "BPMs per minute", "boogie": "Boogie Beasts"}
MOUSE: dict[str, Gesture] = {"bebop": bebop.by_mouse, "bpm": bpm.by_mouse, "boogie": boogie.by_mouse}
TOUCH: dict[str, Gesture] = {"bebop": bebop.by_touch, "bpm": bpm.by_touch, "boogie": boogie.by_touch}
KEYS: dict[str, Gesture] = {"bebop": bebop.by_walking, "bpm": bpm.by_keys, "boogie": boogie.by_keys}
SHOW, MINE, BACK = "Show me", "Now me", "Take it back"


def lesson(person: Person) -> dict[str, Any]:
    """Return what the server says about the lesson."""
    seen: dict[str, Any] = next(each["table"]["lesson"] for each in reversed(person.received) if each.get("table"))
    return seen


def stage(person: Person) -> str:
    """Return how far the lesson is in the progress dots."""
    return person.page.locator(".coach").get_attribute("data-stage") or ""


def is_shown(person: Person, at: dict[str, Any]) -> bool:
    """Return whether the coach has come so far, and the board hears what is pressed."""
    coach, resting = person.page.locator(".coach"), person.page.locator("main.table[data-step]")
    here = (stage(person), coach.get_attribute("data-step")) == (at["stage"], f"{at['lesson']} {at['step']}")
    return here and resting.count() > 0


TURN_OVER = "turn-over"  # a button that is there once a special seat has been picked up


def begins(person: Person, game: str) -> None:
    person.page.goto("/")
    person.page.get_by_role("region", name=TITLES[game]).get_by_role("link").click()
    person.page.locator(".coach").wait_for()
    person.wait(lambda: person.position is not None, "for the lesson")


def arrives_at(person: Person, number: int) -> None:
    """Wait until a lesson has begun."""
    person.wait(lambda: lesson(person)["lesson"] == number, f"for lesson {number + 1}")
    settles(person)


def settles(person: Person) -> None:
    """Wait until the page shows what the server says, and the others have moved."""
    person.wait(lambda: lesson(person)["stage"] != "watching" and is_shown(person, lesson(person)), "a stage")


def does_what_is_asked(person: Person, game: str, gesture: Gesture) -> None:
    at = lesson(person)
    step: LessonStep = course_of(find(game), at["course"]).lessons[at["lesson"]].steps[at["step"]]  # type: ignore[union-attr]
    right = [each for each in person.legal if any(matches(pattern, each) for pattern in step.right)]
    action = next((each for each in right if matches(step.show, each)), right[0])
    passing = [(at["step"], at["stage"])]  # where the lesson is not done with it yet
    if action["type"] == "PromiseTo":  # a person says to whom, what for and what at once
        action, steps = whole_promise(game, at, action["to"])
        passing += [(at["step"] + more, at["stage"]) for more in range(1, steps)]
    folded = person.button(person.word("learn.got-it"))
    if folded.is_visible():
        folded.click()
        expect(person.page.locator(".bubble")).to_have_count(0)
    gesture(person, action)
    person.wait(lambda: (lesson(person)["step"], lesson(person)["stage"]) not in passing, f"for {action}")
    settles(person)


def whole_promise(game: str, at: dict[str, Any], to: int | None) -> tuple[dict[str, Any], int]:
    """Return the promise that a lesson asks for in two or three steps, and the number of these steps."""
    course = course_of(find(game))
    assert course
    rest = [step.right[0] for step in course.lessons[at["lesson"]].steps[at["step"] + 1 :]]
    is_deal = rest[0]["type"] == "AskInExchange"
    asked, term = (complete(rest[0]["term"]), rest[1]["term"]) if is_deal else (None, rest[0]["term"])
    return {"type": "Promise", "to": to, "asked": asked, "term": complete(term)}, 3 if is_deal else 2


def complete(term: dict[str, Any]) -> dict[str, Any]:
    """Add the fields of a promise's term that a lesson leaves out."""
    return {"worth": 0, **term, "jump": {"number": 1, "solo": None, **term["jump"]}}


def learns(person: Person, game: str, gesture: Gesture, go_on: Callable[[], None], kind: CourseKind = "basics") -> None:
    """Go through every lesson, doing what is asked."""
    course = course_of(find(game), kind)
    assert course
    for number in range(len(course.lessons)):
        arrives_at(person, number)
        while stage(person) != "right":
            does_what_is_asked(person, game, gesture)
        go_on()
    expect(person.page.locator(".coach")).to_have_attribute("data-stage", "over")
    stored = person.page.evaluate("JSON.parse(localStorage.getItem('jamboree.lessons'))")
    key = game if kind == "basics" else f"{game} {kind}"
    assert stored[key] == "", "the course is not finished for this browser"


def plays_on(person: Person) -> None:
    """Begin the free game, against Rookie."""
    person.button(person.word("learn.play")).click()
    person.wait(lambda: lesson(person) is None, "for the free game")
    bots = next(each["table"]["bots"] for each in reversed(person.received) if each.get("table"))
    assert bots and {bot["level"] for bot in bots} == {"rookie"}
    expect(person.page.locator(".coach")).to_have_count(0)


def asks_the_coach(person: Person) -> None:
    """Have a hint in the free game."""
    person.button(person.word("learn.coach")).click()
    expect(person.page.get_by_role("region", name=person.word("hint"))).to_be_visible()


@contextmanager
def learner(browser: Browser, server: Server, **device: Any) -> Iterator[Person]:
    person = Person(browser, server.url, **device)
    yield person
    person.leaves()


@pytest.mark.parametrize("game", TITLES)
def test_a_game_is_learnt_by_mouse(browser: Browser, server: Server, game: str) -> None:
    with learner(browser, server) as me:
        begins(me, game)
        learns(me, game, MOUSE[game], lambda: me.button(me.word("learn.next")).click())
        plays_on(me)


@pytest.mark.parametrize("game", TITLES)
def test_a_game_is_learnt_in_dutch_on_a_phone(browser: Browser, server: Server, game: str) -> None:
    with learner(browser, server, locale="nl-NL", **PHONE) as me:
        begins(me, game)
        learns(me, game, TOUCH[game], lambda: me.button(me.word("learn.next")).tap())
        plays_on(me)


@pytest.mark.parametrize("game", TITLES)
def test_a_game_is_learnt_by_keys(browser: Browser, server: Server, game: str) -> None:
    with learner(browser, server) as me:
        begins(me, game)
        me.page.keyboard.press("Tab")

        def go_on() -> None:
            bebop.tab_to(me, 'button:text-is("Next")')
            me.page.keyboard.press("Enter")

        learns(me, game, KEYS[game], go_on)
        plays_on(me)
        asks_the_coach(me)


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_a_mistake_is_explained_and_taken_back(browser: Browser, server: Server, device: dict[str, Any]) -> None:
    with learner(browser, server, **device) as me:
        begins(me, "bebop")
        for number in range(1, 4):
            me.page.get_by_role("button", name="Skip").click()
            arrives_at(me, number)
        expect(me.page.locator('[data-spot="hex-e6"]')).to_have_count(1)
        if device:
            me.button("Hide this").tap()
        wrong = {"type": "BookSeat", "die": 0, "hex": "b7"}
        (bebop.by_touch if device else bebop.by_mouse)(me, wrong)
        expect(me.page.locator(".bubble")).to_contain_text("That seat is all alone: it touches no red die.")
        received = me.page.locator(".visually-hidden[aria-live=polite]").filter(has_text="Opal, box office. Not quite.")
        expect(received).to_contain_text("That seat is all alone: it touches no red die.")
        expect(me.page.locator('[data-better="hex-e6"]')).to_have_count(1)  # the loss is drawn
        me.button(BACK).click()
        expect(me.page.locator(".bubble")).to_contain_text("Birds of a colour")
        me.button(SHOW).click()
        expect(me.page.locator(".coach")).to_have_attribute("data-stage", "shown")
        me.button(MINE).click()
        expect(me.page.locator(".coach")).to_have_attribute("data-stage", "asking")


def test_a_new_position_is_announced_only_where_the_position_changes(browser: Browser, server: Server) -> None:
    with learner(browser, server) as me:
        begins(me, "bebop")
        me.page.locator(".road button").nth(1).click()
        arrives_at(me, 1)
        does_what_is_asked(me, "bebop", MOUSE["bebop"])
        for number, announced in ((2, False), (3, True)):  # the third lesson goes on where the second ended
            me.page.locator(".road button").nth(number).click()
            expect(me.page.locator(".coach")).to_have_attribute("data-step", f"{number} 0")
            assert (me.word("learn.relocated") in me.page.locator(".sayer").inner_text()) is announced


def test_the_light_lies_on_what_is_to_be_pressed(browser: Browser, server: Server) -> None:
    with learner(browser, server) as me:
        begins(me, "boogie")
        expect(me.page.locator("[data-spot]")).to_have_count(2)
        spots = me.page.locator("[data-spot]").evaluate_all("rings => rings.map((ring) => ring.dataset.spot)")
        assert spots == ["card-sure", "jump-3"]
        ring, zone = (me.page.locator(each).bounding_box() for each in ('[data-spot="jump-3"]', '[data-at="jump-3"]'))
        assert ring and zone and ring["x"] <= zone["x"] and ring["width"] >= zone["width"]


@pytest.mark.parametrize("game", TITLES)
def test_every_place_that_is_lit_is_there(browser: Browser, server: Server, game: str) -> None:
    course = course_of(find(game))
    assert course
    with learner(browser, server) as me:
        begins(me, game)
        for number, each in enumerate(course.lessons):
            me.page.locator(".road button").nth(number).click()
            arrives_at(me, number)
            there = [spot for spot in each.steps[0].spot if spot != TURN_OVER]
            expect(me.page.locator("[data-spot]")).to_have_count(len(there))
            if TURN_OVER in each.steps[0].spot:
                me.at(there[0]).click()
                expect(me.page.locator(f'[data-spot="{TURN_OVER}"]')).to_have_count(1)


def test_somebody_who_leaves_comes_back_where_they_were(browser: Browser, server: Server) -> None:
    with learner(browser, server) as me:
        begins(me, "bpm")
        me.page.locator(".road button").nth(4).click()
        me.wait(lambda: lesson(me)["lesson"] == 4, "for the fifth lesson")
        bpm.by_mouse(me, {"type": "SwapDancers", "cell": "b3", "other": "c3"})
        me.wait(lambda: lesson(me)["step"] == 1, "for the second step")
        me.page.get_by_role("link", name="Leave the lesson").click()
        me.page.get_by_role("region", name=TITLES["bpm"]).get_by_role("link").click()
        expect(me.page.locator(".prompt")).to_contain_text("Put your token on c3.")
        expect(me.page.get_by_role("region", name="My games")).to_have_count(0)


def test_a_server_that_starts_again_goes_on_with_the_lesson(browser: Browser, server: Server) -> None:
    with learner(browser, server) as me:
        begins(me, "bebop")
        bebop.by_mouse(me, {"type": "ClaimSeat", "tile": "basic", "hex": "a2", "face_down": False})
        expect(me.page.locator(".coach")).to_have_attribute("data-stage", "wrong")
        server.end()
        server.start()
        expect(me.page.locator(".prompt")).not_to_have_class(re.compile("down"), timeout=30_000)
        me.button(BACK).click()
        expect(me.page.locator(".coach")).to_have_attribute("data-stage", "asking")
        bebop.by_mouse(me, {"type": "ClaimSeat", "tile": "basic", "hex": "d6", "face_down": False})
        expect(me.page.locator(".coach")).to_have_attribute("data-stage", "right")


@pytest.mark.parametrize("game", TITLES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lessons_are_accessible_and_fit(browser: Browser, server: Server, game: str, theme: str) -> None:
    with learner(browser, server, locale="nl-NL", color_scheme=theme) as me:
        me.page.goto(f"/#/learn/{game}")
        me.page.locator(".bubble").wait_for()
        under_the_veil = ("color-contrast",)
        assert [each for each in violations(me.page) if each[0] not in under_the_veil] == []
        for size in ({"width": 1440, "height": 900}, {"width": 390, "height": 844}, {"width": 360, "height": 740}):
            me.page.set_viewport_size(size)  # type: ignore[arg-type]
            me.page.locator(".bubble").wait_for()
            assert not scrolls(me.page)
            assert clipped(me.page) == []


@pytest.mark.parametrize(
    ("game", "device"), [("bebop", {}), ("bpm", {"locale": "nl-NL", **PHONE}), ("boogie", {})], ids=TITLES
)
def test_the_second_course_is_played_without_a_light_on_its_answers(
    browser: Browser, server: Server, game: str, device: dict[str, Any]
) -> None:
    with learner(browser, server, **device) as me:
        me.page.goto(f"/#/learn/{game}/strategy")
        me.page.locator(".coach").wait_for()
        settles(me)
        expect(me.page.locator("[data-spot]")).to_have_count(0)
        learns(
            me, game, (TOUCH if device else MOUSE)[game], lambda: me.button(me.word("learn.next")).click(), "strategy"
        )
        me.page.goto("/")
        expect(me.page.get_by_role("region", name=TITLES[game]).get_by_role("link")).to_have_attribute(
            "href", f"#/learn/{game}"
        )


def test_a_mistake_in_the_second_course_names_its_cost(browser: Browser, server: Server) -> None:
    with learner(browser, server) as me:
        me.page.goto("/#/learn/bebop/strategy")
        me.page.locator(".coach").wait_for()
        settles(me)
        bebop.by_mouse(me, {"type": "TakeFromQueue", "place": 1})
        expect(me.page.locator(".bubble")).to_contain_text("Nothing on the board waits for that one.")
        expect(me.page.locator(".bubble .cost")).to_contain_text(re.compile(r"this move wins at least \d+ fewer"))
        me.button(BACK).click()
        expect(me.page.locator(".coach")).to_have_attribute("data-stage", "asking")
        me.page.reload()
        settles(me)
        assert lesson(me)["course"] == "strategy"
        me.page.get_by_role("link", name="The lessons").click()
        me.wait(lambda: lesson(me)["course"] == "basics", "for the first course")


def test_a_deal_in_a_lesson_is_accepted_by_its_button(browser: Browser, server: Server) -> None:
    with learner(browser, server) as me:
        begins(me, "boogie")
        me.page.locator(".road button").nth(5).click()
        arrives_at(me, 5)
        expect(me.page.locator('[data-spot="promise"]')).to_have_count(1)
        me.button("Deal").click()
        me.wait(lambda: (lesson(me)["step"], lesson(me)["stage"]) == (3, "asking"), "for the next deal")
