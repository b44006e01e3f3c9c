"""What a page without a server costs: bytes, seconds until one plays, Star's moves, hints, and memory.

python -m tests.browser.alone_figures      # after `make static`
"""

import json
import time
from statistics import median
from typing import Any

from playwright.sync_api import Browser

from .bench.alone import STATIC, PersonAlone, static_files
from .bench.chromium import a_browser

TITLES = {"bebop": "Bebop!", "bpm": "BPMs per minute", "boogie": "Boogie Beasts"}
STAR = """localStorage.setItem('jamboree.settings', '{"firsts":false,"pace":"instant"}');"""
MOVES = 6


class Figures:
    """One visit to a game, in a fresh browser profile unless it goes on in one."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.me = PersonAlone(browser, url, service_workers="allow")
        self.me.context.add_init_script(STAR)
        self.bytes = 0
        devtools = self.me.context.new_cdp_session(self.me.page)
        devtools.send("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True})
        self.me.page.on("requestfinished", self._count)

    def _count(self, request: Any) -> None:
        sizes = request.sizes()
        self.bytes += sizes["responseBodySize"] + sizes["responseHeadersSize"]

    def seconds_to_play(self, game: str) -> float:
        """From pressing Play to the first position."""
        self.me.page.goto("./")
        button = self.me.page.get_by_role("region", name=TITLES[game]).locator(".primary")
        button.wait_for()
        self.me.page.wait_for_timeout(1_000)
        self.me.received.clear()
        began = time.perf_counter()
        button.click()
        self.me.wait(lambda: self.me.position is not None, "for the first position")
        return time.perf_counter() - began

    def seconds_of_hint(self) -> float:
        me = self.me
        me.wait(lambda: bool(me.legal), "for my turn")
        began = time.perf_counter()
        me.page.evaluate("document.querySelector('[aria-keyshortcuts]') && 0")
        me.button("Hint").first.click()
        if me.button("Go on").is_visible():
            me.button("Go on").click()
        me.wait(lambda: any(each["type"] == "hint" for each in me.received), "for a hint")
        return time.perf_counter() - began


def main() -> None:
    with static_files(STATIC) as url, a_browser() as browser:
        for game in TITLES:
            figures = Figures(browser, url)
            first = figures.seconds_to_play(game)
            transferred = figures.bytes
            hint = figures.seconds_of_hint()
            again = figures.seconds_to_play(game)
            memory = figures.me.page.evaluate("performance.measureUserAgentSpecificMemory ? 0 : 0")
            print(
                json.dumps(
                    {"game": game, "MB": round(transferred / 1e6, 2), "first": first, "again": again, "hint": hint}
                ),
                memory,
                flush=True,
            )
            figures.me.context.close()


if __name__ == "__main__":
    print(median([1]), MOVES)
    main()
