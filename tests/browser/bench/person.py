"""A person in front of a browser: a page, and everything that was sent to it."""

import json
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocket, expect

from jamboree.core.words import Catalogue
from jamboree.server.protocol.wire import decompressed
from tests.server.bench.local import actions, next_position

SHELL = Path(__file__).parents[3] / "web" / "src" / "locale"
POLL = 30  # ms between two checks of a condition
PATIENCE = 60.0  # seconds until waiting fails
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
KNOWS = """if (location.protocol.startsWith('http')) {
  localStorage.getItem('jamboree.settings') ?? localStorage.setItem('jamboree.settings', '{"firsts":false}');
}"""
STILL = "seq => Number(document.querySelector('main.table')?.dataset.step || -1) >= seq"
Gesture = Callable[["Person", dict[str, Any]], None]


class Person:
    """Records the frames of the page, so that a test can choose among the legal actions and do one by hand."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        """Open a browser context; `new=True` enables first-time tips, the other options are those of the context."""
        is_new = options.pop("new", False)
        wishes = {"locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block", **DESKTOP, **options}
        self.url, self.language = url, wishes["locale"][:2]
        self.context: BrowserContext = browser.new_context(base_url=url, **wishes)
        self.context.set_default_timeout(PATIENCE * 1000)
        if not is_new:
            self.context.add_init_script(KNOWS)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.received: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self._console(line.type, line.text))
        self.page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on(
            "framereceived",
            lambda frame: self._hear(json.loads(decompressed(frame) if isinstance(frame, bytes) else frame)),
        )
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))

    def _console(self, kind: str, text: str) -> None:
        if kind == "error" and "WebSocket connection" not in text and "ERR_CONNECTION" not in text:
            self.errors.append(text)

    def _hear(self, message: dict[str, Any]) -> None:
        """Record a message, with the position it leads to."""
        if message["type"] in ("welcome", "update"):
            message["position"] = next_position(self.position, message)
        self.received.append(message)

    @property
    def seq(self) -> int:
        return int(next((each["seq"] for each in reversed(self.received) if each["type"] in ("welcome", "update")), 0))

    @property
    def seat(self) -> int | None:
        """The seat of this person, by the last welcome."""
        return next((each["you"]["seat"] for each in reversed(self.received) if each["type"] == "welcome"), None)

    @property
    def position(self) -> dict[str, Any] | None:
        return next((each["position"] for each in reversed(self.received) if each.get("position")), None)

    @property
    def legal(self) -> list[dict[str, Any]]:
        return actions(self.groups, self.position["legal"]) if self.position and not self.is_over else []

    @property
    def groups(self) -> list[dict[str, Any]] | None:
        """All actions of the game, as received."""
        return next((each["actions"] for each in reversed(self.received) if each.get("actions")), None)

    @property
    def is_over(self) -> bool:
        return bool(self.position and self.position["outcome"])

    def at(self, place: str) -> Locator:
        return self.page.locator(f'[data-at="{place}"]')

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def word(self, key: str, game: str | None = None, **params: object) -> str:
        """Return a text of the page, or of a game, in this person's language."""
        if game:
            return Catalogue(f"jamboree.games.{game}.words").say(self.language, key, **params)
        return str(json.loads((SHELL / f"{self.language}.json").read_text())[key])

    def wait(self, until: Callable[[], bool], why: str = "") -> None:
        """Let the page run until a condition holds."""
        end = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < end, f"waited in vain {why}: {self.errors} {self.page.url}"
            self.page.wait_for_timeout(POLL)

    def reads(self, question: str) -> None:
        """Wait until the page asks what the server asks, with all animations and answers before it finished."""
        seq = -1
        while seq < self.seq:
            seq = self.seq
            self.page.wait_for_function(STILL, arg=seq)
        expect(self.page.locator(".prompt")).to_contain_text(question)

    def opens_a_game_against_bots(self, title: str) -> None:
        """With two clicks: the page, and the button."""
        self.page.goto("./")
        self.page.get_by_role("region", name=title).locator(".primary").click()
        self.wait(lambda: self.position is not None, "for the game to begin")
        self.page.locator("main.table").wait_for()  # keys are heard from then on

    def invites(self, title: str, seats: int) -> str:
        """Open a table for friends, and return the link to it."""
        self.page.goto("./")
        poster = self.page.get_by_role("region", name=title)
        poster.locator(".play").wait_for()
        if poster.locator(".friends").is_visible():
            poster.locator(".friends").click()
        else:  # on a phone, with the options of the game
            poster.locator(".change").click()
            self.button("With friends").click()
        self.page.get_by_role("radiogroup", name="Number of players").get_by_text(f"{seats}", exact=True).click()
        self.wait(
            lambda: any((each.get("table") or {}).get("seats") == seats for each in self.received), "for the seats"
        )
        return self.page.url

    def joins(self, link: str, name: str) -> None:
        self.page.goto(link)
        self.page.get_by_label("What shall we call you?").fill(name)
        self.button("Take a seat").click()
        self.wait(lambda: self.seat is not None, "for a seat")

    def starts(self) -> None:
        self.button("Start").click()
        self.wait(lambda: self.position is not None, "for the game to begin")
        self.page.locator("main.table").wait_for()

    def log(self) -> list[dict[str, Any]]:
        """The log of the table, as this person may read it."""
        code = self.page.url.rpartition("/")[2]
        steps: list[dict[str, Any]] = self.page.evaluate(f"fetch('/api/v1/tables/{code}/log').then(r => r.json())")
        return steps

    def plays(self, gesture: Gesture, rng: random.Random, most: int = 10_000) -> int:
        """Make legal moves by hand until the game is over, `most` at the most."""
        for number in range(most):
            self.wait(lambda: bool(self.legal) or self.is_over, "for my turn")
            if self.is_over:
                return number
            assert self.position
            self.reads(self.position["question"])
            self._moves(gesture, rng.choice(self.legal))
        return most

    def _moves(self, gesture: Gesture, action: dict[str, Any]) -> None:
        before = self.seq
        gesture(self, action)
        self.wait(lambda: self.seq > before, f"for {action} to be acknowledged")

    def leaves(self) -> None:
        self.context.close()
        assert not self.errors, self.errors
        assert self.resyncs == 0, "every update passed its check in the browser"

    @property
    def resyncs(self) -> int:
        """How often the page requested the whole position, because its own did not pass the check."""
        return sum(message["type"] == "resync" for message in self.sent)


def _text(frame: str | bytes) -> str | bytes:
    return frame if isinstance(frame, str) else decompressed(frame)
