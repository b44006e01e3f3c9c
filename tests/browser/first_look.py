"""Measure how soon a slow phone shows the home page: `python -m tests.browser.first_look`.

A phone of 360 by 740 and a screen of 1440 by 900, a processor four times slower, and a slow mobile line. Printed: when
something is drawn first, when the first game can be played, how many bytes that took and how many came later, and how
much the layout shifted. The browser itself says when each byte was there, so a busy machine changes the times alone.
"""

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

from .bench.chromium import a_browser
from .bench.person import PHONE, Person
from .bench.serving import a_server

SLOWER = 4
LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}  # bytes a second
SMALL: dict[str, Any] = {**PHONE, "viewport": {"width": 360, "height": 740}}
LARGE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
FONT = ".woff2"
WATCH = """
window.shifts = 0; window.playable = 0;
new PerformanceObserver((list) => { for (const each of list.getEntries()) window.shifts += each.value; })
  .observe({ type: 'layout-shift', buffered: true });
const look = () => {
  if (document.querySelector('section .button.primary')) window.playable = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
ASKED = """() => ({
  drawn: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  playable: window.playable,
  shifts: window.shifts,
  fetched: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .map(({ name, responseEnd, transferSize }) => ({ name, at: responseEnd, bytes: transferSize })),
})"""


class Look(NamedTuple):
    drawn: float  # milliseconds until something is drawn
    playable: float  # until a game can be played
    needed: int  # bytes until then, fonts apart: they hold nothing up
    fonts: int  # bytes, while it is drawn and after
    later: int  # bytes of other things after that
    shifts: float  # how much moved under the reader's eyes; 0 is nothing

    def __str__(self) -> str:
        return (
            f"drawn after {self.drawn / 1000:.1f} s, a game can be played after {self.playable / 1000:.1f} s; "
            f"{self.needed / 1000:.0f} kB until then, {self.fonts / 1000:.0f} kB of fonts, "
            f"{self.later / 1000:.0f} kB later; layout shift {self.shifts:.3f}"
        )


def first_look(browser: Browser, url: str, place: str = "/", **looks: Any) -> Look:
    """Open a page as somebody who was never here."""
    me = Person(browser, url, **(looks or SMALL))
    me.page.add_init_script(WATCH)
    _slow_down(me.page)
    me.page.goto(place)
    me.wait(lambda: bool(me.page.evaluate("window.playable")), "for a game")
    me.page.wait_for_timeout(4000)
    seen = me.page.evaluate(ASKED)
    me.context.close()
    fonts = sum(each["bytes"] for each in seen["fetched"] if each["name"].endswith(FONT))
    others = [each for each in seen["fetched"] if not each["name"].endswith(FONT)]
    needed = sum(each["bytes"] for each in others if each["at"] <= seen["playable"])
    later = sum(each["bytes"] for each in others) - needed
    return Look(seen["drawn"], seen["playable"], needed, fonts, later, seen["shifts"])


def _slow_down(page: Page) -> None:
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def main() -> None:
    with tempfile.TemporaryDirectory() as data, a_server(Path(data)) as server, a_browser() as browser:
        for screen in (SMALL, LARGE):
            print(screen["viewport"]["width"], first_look(browser, server.url, **screen), flush=True)


if __name__ == "__main__":
    main()
