"""Measure frames and long tasks while moves are made on a slow machine: `python -m tests.browser.frames`.

The processor is slowed down four times; what moves, moves. Printed for each game: frames a second while something was
animated, the longest task, and how much of a core the browser takes while nobody does anything, at full speed.
"""

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser

from .bench.chromium import a_browser
from .bench.person import Gesture, Person
from .bench.serving import a_server
from .games import boogie
from .games.bebop import by_mouse
from .games.bpm import by_mouse as by_mouse_in_the_club

SLOWER, MOVES = 4, 12
SETTLING, IDLE = 4000, 10_000  # milliseconds
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


class Case(NamedTuple):
    """A game at which it is somebody's turn, and how they go on."""

    name: str
    sits_down: Callable[[Person], Any]
    plays: Callable[[Person], Any]


def by_hand(title: str, gesture: Gesture) -> Case:
    return Case(
        title,
        lambda person: person.opens_a_game_against_bots(title),
        lambda person: person.plays(gesture, random.Random(5), MOVES),
    )


def plays_boogie(person: Person) -> None:
    boogie.plays(person, boogie.by_mouse, random.Random(5), lambda: len(boogie.kept(person)) >= MOVES)


CASES = (
    by_hand("Bebop!", by_mouse),
    by_hand("BPMs per minute", by_mouse_in_the_club),
    Case("Boogie Beasts", lambda person: boogie.opens(person, 4, bots=3, pace="untimed"), plays_boogie),
)


def measured(browser: Browser, url: str, case: Case) -> str:
    me = Person(browser, url, reduced_motion="no-preference")
    case.sits_down(me)
    me.wait(lambda: bool(me.legal), "for my turn")
    me.page.wait_for_timeout(SETTLING)
    idle = share_of_a_core(browser, me)
    slow = me.context.new_cdp_session(me.page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    me.page.evaluate(WATCH)
    case.plays(me)
    gaps, tasks = me.page.evaluate("[gaps, tasks]")
    me.context.close()
    over = sum(each > 100 for each in tasks)
    longest = f"longest task {max(tasks, default=0):.0f} ms, {over} over 100"
    rate = 1000 / statistics.median(gaps)
    late = sum(gap > 34 for gap in gaps) / len(gaps)
    moving = f"{rate:.0f} frames a second (median of {len(gaps)}), {late:.1%} late"
    return f"{case.name}: {moving}, {longest}; idle it takes {idle:.1%} of a core"


def share_of_a_core(browser: Browser, person: Person) -> float:
    """Tell how much of a core the browser is at work while nobody does anything."""
    begun, before = time.monotonic(), spent(browser)
    person.page.wait_for_timeout(IDLE)
    return (spent(browser) - before) / (time.monotonic() - begun)


def spent(browser: Browser) -> float:
    """Count the processor seconds of all processes of a browser but the one that tests talk to."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return float(sum(each["cpuTime"] for each in processes if each["type"] != "browser"))


def main() -> None:
    with tempfile.TemporaryDirectory() as data, a_server(Path(data)) as server, a_browser() as browser:
        for case in CASES:
            print(measured(browser, server.url, case), flush=True)


if __name__ == "__main__":
    main()
