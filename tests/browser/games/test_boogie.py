"""Boogie Beasts in a real browser: all at once, face down, and against the clock."""

import json
import random
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, TimeoutError, WebSocketRoute, expect

from jamboree.core.journal import read, steps
from jamboree.games import find
from jamboree.server.protocol.wire import decompressed

from ..bench.person import PHONE, Gesture, Person
from ..bench.programs import LATE, by_program, fast_forward
from ..bench.screen_checks import clipped, scrolls, violations
from ..bench.serving import Server
from .boogie import (
    a_promise,
    acknowledged,
    acts,
    all_ready,
    at_one_table,
    by_keys,
    by_mouse,
    by_touch,
    cautions,
    clicks,
    does,
    events_heard,
    first_play,
    held,
    is_answered,
    opens,
    plays,
    reaches,
    view_of,
    waits_for,
)


def test_a_whole_game_against_bots_by_mouse(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Boogie Beasts")
    begins_and_ends(me, server, by_mouse, random.Random(1))
    expect(me.page.get_by_role("region", name="The end of the game")).to_be_visible()
    me.leaves()


def test_a_whole_game_against_bots_by_keyboard_alone(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    opens(me, seats=3, bots=2)
    begins_and_ends(me, server, by_keys, random.Random(2))
    expect(me.page.get_by_role("region", name="The end of the game")).to_be_visible()
    me.leaves()


def begins_and_ends(me: Person, server: Server, gesture: Gesture, rng: random.Random) -> None:
    """Do the first jumprun and the last by hand: those between are as the first."""
    decisions = plays(me, gesture, rng, lambda: view_of(me)["jumprun"] > 1)
    fast_forward(server, me, LATE["boogie"])
    assert decisions + plays(me, gesture, rng, lambda: me.is_over) >= 6, "twice ready and once done, in both of them"


def test_eight_play_on_a_phone_by_touch(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, **PHONE)
    opens(me, seats=8, bots=7)
    for scene in ("preparation", "plane", "jump", "preparation", "plane"):
        plays(me, by_touch, random.Random(3), reaches(me, scene))
        assert not scrolls(me.page)
        assert clipped(me.page) == []
    me.leaves()


def test_ready_can_be_undone_by_key_and_by_another_card(browser: Browser, server: Server) -> None:
    ada, bob, eve = at_one_table(browser, server, pace="untimed")
    all_ready(ada, bob, eve)
    for _ in range(2):
        does(ada, by_mouse, {"type": "SayReady"})
        does(ada, by_mouse, {"type": "WithdrawReady"})
    does(ada, by_mouse, {"type": "SayReady"})
    expect(ada.button("I am not ready after all")).to_be_hidden()
    for person in (bob, eve):
        does(person, by_mouse, {"type": "SayReady"})
    waits_for(ada, "jump")
    does(ada, by_mouse, {"type": "SayDone"})
    does(ada, by_mouse, first_play(ada, "sure"))
    assert view_of(ada)["ready"] == []
    leave(ada, bob, eve)


def test_three_browsers_play_a_timed_game_without_leaks(browser: Browser, server: Server) -> None:
    ada, bob, eve = people = at_one_table(browser, server, pace="own", plane_seconds=10, jump_seconds=20)
    all_ready(*people)
    waits_for(ada, "plane")
    rng = random.Random(5)
    does(ada, by_mouse, {**a_promise(view_of(ada), rng), "to": 1, "asked": None})
    lay_until_pull(*people)
    for person in people:
        waits_for(person, "preparation")
        assert clocked(person) == ["JumpCalled", "PullCalled"]
    all_ready(*people)
    for person in people:
        waits_for(person, "plane")
        does(person, by_mouse, {"type": "SayReady"})
    waits_for(bob, "jump")
    expect(bob.page.locator("[data-card][aria-pressed=true]")).to_have_count(0)
    expect(eve.page.get_by_role("alert")).to_have_count(0)
    for person in people:
        plays(person, by_mouse, rng, partial(is_done, person))
    with by_program(server, ada.page.url.rpartition("/")[2], *people):
        for person in people:
            person.wait(partial(has_ended, person), "for the end")
    for person in people:
        assert_nothing_known_too_early(person)
    leave(*people)


def lay_until_pull(ada: Person, bob: Person, eve: Person) -> None:
    """Lay what there is time for; when PULL is called Bob has a card in his hand, and Eve is being warned."""
    for person in (ada, bob, eve):
        waits_for(person, "jump")
    does(bob, by_mouse, first_play(bob, "sure"))
    does(eve, by_mouse, first_play(eve, "sure"))
    doubtful = next(action for action in eve.legal if action.get("card") == "maybe" and cautions(eve, action))
    clicks(eve, doubtful)
    expect(eve.page.get_by_role("alert")).to_contain_text("disqualify")
    held(bob, "maybe").click()
    does(ada, by_mouse, first_play(ada, "sure"))
    for person in (ada, bob, eve):
        waits_for(person, "pulled", "preparation")
    expect(eve.button("Lay it all the same")).to_be_hidden()
    assert [len(plays_in(acts(person))) for person in (ada, bob, eve)] == [1, 1, 1]


def test_a_killed_server_loses_nothing_during_a_timed_phase(browser: Browser, server: Server) -> None:
    me = in_the_minute(Person(browser, server.url))
    cards = Counter(view_of(me)["hands"][0]["cards"])
    for card in ("sure", "sure", "maybe"):
        does(me, by_mouse, first_play(me, card))
    last = first_play(me, "bluff")
    clicks(me, last)
    server.end(signal.SIGKILL)
    me.page.wait_for_timeout(300)
    server.start()
    me.wait(lambda: last in acknowledged(me) and is_answered(me), "for the card on its way")
    assert_all_there_once(me, cards)
    goes_on(me)
    me.leaves()


def test_a_lost_response_duplicates_nothing(browser: Browser, server: Server) -> None:
    me, line = Person(browser, server.url), Line()
    me.page.route_web_socket("**/socket", line.pick_up)
    in_the_minute(me)
    cards = Counter(view_of(me)["hands"][0]["cards"])
    for card in ("sure", "maybe", "bluff"):
        action, mended = first_play(me, card), line.mended
        line.waiting = True
        clicks(me, action)
        me.wait(partial(line.has_mended, mended + 1), "for the answer after all")
        assert acts(me)[-2:] == [action, action], "it was sent again"
    assert line.cuts == 3
    assert_all_there_once(me, cards)
    goes_on(me)
    me.leaves()


class Line:
    """A line to the server that can be cut where it hurts: the act has arrived, and its answer is lost."""

    def __init__(self) -> None:
        self.waiting = False  # for the next act, to lose its answer
        self.lost: list[str] = []  # the ids of such acts
        self.cuts = self.mended = 0

    def has_mended(self, count: int) -> bool:
        return self.mended >= count

    def pick_up(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        cut = False

        def ask(message: str | bytes) -> None:
            asked = json.loads(message)
            if self.waiting and asked["type"] == "act":
                self.waiting = False
                self.lost.append(asked["id"])
            server.send(message)

        def answer(message: str | bytes) -> None:
            nonlocal cut
            received = json.loads(decompressed(message) if isinstance(message, bytes) else message)
            meant = received["type"] == "ack" and received["id"] in self.lost
            if meant and self.cuts < len(self.lost):
                cut = True
                self.cuts += 1
                page.close(code=4000)
                server.close(code=4000)
            elif not cut:
                self.mended += meant
                page.send(message)

        page.on_message(ask)
        server.on_message(answer)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_scene_is_accessible(browser: Browser, server: Server, theme: str) -> None:
    me = Person(browser, server.url, color_scheme=theme)
    opens(me, seats=4, bots=3)
    rng = random.Random(6)
    check_accessibility(me)
    does(me, by_mouse, {"type": "SayReady"})
    waits_for(me, "plane")
    does(me, by_mouse, {**a_promise(view_of(me), rng), "to": None, "asked": None})
    me.page.get_by_role("button", name="Only to").first.click()
    me.page.locator(".exchange .toggle").click()
    check_accessibility(me)
    does(me, by_mouse, {"type": "SayReady"})
    waits_for(me, "jump")
    does(me, by_mouse, first_play(me, "sure"))
    held(me, "maybe").click()
    check_accessibility(me)
    held(me, "maybe").click()
    clicks(me, next(action for action in me.legal if action["type"] == "PlayCard" and cautions(me, action)))
    expect(me.page.get_by_role("alert")).to_be_visible()
    check_accessibility(me)
    me.button("Keep it").click()
    does(me, by_mouse, {"type": "SayDone"})
    waits_for(me, "preparation")
    check_accessibility(me)
    fast_forward(server, me)
    me.page.get_by_role("region", name="The end of the game").wait_for()
    check_accessibility(me)
    me.leaves()


def test_the_jury_animation_can_be_paused_hurried_and_skipped(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, reduced_motion="no-preference")
    in_the_minute(me)
    does(me, by_mouse, first_play(me, "sure"))
    does(me, by_mouse, {"type": "SayDone"})
    me.button("Hold").click()
    expect(me.page.locator(".prompt")).to_contain_text("The jury looks at")
    expect(me.button("Go on")).to_be_visible()
    me.button("Turn the next card").click()
    check_accessibility(me)
    me.button("Skip to scores").click()
    expect(me.button("Ready for jumprun 2")).to_be_visible()
    me.leaves()


def check_accessibility(person: Person) -> None:
    person.page.wait_for_timeout(400)
    assert violations(person.page) == []


def in_the_minute(person: Person) -> Person:
    """Against bots and a long clock, up to JUMP."""
    opens(person, seats=5, bots=4, pace="own", plane_seconds=300, jump_seconds=300)
    for scene in ("preparation", "plane"):
        waits_for(person, scene)
        does(person, by_mouse, {"type": "SayReady"})
    waits_for(person, "jump")
    return person


def goes_on(person: Person) -> None:
    does(person, by_mouse, {"type": "SayDone"})
    waits_for(person, "preparation")
    does(person, by_mouse, {"type": "SayReady"})
    waits_for(person, "plane")


def leave(*people: Person) -> None:
    for person in people:
        person.leaves()


def has_ended(person: Person) -> bool:
    return person.is_over


def is_done(person: Person) -> bool:
    return person.is_over or view_of(person)["viewer"] in view_of(person)["ready"]


def plays_in(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [action for action in actions if action["type"] == "PlayCard"]


def assert_all_there_once(person: Person, cards: Counter[str]) -> None:
    """What was acknowledged lies on the table once, the rest is in the hand, and the log says the same."""
    view = view_of(person)
    mine = [{"card": laid["card"], "jump": laid["jump"]} for laid in view["plays"] if laid["seat"] == 0]
    assert mine == [{"card": play["card"], "jump": play["jump"]} for play in plays_in(acknowledged(person))]
    assert Counter(laid["card"] for laid in mine) + Counter(view["hands"][0]["cards"]) == cards
    assert sum(step["actor"] == 0 for step in person.log()) == len(acknowledged(person))


def clocked(person: Person) -> list[str]:
    return [event["type"] for event, _ in events_heard(person) if event.get("by_clock")]


def assert_nothing_known_too_early(person: Person) -> None:
    """Hold everything that came to a browser against the journal of the finished game."""
    me, code = view_of(person)["viewer"], person.page.url.rpartition("/")[2]
    text = person.page.evaluate(f"fetch('/api/v1/tables/{code}/journal').then(answer => answer.text())")
    journal, turned = read(text.encode()), Counter[str]()
    happened = [msgspec.to_builtins(event) for step in steps(journal, find("boogie")) for event in step.events]
    assert [event for event, _ in events_heard(person)] == [
        as_known(event, me) for event in happened if is_known(event, me)
    ]
    for frame in person.received:
        for event in frame.get("events", []):
            turned.update(faces(event) if event["type"] in ("CardsTurned", "LateCardTurned") else ())
        if frame.get("position"):
            assert_view_is_blind(frame["position"]["view"], me, turned)
    for event, sentence in events_heard(person):
        if event["type"] == "CardLaid" and event["seat"] != me:
            assert ("a character card on" if event["character"] else "a jumpcard on") in sentence


def is_known(event: dict[str, Any], me: int) -> bool:
    """Return whether it happened before me: what is only begun and what two have between them did not."""
    if event["type"] in ("PromiseMade", "PromiseJudged"):
        return event["to"] in (None, me) or event["seat"] == me
    return event["type"] not in ("PromiseBegun", "ExchangeAsked", "OddsWeighed") or event["seat"] == me


def as_known(event: dict[str, Any], me: int) -> dict[str, Any]:
    """Take the faces of others' cards out of what happened."""
    hidden = {"CardsDealt": "cards", "CardLaid": "card", "CardLate": "card"}.get(event["type"])
    return {**event, hidden: None} if hidden and event["seat"] != me else event


def faces(value: Any) -> Iterator[str]:
    """Find every open card with who laid it, however deep it is written."""
    if isinstance(value, dict):
        if "seat" in value and value.get("card"):
            yield f"{value['seat']} {value['card']}"
        value = list(value.values())
    for part in value if isinstance(value, list) else []:
        yield from faces(part)


def assert_view_is_blind(view: dict[str, Any], me: int, turned: Counter[str]) -> None:
    others = [seat for seat in range(view["seats"]) if seat != me]
    assert all(view["hands"][seat]["cards"] is None and view["talk"][seat] is None for seat in others)
    assert all(laid["card"] is None for laid in view["plays"] if laid["seat"] != me)
    assert all(is_known({"type": "PromiseMade", **made}, me) for made in view["promises"] + view["jury"]["promises"])
    seen = Counter(face for face in faces(view) if not face.startswith(f"{me} "))
    refused = Counter(face for jump in view["jury"]["jumps"] for face in faces(jump["refused"]))
    assert not seen - refused - turned, "a card is open that the jury has not turned"


BLOCKS = """() => [...document.querySelectorAll('main *')]
  .filter((one) => parseFloat(getComputedStyle(one).webkitTextStrokeWidth) > 0).map((one) => one.textContent)"""


def test_forced_colours_keep_letters_readable(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, forced_colors="active")
    opens(me, seats=3, bots=2, pace="untimed")
    plays(me, by_mouse, random.Random(3), reaches(me, "jump"))
    me.page.get_by_role("heading", name="JUMP!").wait_for()
    assert me.page.evaluate(BLOCKS) == []
    me.leaves()


COVERED = """steps => steps.filter((step) => {
  const points = step.querySelector('em').getBoundingClientRect();
  const faces = [...step.querySelectorAll('.liar')].map((face) => face.getBoundingClientRect());
  return faces.some((face) => face.left < points.right + 2); // their rings are 2 px wide
}).map((step) => step.getAttribute('aria-label'))"""


@pytest.mark.parametrize("width", [360, 1440])
def test_the_points_of_a_jump_stay_readable_beside_broken_promises(
    browser: Browser, server: Server, width: int
) -> None:
    me = Person(browser, server.url, viewport={"width": width, "height": 740})
    opens(me, seats=5, bots=4, pace="untimed")
    lie = {"pledge": "sure", "jump": {"number": 2, "solo": None}, "worth": 0}
    for _ in range(3):  # where nobody lays anything there are no liars, but seldom in all jumpruns
        plays(me, by_mouse, random.Random(5), reaches(me, "plane"))
        does(me, by_mouse, {"type": "Promise", "to": None, "asked": None, "term": lie})
        does(me, by_mouse, {"type": "SayReady"})
        waits_for(me, "jump")
        does(me, by_mouse, {"type": "SayDone"})
        waits_for(me, "preparation")
        with suppress(TimeoutError):
            me.page.locator(".steps .liar").first.wait_for(timeout=60_000)
            break
    expect(me.page.locator(".steps .liar").first).to_be_visible()
    assert me.page.locator(".steps button").evaluate_all(COVERED) == []
    me.leaves()


PORTRAIT_OVER_NAME = """() => [...document.querySelectorAll('.owner')].filter((owner) => {
  const [bot, name] = ['.bot', 'b'].map((part) => owner.querySelector(part)?.getBoundingClientRect());
  return bot && bot.left < name.right && bot.right > name.left && bot.bottom > name.top + 2 && bot.top < name.bottom;
}).length"""
BELOW_BUTTON = """() => {
  const [dial, ready] = ['.dial .dial', '[data-at="ready"]'].map((one) =>
    document.querySelector(one).getBoundingClientRect());
  return Math.min(dial.bottom, ready.bottom) - Math.max(dial.top, ready.top) > 1 &&
    Math.min(dial.right, ready.right) - Math.max(dial.left, ready.left) > 1;
}"""


def test_portraits_of_bots_leave_the_names_of_five_players_in_sight(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, **PHONE)
    opens(me, 5, 4, pace="untimed")
    plays(me, by_touch, random.Random(8), reaches(me, "jump"))
    expect(me.page.locator(".owner .bot")).to_have_count(4)
    assert me.page.evaluate(PORTRAIT_OVER_NAME) == 0
    me.leaves()


def test_no_button_lies_over_the_dial_in_a_low_window(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, viewport={"width": 1280, "height": 720})
    opens(me, 5, 4, pace="untimed")
    plays(me, by_mouse, random.Random(8), reaches(me, "plane"))
    me.at("ready").wait_for()
    assert not me.page.evaluate(BELOW_BUTTON)
    me.leaves()
