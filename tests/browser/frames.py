"""Measure frames and long tasks while moves are made on a slow machine: `python -m tests.browser.frames`.

The processor is slowed down four times, and motion is enabled. For each game the program prints the frames per second
during animations, the tasks over 100 ms, and the share of a core that the idle browser takes at full speed.

A task is measured in processor time and in wall time: other programs on the machine lengthen the second, and hardly the
first. Tasks caused by the test's own requests are left out. The mouse moves, rests and presses like a hand: otherwise
Chromium handles all three events in one task. Bots think as long as in production, fifty times longer than in tests.
"""

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Locator

from .bench.chromium import a_browser
from .bench.person import Gesture, Person
from .bench.serving import a_server
from .bench.tasks import Task, traced
from .games import bebop, boogie, bpm

PROGRAM = "tests.browser.bench.serve_people"
SLOWER, MOVES = 4, 12
SETTLING, IDLE = 4000, 10_000  # milliseconds
REST, PRESS = 120, 60  # milliseconds that a mouse rests on an element before a press, and that it presses
LONG, LATE = 100, 34  # milliseconds: of a task, and between two frames
WATCH = """() => {
  window.gaps = [];
  let [last, moving] = [performance.now(), false];
  const check = () => (moving = document.getAnimations().some((each) => each.playState === 'running'));
  const frame = (now) => {
    if (moving) gaps.push(now - last);
    last = now;
    setTimeout(check); // when the frame is drawn, because within it the check forces a layout
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""


class Case(NamedTuple):
    """A game at a decision, and how it is played from there."""

    name: str
    sits_down: Callable[[Person], Any]
    plays: Callable[[Person], Any]


def by_hand(title: str, gesture: Gesture) -> Case:
    return Case(
        title,
        lambda person: person.opens_a_game_against_bots(title),
        lambda person: person.plays(gesture, random.Random(5), MOVES),
    )


def click(thing: Locator) -> None:
    """Click like a hand: move, rest, press."""
    thing.hover()
    thing.page.wait_for_timeout(REST)
    thing.click(delay=PRESS)


def after_the_others(gesture: Gesture) -> Gesture:
    """Seal a choice after the bots: a click during the animation of theirs would only skip it."""

    def does(person: Person, action: dict[str, Any]) -> None:
        if action["type"] in ("DiscardSongs", "CueSong"):
            person.wait(lambda: bpm.have_others_sealed(person), "for the bots to seal")
            assert person.position
            person.reads(person.position["question"])
        gesture(person, action)

    return does


def plays_boogie(person: Person) -> None:
    gesture = partial(boogie.by_mouse, click=click)
    boogie.plays(person, gesture, random.Random(5), lambda: len(boogie.acknowledged(person)) >= MOVES)


CASES = (
    by_hand("Bebop!", partial(bebop.by_mouse, click=click)),
    by_hand("BPMs per minute", after_the_others(bpm.with_a(click))),
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
    with traced(browser, me.page) as tasks:
        case.plays(me)
    gaps = me.page.evaluate("gaps")
    me.context.close()
    return f"{case.name}: {smooth(gaps)}; {long(tasks)}; idle it takes {idle:.1%} of a core"


def smooth(gaps: list[float]) -> str:
    rate = 1000 / statistics.median(gaps)
    late = sum(gap > LATE for gap in gaps) / len(gaps)
    return f"{rate:.0f} frames a second (median of {len(gaps)}), {late:.1%} late"


def long(tasks: list[Task]) -> str:
    work, wall = ([each[clock] for each in tasks] for clock in (1, 0))
    return ", ".join(
        f"{sum(each > LONG for each in times)} tasks {of} over {LONG} ms, the longest {max(times):.0f}"
        for times, of in ((work, "of work"), (wall, "in all"))
    )


def share_of_a_core(browser: Browser, person: Person) -> float:
    """The share of a core that the idle browser takes."""
    begun, before = time.monotonic(), spent(browser)
    person.page.wait_for_timeout(IDLE)
    return (spent(browser) - before) / (time.monotonic() - begun)


def spent(browser: Browser) -> float:
    """The processor seconds of all processes of a browser but the main one, to which tests talk."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return float(sum(each["cpuTime"] for each in processes if each["type"] != "browser"))


def main() -> None:
    with tempfile.TemporaryDirectory() as data, a_server(Path(data), PROGRAM) as server, a_browser() as browser:
        for case in CASES:
            print(measured(browser, server.url, case), flush=True)


if __name__ == "__main__":
    main()
