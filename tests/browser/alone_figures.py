"""What a page without a server costs: bytes, seconds until one plays, hints, and memory.

python -m tests.browser.alone_figures      # after `make static`; on a quiet machine
"""

import re
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from .bench.alone import STATIC, PersonAlone, static_files
from .bench.chromium import a_browser

TITLES = {"bebop": "Bebop!", "bpm": "BPMs per minute", "boogie": "Boogie Beasts"}
SETTINGS = """
localStorage.setItem('jamboree.settings', '{"firsts":false,"pace":"instant"}');
localStorage.setItem('jamboree.opponents', JSON.stringify(
  Object.fromEntries(['bebop', 'bpm', 'boogie'].map((game) => [game, {level: 'star'}]))));
"""
SOON = 12.0  # seconds within which a better hint has come


class Visit:
    """Somebody who plays one game against Stars, in a fresh browser context."""

    def __init__(self, browser: Browser, url: str, game: str) -> None:
        self.game, self.me, self.bytes = game, PersonAlone(browser, url), 0
        self.me.context.add_init_script(SETTINGS)
        self.me.context.on("requestfinished", self._count)

    def _count(self, request: Any) -> None:
        sizes = request.sizes()
        self.bytes += sizes["responseBodySize"] + sizes["responseHeadersSize"]

    def seconds_to_play(self) -> float:
        """From pressing Play to the first position."""
        self.me.page.goto("./")
        play = self.me.page.get_by_role("region", name=TITLES[self.game]).locator(".primary")
        play.wait_for()
        self.me.page.wait_for_timeout(1_000)
        self.me.received.clear()
        began = time.perf_counter()
        play.click()
        self.me.wait(lambda: self.me.position is not None, "for the first position")
        return time.perf_counter() - began

    def seconds_of_hints(self) -> tuple[float, float]:
        """From asking to the first hint, and to the better one."""
        me = self.me
        me.wait(lambda: bool(me.legal), "for my turn")
        me.page.locator('button[aria-label="Hint"]').first.click()
        if me.button("Go on").is_visible():
            me.button("Go on").click()
        began, times = time.perf_counter(), list[float]()
        while len(times) < 2 and time.perf_counter() - began < SOON:
            me.page.wait_for_timeout(20)
            hints = [each for each in me.received if each["type"] == "hint"]
            times += [time.perf_counter() - began] * (len(hints) - len(times))
        me.page.keyboard.press("Escape")
        return times[0], times[-1]


def memory_of_pages() -> float:
    """Megabytes of all processes that draw pages, with their share of what is shared."""
    kilobytes = 0
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and b"--type=renderer" in (entry / "cmdline").read_bytes():
                found = re.search(r"^Pss:\s+(\d+)", (entry / "smaps_rollup").read_text(), re.MULTILINE)
                kilobytes += int(found[1]) if found else 0
        except OSError:
            continue
    return kilobytes / 1000


def main() -> None:
    print("game       MB  first s  again s  hint s  better s  memory MB")
    with static_files(STATIC) as url, a_browser() as browser:
        for game in TITLES:
            visit = Visit(browser, url, game)
            first, transferred = visit.seconds_to_play(), visit.bytes
            again = visit.seconds_to_play()
            hint, better = visit.seconds_of_hints()
            print(
                f"{game:7} {transferred / 1e6:5.2f} {first:8.1f} {again:8.1f} {hint:7.2f} {better:8.2f}"
                f" {memory_of_pages():10.0f}",
                flush=True,
            )
            visit.me.context.close()


if __name__ == "__main__":
    main()
