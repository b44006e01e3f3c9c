"""Measure frames and long tasks while moves are made on a slow machine: `python -m tests.browser.frames`.

The processor is slowed down four times; what moves, moves. Printed for each game: frames a second while something was
animated, the longest gap between two frames, and every task that took longer than 50 milliseconds.
"""

import random
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from .bench.chromium import a_browser
from .bench.person import Gesture, Person
from .bench.serving import a_server
from .games.bebop import by_mouse
from .games.bpm import by_mouse as by_mouse_in_the_club

SLOWER, MOVES = 4, 12
WATCH = """() => {
  window.gaps = []; window.tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((each) => each.duration)))
    .observe({ type: 'longtask' });
  let last = performance.now();
  const frame = (now) => {
    if (document.getAnimations().some((each) => each.playState === 'running')) gaps.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""


def measured(browser: Browser, url: str, title: str, gesture: Gesture) -> str:
    me = Person(browser, url, reduced_motion="no-preference")
    me.opens_a_game_against_bots(title)
    me.wait(lambda: bool(me.legal), "for my turn")
    me.page.wait_for_timeout(2000)
    slow = me.context.new_cdp_session(me.page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    me.page.evaluate(WATCH)
    me.plays(gesture, random.Random(5), MOVES)
    gaps, tasks = me.page.evaluate("[gaps, tasks]")
    me.context.close()
    over = sum(each > 100 for each in tasks)
    longest = f"longest task {max(tasks, default=0):.0f} ms, {over} over 100"
    rate = 1000 / statistics.median(gaps)
    late = sum(gap > 34 for gap in gaps) / len(gaps)
    return f"{title}: {rate:.0f} frames a second (median of {len(gaps)}), {late:.1%} late, {longest}"


def main() -> None:
    with tempfile.TemporaryDirectory() as data, a_server(Path(data)) as server, a_browser() as browser:
        for title, gesture in (("Bebop!", by_mouse), ("BPMs per minute", by_mouse_in_the_club)):
            print(measured(browser, server.url, title, gesture), flush=True)


if __name__ == "__main__":
    main()
