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


@contextmanager
def others(server: Server, code: str, *names: str) -> Iterator[None]:
    """Have programs hold phones at a party, and play at random until it is left."""
    loop, ready = asyncio.new_event_loop(), threading.Event()

    async def hold() -> None:
        async with Client(server.url) as client:
            places = [await client.join(code, name) for name in names]
            ready.set()
            await asyncio.gather(*(_plays(client, place, seed) for seed, place in enumerate(places)))

    def run() -> None:
        asyncio.set_event_loop(loop)
        task = loop.create_task(hold())
        loop.task = task  # type: ignore[attr-defined]
        try:
            loop.run_until_complete(task)
        except asyncio.CancelledError:
            pass
        finally:
            ready.set()
            loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait(30)
    try:
        yield
    finally:
        if not loop.is_closed():
            loop.call_soon_threadsafe(loop.task.cancel)  # type: ignore[attr-defined]
        thread.join(30)


async def _plays(client: Client, place: Entry, seed: int) -> None:
    async with client.sit(place) as seat:
        await play(seat, RandomBot(seed))
