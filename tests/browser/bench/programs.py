"""Programs that play in seats of a live table, faster than by hand."""

import asyncio
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from jamboree.client import Client, play
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT
from jamboree.server.protocol.bodies import Credentials

from .person import PATIENCE, Person
from .serving import Server

COOKIE = "jamboree-"
ENOUGH = ("SayReady", "SayDone")
OFTEN = 0.3
LATE: dict[str, Callable[[Any], bool]] = {
    "bebop": lambda view: view.supplies[view.viewer].basic + len(view.supplies[view.viewer].specials) <= 1,
    "bpm": lambda view: view.round >= view.rounds,
    "boogie": lambda view: view.jumprun >= view.jumpruns,
}
"""By game: whether its end is near, judged by a view."""


def never(_: Any) -> bool:
    return False


class Brisk:
    """Plays at random until a condition holds. Where all have to say that they are ready, it does so soon."""

    def __init__(self, seed: int, enough: Callable[[Any], bool] = never) -> None:
        self.rng, self.enough = random.Random(seed), enough

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        if self.enough(view) or (hasattr(view, "ready") and view.viewer in view.ready):
            return WAIT
        actions = [offer.action for offer in offers]
        ends = [action for action in actions if type(action).__name__ in ENOUGH]
        return self.rng.choice(ends if ends and self.rng.random() < OFTEN else actions)


class Programs:
    """Programs at one table, in a thread: a browser's tests have a loop of their own in this one."""

    def __init__(self, url: str, code: str, names: tuple[str, ...] = (), enough: Callable[[Any], bool] = never) -> None:
        self.url, self.code, self.names, self.enough = url, code, names, enough
        self.seated: list[Credentials] = []  # people who have joined already
        self.ready, self.stopped, self.over = threading.Event(), threading.Event(), asyncio.Event()
        self.loop: asyncio.AbstractEventLoop | None = None

    def run(self) -> None:
        try:
            asyncio.run(self._hold())
        finally:
            self.ready.set()

    def end(self) -> None:
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.over.set)

    def wait(self) -> None:
        """Wait until the condition holds for one of them, or the game is over."""
        assert self.stopped.wait(4 * PATIENCE), "the programs do not come to an end"

    async def _hold(self) -> None:
        self.loop = asyncio.get_running_loop()
        async with Client(self.url) as client:
            tickets = self.seated + [await client.join(self.code, name) for name in self.names]
            playing = [asyncio.create_task(self._plays(client, *each)) for each in enumerate(tickets)]
            self.ready.set()
            await self.over.wait()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    async def _plays(self, client: Client, seed: int, ticket: Credentials) -> None:
        await plays(client, ticket, Brisk(seed, self._is_enough))
        self.stopped.set()

    def _is_enough(self, view: Any) -> bool:
        enough = self.enough(view)
        if enough:
            self.stopped.set()
        return enough


async def plays(client: Client, ticket: Credentials, player: Brisk) -> None:
    """Have a program play in a seat until the game is over."""
    async with client.connect(ticket) as seat:
        await play(seat, player)


@contextmanager
def others(server: Server, code: str, *names: str) -> Iterator[None]:
    """Have programs hold phones at a party until the end of the block."""
    with _held(Programs(server.url, code, names)):
        yield


@contextmanager
def by_program(
    server: Server, code: str, *devices: Person, enough: Callable[[Any], bool] = never
) -> Iterator[Programs]:
    """Have programs play in the seats of devices, faster than by hand, until a condition holds."""
    programs = Programs(server.url, code, enough=enough)
    tokens = [cookie["value"] for device in devices for cookie in device.context.cookies() if is_a_seat(cookie, code)]
    programs.seated = [Credentials(code, "", None, str(token)) for token in tokens]
    with _held(programs):
        yield programs


def is_a_seat(cookie: Any, code: str) -> bool:
    return str(cookie["name"]).startswith(f"{COOKIE}{code}")


def fast_forward(server: Server, person: Person, enough: Callable[[Any], bool] = never) -> None:
    """Have a program play for a person who leaves the page, until a condition holds or the game is over."""
    url, before = person.page.url, welcomes(person)
    person.page.goto("about:blank")
    with by_program(server, url.rpartition("/")[2], person, enough=enough) as programs:
        programs.wait()
    person.page.goto(url)
    person.wait(lambda: welcomes(person) > before, "to be back")


def welcomes(person: Person) -> int:
    return sum(message["type"] == "welcome" for message in person.received)


@contextmanager
def _held(programs: Programs) -> Iterator[None]:
    thread = threading.Thread(target=programs.run)
    thread.start()
    programs.ready.wait(PATIENCE)
    try:
        yield
    finally:
        programs.end()
        thread.join(PATIENCE)
