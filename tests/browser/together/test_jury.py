"""The jury at a party: every device turns a card over at the same moment, and the television shows it to all."""

from typing import Any

from playwright.sync_api import Browser, ViewportSize, expect

from ..bench.party import a_phone, a_television, notes_when, opens_with, when
from ..bench.person import Person
from ..bench.programs import others
from ..bench.screen_checks import LAID_OUT, overlapping, unreadable, violations
from ..bench.serving import Server
from ..games.boogie import by_touch, reaches

HOURS = 3 * 3600 * 1000
MOMENTS = (
    ".jury .flip.over",
    ".jury.decided, .jury .verdict:not(:empty)",
)  # the first card turned, and what came of the first jump

NAMES = ("Timo", "Saar", "Zoë-Marie", "Wout", "Ida", "Ornette", "Bo")
SIZES: tuple[ViewportSize, ...] = ({"width": 1280, "height": 720}, {"width": 1920, "height": 1080})
NOW = ".jury .current, .jury .now"


def does(person: Person, **wanted: Any) -> None:
    """Do the first legal thing of a kind, once it is asked for."""

    def found() -> list[dict[str, Any]]:
        return [each for each in person.legal if wanted.items() <= each.items()]

    person.wait(lambda: bool(found()), f"for {wanted}")
    by_touch(person, found()[0])


def test_the_jury_speaks_at_the_same_moment_though_clocks_are_hours_apart(browser: Browser, server: Server) -> None:
    moving = {"reduced_motion": "no-preference"}
    television, phone = a_television(browser, server, **moving), a_phone(browser, server, **moving)
    for person, skew in ((television, HOURS), (phone, -HOURS // 2)):
        notes_when(person, skew, *MOMENTS)
    code = opens_with(television, "boogie", seats=3, pace="untimed")
    phone.joins(f"/#/t/{code}", "Noor")
    with others(server, code, "Timo", "Saar"):
        phone.wait(lambda: phone.button("Start").is_enabled(), "for the others")
        phone.starts()
        does(phone, type="SayReady")
        phone.wait(reaches(phone, "plane"), "for the plane")
        does(phone, type="SayReady")
        does(phone, type="PlayCard", card="sure")
        does(phone, type="SayDone")
        for moment in MOMENTS:
            apart = abs(when(television, moment) - when(phone, moment))
            assert apart < 150, f"{moment}: {apart:.0f} ms apart"
    phone.leaves()
    television.leaves()


def test_the_jury_fills_a_television_for_eight_players(browser: Browser, server: Server) -> None:
    television, phone = a_television(browser, server), a_phone(browser, server)
    page = television.page
    code = opens_with(television, "boogie", seats=8, pace="untimed")
    phone.joins(f"/#/t/{code}", "Noor")
    with others(server, code, *NAMES):
        phone.wait(lambda: phone.button("Start").is_enabled(), "for the others")
        phone.starts()
        does(phone, type="SayReady")
        phone.wait(reaches(phone, "plane"), "for the plane")
        expect(page.get_by_text("a formation takes exactly its number")).to_be_visible()
        does(phone, type="SayReady")
        does(phone, type="PlayCard", card="sure")
        does(phone, type="SayDone")
        page.locator(".jury .steps").wait_for()
        steps, seen = set[str](), ""
        while not page.get_by_text("Next plane").is_visible():
            if (now := " ".join(page.locator(NOW).all_inner_texts())) == seen:
                page.wait_for_timeout(100)
                continue
            seen = now
            steps.update(line for line in now.splitlines() if line.endswith("?") or line in ("Points", "The roll"))
            for size in SIZES:
                page.set_viewport_size(size)
                page.evaluate(LAID_OUT)
                assert overlapping(page) == [], now
            assert unreadable(page) == [], now
        assert "Who jumps?" in steps
        assert len(page.locator(".jury .jumps li").all()) == len(page.locator(".jury .jumps .numbers").all())
        assert violations(page) == []
    phone.context.close()
    expect(page.get_by_text("Scan again to come back.")).to_be_visible()
    assert overlapping(page) == []
    assert unreadable(page) == []
    assert violations(page) == []
    television.leaves()
