"""A party for the browser tests: a television, and phones in the browser."""

import time
from typing import Any

import httpx
from playwright.sync_api import Browser

from .person import PHONE, Person
from .serving import Server

TELEVISION = {"viewport": {"width": 1920, "height": 1080}}
WHEN = """([selectors, skew]) => {
  const [now, today] = [performance.now.bind(performance), Date.now];
  performance.now = () => now() + skew;
  Date.now = () => today() + skew;
  window.when = {};
  window.held = 0; // the longest delay of a timer
  let last = now();
  setInterval(() => {
    window.held = Math.max(window.held, now() - last - 20);
    last = now();
  }, 20);
  const observe = () => selectors.forEach((one) => {
    if (!(one in window.when) && document.querySelector(one)) window.when[one] = performance.timeOrigin + now();
  });
  new MutationObserver(observe).observe(document, { subtree: true, childList: true, attributes: true });
}"""


def a_television(browser: Browser, server: Server, **options: Any) -> Person:
    return Person(browser, server.url, **{**TELEVISION, **options})


def a_phone(browser: Browser, server: Server, **options: Any) -> Person:
    return Person(browser, server.url, **{**PHONE, **options})


def opens(television: Person, title: str) -> str:
    """Open a party from the first page; return its code."""
    television.page.goto("/")
    television.page.get_by_role("link", name="On the big screen").click()
    television.page.get_by_role("button", name=f"Play {title}").click()
    television.page.wait_for_url("**/#/tv/*")
    return television.page.url.rpartition("/")[2]


def is_over(server: Server, code: str, patience: float = 90.0) -> None:
    """Wait until a game is over, according to the public API."""
    end = time.monotonic() + patience
    while httpx.get(f"{server.url}/api/v1/tables/{code}").json()["status"] != "finished":
        assert time.monotonic() < end, "the game does not end"
        time.sleep(0.2)


def opens_with(television: Person, game: str, seats: int | None = None, **options: Any) -> str:
    """Open a party with other than the default options; return its code."""
    body = {"game": game, "seats": seats, "options": options}
    made = television.context.request.post("/api/v1/parties", data=body)
    code = str(made.json()["table"])
    television.page.goto(f"/#/tv/{code}")
    return code


def notes_when(person: Person, skew: int, *selectors: str) -> None:
    """Record when elements are first shown, by the machine's clock; the clocks that the page reads are skewed."""
    person.page.add_init_script(f"({WHEN})({[list(selectors), skew]})")


def when(person: Person, selector: str) -> float:
    """Wait until an element was shown; return when, in milliseconds."""
    person.wait(lambda: selector in person.page.evaluate("window.when"), f"for {selector}")
    return float(person.page.evaluate("window.when")[selector])


def held(person: Person) -> float:
    """The longest delay of a timer of the page, in milliseconds."""
    return float(person.page.evaluate("window.held"))
