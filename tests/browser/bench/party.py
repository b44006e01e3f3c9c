"""A party for the browser tests: a television, phones in the browser, and phones that programs hold."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser

from jamboree.bots import RandomBot
from jamboree.client import Client, play
from jamboree.server.protocol.bodies import Entry

from .person import PHONE, Person
from .serving import Server

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
            places = [await client.join(self.code, name) for name in self.names]
            playing = [asyncio.create_task(_plays(client, place, seed)) for seed, place in enumerate(places)]
            self.ready.set()
            await self.over.wait()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


@contextmanager
def others(server: Server, code: str, *names: str) -> Iterator[None]:
    """Have programs hold phones at a party and play at random, as long as it is looked at."""
    held = Others(server.url, code, names)
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
