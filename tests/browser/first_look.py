"""Measure how soon a slow phone shows the home page: `python -m tests.browser.first_look [--slow-3g]`.

It emulates a phone of 360 by 740 and a screen of 1440 by 900, a processor four times slower, and a slow mobile network.
It prints the time of the first paint, the time until a game can be started, the bytes until then and afterwards, and
the layout shift. The browser itself records when bytes arrived, so a busy machine affects the times only.
"""

import argparse
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

from .bench.chromium import a_browser
from .bench.person import PHONE, Person
from .bench.serving import a_server

SLOWER = 4
MOBILE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}  # bytes a second
SLOW_3G = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
SMALL: dict[str, Any] = {**PHONE, "viewport": {"width": 360, "height": 740}}
LARGE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
FONT = ".woff2"
DRESS = re.compile(r"poster-|\.woff2")
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


class PageLoad(NamedTuple):
    drawn: float  # milliseconds until something is drawn
    playable: float  # until a game can be played
    needed: int  # bytes until then, fonts apart: they hold nothing up
    requests: int  # until then
    fonts: int  # bytes, while it is drawn and after
    dressed: float  # milliseconds until posters and fonts are there
    later: int  # bytes of other things after that
    shifts: float  # how much moved under the reader's eyes; 0 is nothing

    def __str__(self) -> str:
        return (
            f"drawn after {self.drawn / 1000:.1f} s, a game can be played after {self.playable / 1000:.1f} s; "
            f"{self.needed / 1000:.0f} kB in {self.requests} requests until then, {self.fonts / 1000:.0f} kB of fonts; "
            f"posters and fonts after {self.dressed / 1000:.1f} s; {self.later / 1000:.0f} kB later; "
            f"layout shift {self.shifts:.3f}"
        )


def first_look(
    browser: Browser, url: str, place: str = "/", network: Mapping[str, Any] = MOBILE, **options: Any
) -> PageLoad:
    """Open a page as a first-time visitor."""
    me = Person(browser, url, **(options or SMALL))
    me.page.add_init_script(WATCH)
    _slow_down(me.page, network)
    me.page.goto(place)
    me.wait(lambda: bool(me.page.evaluate("window.playable")), "for a game")
    me.page.wait_for_load_state("networkidle")
    me.page.wait_for_timeout(1000)
    seen = me.page.evaluate(ASKED)
    me.context.close()
    fonts = sum(each["bytes"] for each in seen["fetched"] if each["name"].endswith(FONT))
    others = [each for each in seen["fetched"] if not each["name"].endswith(FONT)]
    first = [each["bytes"] for each in others if each["at"] <= seen["playable"]]
    later = sum(each["bytes"] for each in others) - sum(first)
    dressed = max(each["at"] for each in seen["fetched"] if DRESS.search(each["name"]))
    return PageLoad(seen["drawn"], seen["playable"], sum(first), len(first), fonts, dressed, later, seen["shifts"])


def _slow_down(page: Page, network: Mapping[str, Any]) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", dict(network))
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how soon a slow phone shows the home page.")
    parser.add_argument("--slow-3g", action="store_true", help="400 ms and 50 kB/s instead of 150 ms and 200 kB/s")
    network = SLOW_3G if parser.parse_args().slow_3g else MOBILE
    with tempfile.TemporaryDirectory() as data, a_server(Path(data)) as server, a_browser() as browser:
        for screen in (SMALL, LARGE):
            print(screen["viewport"]["width"], first_look(browser, server.url, network=network, **screen), flush=True)


if __name__ == "__main__":
    main()
