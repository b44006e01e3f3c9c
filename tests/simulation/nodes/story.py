"""A simulation of several servers from one seed: injected faults, and checks of every guarantee."""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from jamboree.server import tokens
from jamboree.server.live.commands.playing import Start
from jamboree.server.nodes.lease import LEASE_SECONDS, NameTaken
from jamboree.server.store import StoreError
from tests.server.bench.local import gathered

from ..machine.disk import Fault
from ..oracle.chronicle import ENDED
from ..stage import Report, Stage, close, stop_all
from .database import Database
from .loop import NodesLoop
from .member import Member
from .people import Person

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("high-card", {}),
    ("bpm", {}),
    ("bpm", {}),
    ("bebop", {"hidden_hands": True}),
)
BACK_WITHIN = 60.0  # virtual seconds in which every table continues after the last fault
LOOKED_AT = 0.1  # between checks of the owners of tables
Trouble = Callable[["Story"], Coroutine[Any, Any, None]]


class Story(Stage):
    def __init__(self, loop: NodesLoop, seed: int, tell: Callable[[str], None] | None = None) -> None:
        super().__init__(loop, seed, tell)
        self.loop, self.rng, self.database = loop, random.Random(f"{seed} nodes"), Database(self.disk)
        self.members: list[Member] = []
        self.people: list[Person] = []

    async def run(self) -> None:
        names = "abc"[: self.rng.choice((2, 2, 3))]
        for name in names:
            self.members.append(self._member(name))
        await asyncio.gather(*(member.up.wait() for member in self.members))
        for number in range(self.rng.choice((1, 2, 3))):
            await self._gather(number)
        lives = [self.loop.create_task(person.live()) for person in self.people]
        watching = self.loop.create_task(self._watch())
        await self._storm(self.rng.uniform(30.0, 80.0))
        await self._calm_down()
        self.over = True
        await asyncio.wait(lives)
        for life in [*lives, watching]:
            life.cancel() if life is watching else life.result()
        for member in self.members:
            await member.leave()
        self._check()

    def _member(self, name: str) -> Member:
        self.trace(name, "starts")
        return Member(self.loop, self.database, name, random.Random(f"{self.rng.random()} {name}"), self.broken)

    async def _gather(self, number: int) -> None:
        """Let two people begin a game at one of the servers."""
        member, (game, options) = self.rng.choice(self.members), self.rng.choice(GAMES)

        async def begun() -> tuple[str, list[Any]]:
            code, tickets = await gathered(member.registry, game, 2, **options)
            await (await member.registry.table(code)).ask(Start(), tickets[0].person)
            return code, tickets

        code, tickets = await self.loop.employ(member, begun(), "begin")
        for seat, ticket in enumerate(tickets):
            rng = random.Random(f"{self.seed} person {number} {seat}")
            self.people.append(Person(self, code, seat, ticket.person, ticket.token, rng))

    async def _watch(self) -> None:
        """Check that no table is at two servers at once, unless the database's clock was set."""
        while True:
            await asyncio.sleep(LOOKED_AT)
            theirs = Counter(code for member in self.members for code in member.has)
            twice = [code for code, many in theirs.items() if many > 1]
            if twice and self.loop.time() > self.database.set_at + 2 * LEASE_SECONDS:
                self.broken(f"{twice} are at two servers at once")

    # --- faults

    async def _storm(self, seconds: float) -> None:
        until, troubles = self.loop.time() + seconds, list[asyncio.Task[None]]()
        while self.loop.time() < until and not self.problems:
            await asyncio.sleep(self.rng.expovariate(1 / 3.0))
            trouble = self.rng.choice(TROUBLES)
            troubles.append(self.loop.create_task(trouble(self)))
        await asyncio.gather(*troubles)

    def victim(self) -> Member | None:
        able = [member for member in self.members if member.answers and not member.stopped and not member.cut_off]
        return self.rng.choice(able) if able else None

    async def again(self, member: Member) -> None:
        """Restart a server under its name; later, if the name is taken or the database is lost."""
        await asyncio.sleep(self.rng.uniform(0.1, 4.0))
        while member in self.members:  # it may have been killed during its shutdown, and restarted since
            new = self._member(member.name)
            self.members[self.members.index(member)] = member = new
            await asyncio.wait([self.loop.create_task(new.up.wait()), new.main], return_when=asyncio.FIRST_COMPLETED)
            if not new.main.done():
                return
            if not isinstance(new.main.exception(), NameTaken | StoreError):
                new.main.result()
            await new.kill()
            await asyncio.sleep(1.0)

    async def _calm_down(self) -> None:
        """Check that every table continues once there are no faults."""
        self.trace("weather", "calms down")
        self.calm_the_disk()
        before = {person.code: len(self.history(person.code).acted) for person in self.people}
        end = self.loop.time() + BACK_WITHIN
        while not all(self._goes_on(code, many) for code, many in before.items()) and not self.problems:
            await asyncio.sleep(0.5)
            if self.loop.time() > end:
                stuck = [code for code, many in before.items() if not self._goes_on(code, many)]
                self.broken(f"{stuck} did not go on")

    def _goes_on(self, code: str, many: int) -> bool:
        history = self.history(code)
        return history.status in ENDED or len(history.acted) > many + 1

    def _check(self) -> None:
        """Check that all acknowledged actions are stored, in the order of their requests."""
        self.chronicle.check()
        for person in self.people:
            acted = self.history(person.code).acted
            stored = [acted[person.key, name] for name in person.acked if (person.key, name) in acted]
            if len(stored) < len(person.acked) or stored != sorted(stored):
                self.broken(f"{person.key} at {person.code} was promised more than was kept")


async def kill(story: Story) -> None:
    if member := story.victim():
        story.trace(member.name, "is killed")
        await member.kill()
        await story.again(member)


async def drain(story: Story) -> None:
    if member := story.victim():
        story.trace(member.name, "leaves")
        await member.leave()
        await story.again(member)


async def pause(story: Story) -> None:
    if member := story.victim():
        story.trace(member.name, "stops")
        member.stop()
        await asyncio.sleep(story.rng.choice((0.5, 1.9, 2.5, 6.0)) * story.rng.uniform(0.8, 1.2))
        story.trace(member.name, "goes on")
        member.go_on(story.loop)


async def cut(story: Story) -> None:
    if member := story.victim():
        story.trace(member.name, "is cut off from the database")
        member.cut_off = True
        await asyncio.sleep(story.rng.uniform(0.3, 6.0))
        member.cut_off = False
        story.trace(member.name, "reaches the database")


async def lose_the_database(story: Story) -> None:
    story.disk.fault = story.rng.choice((Fault.LOST, Fault.LOST_AFTER))
    story.trace("disk", f"next commit: {story.disk.fault}")
    await asyncio.sleep(story.rng.uniform(1.0, 4.0))
    story.disk.back_at = min(story.disk.back_at, story.loop.time() + 5.0)


async def slow_down(story: Story) -> None:
    story.disk.slow = True
    await asyncio.sleep(story.rng.uniform(1.0, 6.0))
    story.disk.slow = False


async def set_the_clock(story: Story) -> None:
    by = story.rng.choice((-100.0, -5.0, 3.0, 60.0))
    story.trace("database", f"its clock is set by {by}")
    story.database.set_by += by
    story.database.set_at = story.loop.time()


TROUBLES: tuple[Trouble, ...] = (
    *(kill, kill, kill, pause, pause, pause, pause, cut, cut, cut, drain, drain),
    *(lose_the_database, slow_down, slow_down, set_the_clock),
)


def simulate_nodes(seed: int, tell: Callable[[str], None] | None = None) -> Report:
    """Run a simulation to its end."""
    loop = NodesLoop()
    asyncio.set_event_loop(loop)
    logging.disable()  # servers log many errors, rightly
    with tokens.drawing_from(random.Random(f"{seed} secrets")):
        story = Story(loop, seed, tell)
        try:
            loop.run_until_complete(asyncio.wait_for(story.run(), 1800))
        except Exception as error:  # any exception fails the seed
            story.broken(f"{type(error).__name__}: {error}")
            if tell:
                raise
        finally:
            logging.disable(logging.NOTSET)
            stop_all(loop)
            close(loop)
    return story.report(sum(len(person.acked) for person in story.people))
