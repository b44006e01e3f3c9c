"""A party in a real browser: a television, phones, a replaced phone, and synchronized animations."""

import random
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from ..bench.party import a_phone, a_television, held, is_over, notes_when, opens, opens_with, when
from ..bench.person import Gesture, Person
from ..bench.programs import LATE, by_program, others
from ..bench.screen_checks import scrolls, unreadable, violations
from ..bench.serving import Server
from ..games import bebop, boogie, bpm

TITLES = {"bebop": "Bebop!", "bpm": "BPMs per minute", "boogie": "Boogie Beasts"}
SEATS = {"bebop": 4, "bpm": 4, "boogie": 8}
NAMES = ("Timo", "Saar", "Wout", "Ida", "Jip", "Mies", "Bo")
BY_TOUCH: dict[str, Gesture] = {"bebop": bebop.by_touch, "bpm": bpm.once(bpm.by_touch)}
WITHOUT_WAITING: dict[str, dict[str, Any]] = {"boogie": {"pace": "untimed"}}
HOURS = 3 * 3600 * 1000


def joins(phone: Person, code: str, name: str) -> None:
    phone.joins(f"/#/t/{code}", name)


def assert_is_a_spectator(television: Person) -> None:
    """See that nothing came over the wire that a seat would get, and that there is nothing to press."""
    welcomes = [each for each in television.received if each["type"] == "welcome"]
    assert all(each["you"] == {"person": None, "seat": None} and each["actions"] is None for each in welcomes)
    assert television.page.locator("button, input, a[href]").count() == 0
    assert not scrolls(television.page)


def by_hand(phone: Person, game: str) -> None:
    """Do the first things of a game with a finger."""
    if game == "boogie":
        boogie.plays(phone, boogie.by_touch, random.Random(8), boogie.reaches(phone, "plane"))
    else:
        phone.plays(BY_TOUCH[game], random.Random(1), 2)


@pytest.mark.parametrize("game", SEATS)
def test_a_party_with_as_many_phones_as_there_are_seats(browser: Browser, server: Server, game: str) -> None:
    television = a_television(browser, server)
    code = opens_with(television, game, **WITHOUT_WAITING.get(game, {}))
    expect(television.page.get_by_text("Whoever scans first has the remote.")).to_be_visible()
    phone = a_phone(browser, server)
    joins(phone, code, "Noor")
    with others(server, code, *NAMES[: SEATS[game] - 1]):
        expect(television.page.get_by_text(NAMES[SEATS[game] - 2], exact=True)).to_be_visible()
        assert violations(television.page) == []
        assert unreadable(television.page) == []
        phone.starts()
        by_hand(phone, game)
        television.wait(lambda: television.position is not None, "for the game")
        assert television.position
        assert television.position["legal"]["mask"] == "", "nothing is asked of a television"
        expect(television.page.get_by_role("region", name="The last move")).to_be_visible()
        assert unreadable(television.page) == []
        television.page.reload()
        expect(television.page.get_by_role("region", name="Board")).to_be_visible()
        assert_is_a_spectator(television)
    phone.leaves()
    television.leaves()


@pytest.mark.parametrize(("game", "seats"), [("bebop", 2), ("bpm", 4), ("boogie", 3)])
def test_a_whole_party_ends_with_everybody_on_the_screen(
    browser: Browser, server: Server, game: str, seats: int
) -> None:
    television, phone = a_television(browser, server), a_phone(browser, server)
    code = opens_with(television, game, seats=seats, **WITHOUT_WAITING.get(game, {}))
    joins(phone, code, "Noor")
    with others(server, code, *NAMES[: seats - 1]):
        expect(television.page.get_by_text(NAMES[seats - 2], exact=True)).to_be_visible()
        phone.starts()
        phone.page.goto("about:blank")  # its pocket: the screen alone shows the game
        television.page.goto("about:blank")
        with by_program(server, code, phone, enough=LATE[game]) as programs:
            programs.wait()
        television.page.goto(f"/#/tv/{code}")
        expect(television.page.get_by_role("region", name=re.compile("^(Board|The jury)$"))).to_be_visible()
        with by_program(server, code, phone):
            is_over(server, code)
    expect(television.page.get_by_role("heading", name=re.compile(" wins?!$"))).to_be_visible(timeout=90_000)
    for name in ("Noor", *NAMES[: seats - 1]):
        expect(television.page.get_by_role("listitem").filter(has_text=name).first).to_be_visible()
    expect(television.page.get_by_text("Noor has the remote.")).to_be_visible()
    assert overlaps(television, ".podium", ".story > .story", "footer.bar") == []
    assert_is_a_spectator(television)
    assert unreadable(television.page) == []
    phone.leaves()
    television.leaves()


def test_the_games_of_a_party_can_be_read_from_across_a_room(browser: Browser, server: Server) -> None:
    television = a_television(browser, server)
    television.page.goto("/#/tv")
    expect(television.page.get_by_role("button", name="Play Bebop!")).to_be_visible()
    assert unreadable(television.page) == []
    assert not scrolls(television.page)
    assert violations(television.page) == []
    television.leaves()


def overlaps(person: Person, *selectors: str) -> list[list[str]]:
    """Name the parts of a page that lie over each other, measured at one moment."""
    found: list[list[str]] = person.page.evaluate(
        """(selectors) => {
          const boxes = selectors.map((one) => document.querySelector(one).getBoundingClientRect());
          const pairs = selectors.flatMap((_, at) => selectors.slice(at + 1).map((_, after) => [at, at + 1 + after]));
          const over = ([a, b]) =>
            Math.min(boxes[a].right, boxes[b].right) - Math.max(boxes[a].left, boxes[b].left) > 1 &&
            Math.min(boxes[a].bottom, boxes[b].bottom) - Math.max(boxes[a].top, boxes[b].top) > 1;
          return pairs.filter(over).map(([a, b]) => [selectors[a], selectors[b]]);
        }""",
        list(selectors),
    )
    return found


def test_a_party_goes_on_with_another_game_and_the_same_people(browser: Browser, server: Server) -> None:
    """The remote shows the score of the evening, and switches the game; screen and phones follow."""
    television, noor, timo = a_television(browser, server), a_phone(browser, server), a_phone(browser, server)
    code = opens_with(television, "bpm", seats=2)
    joins(noor, code, "Noor")
    joins(timo, code, "Timo")
    expect(television.page.get_by_text("Timo", exact=True)).to_be_visible()
    noor.starts()
    noor.wait(lambda: noor.position is not None, "for the game")
    with by_program(server, code, noor, timo):
        is_over(server, code)
    television.page.reload()
    expect(television.page.get_by_role("heading", name=re.compile(" wins?!$"))).to_be_visible(timeout=90_000)
    timo.page.reload()
    expect(timo.page.get_by_text("Noor has the remote and chooses the next game.")).to_be_visible()
    noor.page.reload()
    noor.button("Remote").last.tap()
    noor.button("Tonight's score on the screen").tap()
    expect(television.page.get_by_role("heading", name=re.compile("the evening$|point yet$"))).to_be_visible()
    assert unreadable(television.page) == []
    noor.button("Switch to Bebop!").tap()
    for person in (noor, timo, television):
        person.page.wait_for_url(re.compile(f"/(t|tv)/(?!{code})"))
    expect(television.page.get_by_text("Timo", exact=True)).to_be_visible()
    seen = httpx.get(f"{server.url}/api/v1/tables/{television.page.url.rpartition('/')[2]}").json()
    assert (seen["game"], len(seen["evening"])) == ("bebop", 1)
    assert sorted(one["name"] for one in seen["people"] if one["seat"] is not None) == ["Noor", "Timo"]
    for person in (noor, timo, television):
        person.leaves()


def test_a_lost_phone_is_found_on_another_and_the_remote_decides(browser: Browser, server: Server) -> None:
    television = a_television(browser, server)
    code = opens(television, TITLES["bebop"])
    noor, timo = a_phone(browser, server), a_phone(browser, server)
    joins(noor, code, "Noor")
    joins(timo, code, "Timo")
    noor.button("Start with 2 players").click()
    timo.wait(lambda: timo.position is not None, "for the game")
    hand, noor_begins = timo.position, bool(noor.legal)
    waiting, name = (timo, "Noor") if noor_begins else (noor, "Timo")
    expect(waiting.page.locator(".prompt")).to_have_text(f"Look up: {name} is choosing")
    expect(television.page.locator(".prompt")).to_have_text(f"{name}: claim a seat")
    timo.context.close()
    expect(television.page.get_by_text("Timo's phone is away. Scan again to come back.")).to_be_visible()
    found = a_phone(browser, server)
    found.page.goto(f"/#/t/{code}")
    found.button("I am Timo").tap()
    expect(found.page.get_by_text("Noor is asked whether you are Timo.")).to_be_visible()
    assert found.seat is None, "nothing is given away before"
    noor.button("Yes, that is right").tap()
    found.wait(lambda: found.seat == timo.seat, "for the seat")
    assert hand and found.position and found.position["view"]["hands"] == hand["view"]["hands"]
    expect(television.page.get_by_text("Scan again")).to_be_hidden()
    noor.leaves()
    found.leaves()
    television.leaves()


def test_one_phone_has_the_remote_and_can_hand_it_on(browser: Browser, server: Server) -> None:
    television = a_television(browser, server)
    code = opens(television, TITLES["bpm"])
    noor, timo = a_phone(browser, server), a_phone(browser, server)
    joins(noor, code, "Noor")
    joins(timo, code, "Timo")
    timo.button("Remote").tap()
    expect(timo.page.get_by_text("Noor has the remote.")).to_be_visible()
    noor.button("Remote").tap()
    noor.button("Hand the remote to Timo").tap()
    another = a_television(browser, server)
    another.page.goto("/#/tv")
    another.page.get_by_label("Is a party under way? Its code:").fill(f" {code.upper()} ")
    another.button("Show it here").click()
    expect(another.page.get_by_text("Timo starts when you are ready.")).to_be_visible()
    another.leaves()
    timo.button("Fill up with bots").last.tap()
    timo.page.get_by_role("dialog").get_by_role("button", name="Start", exact=True).tap()
    timo.wait(lambda: timo.position is not None, "for the game")
    timo.button("Remote").tap()
    timo.button("End the party").tap()
    timo.button("Really end it, for everybody?").tap()
    expect(television.page.get_by_text("That was the party")).to_be_visible()
    noor.leaves()
    timo.leaves()
    television.leaves()


def test_the_drop_is_told_at_the_same_moment_though_clocks_are_hours_apart(browser: Browser, server: Server) -> None:
    moving = {"reduced_motion": "no-preference"}
    television, phone = a_television(browser, server, **moving), a_phone(browser, server, **moving)
    for person, skew in ((television, HOURS), (phone, -HOURS // 2)):
        notes_when(person, skew, ".drop", ".drop.open")
    code = opens(television, TITLES["bpm"])
    joins(phone, code, "Noor")
    phone.button("Fill up with bots").tap()
    phone.starts()
    for person in (television, phone):
        person.page.evaluate("window.held = 0")
    phone.plays(bpm.once(bpm.by_touch), random.Random(3), 2)  # the setlist, and a song
    for moment in (".drop", ".drop.open"):
        apart = abs(when(television, moment) - when(phone, moment))
        busy = held(television) + held(phone)
        assert apart < 150 + busy, f"{moment}: {apart:.0f} ms apart"
    phone.leaves()
    television.leaves()
