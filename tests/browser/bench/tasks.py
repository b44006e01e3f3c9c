"""Tasks of a page's main thread, from Chromium's tracing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

TASK, MESSAGE = "ThreadControllerImpl::RunTask", "Receive mojo message"
TOOL = "blink.mojom.DevToolsSession"  # the interface by which a test talks to the page
TRACE = {"includedCategories": ["toplevel", "mojom"], "excludedCategories": ["*"], "traceBufferSizeInKb": 200_000}
POLL = 50  # ms between two checks whether the trace is complete

Event = dict[str, Any]


class Task(NamedTuple):
    """The wall time and the processor time of a task, in milliseconds."""

    wall: float
    work: float


@contextmanager
def traced(browser: Browser, page: Page) -> Iterator[list[Task]]:
    """Record the tasks of the busiest page during the block, without those that a test itself causes."""
    session, events, tasks = browser.new_browser_cdp_session(), list[Event](), list[Task]()
    complete: list[object] = []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda end: complete.append(end))
    session.send("Tracing.start", {"traceConfig": TRACE, "transferMode": "ReportEvents"})
    yield tasks
    session.send("Tracing.end")
    while not complete:
        page.wait_for_timeout(POLL)
    session.detach()
    tasks += max(map(of_thread, main_threads(events)), key=lambda each: sum(task.work for task in each))


def main_threads(events: list[Event]) -> Iterator[list[Event]]:
    """The events of each page in order, enclosing ones first."""
    named = (each for each in events if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain")
    for thread in {(each["pid"], each["tid"]) for each in named}:
        mine = (each for each in events if (each["pid"], each["tid"]) == thread and each.get("dur"))
        yield sorted(mine, key=lambda each: (each["ts"], -each["dur"]))


def of_thread(events: list[Event]) -> list[Task]:
    """The tasks of a thread: the outermost events, without those in which a test sent a request."""
    found: list[Event] = []
    asked: set[int] = set()
    for event in events:
        inside = bool(found) and event["ts"] < found[-1]["ts"] + found[-1]["dur"]
        if event["name"] == TASK and not inside:
            found.append(event)
        elif event["name"] == MESSAGE and inside and interface(event) == TOOL:
            asked.add(len(found) - 1)
    stored = (event for number, event in enumerate(found) if number not in asked)
    return [Task(event["dur"] / 1000, event.get("tdur", 0) / 1000) for event in stored]


def interface(message: Event) -> str:
    return str(message["args"].get("chrome_mojo_event_info", {}).get("mojo_interface_tag", ""))
