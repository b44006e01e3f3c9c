"""Several people on one device, in the browser: the curtain between them, and nothing that gets past it."""

import json
import random
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocket, expect

from jamboree.server.protocol.wire import decompressed
from tests.server.bench.local import actions, next_position

from ..bench.party import is_over
from ..bench.person import PHONE, Person
from ..bench.programs import LATE, by_program
from ..bench.screen_checks import violations
from ..bench.serving import Server
from ..games import bebop


class Around(Person):
    """People around one device: every line that it has opened, and whose it is."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.lines: list[dict[str, Any]] = []
        super().__init__(*args, **options)

    def _listen(self, socket: WebSocket) -> None:
        line: dict[str, Any] = {"person": None, "received": [], "open": True}
        self.lines.append(line)
        socket.on("framereceived", lambda frame: self._note(line, frame))
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))
        socket.on("close", lambda _: line.update(open=False))

    def _note(self, line: dict[str, Any], frame: str | bytes) -> None:
        message = json.loads(decompressed(frame) if isinstance(frame, bytes) else frame)
        if message["type"] == "welcome":
            line["person"] = message["you"]["person"]
            line["groups"] = message["actions"]
        if message["type"] in ("welcome", "update"):
            line["position"] = next_position(line.get("position"), message)
            line["seq"] = message["seq"]
        line["received"].append(message)

    @property
    def own(self) -> dict[str, Any] | None:
        """The line of the player who decides now."""
        return next((line for line in reversed(self.lines) if line["open"] and line["person"]), None)

    @property
    def position(self) -> dict[str, Any] | None:
        return self.own.get("position") if self.own else None

    @property
    def legal(self) -> list[dict[str, Any]]:
        return actions(self.own["groups"], self.own["position"]["legal"]) if self.own and self.position else []

    @property
    def seq(self) -> int:
        return int(self.own["seq"]) if self.own else 0

    @property
    def public(self) -> dict[str, Any]:
        return next(line for line in self.lines if line["open"] and not line["person"])

    def sit_down(self, title: str, names: list[str], bots: int = 0) -> None:
        self.page.goto("/")
        poster, around = self.page.get_by_role("region", name=title), self.button(re.compile("^Round one device"))
        poster.locator(".play").wait_for()
        if around.is_visible():
            around.click()
            self.page.get_by_role("radiogroup", name="Game").get_by_text(title, exact=True).click()
        else:  # on a phone, with the options of the game
            poster.locator(".change").click()
            self.button("On this device").click()
        for place, name in enumerate(names, 1):
            if place > 2:
                self.button("One more person").click()
            self.page.get_by_label(f"Player {place}", exact=True).fill(name)
        if bots:
            self.page.get_by_role("radiogroup", name="Bots").get_by_text(f"{bots}", exact=True).click()
        self.button("Start").click()

    def named(self) -> str:
        return self.page.locator(".curtain .who b").inner_text()

    def hold(self) -> None:
        self.page.locator(".hold").dispatch_event("pointerdown", {"button": 0, "pointerId": 1, "isPrimary": True})

    def tap(self) -> None:
        self.hold()
        self.page.wait_for_timeout(200)
        self.page.locator(".hold").dispatch_event("pointerup", {"pointerId": 1})

    def opens(self) -> str:
        """Open the curtain for whom it names."""
        expect(self.page.locator(".curtain")).to_be_visible()
        name = self.named()
        self.hold()
        self.wait(lambda: bool(self.legal), f"for {name} to see the table")
        expect(self.page.locator(".curtain")).to_have_count(0)
        return name

    def acts(self, gesture: Any, rng: random.Random) -> None:
        """Make one legal move as the player who decides now."""
        assert self.position and self.own
        own, before = self.own, self.seq
        self.reads(self.position["question"])
        gesture(self, rng.choice(self.legal))
        self.wait(lambda: own["seq"] > before or not own["open"], "for the move")


def _wait_for_end(device: Around, line: dict[str, Any]) -> None:
    """Wait for the browser to say that a line is closed, which the server has to agree to."""
    device.wait(lambda: not line["open"], "for the line of one person to end with the curtain")


def wait_for_curtain(device: Around, besides: str) -> None:
    expect(device.page.locator(".curtain .who b")).not_to_have_text(besides, timeout=60_000)


GAMES = [("BPMs per minute", ["Ada", "Bob"]), ("Boogie Beasts", ["Ada", "Bob", "Cleo"])]


@pytest.mark.parametrize(("title", "names"), GAMES)
def test_a_device_is_passed_around(browser: Browser, server: Server, title: str, names: list[str]) -> None:
    device = Around(browser, server.url, **PHONE)
    device.sit_down(title, names)
    expect(device.page.locator(".curtain")).to_be_visible()
    assert device.own is None, "nobody's things are there before the curtain is opened"
    assert violations(device.page) == []
    device.tap()
    device.page.wait_for_timeout(900)
    assert device.own is None, "a tap opens nothing"
    seen = set()
    for _ in range(len(names)):
        name = device.opens()
        seen.add(name)
        hand = device.own
        assert hand is not None
        device.button("Close").click()
        wait_for_curtain(device, name)
        _wait_for_end(device, hand)
    assert seen == set(names)
    assert device.errors == []
    device.leaves()


def titles(view: dict[str, Any]) -> list[str]:
    """List the songs that the viewer holds."""
    return [song["title"] for hand in view["hands"] for song in hand["songs"] or []]


def test_the_page_of_one_person_contains_nothing_of_another(browser: Browser, server: Server) -> None:
    device = Around(browser, server.url)
    device.sit_down("BPMs per minute", ["Ada", "Bob"])
    ada = device.opens()
    assert device.position
    songs = titles(device.position["view"])
    device.button("Close").click()
    wait_for_curtain(device, ada)
    page = device.page.content()
    assert songs
    assert not [title for title in songs if title in page]
    device.opens()
    page = device.page.content()
    assert not [title for title in songs if title in page]
    assert titles(device.public["position"]["view"]) == [], "the crate is known to all, the hands are not"
    device.leaves()


def test_a_reload_closes_the_curtain_and_a_peek_is_announced(browser: Browser, server: Server) -> None:
    device = Around(browser, server.url)
    device.sit_down("BPMs per minute", ["Ada", "Bob"])
    name = device.opens()
    device.lines.clear()
    device.page.reload()
    expect(device.page.locator(".curtain")).to_be_visible()
    assert device.own is None
    assert device.opens() == name
    device.button(f"Not {name}?").click()
    expect(device.page.locator(".curtain")).to_be_visible()
    device.wait(lambda: any(each["type"] == "chat" for each in device.public["received"]), "for the note")
    device.button("Look at the table").click()
    device.page.get_by_role("tab", name="Chat").click()
    note = re.compile(rf"The curtain was open for \d+ seconds?, and it was not {name}")
    expect(device.page.get_by_text(note).first).to_be_visible()
    device.leaves()


def test_bebop_with_open_hands_needs_no_curtain(browser: Browser, server: Server) -> None:
    device, rng = Around(browser, server.url), random.Random(2)
    device.sit_down("Bebop!", ["Ada", "Bob", "Cleo"])
    device.wait(lambda: bool(device.legal), "for a turn")
    first = device.own and device.own["person"]
    while device.own and device.own["person"] == first:
        device.acts(bebop.by_mouse, rng)
        device.page.wait_for_timeout(300)
        device.wait(lambda: bool(device.legal), "for the next")
    expect(device.page.locator(".curtain")).to_have_count(0)
    device.leaves()


@pytest.mark.parametrize(
    ("game", "title", "names"),
    [("bpm", *GAMES[0]), ("boogie", *GAMES[1]), ("bebop", "Bebop!", ["Ada", "Bob"])],
)
def test_a_shared_device_ends_a_game_for_all_its_people(
    browser: Browser, server: Server, game: str, title: str, names: list[str]
) -> None:
    device = Around(browser, server.url)
    device.sit_down(title, names)
    expect(device.page.locator(".curtain")).to_be_visible()
    device.opens()
    url = device.page.url
    code = url.rpartition("/")[2]
    device.page.goto("about:blank")
    with by_program(server, code, device, enough=LATE[game]) as programs:
        programs.wait()
    device.lines.clear()
    device.page.goto(url)
    device.opens()
    with by_program(server, code, device):
        is_over(server, code)
    end = device.page.get_by_role("region", name="The end of the game")
    expect(end).to_be_visible(timeout=60_000)
    expect(device.page.locator(".curtain")).to_have_count(0)
    for name in names:
        expect(end.get_by_text(name).first).to_be_visible()
    expect(end.get_by_text("You", exact=True)).to_have_count(0)
    device.leaves()
