"""A party for the browser tests: a television, phones in the browser, and phones that programs hold."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from playwright.sync_api import Browser

from jamboree.bots import RandomBot
from jamboree.client import Client, play
from jamboree.server.protocol.bodies import Entry

from .person import PHONE, Person
from .serving import Server

COOKIE = "jamboree-"
TELEVISION = {"viewport": {"width": 1920, "height": 1080}}
WHEN = """([selectors, skew]) => {
  const [now, today] = [performance.now.bind(performance), Date.now];
  performance.now = () => now() + skew;
  Date.now = () => today() + skew;
  window.when = {};
  const look = () => selectors.forEach((one) => {
    if (!(one in window.when) && document.querySelector(one)) window.when[one] = performance.timeOrigin + now();
  });
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}"""


def a_television(browser: Browser, server: Server, **looks: Any) -> Person:
    return Person(browser, server.url, **{**TELEVISION, **looks})


def a_phone(browser: Browser, server: Server, **looks: Any) -> Person:
    return Person(browser, server.url, **{**PHONE, **looks})


def opens(television: Person, title: str) -> str:
    """Open a party from the first page; give its code."""
    television.page.goto("/")
    television.page.get_by_role("link", name="On the big screen").click()
    television.page.get_by_role("button", name=f"Play {title}").click()
    television.page.wait_for_url("**/#/tv/*")
    return television.page.url.rpartition("/")[2]


def is_over(server: Server, code: str, patience: float = 90.0) -> None:
    """Wait until a game is over, as anybody can look it up."""
    end = time.monotonic() + patience
    while httpx.get(f"{server.url}/api/v1/tables/{code}").json()["status"] != "finished":
        assert time.monotonic() < end, "the game does not end"
        time.sleep(0.2)


def opens_with(television: Person, game: str, seats: int | None = None, **options: Any) -> str:
    """Open a party with other options than it has of itself; give its code."""
    body = {"game": game, "seats": seats, "options": options}
    made = television.context.request.post("/api/v1/parties", data=body)
    code = str(made.json()["table"])
    television.page.goto(f"/#/tv/{code}")
    return code


def notes_when(person: Person, skew: int, *selectors: str) -> None:
    """Have a page note when something is first shown, by the machine's own clock; the page's own clocks are wrong."""
    person.page.add_init_script(f"({WHEN})({[list(selectors), skew]})")


def when(person: Person, selector: str) -> float:
    """Wait until something was shown; say when, in milliseconds."""
    person.wait(lambda: selector in person.page.evaluate("window.when"), f"for {selector}")
    return float(person.page.evaluate("window.when")[selector])


class Others:
    """Programs that hold phones at a party, in a thread: a browser's tests have a loop of their own in this one."""

    def __init__(self, url: str, code: str, names: tuple[str, ...]) -> None:
        self.url, self.code, self.names = url, code, names
        self.seated: list[Entry] = []  # who have joined already
        self.ready, self.over = threading.Event(), asyncio.Event()
        self.loop: asyncio.AbstractEventLoop | None = None

    def run(self) -> None:
        try:
            asyncio.run(self._hold())
        finally:
            self.ready.set()

    def end(self) -> None:
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.over.set)

    async def _hold(self) -> None:
        self.loop = asyncio.get_running_loop()
        async with Client(self.url) as client:
            places = self.seated + [await client.join(self.code, name) for name in self.names]
            playing = [asyncio.create_task(_plays(client, place, seed)) for seed, place in enumerate(places)]
            self.ready.set()
            await self.over.wait()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


@contextmanager
def others(server: Server, code: str, *names: str) -> Iterator[None]:
    """Have programs hold phones at a party and play at random, as long as it is looked at."""
    with _held(Others(server.url, code, names)):
        yield


@contextmanager
def by_itself(server: Server, code: str, device: Person) -> Iterator[None]:
    """Have programs go on in the seats that a device has, faster than by hand."""
    cookies = [cookie for cookie in device.context.cookies() if cookie["name"].startswith(COOKIE)]
    held = Others(server.url, code, ())
    held.seated = [Entry(code, "", None, str(cookie["value"])) for cookie in cookies]
    with _held(held):
        yield


@contextmanager
def _held(held: Others) -> Iterator[None]:
    thread = threading.Thread(target=held.run)
    thread.start()
    held.ready.wait(30)
    try:
        yield
    finally:
        held.end()
        thread.join(30)


async def _plays(client: Client, place: Entry, seed: int) -> None:
    async with client.sit(place) as seat:
        await play(seat, RandomBot(seed))
